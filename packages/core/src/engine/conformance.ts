import type { Parameters } from '../model/parameters.ts'
import { randomStart } from '../model/random.ts'
import { random } from '../numeric/philox.ts'
import { tensorFromColumns } from '../tensor/coordinates.ts'
import { MISSING } from '../tensor/mode.ts'
import type { Tensor } from '../tensor/tensor.ts'
import { type Engine, newStatistics, type Statistics } from './engine.ts'
import { referencePass } from './reference.ts'

/** One thing every engine must do; `check` throws where it does not. */
export interface ConformanceCase {
  readonly name: string
  check(engine: Engine): Promise<void>
}

export interface TensorOptions {
  readonly shape: readonly number[]
  readonly cells: number
  readonly seed?: number
  /** The chance that an entry is missing. */
  readonly missing?: number
  /** Real values in place of counts. */
  readonly real?: boolean
}

/** A random tensor for tests and benchmarks: indices uniform, small counts or real values. */
export const randomTensor = ({ shape, cells, seed = 1, missing = 0, real = false }: TensorOptions): Tensor => {
  const { uniform, below } = random(seed, 'data')
  const columns = shape.map(() => new Int32Array(cells))
  const values = new Float64Array(cells)
  for (let cell = 0; cell < cells; cell++) {
    shape.forEach((size, n) => {
      const index = below(size)
      columns[n][cell] = missing > 0 && uniform() < missing ? MISSING : index
    })
    values[cell] = real ? uniform() * 10 : 1 + below(4)
  }
  return tensorFromColumns(columns, values, { shape })
}

const fail = (message: string): never => {
  throw new Error(message)
}

const close = (what: string, actual: number, expected: number, tolerance: number): void => {
  if (actual === expected) return
  if (!(Math.abs(actual - expected) <= tolerance)) fail(`${what}: ${actual} where ${expected} is expected`)
}

/** Compares two results: every number to `relative`, taken against the larger of itself and its table's mean. */
export const compareStatistics = (actual: Statistics, expected: Statistics, relative = 1e-12): void => {
  const scale = Math.abs(expected.logLikelihood)
  close('logLikelihood', actual.logLikelihood, expected.logLikelihood, relative * Math.max(1, scale))
  const compareTable = (name: string, a: Float64Array, b: Float64Array) => {
    if (a.length !== b.length) fail(`${name}: ${a.length} entries where ${b.length} are expected`)
    const mean = b.reduce((sum, value) => sum + value, 0) / b.length
    for (let i = 0; i < a.length; i++) close(`${name}[${i}]`, a[i], b[i], relative * Math.max(mean, b[i]))
  }
  compareTable('weights', actual.weights, expected.weights)
  expected.factors.forEach((table, n) => {
    compareTable(`factors[${n}]`, actual.factors[n], table)
  })
}

const same = (a: Statistics, b: Statistics): void => {
  const equal = (x: Float64Array, y: Float64Array) => x.every((value, i) => Object.is(value, y[i]))
  if (!Object.is(a.logLikelihood, b.logLikelihood))
    fail(`the log-likelihood differs: ${a.logLikelihood}, ${b.logLikelihood}`)
  if (!equal(a.weights, b.weights)) fail('the weights differ')
  b.factors.forEach((table, n) => {
    if (!equal(a.factors[n], table)) fail(`factors[${n}] differ`)
  })
}

const refuses = async (what: string, work: () => Promise<unknown>): Promise<void> => {
  try {
    await work()
  } catch (error) {
    if ((error as Error).name === 'EngineError') return
    throw error
  }
  fail(`${what} was not refused`)
}

const startOf = (tensor: Tensor, rank: number, seed = 1): Parameters =>
  randomStart(tensor.shape, rank, tensor.total, seed, 0)

/** Runs a few passes of EM's shape on one session and compares each with the reference. */
const agrees = (name: string, options: TensorOptions, ranks: readonly number[]): ConformanceCase => ({
  name: `agrees with the reference: ${name}`,
  async check(engine) {
    const tensor = randomTensor(options)
    for (const rank of ranks) {
      const session = await engine.open(tensor, rank)
      try {
        for (const seed of [1, 2]) {
          const parameters = startOf(tensor, rank, seed)
          const expected = referencePass(tensor, parameters, newStatistics(tensor.shape, rank))
          try {
            compareStatistics(await session.pass(parameters), expected)
          } catch (error) {
            throw new Error(`rank ${rank}: ${(error as Error).message}`, { cause: error })
          }
        }
      } finally {
        await session.close()
      }
    }
  },
})

const RANKS = [1, 2, 3, 4, 5, 8, 10, 15, 16, 17, 24, 31, 33, 64]

export const conformance: readonly ConformanceCase[] = [
  agrees('one mode', { shape: [40], cells: 90 }, RANKS),
  agrees('two modes', { shape: [30, 50], cells: 700 }, RANKS),
  agrees('three modes', { shape: [20, 30, 40], cells: 3000 }, RANKS),
  agrees('four modes, real values', { shape: [9, 12, 7, 20], cells: 2000, real: true }, RANKS),
  agrees('five modes, missing entries', { shape: [3, 4, 2, 6, 5], cells: 1500, missing: 0.3 }, RANKS),
  agrees('six modes, missing and real', { shape: [5, 1, 4, 3, 2, 6], cells: 900, missing: 0.1, real: true }, RANKS),
  agrees('twenty binary items', { shape: new Array(20).fill(2), cells: 2500 }, [2, 4, 7, 16, 20]),
  agrees('twenty binary items, missing entries', { shape: new Array(20).fill(2), cells: 1500, missing: 0.15 }, [3, 6]),
  agrees('a wide mode', { shape: [200_000, 3, 4], cells: 5000 }, [2, 10]),
  agrees('a single cell', { shape: [2, 3], cells: 1 }, [1, 2, 3]),
  agrees('almost everything missing', { shape: [4, 4, 4], cells: 200, missing: 0.9 }, [1, 3, 8]),
  {
    name: 'hundreds of modes do not underflow',
    async check(engine) {
      const tensor = randomTensor({ shape: new Array(1000).fill(4), cells: 30, missing: 0.05 })
      for (const rank of [1, 3, 18]) {
        const parameters = startOf(tensor, rank)
        const session = await engine.open(tensor, rank)
        const expected = referencePass(tensor, parameters, newStatistics(tensor.shape, rank))
        if (!Number.isFinite(expected.logLikelihood)) fail('the reference underflows')
        compareStatistics(await session.pass(parameters), expected)
        await session.close()
      }
    },
  },
  {
    name: 'tiny probabilities do not underflow',
    async check(engine) {
      const tensor = randomTensor({ shape: [6, 5, 7], cells: 100 })
      const start = startOf(tensor, 3)
      const factors = start.factors.map((factor, n) =>
        factor.map((value, i) => (Math.floor(i / 3) < 3 ? value * 10 ** -(120 + 40 * n) : value)),
      )
      const parameters = { ...start, factors }
      const session = await engine.open(tensor, 3)
      compareStatistics(
        await session.pass(parameters),
        referencePass(tensor, parameters, newStatistics(tensor.shape, 3)),
      )
      await session.close()
    },
  },
  {
    name: 'a cell without a chance gives −∞ and adds nothing',
    async check(engine) {
      const tensor = tensorFromColumns([[0, 0, 1], [0, 1, 1], [1, 0, 1]], [2, 3, 4]) // biome-ignore format: a table
      const start = startOf(tensor, 2)
      const factors = start.factors.map(factor => factor.slice())
      factors[2].set([0, 0, 1, 1])
      const parameters = { ...start, factors }
      const session = await engine.open(tensor, 2)
      const found = await session.pass(parameters)
      await session.close()
      if (found.logLikelihood !== Number.NEGATIVE_INFINITY) fail(`the log-likelihood is ${found.logLikelihood}`)
      compareStatistics(found, referencePass(tensor, parameters, newStatistics(tensor.shape, 2)))
    },
  },
  {
    name: 'a pass depends on its parameters alone, and leaves them as they are',
    async check(engine) {
      const tensor = randomTensor({ shape: [12, 9, 14], cells: 800, missing: 0.1 })
      const session = await engine.open(tensor, 5)
      const [a, b] = [startOf(tensor, 5, 1), startOf(tensor, 5, 2)]
      const before = a.factors.map(factor => factor.slice())
      const first = await session.pass(a)
      const into = newStatistics(tensor.shape, 5)
      if ((await session.pass(b, into)) !== into) fail('the result is not the one that was passed in')
      same(await session.pass(a, into), first)
      if (!a.factors.every((factor, n) => factor.every((value, i) => value === before[n][i]))) {
        fail('the parameters were changed')
      }
      await session.close()
    },
  },
  {
    name: 'sessions do not disturb each other',
    async check(engine) {
      const tensors = [1, 2, 3].map(seed => randomTensor({ shape: [8, 9, 10], cells: 300 * seed, seed }))
      const sessions = await Promise.all(tensors.map((tensor, i) => engine.open(tensor, 2 + i)))
      const starts = tensors.map((tensor, i) => startOf(tensor, 2 + i))
      const found = await Promise.all(sessions.map((session, i) => session.pass(starts[i])))
      found.forEach((statistics, i) => {
        const into = newStatistics(tensors[i].shape, 2 + i)
        compareStatistics(statistics, referencePass(tensors[i], starts[i], into))
      })
      await Promise.all(sessions.map(session => session.close()))
    },
  },
  {
    name: 'wrong parameters and closed sessions are refused',
    async check(engine) {
      const tensor = randomTensor({ shape: [5, 6], cells: 20 })
      const other = randomTensor({ shape: [5, 7], cells: 20 })
      const session = await engine.open(tensor, 2)
      await refuses('another rank', () => session.pass(startOf(tensor, 3)))
      await refuses('another shape', () => session.pass(startOf(other, 2)))
      await session.pass(startOf(tensor, 2))
      await session.close()
      await session.close()
      await refuses('a pass after closing', () => session.pass(startOf(tensor, 2)))
    },
  },
]
