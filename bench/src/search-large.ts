import { random } from '../../packages/core/dist/entries/numeric.js'
import { fit, type Tensor, tensorFromColumns } from '../../packages/core/dist/index.js'
import { survey } from './draw.js'
import { inBuilds } from './other-build.js'
import { planted } from './planted.js'
import { frostt } from './small-tables.js'
import { table } from './table.js'

/**
 * `npm run bench:search large [problem [first seed [seeds]]]`: the search where passes are dear. With POLYAD_OLD, the folder of another build's
 * packages/core/dist, both are run on the same problems at the same limit of passes. The parts of the budget were chosen on seed 1.
 */
const [only = '', first = '107', count = '2'] = process.argv.slice(2)
const versions = await inBuilds('index.js', { fit })

/** As on data of 3e7 cells × modes × classes, where this is the default. */
const MIN_GAIN = 1e-6

/** Every so many rows of a table, with the columns that five or more of them have. */
const sampled = ({ indices: [rows, columns], values }: Tensor, every: number, from: number): Tensor => {
  const chosen = [...rows.keys()].filter(c => rows[c] % every === from % every)
  const uses = new Map<number, number>()
  for (const c of chosen) uses.set(columns[c], (uses.get(columns[c]) ?? 0) + 1)
  const cells = chosen.filter(c => (uses.get(columns[c]) as number) >= 5)
  const renumbered = (labels: Int32Array) => {
    const numbers = new Map<number, number>()
    return Int32Array.from(cells, c => {
      if (!numbers.has(labels[c])) numbers.set(labels[c], numbers.size)
      return numbers.get(labels[c]) as number
    })
  }
  return tensorFromColumns(
    [renumbered(rows), renumbered(columns)],
    Float64Array.from(cells, c => values[c]),
  )
}

/** Words of documents: Zipf's law, topics that prefer some words, documents of two or three topics, classes of unequal size. */
const documents = (shape: readonly [number, number], topics: number, words: number, seed: number): Tensor => {
  const { uniform, below } = random(seed, 'data')
  const sums = (weights: readonly number[]) => {
    let sum = 0
    return Float64Array.from(weights, weight => {
      sum += weight
      return sum
    })
  }
  const pick = (chances: Float64Array) => {
    const target = uniform() * chances[chances.length - 1]
    let [low, high] = [0, chances.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (chances[middle] > target) high = middle
      else low = middle + 1
    }
    return low
  }
  const vocabulary = Array.from({ length: shape[1] }, (_, j) => 1 / (j + 10))
  const profiles = Array.from({ length: topics }, () => sums(vocabulary.map(weight => weight * uniform() ** 8)))
  const sizes = sums(Array.from({ length: topics }, (_, k) => 1 / (k + 3)))
  const columns = [0, 1].map(() => new Int32Array(words))
  const mixtures = Array.from({ length: shape[0] }, () => Array.from({ length: 2 + below(2) }, () => pick(sizes)))
  for (let i = 0; i < words; i++) {
    const document = Math.floor(shape[0] * uniform() ** 1.5)
    const own = mixtures[document]
    columns[0][i] = document
    columns[1][i] = pick(profiles[own[below(own.length)]])
  }
  return tensorFromColumns(columns, undefined, { shape: [...shape] })
}

const file = (name: string) => frostt(`${name}.tns`)
const rowsOf = (name: string, every: number) => {
  const whole = file(name)
  return (seed: number) => whole && sampled(whole, every, seed)
}

interface Problem {
  readonly name: string
  readonly rank: number
  /** Without one it is the default. */
  readonly maxPasses?: number
  readonly data: () => (seed: number) => Tensor | undefined
}

/** Files that are not there are left out. */
const PROBLEMS: readonly Problem[] = [
  { name: 'enron', rank: 10, maxPasses: 3000, data: () => () => file('enron') },
  { name: 'chicago', rank: 8, maxPasses: 3000, data: () => () => file('chicago') },
  { name: 'words of every 20th newsgroup message', rank: 10, maxPasses: 1400, data: () => rowsOf('newsgroups', 20) },
  { name: 'words of every 10th NIPS paper', rank: 10, maxPasses: 1400, data: () => rowsOf('nips', 10) },
  { name: 'genes of every 30th cell', rank: 10, maxPasses: 1400, data: () => rowsOf('cells', 30) },
  { name: 'drawn documents, 20 topics', rank: 20, maxPasses: 1400, data: () => seed => documents([1500, 3000], 20, 150_000, seed) }, // biome-ignore format: a table
  { name: 'planted 2500²', rank: 10, maxPasses: 1400, data: () => seed => planted([2500, 2500], 10, 200_000, 0.3, seed).tensor }, // biome-ignore format: a table
  { name: 'Likert 2,000 × 60 of three classes', rank: 4, data: () => seed => survey(2000, 60, 5, 3, seed) },
  { name: 'Likert 2,000 × 60 of three', rank: 5, data: () => seed => survey(2000, 60, 5, 3, seed) },
  { name: 'planted 20,000²', rank: 10, data: () => seed => planted([20_000, 20_000], 10, 2_300_000, 0.1, seed).tensor },
  { name: 'all newsgroup messages', rank: 10, data: () => () => file('newsgroups') },
]

const rows: (string | number)[][] = []
for (const { name, rank, maxPasses, data } of PROBLEMS) {
  if (!name.includes(only)) continue
  const tensorOf = data()
  for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
    const tensor = tensorOf(seed)
    if (tensor === undefined) continue
    const options = { rank, seed, ...(maxPasses !== undefined && { maxPasses, minGain: MIN_GAIN }) }
    const found = []
    for (const [, library] of versions) found.push(await library.fit(tensor, options))
    const figures = found.flatMap(({ loss, totalPasses }) => [loss.toFixed(1), totalPasses])
    const change = found.length > 1 ? [(found[1].loss - found[0].loss).toFixed(1)] : []
    rows.push([`${name}, ${tensor.cells} cells, seed ${seed}`, ...figures, ...change])
    process.stderr.write(`${rows[rows.length - 1].join('  ')}\n`)
  }
}
const heads = versions.flatMap(([version]) => [`loss of ${version}`, 'passes'])
process.stdout.write(`${table(['data', ...heads, ...(versions.length > 1 ? ['change'] : [])], rows)}\n`)
process.exit(0)
