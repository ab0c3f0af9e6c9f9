import { writeFileSync } from 'node:fs'
import { wasmEngine } from '../../packages/core/dist/entries/engine.js'
import { type Random, random } from '../../packages/core/dist/entries/numeric.js'
import { STANDARD_ERROR_KINDS } from '../../packages/core/dist/entries/stats.js'
import {
  fit,
  type Interval,
  Model,
  matchClasses,
  type StandardErrorKind,
  type StandardErrors,
  standardErrors,
  type Tensor,
  tensorFromColumns,
} from '../../packages/core/dist/index.js'
import { table } from './table.js'

/**
 * `npm run bench:coverage [first] [tables] [designs]`: how often intervals of 95% hold the true value, for each kind of standard errors,
 * over tables drawn from eight known models. The default kind was chosen on the tables from 1 on; the default here begins at 100001.
 */

interface Design {
  readonly observations: number
  readonly shares: readonly number[]
  /** For every item and class, the probabilities of its labels; one number is that of the first of two. */
  readonly items: readonly (readonly (number | readonly number[])[])[]
  /** The part of the answers that is missing. */
  readonly missing?: number
}

const FIVE = [[0.85, 0.2], [0.8, 0.3], [0.75, 0.15], [0.7, 0.25], [0.9, 0.35]] // biome-ignore format: a table
const THREE = [[0.9, 0.8, 0.1], [0.85, 0.2, 0.15], [0.8, 0.75, 0.2], [0.9, 0.15, 0.1], [0.75, 0.8, 0.25], [0.85, 0.1, 0.2]] // biome-ignore format: a table

const DESIGNS: Readonly<Record<string, Design>> = {
  'two classes, n = 1000': { observations: 1000, shares: [0.6, 0.4], items: FIVE },
  'two classes, n = 1000, 15% missing': { observations: 1000, shares: [0.6, 0.4], items: FIVE, missing: 0.15 },
  'two classes, n = 200': { observations: 200, shares: [0.6, 0.4], items: FIVE },
  'a class of 15%, n = 300': { observations: 300, shares: [0.85, 0.15], items: FIVE },
  'three classes, n = 400': { observations: 400, shares: [0.5, 0.3, 0.2], items: THREE },
  'three classes, n = 1500': { observations: 1500, shares: [0.5, 0.3, 0.2], items: THREE },
  'probabilities near 0 and 1, n = 300': {
    observations: 300,
    shares: [0.55, 0.45],
    items: [[0.97, 0.05], [0.95, 0.02], [0.9, 0.03], [0.98, 0.1], [0.93, 0.04]], // biome-ignore format: a table
  },
  'four categories, n = 500': {
    observations: 500,
    shares: [0.6, 0.4],
    items: Array.from({ length: 4 }, () => [
      [0.5, 0.3, 0.15, 0.05],
      [0.1, 0.15, 0.35, 0.4],
    ]),
  },
}

const [first, tables] = [Number(process.argv[2] ?? 100_001), Number(process.argv[3] ?? 500)]
const chosen = process.argv.slice(4)
const LEVEL = 0.95
/** Random starts of every fit: the estimate is the best of them, as a user's is, wherever the truth is. */
const STARTS = 8
const say = (text: string) => process.stdout.write(`${text}\n`)

const probabilitiesOf = (entry: number | readonly number[]): readonly number[] =>
  typeof entry === 'number' ? [entry, 1 - entry] : entry

/** The model that a design draws from. */
const modelOf = ({ items, shares, observations }: Design, { modes }: Tensor): Model =>
  new Model(modes, {
    rank: shares.length,
    sizes: Float64Array.from(shares, share => share * observations),
    factors: items.map(item => {
      const columns = item.map(probabilitiesOf)
      return Float64Array.from(columns[0].flatMap((_, j) => columns.map(column => column[j])))
    }),
  })

const draw = (probabilities: readonly number[], { uniform }: Random): number => {
  let left = uniform()
  return Math.max(
    0,
    probabilities.findIndex(p => {
      left -= p
      return left < 0
    }),
  )
}

const drawn = ({ items, shares, observations, missing = 0 }: Design, source: Random): Tensor => {
  const columns: number[][] = items.map(() => [])
  for (let row = 0; row < observations; row++) {
    const k = draw(shares, source)
    items.forEach((item, n) => {
      columns[n].push(source.uniform() < missing ? -1 : draw(probabilitiesOf(item[k]), source))
    })
  }
  return tensorFromColumns(columns, undefined, { shape: items.map(item => probabilitiesOf(item[0]).length) })
}

/** Names, true values and intervals of all shares and probabilities; of two labels, one. */
const parametersOf = (truth: Model, intervals: StandardErrors['intervals'], own: readonly number[]) => {
  const list: { name: string; value: number; interval: Interval | undefined }[] = []
  truth.shares.forEach((value, k) => {
    list.push({ name: `share ${k + 1}`, value, interval: intervals?.shares[own[k]] })
  })
  truth.modes.forEach(({ name, size }, n) => {
    for (let k = 0; k < truth.rank; k++) {
      for (let j = 0; j < (size === 2 ? 1 : size); j++) {
        const interval = intervals?.factors[n][own[k]][j]
        list.push({ name: `${name}=${j} in ${k + 1}`, value: truth.profile(n, k)[j], interval })
      }
    }
  })
  return list
}

interface Counted {
  readonly names: string[]
  readonly held: number[]
  none: number
}

const measure = async (design: Design, stream: number): Promise<Record<StandardErrorKind, Counted>> => {
  const truth = modelOf(design, drawn(design, random(first, 'data', stream)))
  const engine = wasmEngine({ threads: 1 })
  const counted = (): Counted => ({ names: [], held: [], none: 0 })
  const found: Record<StandardErrorKind, Counted> = { empirical: counted(), observed: counted(), sandwich: counted() }
  for (let i = first; i < first + tables; i++) {
    const session = await engine.open(drawn(design, random(i, 'data', stream)))
    const { model } = await fit(session, { rank: truth.rank, starts: STARTS, seed: i })
    const own = matchClasses(truth, model).partner
    for (const kind of STANDARD_ERROR_KINDS) {
      const { intervals, reason } = await standardErrors(session, model, { kind, confidence: LEVEL })
      const into = found[kind]
      if (reason !== undefined) into.none++
      parametersOf(truth, intervals, own).forEach(({ name, value, interval }, at) => {
        into.names[at] = name
        into.held[at] =
          (into.held[at] ?? 0) + Number(interval !== undefined && interval[0] <= value && value <= interval[1])
      })
    }
    await session.close()
  }
  return found
}

const percent = (part: number): string => `${(100 * part).toFixed(1)}%`
const mean = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0) / numbers.length

const rows: (string | number)[][] = []
const newTotals = () => ({ means: [] as number[], misses: [] as number[], lowest: [] as number[] })
const totals = { empirical: newTotals(), observed: newTotals(), sandwich: newTotals() }
const names = Object.keys(DESIGNS)
for (const [stream, name] of names.entries()) {
  if (chosen.length > 0 && !chosen.includes(String(stream + 1))) continue
  const began = performance.now()
  const found = await measure(DESIGNS[name], stream)
  for (const kind of STANDARD_ERROR_KINDS) {
    const rates = found[kind].held.map(count => count / tables)
    const lowest = Math.min(...rates)
    const own = totals[kind]
    own.means.push(mean(rates))
    own.misses.push(mean(rates.map(rate => Math.abs(rate - LEVEL))))
    own.lowest.push(lowest)
    const last = DESIGNS[name].shares.length - 1
    rows.push([
      kind === STANDARD_ERROR_KINDS[0] ? name : '',
      kind,
      percent(mean(rates)),
      percent(rates[last]),
      percent(lowest),
      found[kind].names[rates.indexOf(lowest)],
      percent(found[kind].none / tables),
    ])
  }
  say(`${name}: ${((performance.now() - began) / 1000).toFixed(0)} s`)
}

const summary = STANDARD_ERROR_KINDS.map(kind => [
  kind,
  percent(mean(totals[kind].means)),
  percent(mean(totals[kind].misses)),
  percent(Math.min(...totals[kind].lowest)),
])
const text = [
  '# Coverage of confidence intervals',
  '',
  `\`npm run bench:coverage ${[first, tables, ...chosen].join(' ')}\` draws ${tables} tables of each design from a known model. It fits each from ${STARTS} random starts, pairs the`,
  'classes with the true ones, and computes a 95% interval for every share and probability (one of two labels). If a table has no standard',
  `errors, all its intervals count as missing the true value. Each rate has a margin of error of about ${percent(1.96 * Math.sqrt((LEVEL * (1 - LEVEL)) / tables))}. The default kind was chosen on tables 1 to 300.`,
  '',
  table(['design', 'kind', 'mean', 'smallest share', 'lowest', 'of', 'no errors'], rows),
  '',
  'Over all designs: the mean coverage, the mean distance of a parameter’s coverage from 95%, and the lowest coverage.',
  '',
  table(['kind', 'mean', 'off by', 'lowest'], summary),
  '',
].join('\n')
say(`\n${text}`)
const path = new URL('../COVERAGE.md', import.meta.url)
if (first > 100_000 && chosen.length === 0) writeFileSync(path, text)
process.exit(0)
