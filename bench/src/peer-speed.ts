import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { componentsOf } from '../../packages/core/dist/model/parameters.js'
import { DATA, toTensor } from './data.js'
import { writeNpy } from './npy.js'
import { startOf } from './passes.js'
import { hasPoLCA, home, runScriptWithin, say } from './peer-programs.js'
import { table } from './table.js'

/** One start of every program on the same large tables, each in a process of its own, in turns. */

interface Timeline {
  /** Of the clock, and of the processor on all its threads: one for each step. */
  readonly seconds: number[]
  readonly cpu: number[]
  /** One more than steps: that of the start comes first. */
  readonly losses: number[]
  readonly memory: number
}

type Times = 'seconds' | 'cpu'

/** The data and the start as the others read them. */
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

const runPolyad = (name: string, rank: number, threads: number): Timeline => {
  const script = fileURLToPath(new URL('./polyad-run.js', import.meta.url))
  return JSON.parse(execFileSync(process.execPath, [script, name, String(rank), String(threads)], { encoding: 'utf8' }))
}

/** How many steps a run needs until it is within one part in ten thousand of its own final loss. */
const stepsOf = ({ losses }: Timeline): number => {
  const final = losses[losses.length - 1]
  return losses.findIndex(loss => Math.abs(loss - final) <= 1e-4 * Math.abs(final))
}

const after = (timeline: Timeline, steps: number, times: Times): number =>
  steps < 0 ? Number.NaN : timeline[times].slice(0, steps).reduce((sum, second) => sum + second, 0)

/** The least that any run of a program needed to be at a loss or below it. */
const timeTo = (runs: readonly Timeline[], target: number, times: Times): number =>
  Math.min(...runs.map(run => after(run, run.losses.findIndex(loss => loss <= target), times))) // biome-ignore format: one expression

const timeOf = (runs: readonly Timeline[], times: Times): number =>
  Math.min(...runs.map(run => after(run, stepsOf(run), times)))

/** Two significant digits, without an exponent. */
const figures = (value: number): string => String(Number(value.toPrecision(2)))

interface Contender {
  readonly name: string
  /** Undefined if the program was stopped before its first step ended. */
  readonly run: () => Timeline | undefined
  /** A run that takes minutes is made once. */
  readonly once?: boolean
}

/** The rows of a problem: every program in turns, the best of its runs. */
const compare = (name: string, rank: number, rounds: number, peers: (of: object) => Contender[]): string[][] => {
  const ours: Contender[] = [1, 2].map(threads => ({
    name: `Polyad, ${threads} thread${threads > 1 ? 's' : ''}`,
    run: () => runPolyad(name, rank, threads),
  }))
  const { folder, shape } = write(name, rank)
  const contenders = [...ours, ...peers({ folder, shape, rank, items: shape.length })]
  const runs = contenders.map((): Timeline[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [i, { name: program, run, once }] of contenders.entries()) {
      if (once && round > 0) continue
      const timeline = run()
      if (timeline === undefined) {
        say(`  ${name} ${program}: left out, since it did not end in ${LIMIT} s`)
        continue
      }
      runs[i].push(timeline)
      say(
        `  ${name} ${program}: ${timeOf([timeline], 'cpu').toFixed(2)} s of the processor, ${stepsOf(timeline)} steps`,
      )
    }
  }
  const [one, two] = runs
  return contenders.flatMap(({ name: program }, i) => {
    const [first] = runs[i]
    if (first === undefined) return []
    const steps = stepsOf(first)
    const own = (times: Times) => timeOf(runs[i], times)
    // One thread of ours by the processor; the faster of both by the clock.
    const ratio = (times: Times) => {
      const least = Math.min(
        ...(times === 'cpu' ? [one] : [one, two]).map(mine => timeTo(mine, first.losses[steps], times)),
      )
      return i < ours.length ? '' : Number.isFinite(least) ? `${figures(own(times) / least)}×` : 'not reached'
    }
    return [
      [
        i === 0 ? `${name}, rank ${rank}` : '',
        program,
        String(steps),
        figures(own('seconds')),
        figures(own('cpu')),
        Math.round(first.losses[first.losses.length - 1]).toLocaleString('en-US'),
        (Math.min(...runs[i].map(run => run.memory)) / 2 ** 20).toFixed(0),
        ratio('seconds'),
        ratio('cpu'),
      ],
    ]
  })
}

const scripted = (task: object, name: string, once = false): Contender => ({
  name,
  once,
  run: () => runScriptWithin(LIMIT, 'speed.py', [JSON.stringify(task)]),
})

/** Seconds of the processor after which a program that takes minutes is stopped. */
const BUDGET = Number(process.env.POLYAD_BUDGET ?? 60)

/** Seconds by the clock after which a program is given up: its first step has not ended, or it would have looked at its budget. */
const LIMIT = 5 * BUDGET

/** What each problem is given to. */
const PROBLEMS: Record<string, () => string[][]> = {
  T3: () =>
    compare('T3', 10, 2, of => [
      // The multiplicative updates: the fastest of pyttb's three variants on 20,000 of these cells.
      scripted({ ...of, peer: 'pyttb', variant: 'mu', steps: 60, budget: BUDGET }, 'pyttb CP-APR, `mu`', true),
      scripted({ ...of, peer: 'genten', steps: 40, epochs: 5, budget: BUDGET }, 'GenTen GCP-SGD, Poisson', true),
    ]),
  T2: () =>
    compare('T2', 10, 2, of => [
      scripted({ ...of, peer: 'scikit-learn', steps: 300, budget: BUDGET }, 'scikit-learn NMF, KL', true),
    ]),
  S20: () =>
    compare('S20', 4, 2, of => {
      const { folder, items } = of as { folder: string; items: number }
      const stepmix = (variant: string) =>
        scripted({ ...of, peer: 'stepmix', variant, steps: 200 }, `StepMix, ${variant}`)
      const polca: Contender = {
        name: 'poLCA',
        run: () => runScriptWithin(LIMIT, 'speed.R', [folder, String(items), '4', '200']),
      }
      return [stepmix('categorical'), stepmix('binary'), ...(hasPoLCA() ? [polca] : [])]
    }),
}

export const SPEED = Object.keys(PROBLEMS)

export const speedTable = (names: readonly string[]): string =>
  table(
    ['problem', 'program', 'steps', 's, clock', 's, processor', 'final loss', 'MB', 'ratio, clock', 'ratio, processor'],
    names.flatMap(name => PROBLEMS[name]()),
  )
