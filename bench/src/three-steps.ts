import { writeFileSync } from 'node:fs'
import { wasmEngine } from '../../packages/core/dist/entries/engine.js'
import { withoutModes } from '../../packages/core/dist/entries/model.js'
import { type Random, random } from '../../packages/core/dist/entries/numeric.js'
import {
  distalOutcome,
  fit,
  Model,
  matchClasses,
  regressClasses,
  type Tensor,
  tensorFromColumns,
} from '../../packages/core/dist/index.js'
import { table } from './table.js'

/**
 * `npm run bench:three-steps [first] [samples]`: how often intervals of 95% hold the truth after three steps: means and probabilities of
 * an outcome by class, and coefficients of covariates, if the model of the classes is fitted to every sample too.
 */

interface Design {
  readonly observations: number
  /** P[yes] of every item and class. */
  readonly items: readonly (readonly number[])[]
  /** Intercept and slope of every class but the first. */
  readonly logits: readonly (readonly [number, number])[]
  /** Of every class, the mean of a number, and P[first category]. */
  readonly means: readonly number[]
  readonly parts: readonly number[]
}

const FOUR = [[0.85, 0.2], [0.8, 0.25], [0.7, 0.25], [0.8, 0.3]] // biome-ignore format: a table
const SIX = [[0.9, 0.8, 0.1], [0.85, 0.2, 0.15], [0.8, 0.75, 0.2], [0.9, 0.15, 0.1], [0.75, 0.8, 0.25], [0.85, 0.1, 0.2]] // biome-ignore format: a table
const TWO = { items: FOUR, logits: [[-0.4, 0.6]], means: [0, 1], parts: [0.6, 0.2] } as const

const DESIGNS: Readonly<Record<string, Design>> = {
  'two classes, four items, n = 1000': { observations: 1000, ...TWO },
  'two classes, four items, n = 500': { observations: 500, ...TWO },
  'three classes, six items, n = 1500': {
    ...{ observations: 1500, items: SIX, means: [0, 1, 2], parts: [0.6, 0.4, 0.2] },
    logits: [[-0.4, 0.5], [-0.7, -0.3]], // biome-ignore format: a table
  },
}

const [first, samples] = [Number(process.argv[2] ?? 100_001), Number(process.argv[3] ?? 1000)]
const LEVEL = 0.95
const STARTS = 5
const VALUES = [-2, -1, 0, 1, 2]
const MEASUREMENTS = ['estimated', 'known'] as const
const say = (text: string) => process.stdout.write(`${text}\n`)

/** A standard normal number, by Box and Muller. */
const normal = ({ uniform }: Random): number =>
  Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())

const membership = ({ logits }: Design, x: number): number[] => {
  const odds = [1, ...logits.map(([a, b]) => Math.exp(a + b * x))]
  const sum = odds.reduce((a, b) => a + b)
  return odds.map(each => each / sum)
}

interface Sample {
  readonly tensor: Tensor
  readonly answers: readonly number[][]
  readonly numbers: readonly number[]
  readonly categories: readonly number[]
}

const drawn = (design: Design, source: Random): Sample => {
  const { items, means, parts, observations } = design
  const answers: number[][] = items.map(() => [])
  const [xs, numbers, categories]: number[][] = [[], [], []]
  for (let row = 0; row < observations; row++) {
    const x = Math.floor(VALUES.length * source.uniform())
    let [k, left] = [0, source.uniform()]
    for (const share of membership(design, VALUES[x])) {
      left -= share
      if (left < 0) break
      k++
    }
    k = Math.min(k, means.length - 1)
    items.forEach((yes, n) => {
      answers[n].push(source.uniform() < yes[k] ? 0 : 1)
    })
    xs.push(x)
    numbers.push(means[k] + normal(source))
    categories.push(source.uniform() < parts[k] ? 0 : 1)
  }
  const modes = [
    ...items.map((_, n) => ({ name: `item${n + 1}`, labels: ['yes', 'no'] })),
    { name: 'x', labels: VALUES },
  ]
  const shape = modes.map(({ labels }) => labels.length)
  return { tensor: tensorFromColumns([...answers, xs], undefined, { shape, modes }), answers, numbers, categories }
}

/** The model that the classes of a design have, over the covariate. */
const truthOf = (design: Design, { modes }: Tensor): Model => {
  const each = VALUES.map(x => membership(design, x))
  const shares = design.means.map((_, k) => each.reduce((sum, own) => sum + own[k], 0) / VALUES.length)
  return new Model(modes.slice(0, -1), {
    rank: shares.length,
    sizes: Float64Array.from(shares, share => share * design.observations),
    factors: design.items.map(yes => Float64Array.from([...yes, ...yes.map(p => 1 - p)])),
  })
}

type Interval = readonly [number, number] | undefined

/** What is estimated of a sample, by what it is called: true values and intervals. */
const estimatesOf = (
  design: Design,
  sample: Sample,
  model: Model,
  own: readonly number[],
  measurement: 'estimated' | 'known',
) => {
  const { tensor, answers, numbers, categories } = sample
  const found: Record<string, { value: number; interval: Interval }[]> = {}
  for (const method of ['bch', 'ml'] as const) {
    const options = { method, measurement, confidence: LEVEL }
    const means = distalOutcome({ model, answers, outcome: numbers }, options).classes
    found[`means, ${method}`] = design.means.map((value, k) => ({ value, interval: means[own[k]].mean?.interval }))
    const parts = distalOutcome({ model, answers, outcome: categories, labels: ['a', 'b'] }, options).classes
    found[`probabilities, ${method}`] = design.parts.map((value, k) => ({ value, interval: parts[own[k]].probabilities?.[0].interval })) // biome-ignore format: one call
    const { coefficients } = regressClasses(tensor, model, {
      covariates: ['x'],
      reference: own[0] + 1,
      ...options,
    }).covariates
    const of = (k: number, term: string): Interval => {
      const each = coefficients.find(one => one.class === own[k] + 1 && one.term === term)
      return each?.interval?.map(Math.log) as unknown as Interval
    }
    found[`intercepts, ${method}`] = design.logits.map(([value], k) => ({ value, interval: of(k + 1, 'intercept') }))
    found[`slopes, ${method}`] = design.logits.map(([, value], k) => ({ value, interval: of(k + 1, 'x') }))
  }
  return found
}

const percent = (part: number): string => `${(100 * part).toFixed(1)}%`

const rows: string[][] = []
for (const [stream, [name, design]] of Object.entries(DESIGNS).entries()) {
  const held = MEASUREMENTS.map(() => ({}) as Record<string, number[]>)
  const engine = wasmEngine({ threads: 1 })
  let failed = 0
  for (let i = first; i < first + samples; i++) {
    const sample = drawn(design, random(i, 'data', stream))
    const truth = truthOf(design, sample.tensor)
    const session = await engine.open(withoutModes(sample.tensor, ['x']))
    const { model } = await fit(session, { rank: truth.rank, starts: STARTS, seed: i })
    await session.close()
    const own = matchClasses(truth, model).partner
    try {
      MEASUREMENTS.forEach((measurement, m) => {
        for (const [what, list] of Object.entries(estimatesOf(design, sample, model, own, measurement))) {
          held[m][what] ??= list.map(() => 0)
          const into = held[m][what]
          list.forEach(({ value, interval }, at) => {
            if (interval !== undefined && interval[0] <= value && value <= interval[1]) into[at]++
          })
        }
      })
    } catch (error) {
      failed++
      say(`${name}, sample ${i}: ${(error as Error).message}`)
    }
  }
  Object.keys(held[0]).forEach((what, at) => {
    const rates = held.map(each => each[what].map(count => count / (samples - failed)))
    rows.push([at === 0 ? name : '', what, ...rates.map(each => each.map(percent).join(', '))])
  })
  say(`${name}: done${failed > 0 ? `, ${failed} without a third step` : ''}`)
}

const text = [
  '# Coverage of three-step intervals',
  '',
  `\`npm run bench:three-steps ${first} ${samples}\` draws ${samples} samples of each design. It fits the model of the classes to every sample (${STARTS} starts), assigns the`,
  'rows, and compares an outcome between the classes (`distal`) or regresses membership on a covariate (`regress`). The table gives the coverage of 95% intervals, class',
  `by class. \`estimated\` allows for the uncertainty of the model, \`known\` does not. Each rate has a margin of error of about ${percent(1.96 * Math.sqrt((LEVEL * (1 - LEVEL)) / samples))}.`,
  '',
  table(['design', 'of', 'estimated', 'known'], rows),
  '',
].join('\n')
say(`\n${text}`)
if (first > 100_000) writeFileSync(new URL('../THREE-STEPS.md', import.meta.url), text)
