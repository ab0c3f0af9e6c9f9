import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { evaluate, fit, type Tensor, tensorFromRows } from '../../packages/core/dist/index.js'
import { hasPoLCA, home, runScript, say } from './peer-programs.js'
import { carcinoma, gss82, values } from './small-tables.js'
import { table } from './table.js'

/** What programs find on the same data with their own default settings, seed by seed, and what they print about it. */

const SEEDS = 20
const root = fileURLToPath(new URL('../..', import.meta.url))

/** What a program found with every seed. */
interface Found {
  readonly logLikelihoods: number[]
  /** Steps of the run that was kept, or passes of the whole search. */
  readonly steps: number[]
  readonly cpu: number[]
  readonly df: number | null
  readonly parameters: number | null
  readonly bic: number | null
}

const readRows = (path: string): Record<string, string>[] => {
  const [head, ...lines] = readFileSync(join(root, path), 'utf8').trim().split(/\r?\n/).map(line => line.split(',')) // biome-ignore format: one chain
  return lines.map(line => Object.fromEntries(line.map((text, i) => [head[i], text])))
}

const election = (): Tensor => {
  const rows = readRows('packages/studio/public/examples/election.csv')
  return tensorFromRows(rows, { modes: Object.keys(rows[0]).slice(0, 12), missing: ['NA'] })
}

interface Problem {
  readonly name: string
  readonly rank: number
  readonly tensor: () => Tensor
  readonly peers: readonly string[]
}

/** Programs, with the number of starts and of seeds: fewer seeds where a run takes long. */
const PROBLEMS: readonly Problem[] = [
  { name: 'values', rank: 3, tensor: () => values, peers: ['poLCA', 'poLCA 10', 'StepMix', 'StepMix 10 5'] },
  { name: 'carcinoma', rank: 4, tensor: () => carcinoma, peers: ['poLCA', 'poLCA 10', 'StepMix', 'pyttb 1 3'] },
  { name: 'gss82', rank: 3, tensor: () => gss82, peers: ['poLCA', 'StepMix'] },
  { name: 'gss82', rank: 4, tensor: () => gss82, peers: ['poLCA', 'StepMix 1 5'] },
  { name: 'election', rank: 3, tensor: election, peers: ['poLCA 1 5', 'StepMix 1 5'] },
]

/** Cells with their codes from 1 (empty: missing) and their counts. */
const write = ({ name, tensor }: Problem): string => {
  mkdirSync(join(home, 'data'), { recursive: true })
  const path = join(home, 'data', `${name}.csv`)
  const { indices, values: counts, modes } = tensor()
  const rows = Array.from(counts, (count, cell) => [
    ...indices.map(index => (index[cell] < 0 ? '' : index[cell] + 1)),
    count,
  ])
  writeFileSync(path, `${[[...modes.keys()].map(n => `v${n}`).concat('n'), ...rows].join('\n')}\n`)
  return path
}

const polyad = async ({ tensor: make, rank }: Problem): Promise<Found> => {
  const tensor = make()
  const found = { logLikelihoods: [] as number[], steps: [] as number[], cpu: [] as number[] }
  let [best, record] = [
    Number.NEGATIVE_INFINITY,
    { df: null, parameters: null, bic: null } as Pick<Found, 'df' | 'parameters' | 'bic'>,
  ]
  // The first warms up the compiler.
  await fit(tensor, { rank, seed: 1, maxPasses: 50 })
  for (let seed = 1; seed <= SEEDS; seed++) {
    const before = process.cpuUsage()
    const { model, passes } = await fit(tensor, { rank, seed })
    const { user, system } = process.cpuUsage(before)
    const figures = await evaluate(tensor, model)
    found.cpu.push((user + system) / 1e6)
    found.steps.push(passes)
    found.logLikelihoods.push(figures.logLikelihood)
    if (figures.logLikelihood > best) {
      best = figures.logLikelihood
      const { degreesOfFreedom, identification, bic } = figures
      record = { df: degreesOfFreedom ?? null, parameters: identification.rank, bic }
    }
  }
  return { ...found, ...record }
}

const median = (numbers: readonly number[]): number => {
  const sorted = [...numbers].sort((a, b) => a - b)
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2
}

/** How a program's settings are called in the table. */
const NAMES: Record<string, string> = {
  polyad: 'Polyad',
  poLCA: 'poLCA, 1 start',
  'poLCA 1 5': 'poLCA, 1 start',
  'poLCA 10': 'poLCA, `nrep = 10`',
  StepMix: 'StepMix, 1 start',
  'StepMix 1 5': 'StepMix, 1 start',
  'StepMix 10 5': 'StepMix, `n_init=10`',
  'pyttb 1 3': 'pyttb `cp_apr`',
}

const rowsOf = (problem: Problem, found: ReadonlyMap<string, Found>): string[][] => {
  const best = Math.max(...[...found.values()].flatMap(each => each.logLikelihoods))
  return [...found].map(([program, { logLikelihoods, steps, cpu, df, parameters, bic }], i) => [
    i === 0 ? `${problem.name}, ${problem.rank} classes` : '',
    NAMES[program],
    `${logLikelihoods.filter(each => best - each < 0.01).length} of ${logLikelihoods.length}`,
    median(logLikelihoods).toFixed(3),
    Math.max(...logLikelihoods).toFixed(3),
    median(steps).toFixed(0),
    String(Number((median(cpu) * 1e3).toPrecision(2))),
    parameters === null ? '–' : String(parameters),
    df === null ? '–' : String(df),
    bic === null ? '–' : bic.toFixed(2),
  ])
}

export const numbersTable = async (names: readonly string[]): Promise<string> => {
  const rows: string[][] = []
  for (const problem of PROBLEMS.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const path = write(problem)
    const found = new Map<string, Found>([['polyad', await polyad(problem)]])
    for (const peer of problem.peers) {
      const [program, starts = '1', seeds = SEEDS] = peer.split(' ')
      if (program === 'poLCA' && !hasPoLCA()) continue
      const script = program === 'poLCA' ? 'found.R' : 'found.py'
      say(`  ${problem.name}, ${problem.rank} classes: ${peer}`)
      found.set(peer, runScript(script, [program, path, String(problem.rank), starts, String(seeds)]))
    }
    rows.push(...rowsOf(problem, found))
    say(rows.slice(-found.size).map(row => `    ${row.join('  ')}`).join('\n')) // biome-ignore format: one call
  }
  return table(
    ['data', 'program', 'at the best', 'median log-likelihood', 'best', 'iterations', 'ms', 'parameters', 'df', 'BIC'],
    rows,
  )
}
