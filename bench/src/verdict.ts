import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { wasmEngine } from '../../packages/core/dist/entries/engine.js'
import { fit } from '../../packages/core/dist/index.js'
import { FAMILIES } from './families.js'
import { machine } from './machine.js'
import { KINDS, problem } from './problems.js'
import { table } from './table.js'

/**
 * `npm run bench:verdict [first] [problems] [names]`: the default search on random problems of every kind and family, each with
 * several seeds, against the best that any run of much more work found: how often it missed, and what the verdict said of it. The
 * settings of the search were chosen on problems 1 to 60 and 2001 to 2007; the default begins at 3001. What is done is kept in
 * bench/dist, so that it can be stopped and go on, or be done in parts (names are separated by commas); 0 problems reports what is
 * kept.
 */

const [first, problems] = [Number(process.argv[2] ?? 3001), Number(process.argv[3] ?? 12)]
const ALL = [...Object.keys(FAMILIES), ...Object.keys(KINDS)]
const names = process.argv[4]?.split(',') ?? ALL
const unknown = names.filter(name => !ALL.includes(name))
if (unknown.length > 0) throw new Error(`no family is called ${unknown.join(', ')}: there are ${ALL.join(', ')}`)

const SEEDS = [1, 2, 3, 4]
/** What else is run for the best known: independent starts, and searches with three times the passes. */
const STARTS = { starts: 100, seed: 99, maxPasses: 100_000 }
const SEARCHES = { seeds: [91, 92, 93], maxPasses: 300_000 }
/** A loss above the best known by more than this, in nats, is a miss. */
const MISS = 0.005

const say = (text: string) => process.stdout.write(`${text}\n`)

interface Outcome {
  readonly name: string
  readonly number: number
  readonly seed: number
  readonly gap: number
  readonly better: number
  readonly reached: number
  readonly advice: readonly string[]
  readonly passes: number
  readonly seconds: number
}

/** The search that is measured: what is kept of another one is not used. */
const core = new URL('../../packages/core/dist/fit/', import.meta.url)
const version = createHash('sha256')
for (const file of readdirSync(core, { recursive: true }).map(String).sort()) {
  if (file.endsWith('.js')) version.update(readFileSync(new URL(file, core)))
}
const kept = new URL(`verdict-${version.digest('hex').slice(0, 12)}.jsonl`, import.meta.url)
const outcomes: Outcome[] = existsSync(kept)
  ? readFileSync(kept, 'utf8').trim().split('\n').map(line => JSON.parse(line) as Outcome) // biome-ignore format: one chain
  : []
const isDone = (name: string, number: number) => outcomes.some(each => each.name === name && each.number === number)

const solve = async (name: string, number: number): Promise<Outcome[]> => {
  const { tensor, rank } = problem(name, number)
  if (rank > tensor.cells) return []
  const session = await wasmEngine().open(tensor)
  const runs = []
  for (const seed of SEEDS) {
    const start = performance.now()
    const result = await fit(session, { rank, seed })
    runs.push({ seed, result, seconds: (performance.now() - start) / 1000 })
  }
  const losses = [(await fit(session, { rank, ...STARTS })).loss, ...runs.map(({ result }) => result.loss)]
  for (const seed of SEARCHES.seeds) {
    losses.push((await fit(session, { rank, seed, maxPasses: SEARCHES.maxPasses })).loss)
  }
  await session.close()
  const best = Math.min(...losses)
  return runs.map(({ seed, result: { loss, verdict, totalPasses }, seconds }) => {
    const { chanceOfBetter: better, reached, advice } = verdict
    return { name, number, seed, gap: loss - best, better, reached, advice, passes: totalPasses, seconds }
  })
}

// One problem of each family after the other, so that what is done by any time is balanced.
for (let number = first; number < first + problems; number++) {
  for (const name of names) {
    if (isDone(name, number)) continue
    const found = await solve(name, number)
    outcomes.push(...found)
    for (const each of found) appendFileSync(kept, `${JSON.stringify(each)}\n`)
    say(`${name} ${number}: ${found.filter(isMissed).length} of ${found.length} missed`)
  }
}

function isMissed({ gap }: Outcome): boolean {
  return gap > MISS
}

/** Advice to take fewer classes says nothing against the optimum. */
const isTrusted = ({ advice }: Outcome): boolean => advice.every(text => /determine/.test(text))

const wanted = problems === 0 ? Number.POSITIVE_INFINITY : problems
const some = outcomes.filter(({ name, number }) => names.includes(name) && number >= first && number < first + wanted)
const last = Math.max(...some.map(({ number }) => number))
const percent = (part: number, all: number): string => (all === 0 ? '–' : `${((100 * part) / all).toFixed(2)}%`)
const median = (numbers: number[]): number => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
const mean = (numbers: number[]): number => numbers.reduce((sum, x) => sum + x, 0) / Math.max(1, numbers.length)

const row = (title: string, own: readonly Outcome[]): (string | number)[] => {
  const [missed, trusted] = [own.filter(isMissed), own.filter(isTrusted)]
  return [
    title,
    own.length,
    missed.length,
    trusted.length,
    trusted.filter(isMissed).length,
    percent(mean(own.map(({ better }) => better)), 1),
    Math.round(mean(own.map(({ passes }) => passes))),
    median(own.map(({ seconds }) => seconds)).toFixed(2),
    missed.length === 0 ? '–' : median(missed.map(({ gap }) => gap)).toFixed(3),
  ]
}

const of = (...titles: string[]) => some.filter(({ name }) => titles.includes(name))
const byName = [
  ...names.filter(name => of(name).length > 0).map(name => row(name, of(name))),
  ...(names === ALL ? [row('the eleven families', of(...Object.keys(FAMILIES)))] : []),
  row('all', some),
]
const bands: [number, number][] = [[-1, 0.001], [0.001, 0.002], [0.002, 0.01], [0.01, 0.05], [0.05, 0.2], [0.2, 1]] // biome-ignore format: a table
const byChance = bands.map(([low, high]) => {
  const own = some.filter(({ better }) => better > low && better <= high)
  return [
    `${low < 0 ? 'up' : `${100 * low}%`} to ${100 * high}%`,
    own.length,
    percent(mean(own.map(({ better }) => better)), 1),
    own.filter(isMissed).length,
    percent(own.filter(isMissed).length, own.length),
  ]
})

const text = [
  '# What the search misses, and what its verdict says about it',
  '',
  `\`npm run bench:verdict ${first} ${problems}${names === ALL ? '' : ` ${names.join(',')}`}\` on ${machine()}. Problems ${first} to ${last} of each family, or as many as there was time for, ${SEEDS.length} seeds each;`,
  `a miss is a loss more than ${MISS} nats above the best that these runs, ${STARTS.starts} further starts and ${SEARCHES.seeds.length} searches with three times the passes found.`,
  'A run is trusted if its verdict gives no advice, or only the advice to use fewer classes. The search and the verdict were tuned on problems 1 to 60 and 2001 to 2007.',
  '',
  table(
    [
      'family',
      'runs',
      'missed',
      'trusted',
      'of these missed',
      'stated chance',
      'passes',
      'median s',
      'median gap of a miss',
    ],
    byName,
  ),
  '',
  table(['stated chance of a better optimum', 'runs', 'stated on average', 'missed', ''], byChance),
  '',
].join('\n')
say(`\n${text}`)
if (first > 1000 && names === ALL) writeFileSync(new URL('../VERDICT.md', import.meta.url), text)
process.exit(0)
