import { writeFileSync } from 'node:fs'
import { type FitResult, fit, wasmEngine } from '../../packages/core/dist/index.js'
import { machine } from './machine.js'
import { KINDS, problem } from './problems.js'
import { table } from './table.js'

/**
 * `npm run bench:verdict [first] [problems]`: the default search on random problems of every kind, each with several seeds, against the
 * best that any run of a long search found: how often it missed, by kind, and by what the verdict said of it. The settings of
 * the search were chosen on problems 1 to 60 of each kind; the default here begins at 1001.
 */

const [first, problems] = [Number(process.argv[2] ?? 1001), Number(process.argv[3] ?? 40)]
const SEEDS = [1, 2, 3, 4]
/** What else is run for the best known: independent starts, and searches with three times the passes. */
const STARTS = { starts: 400, seed: 99 }
const SEARCHES = { seeds: [91, 92, 93], maxPasses: 300_000 }
/** A loss above the best known by more than this, in nats, is a miss. */
const MISS = 0.005

const say = (text: string) => process.stdout.write(`${text}\n`)

interface Outcome {
  readonly kind: string
  readonly missed: boolean
  readonly gap: number
  readonly result: FitResult
  readonly seconds: number
}

const outcomes: Outcome[] = []
for (const kind of Object.keys(KINDS)) {
  const began = performance.now()
  for (let seed = first; seed < first + problems; seed++) {
    const { tensor, rank } = problem(kind, seed)
    if (rank > tensor.cells) continue
    const session = await wasmEngine().open(tensor)
    const runs: { result: FitResult; seconds: number }[] = []
    for (const each of SEEDS) {
      const start = performance.now()
      const result = await fit(session, { rank, seed: each })
      runs.push({ result, seconds: (performance.now() - start) / 1000 })
    }
    const others = [await fit(session, { rank, ...STARTS })]
    for (const each of SEARCHES.seeds)
      others.push(await fit(session, { rank, seed: each, maxPasses: SEARCHES.maxPasses }))
    await session.close()
    const best = Math.min(...others.map(({ loss }) => loss), ...runs.map(({ result }) => result.loss))
    for (const { result, seconds } of runs) {
      outcomes.push({ kind, gap: result.loss - best, missed: result.loss - best > MISS, result, seconds })
    }
  }
  const own = outcomes.filter(each => each.kind === kind)
  say(
    `${kind}: ${own.filter(({ missed }) => missed).length} of ${own.length} missed, ${((performance.now() - began) / 1000).toFixed(0)} s`,
  )
}

const percent = (part: number, all: number): string => (all === 0 ? '–' : `${((100 * part) / all).toFixed(2)} %`)
const median = (numbers: number[]): number => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

const row = (name: string, some: readonly Outcome[]): (string | number)[] => {
  const missed = some.filter(each => each.missed)
  return [
    name,
    some.length,
    missed.length,
    percent(missed.length, some.length),
    median(some.map(({ seconds }) => seconds)).toFixed(3),
    Math.max(0, ...some.map(({ seconds }) => seconds)).toFixed(2),
    missed.length === 0 ? '–' : median(missed.map(({ gap }) => gap)).toFixed(3),
  ]
}

const byKind = [
  ...Object.keys(KINDS).map(kind =>
    row(
      kind,
      outcomes.filter(each => each.kind === kind),
    ),
  ),
  row('all', outcomes),
]
const stated = (low: number, high: number) => (each: Outcome) =>
  each.result.verdict.better > low && each.result.verdict.better <= high
const bands: [number, number][] = [[-1, 0.002], [0.002, 0.01], [0.01, 0.05], [0.05, 0.2], [0.2, 1]] // biome-ignore format: a table
const byChance = bands.map(([low, high]) => {
  const some = outcomes.filter(stated(low, high))
  const mean = some.reduce((sum, { result }) => sum + result.verdict.better, 0) / Math.max(1, some.length)
  return [
    `${low < 0 ? 'up' : `${100 * low} %`} to ${100 * high} %`,
    some.length,
    percent(mean, 1),
    percent(some.filter(({ missed }) => missed).length, some.length),
  ]
})
const trusted = outcomes.filter(({ result }) => result.verdict.advice.every(text => /determine/.test(text)))
/** A range of times reached, in words. */
const named = (low: number, next: number | undefined): string =>
  `reached ${next === undefined ? `${low} times or more` : next - low === 1 ? `${low}×` : `${low} to ${next - 1}×`}`

const byReached = [1, 2, 3, 5, 8, 13].map((low, i, all) => {
  const some = outcomes.filter(
    ({ result: { verdict } }) => verdict.reached >= low && verdict.reached < (all[i + 1] ?? 1e9),
  )
  return [named(low, all[i + 1]), some.length, percent(some.filter(({ missed }) => missed).length, some.length)]
})

const text = [
  '# What the search misses, and what its verdict says of it',
  '',
  `\`npm run bench:verdict ${first} ${problems}\` on ${machine()}. Problems ${first} to ${first + problems - 1} of each kind, ${SEEDS.length} seeds each; a miss is a loss`,
  `more than ${MISS} nats above the best that these runs, ${STARTS.starts} further starts and ${SEARCHES.seeds.length} searches with more passes found. The search and the verdict were tuned on problems 1 to 60.`,
  '',
  table(['kind', 'runs', 'missed', '', 'median s', 'longest s', 'median gap of a miss'], byKind),
  '',
  table(['stated chance of a better optimum', 'runs', 'stated on average', 'missed'], byChance),
  '',
  table(
    ['verdict without advice', 'runs', 'missed'],
    [['trusted', trusted.length, percent(trusted.filter(({ missed }) => missed).length, trusted.length)]],
  ),
  '',
  table(['the best was', 'runs', 'missed'], byReached),
  '',
].join('\n')
say(`\n${text}`)
if (first >= 1000) writeFileSync(new URL('../VERDICT.md', import.meta.url), text)
process.exit(0)
