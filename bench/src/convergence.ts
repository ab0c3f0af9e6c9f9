import { writeFileSync } from 'node:fs'
import { SweepPool } from '../../packages/core/dist/engine/sweeps/sweeps.js'
import { wasmEngine } from '../../packages/core/dist/engine/wasm/wasm-engine.js'
import { mStepOf } from '../../packages/core/dist/fit/descent/m-step.js'
import {
  newPoint,
  normalize,
  type Point,
  setParameters,
  statisticsOf,
  takeStatistics,
} from '../../packages/core/dist/fit/descent/point.js'
import { run } from '../../packages/core/dist/fit/descent/run.js'
import { stationarity } from '../../packages/core/dist/fit/descent/stationarity.js'
import type { Engine, Tensor } from '../../packages/core/dist/index.js'
import { randomStart } from '../../packages/core/dist/model/random.js'
import { machine } from './machine.js'
import { carcinoma, frostt, gss82, iris } from './small-tables.js'
import { table } from './table.js'

/**
 * `npm run bench:passes`: passes over the data until the log-likelihood changes by less than 1e-10 and the stationarity
 * residual is below 1e-6, from the same starts: ours, plain EM, SQUAREM, and the alternating multiplicative updates of
 * CP-APR, which bring one mode up to date with every pass. On larger data the change is taken relative to the loss.
 */

const say = (text: string) => process.stdout.write(`${text}\n`)
const STARTS = 40
/** Where a method is given up, on small data and on larger. */
let most = 50_000
const MOST_ON_LARGE = 3000

const pool = new SweepPool()

/** A point with arrays of its own. */
const pointOf = (shape: readonly number[], rank: number): Point => newPoint(pool.borrow(shape, rank, 0), 0)

interface End {
  readonly loss: number
  readonly passes: number
}

/** One pass at a point, as every method below makes it. */
const evaluator = async (engine: Engine, tensor: Tensor, rank: number) => {
  const session = await engine.open(tensor)
  const sweeps = pool.borrow(tensor.shape, rank, 0)
  const statistics = statisticsOf(sweeps)
  const steps = tensor.shape.map(() => mStepOf({ added: 0, width: 0 }))
  const room = newPoint(sweeps, 0)
  return async (point: Point): Promise<number> => {
    room.values.set(point.values)
    await session.pass(room.parameters, statistics)
    takeStatistics(room, sweeps, statistics, tensor.total, steps)
    point.update.set(room.update)
    point.mass.set(room.mass)
    point.loss = room.loss
    return point.loss
  }
}

type Evaluate = (point: Point) => Promise<number>
type Method = (evaluate: Evaluate, from: Point, change: number) => Promise<End>

const done = (before: number, point: Point, change: number) =>
  Math.abs(before - point.loss) < change && stationarity(point) < 1e-6

const plainEm: Method = async (evaluate, from, change) => {
  let [point, next] = [from, pointOf(from.shape, from.rank)]
  await evaluate(point)
  for (let passes = 1; ; passes++) {
    if (passes >= most) return { loss: point.loss, passes }
    next.values.set(point.update)
    const before = point.loss
    await evaluate(next)
    ;[point, next] = [next, point]
    if (done(before, point, change)) return { loss: point.loss, passes: passes + 1 }
  }
}

/** Alternating updates: a pass brings the shares and one mode up to date, the modes taking turns. */
const alternating: Method = async (evaluate, from, change) => {
  const { rank, shape } = from
  const offsets = shape.map((_, n) => rank + shape.slice(0, n).reduce((sum, labels) => sum + labels * rank, 0))
  let before = Number.POSITIVE_INFINITY
  for (let passes = 1; ; passes++) {
    await evaluate(from)
    const turn = (passes - 1) % shape.length
    if (turn === 0) {
      if (done(before, from, change) || passes >= most) return { loss: from.loss, passes }
      before = from.loss
    }
    const end = offsets[turn] + shape[turn] * rank
    from.values.set(from.update.subarray(0, rank))
    from.values.set(from.update.subarray(offsets[turn], end), offsets[turn])
  }
}

/** SQUAREM (Varadhan and Roland), scheme S3: two steps of EM, then a leap along their parabola, shortened until it is feasible and not worse. */
const squarem: Method = async (evaluate, from, change) => {
  let [x, g, y, z] = Array.from({ length: 4 }, () => pointOf(from.shape, from.rank))
  x.values.set(from.values)
  await evaluate(x)
  for (let passes = 1; passes < most; ) {
    g.values.set(x.update)
    await evaluate(g)
    passes++
    if (done(x.loss, g, change)) return { loss: g.loss, passes }
    const size = x.values.length
    let [rr, vv] = [0, 0]
    for (let i = 0; i < size; i++) {
      const r = g.values[i] - x.values[i]
      const v = g.update[i] - 2 * g.values[i] + x.values[i]
      rr += r * r
      vv += v * v
    }
    let length = vv > 0 ? Math.min(-1, -Math.sqrt(rr / vv)) : -1
    let taken = false
    for (let attempt = 0; attempt < 12 && length < -1 && !taken; attempt++) {
      for (let i = 0; i < size; i++) {
        const r = g.values[i] - x.values[i]
        const v = g.update[i] - 2 * g.values[i] + x.values[i]
        y.values[i] = Math.max(x.values[i] - 2 * length * r + length * length * v, 1e-3 * g.update[i])
      }
      if (normalize(y)) {
        await evaluate(y)
        passes++
        taken = y.loss <= g.loss + 1e-13 * Math.abs(g.loss)
      }
      length = (length - 1) / 2
    }
    const before = x.loss
    if (!taken) {
      y.values.set(g.update)
      await evaluate(y)
      passes++
    }
    ;[x, g, y, z] = [y, z, x, g]
    if (done(before, x, change)) return { loss: x.loss, passes }
  }
  return { loss: x.loss, passes: most }
}

const median = (numbers: readonly number[]): number => {
  const sorted = [...numbers].sort((a, b) => a - b)
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2
}

const problems: [string, Tensor | undefined, number, number, number][] = [
  ['carcinoma', carcinoma, 4, STARTS, 1e-10],
  ['gss82', gss82, 3, STARTS, 1e-10],
  ['gss82', gss82, 4, STARTS, 1e-10],
  ['iris', iris(), 3, STARTS, 1e-10],
  ['enron', frostt('enron.tns'), 10, 8, 1e-7],
  ['chicago', frostt('chicago.tns'), 8, 4, 1e-4],
]

const rows: (string | number)[][] = []
for (const [name, tensor, rank, starts, change] of problems) {
  if (tensor === undefined) {
    say(`${name}: no data file, left out`)
    continue
  }
  most = tensor.cells > 1000 ? MOST_ON_LARGE : 50_000
  const engine = wasmEngine({ threads: 1 })
  const evaluate = await evaluator(engine, tensor, rank)
  const session = await engine.open(tensor)
  const ours: Method = async (_, from) => {
    const stopping = {
      tolerance: change / Math.max(1, Math.abs(reference)),
      stationarity: 1e-6,
      minGain: 0,
      maxPasses: most,
    }
    const steps = tensor.shape.map(() => mStepOf({ added: 0, width: 0 }))
    return run(session, from.parameters, { stopping, algorithm: 'accelerated', steps })
  }
  const reference = await evaluate(startPoint(tensor, rank, 0))
  const methods: [string, Method][] = [
    ['accelerated', ours],
    ['SQUAREM', squarem],
    ['plain EM', plainEm],
    ['alternating', alternating],
  ]
  const ends = new Map<string, End[]>()
  for (const [method, perform] of methods) {
    const list: End[] = []
    for (let start = 0; start < starts; start++) {
      list.push(await perform(evaluate, startPoint(tensor, rank, start), change))
      if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${name} ${method} ${start + 1}/${starts}`)
    }
    ends.set(method, list)
  }
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
  const best = Math.min(...[...ends.values()].flat().map(({ loss }) => loss))
  const near = Math.max(1e-4, 1e-7 * Math.abs(best))
  for (const [method, list] of ends) {
    const share = list.filter(({ loss }) => loss <= best + near).length / list.length
    const passes = list.map(end => end.passes)
    rows.push([`${name}, K=${rank}`, method, median(passes), Math.max(...passes), `${Math.round(100 * share)}%`])
    say(rows[rows.length - 1].join('  '))
  }
}

function startPoint(tensor: Tensor, rank: number, start: number): Point {
  const point = pointOf(tensor.shape, rank)
  const parameters = randomStart(tensor.shape, rank, 1, start)
  setParameters(point, parameters)
  return point
}

const text = table(['problem', 'method', 'median passes', 'most', 'starts at the best found'], rows)
say(`\n${text}`)
const intro = `# Passes until convergence\n\nPrinted by \`npm run bench:passes\`. ${machine()}\n\nEvery method has the same ${STARTS} random starts (8 for enron, 4 for chicago). A run ends when the log-likelihood changes by less than\n1e-10 (1e-7, 1e-4) and the stationarity residual is below 1e-6.\n\n`
writeFileSync(new URL('../CONVERGENCE.md', import.meta.url), `${intro}${text}\n`)
