import { writeFileSync } from 'node:fs'
import { type FitResult, fit, type Tensor } from '../../packages/core/dist/index.js'
import { machine } from './machine.js'
import { planted } from './planted.js'
import { carcinoma, frostt, gss82, iris, values } from './small-tables.js'
import { table } from './table.js'

/**
 * `npm run bench:search [problem [first seed]]`: what the default search finds, beside plain random starts of EM at the same cost.
 * The cost is counted in passes of the rank asked for, so that the machine's load does not matter.
 */

const say = (text: string) => process.stdout.write(`${text}\n`)

const median = (numbers: readonly number[]): number => {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Random starts of plain EM, as many as the passes allow: what the search is compared with. */
const plainStarts = async (tensor: Tensor, rank: number, seed: number, passes: number): Promise<number> => {
  let best = Number.POSITIVE_INFINITY
  let left = passes
  for (let start = 0; left >= 2; start++) {
    const options = {
      rank,
      seed: seed * 100_000 + start,
      starts: 1,
      algorithm: 'em',
      tolerance: 1e-9,
      stationarity: 1e-3,
    } as const
    const { loss, totalPasses } = await fit(tensor, { ...options, maxPasses: Math.min(left, 300) })
    best = Math.min(best, loss)
    left -= totalPasses
  }
  return best
}

interface Problem {
  readonly name: string
  readonly tensor: Tensor
  readonly rank: number
  readonly seeds: number
  readonly maxPasses?: number
  /** The loss to reach, and where it is from. */
  readonly target: number
  readonly note: string
}

/** `npm run bench:search enron 101` takes one problem with other seeds than those the search was tuned on. */
const firstSeed = Number(process.argv[3] ?? 1)

const rows: (string | number)[][] = []

const digits = (loss: number): string => (Math.abs(loss) > 1e6 ? loss.toFixed(1) : loss.toFixed(4))

const measure = async ({ name, tensor, rank, seeds, maxPasses, target, note }: Problem): Promise<void> => {
  const found: FitResult[] = []
  const plain: number[] = []
  const began = performance.now()
  let seconds = 0
  for (let i = 0; i < seeds; i++) {
    const seed = firstSeed + i
    const before = performance.now()
    const result = await fit(tensor, { rank, seed, ...(maxPasses && { maxPasses }) })
    seconds += (performance.now() - before) / 1000
    found.push(result)
    plain.push(await plainStarts(tensor, rank, seed, result.totalPasses))
    process.stderr.write(
      `\r\x1b[K${name}: seed ${i + 1} of ${seeds}, ${digits(result.loss)}, plain ${digits(plain[i])}`,
    )
  }
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
  const tolerance = 1e-8 * Math.max(1, Math.abs(target))
  const hits = (list: readonly number[]) => `${list.filter(loss => loss <= target + tolerance).length}/${seeds}`
  const reached = found.map(({ loss }) => loss)
  rows.push([
    `${name}, K=${rank}`,
    `${digits(target)} (${note})`,
    hits(reached),
    digits(median(reached)),
    digits(Math.min(...reached)),
    Math.round(median(found.map(({ totalPasses }) => totalPasses))),
    (seconds / seeds).toFixed(1),
    hits(plain),
    digits(median(plain)),
  ])
  say(`${rows[rows.length - 1].join('  ')}   [${((performance.now() - began) / 1000).toFixed(0)} s]`)
}

/** The loss of eq. (2) that belongs to a log-likelihood. */
const lossOf = (logLikelihood: number, { total }: Tensor) => -logLikelihood - total * Math.log(total) + total

const only = process.argv[2]
const wanted = (name: string) => only === undefined || name.includes(only)

const small: [string, Tensor, number, number][] = [
  ['values', values, 2, -504.46767],
  ['carcinoma', carcinoma, 4, -289.285849],
  ['carcinoma', carcinoma, 5, -286.884329],
  ['gss82', gss82, 4, -2746.620807],
  ['gss82', gss82, 5, -2744.830827],
]
for (const [name, tensor, rank, best] of small) {
  const target = lossOf(best, tensor) + 1e-6
  if (wanted(name)) await measure({ name, tensor, rank, seeds: 20, target, note: 'best known' })
}
if (wanted('iris')) {
  const problem = { name: 'iris', tensor: iris(), rank: 3, target: 952.5718, note: 'lowest known before' }
  await measure({ ...problem, seeds: 8, maxPasses: 100_000 })
}
for (const [name, rank, target] of [
  ['enron', 10, 22_000],
  ['chicago', 8, -30_235_190],
] as const) {
  // biome-ignore format: a table
  const tensor = frostt(`${name}.tns`)
  if (tensor === undefined) say(`${name}: no data file, left out`)
  else if (wanted(name)) await measure({ name, tensor, rank, seeds: 8, maxPasses: 3000, target, note: 'goal' })
}
for (const [name, shape, draws] of [
  ['planted 1000³', [1000, 1000, 1000], 2_000_000],
  ['planted 300⁴', [300, 300, 300, 300], 1_000_000],
] as const) {
  // biome-ignore format: a table
  if (!wanted(name)) continue
  for (let seed = firstSeed; seed < firstSeed + 10; seed++) {
    const { tensor, truthLoss } = planted([...shape], 10, draws, 0.1, seed)
    const { loss, totalPasses } = await fit(tensor, { rank: 10, seed, maxPasses: 100 })
    const plain = await plainStarts(tensor, 10, seed, 100)
    rows.push([
      `${name}, seed ${seed}`,
      `${digits(truthLoss)} (generating model)`,
      loss <= truthLoss ? '1/1' : '0/1',
      digits(loss),
      digits(loss),
      totalPasses,
      '',
      plain <= truthLoss ? '1/1' : '0/1',
      digits(plain),
    ])
    say(rows[rows.length - 1].join('  '))
  }
}
const header = [
  'problem',
  'loss to reach',
  'reached',
  'median',
  'lowest',
  'passes',
  's each',
  'plain EM: reached',
  'median',
]
const text = table(header, rows)
say(`\n${text}`)
if (only === undefined) {
  const intro = `# What the search finds\n\nPrinted by \`npm run bench:search\`. ${machine()}\n\nEach line compares the default search, with a number of seeds, with random starts of plain EM (at most 300 passes each) at the same\ncost. Passes are passes of the requested rank; a pass of a wide start counts in proportion to its classes.\n\nOn enron's seeds 201 to 224, which were not used to choose anything, the median within 3000 passes is 22,002.5 (the search before the last change: 22,000.1; \`npm run bench:search enron 201\`, 209 and 217 print them eight at a time),\nand on planted tensors of seeds 101 to 110 all 20 are below the generating model within 100 passes. If plain EM misses a small table's optimum by less than\n0.001, it was at the right optimum, but had not converged within its passes.\n\n`
  writeFileSync(new URL('../SEARCH.md', import.meta.url), `${intro}${text}\n`)
}
