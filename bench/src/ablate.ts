import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { fit, type Tensor } from '../../packages/core/dist/index.js'
import { planted } from './planted.js'
import { KINDS, problem } from './problems.js'
import { table } from './table.js'

/**
 * `npm run bench:search ablate [problems] [constant[=alternatives] …]`: what each constant of the search is worth. The compiled search is
 * copied with one number replaced, and both are run on the same problems at the same limit of passes. `ablate 20 STALE WIDE=1,3` takes 20
 * problems of each kind and two constants; without names it takes all, each halved and doubled (tolerances a tenth and ten times),
 * and writes bench/ABLATION.md. None of the problems was looked at when the constants were chosen.
 */
const FILES = ['search', 'search-log', 'budget', 'genetic-search', 'crossover-search', 'tasks', 'optima'].map(
  name => `fit/search/${name}.js`,
)
const FIRST = 2001
/** Losses that differ by less, in nats, are the same optimum. */
const SAME = 0.005

const dist = fileURLToPath(new URL('../../packages/core/dist', import.meta.url))

/** A number at the top of a compiled file: a constant, or an entry of one; and where it stands in the text. */
interface Constant {
  readonly file: string
  readonly name: string
  readonly value: number
  readonly from: number
  readonly to: number
}

const NUMBER = /^[\d._]+(?:e[+-]?\d+)?$/

const constantsOf = (file: string): Constant[] => {
  const text = readFileSync(join(dist, file), 'utf8')
  const found: Constant[] = []
  const add = (name: string, number: string, from: number) => {
    const value = NUMBER.test(number) ? Number(number.replaceAll('_', '')) : Number.NaN
    if (!Number.isNaN(value)) found.push({ file, name, value, from, to: from + number.length })
  }
  for (const line of text.matchAll(/^(?:export )?const ([A-Z][A-Z\d_]*) = ([^;]+);$/gm)) {
    const [all, name, value] = line
    const at = line.index + all.length - 1 - value.length
    if (!value.startsWith('{')) add(name, value, at)
    for (const entry of value.matchAll(/(\w+): ([^,\s}]+)/g)) {
      add(`${name}.${entry[1]}`, entry[2], at + entry.index + entry[0].length - entry[2].length)
    }
  }
  if (found.length === 0) throw new Error(`no constants were found at the top of ${file}`)
  return found
}

const alternativesOf = ({ value }: Constant): number[] => {
  const both = value <= 1e-3 ? [value / 10, value * 10] : [value / 2, value * 2]
  const fitting = both.map(other => (Number.isInteger(value) ? Math.ceil(other) : Number(other.toPrecision(6))))
  return fitting.filter(other => other !== value)
}

interface Variant {
  readonly constant: Constant
  readonly instead: number
  readonly fit: typeof fit
}

/** The search with one number replaced. */
const variantOf = async (constant: Constant, instead: number, folder: string): Promise<Variant> => {
  const copy = join(folder, `${constant.name}=${instead}`)
  cpSync(dist, join(copy, 'dist'), { recursive: true, filter: path => !/\.(map|d\.ts|tsbuildinfo)$/.test(path) })
  writeFileSync(join(copy, 'package.json'), '{ "type": "module" }')
  const path = join(copy, 'dist', constant.file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.slice(0, constant.from) + instead + text.slice(constant.to))
  const library = await import(pathToFileURL(join(copy, 'dist/index.js')).href)
  return { constant, instead, fit: library.fit }
}

interface Trial {
  readonly name: string
  readonly tensor: Tensor
  readonly rank: number
  readonly seed: number
  readonly maxPasses?: number
}

/** Problems of every kind with the passes a search has by default, and with few; and larger ones where passes are dear. */
function* trials(count: number): Generator<Trial> {
  for (let seed = FIRST; seed < FIRST + count; seed++) {
    for (const kind of Object.keys(KINDS)) {
      const { tensor, rank } = problem(kind, seed)
      if (rank > tensor.cells) continue
      yield { name: `${kind} ${seed}`, tensor, rank, seed }
      yield { name: `${kind} ${seed}, few passes`, tensor, rank, seed, maxPasses: 1500 }
    }
    const crowded = planted([60, 60, 60], 15, 5000, 0.1, seed)
    yield { name: `15 classes as 10 ${seed}`, tensor: crowded.tensor, rank: 10, seed, maxPasses: 600 }
    const texts = planted([100, 80], 10, 10_000, 0.5, seed)
    yield { name: `two modes ${seed}`, tensor: texts.tensor, rank: 10, seed, maxPasses: 1500 }
  }
}

/** How a variant did on a problem: the change of the loss, in nats and as a part of what the classes explain; the ratio of passes. */
interface Change {
  /** Whether the problem was given few passes. */
  readonly few: boolean
  readonly nats: number
  readonly part: number
  readonly passes: number
}

const show = (text: string) => process.stderr.isTTY && process.stderr.write(`\r\x1b[K${text}`)

const ablate = async (problems: Iterable<Trial>, variants: readonly Variant[]): Promise<Change[][]> => {
  const changes = variants.map((): Change[] => [])
  for (const { name, tensor, ...options } of problems) {
    const one = await fit(tensor, { rank: 1 })
    const base = await fit(tensor, options)
    for (const [i, variant] of variants.entries()) {
      show(`${name}: ${variant.constant.name} = ${variant.instead}`)
      const { loss, totalPasses } = await variant.fit(tensor, options)
      const nats = loss - base.loss
      const part = nats / (one.loss - base.loss)
      changes[i].push({ few: 'maxPasses' in options, nats, part, passes: totalPasses / base.totalPasses })
    }
  }
  show('')
  return changes
}

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, x) => sum + x, 0) / numbers.length
const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[numbers.length >> 1]
const signed = (x: number): string => (Math.abs(x) < 1e-9 ? '0' : `${x > 0 ? '+' : ''}${x.toExponential(1)}`)

/** On how many problems a variant was better and worse, and their difference in standard deviations of chance. */
const votes = (changes: readonly Change[]): string[] => {
  const better = changes.filter(({ nats }) => nats < -SAME).length
  const worse = changes.filter(({ nats }) => nats > SAME).length
  return [`${better} : ${worse}`, ((better - worse) / Math.sqrt(Math.max(1, better + worse))).toFixed(1)]
}

const row = ({ constant, instead }: Variant, changes: readonly Change[]): (string | number)[] => {
  const parts = changes.map(({ part }) => part)
  const passes = Math.exp(mean(changes.map(change => Math.log(change.passes))))
  return [
    constant.name,
    constant.value,
    instead,
    ...votes(changes.filter(({ few }) => !few)),
    ...votes(changes.filter(({ few }) => few)),
    signed(median(parts)),
    signed(mean(parts)),
    `${passes.toFixed(2)}×`,
  ]
}

const args = process.argv.slice(2)
const count = Number(args.find(arg => /^\d+$/.test(arg)) ?? 10)
const wanted = args.filter(arg => !/^\d+$/.test(arg)).map(arg => arg.split('='))
const all = FILES.flatMap(constantsOf)
const isNamed = ({ name }: Constant, text: string) => name === text || name.startsWith(`${text}.`)
for (const [name, values] of wanted) {
  if (!all.some(constant => isNamed(constant, name))) {
    throw new Error(`no constant is called ${name}: one of ${all.map(constant => constant.name).join(', ')}`)
  }
  if (values?.split(',').some(value => !NUMBER.test(value))) throw new Error(`${name}: not numbers: ${values}`)
}
const folder = mkdtempSync(join(tmpdir(), 'polyad-ablate-'))
try {
  const variants: Variant[] = []
  for (const constant of all) {
    const own = wanted.find(([name]) => isNamed(constant, name))
    if (wanted.length > 0 && own === undefined) continue
    const alternatives = own?.[1]?.split(',').map(Number) ?? alternativesOf(constant)
    for (const instead of alternatives) variants.push(await variantOf(constant, instead, folder))
  }
  const problems = [...trials(count)]
  const changes = await ablate(problems, variants)
  const head = ['constant', 'value', 'instead', 'usual passes', 'σ', 'few passes', 'σ', 'median', 'mean', 'passes']
  const text = table(head, variants.map((variant, i) => row(variant, changes[i]))) // biome-ignore format: one call
  const few = problems.filter(({ maxPasses }) => maxPasses !== undefined).length
  const intro = `# What the constants of the search are worth

Printed by \`npm run bench:search ablate ${count}\`: ${problems.length - few} problems with the usual limit of passes and ${few} with a low one, all of them (seeds
${FIRST} to ${FIRST + count - 1}) others than the constants were chosen on. One constant at a time is given another value, at the same limit of passes.

"3 : 5" says that with the other value the loss was lower on three problems and higher on five, by more than ${SAME} nats; σ is the
difference in standard deviations of chance, above zero where the other value is better (of this many lines a few exceed 2 by chance). The
median and the mean are changes of the loss as parts of what the classes explain beyond one class, below zero where the other value is
better. Passes are what the search took, the geometric mean beside the present value.`
  process.stdout.write(`${text}\n`)
  if (wanted.length === 0) writeFileSync(new URL('../ABLATION.md', import.meta.url), `${intro}\n\n${text}\n`)
} finally {
  rmSync(folder, { recursive: true })
}
