import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { componentsOf } from '../../packages/core/dist/model/parameters.js'
import { DATA, toTensor } from './data.js'
import { machine } from './machine.js'
import { writeNpy } from './npy.js'
import { startOf } from './passes.js'
import { table } from './table.js'

/** `npm run bench:peers`: other programs beside Polyad, each in a process of its own, on the same data. */
const here = fileURLToPath(new URL('..', import.meta.url))
const home = join(here, '.peers')
const python = join(home, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python')

const install = (): void => {
  const wanted = readFileSync(join(here, 'peers/requirements.txt'), 'utf8')
  const stamp = join(home, 'installed.txt')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  process.stderr.write('installing the peers from PyPI into bench/.peers …\n')
  execFileSync('python3', ['-m', 'venv', home], { stdio: ['ignore', 2, 2] })
  execFileSync(python, ['-m', 'pip', 'install', '--quiet', '-r', join(here, 'peers/requirements.txt')], {
    stdio: ['ignore', 2, 2],
  })
  writeFileSync(stamp, wanted)
}

/** The data and the start as the peers read them. */
const write = (name: string, rank: number): { folder: string; shape: readonly number[] } => {
  const folder = join(home, 'data', name)
  mkdirSync(folder, { recursive: true })
  const columns = DATA[name]()
  const tensor = toTensor(columns)
  const { sizes, factors } = componentsOf(startOf(tensor, rank), tensor.total)
  const each = (prefix: string, arrays: readonly (Int32Array | Float64Array)[]) => {
    for (const [n, array] of arrays.entries()) writeNpy(join(folder, `${prefix}${n}.npy`), array)
  }
  each('index', tensor.indices)
  each('answer', columns.columns)
  each('factor', factors)
  writeNpy(join(folder, 'values.npy'), tensor.values)
  writeNpy(join(folder, 'weights.npy'), sizes)
  return { folder, shape: tensor.shape }
}

interface Timeline {
  readonly seconds: number[]
  readonly losses: number[]
  readonly memory: number
}

const runPeer = (task: object): Timeline =>
  JSON.parse(
    execFileSync(python, [join(here, 'peers/run.py'), JSON.stringify(task)], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  )

const runPolyad = (name: string, rank: number, threads: number): Timeline => {
  const script = fileURLToPath(new URL('./polyad-run.js', import.meta.url))
  return JSON.parse(execFileSync(process.execPath, [script, name, String(rank), String(threads)], { encoding: 'utf8' }))
}

/** When a run first comes within one part in ten thousand of its own final loss. */
const reach = ({ seconds, losses }: Timeline): { time: number; steps: number } => {
  const final = losses[losses.length - 1]
  const steps = losses.findIndex(loss => Math.abs(loss - final) <= 1e-4 * Math.abs(final))
  return { time: seconds.slice(0, steps).reduce((sum, second) => sum + second, 0), steps }
}

const rows: (string | number)[][] = []
/** Seconds until a run is at a loss or below it. */
const timeTo = ({ seconds, losses }: Timeline, target: number): number => {
  const steps = losses.findIndex(loss => loss <= target)
  return steps < 0 ? Number.NaN : seconds.slice(0, steps).reduce((sum, second) => sum + second, 0)
}

/** A row of the table; a peer's is held against the faster of our runs, to each one's own end and to the same loss. */
const report = (problem: string, peer: string, timeline: Timeline, ours: readonly Timeline[] = []): void => {
  const { time, steps } = reach(timeline)
  const { losses, memory } = timeline
  const against = (times: readonly number[]) => (ours.length === 0 ? '' : `${(time / Math.min(...times)).toFixed(1)}×`)
  rows.push([
    problem,
    peer,
    time.toFixed(3),
    steps,
    losses.length - 1,
    losses[losses.length - 1].toPrecision(9),
    (memory / 2 ** 20).toFixed(0),
    against(ours.map(each => reach(each).time)),
    against(ours.map(each => timeTo(each, losses[steps]))),
  ])
  process.stderr.write(`  ${rows[rows.length - 1].join('  ')}\n`)
}

const compare = (name: string, rank: number, peers: [string, object][]): void => {
  const problem = `${name} rank ${rank}`
  const { folder, shape } = write(name, rank)
  const ours = [1, 2].map(threads => {
    const timeline = runPolyad(name, rank, threads)
    report(problem, `Polyad, ${threads} thread${threads > 1 ? 's' : ''}`, timeline)
    return timeline
  })
  for (const [peer, task] of peers) {
    report(problem, peer, runPeer({ folder, shape, rank, items: shape.length, budget: 300, ...task }), ours)
  }
}

/** A peer may fail of itself; that is its result then. */
const attempt = <T>(work: () => T): T | undefined => {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** Which of pyttb's variants is the fastest: tried on a part of the data. */
const bestVariant = (name: string, rank: number): string => {
  const { folder, shape } = write(name, rank)
  const times = ['mu', 'pdnr', 'pqnr'].map(variant => {
    const task = { peer: 'pyttb', variant, folder, shape, rank, rows: 20_000, steps: 20, budget: 30 }
    const timeline = attempt(() => runPeer(task))
    if (timeline === undefined) {
      process.stderr.write(`  ${name}: pyttb ${variant} on 20,000 cells fails\n`)
      return { variant, time: Number.POSITIVE_INFINITY }
    }
    process.stderr.write(`  ${name}: pyttb ${variant} on 20,000 cells: ${reach(timeline).time.toFixed(1)} s\n`)
    return { variant, time: reach(timeline).time }
  })
  return times.reduce((a, b) => (a.time <= b.time ? a : b)).variant
}

install()
/** `npm run bench:peers T2 S20` runs these alone, and leaves PEERS.md as it is. */
const only = process.argv.slice(2)
const wanted = (name: string) => only.length === 0 || only.includes(name)
for (const name of ['T3', 'T4'].filter(wanted)) {
  const variant = bestVariant(name, 10)
  compare(name, 10, [[`pyttb CP-APR ${variant}`, { peer: 'pyttb', variant, steps: 60 }]])
}
if (wanted('T2')) compare('T2', 10, [['scikit-learn NMF, KL, MU', { peer: 'scikit-learn', steps: 300 }]])
if (wanted('S20')) {
  compare('S20', 4, [
    ['StepMix categorical', { peer: 'stepmix', variant: 'categorical', steps: 200 }],
    ['StepMix binary', { peer: 'stepmix', variant: 'binary', steps: 200 }],
  ])
}
const head = ['problem', 'program', 's to 1e-4', 'steps', 'of', 'final loss', 'MB', 'Polyad faster', 'to the same loss']
const body = table(head, rows)
process.stdout.write(`\n${body}\n`)
if (only.length === 0)
  writeFileSync(
    join(here, 'PEERS.md'),
    `# Beside other programs

${machine()}

One start each, on the same cells and, where the peer takes one, from the same start. "s to 1e-4": seconds until a run is within one part in ten thousand
of its own final loss; "steps": its passes (Polyad), outer iterations (pyttb), updates (scikit-learn) or EM steps (StepMix)
until then, and in all. pyttb's variant is the fastest of its three on a part of the data. "Polyad faster" is the ratio of these
seconds to the faster of Polyad's two rows; "to the same loss" is the ratio to the seconds in which Polyad reaches the loss that the
peer has by then. Polyad's are the best of several runs in one process, as the imports of a peer's library are not counted either.

${body}
`,
  )
