import type { Parameters } from '../model/parameters.ts'
import { randomStart } from '../model/random.ts'
import { CellTensor } from '../tensor/cell-tensor.ts'
import { tensorFromColumns } from '../tensor/coordinates.ts'
import type { Tensor } from '../tensor/tensor.ts'
import { abilitiesOf } from './abilities.ts'
import { compareInformation, compareMeasures, compareStatistics, fail, same } from './compare.ts'
import { type Engine, newStatistics, type Session, type Statistics } from './engine.ts'
import { randomTensor, type TensorOptions } from './random-tensor.ts'
import { referenceInformation, referenceMeasure, referencePass } from './reference.ts'

export { compareStatistics } from './compare.ts'
export { randomTensor, type TensorOptions } from './random-tensor.ts'

/** A test that every engine must pass; `check` throws if it fails. */
export interface ConformanceCase {
  readonly name: string
  check(engine: Engine): Promise<void>
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

const startOf = (tensor: Tensor, rank: number, seed = 1): Parameters => randomStart(tensor.shape, rank, seed, 0)

/** How far a session's sums may be from the reference's: a hundred times its own precision, for sums of many terms. */
const toleranceOf = ({ traits }: Session): number => 100 * traits.precision

/** A session that is less precise than this is in single precision. */
const SINGLE = 1e-8

/** The log-likelihood in single precision must be as good as its numbers, for runs are compared by it: so it is summed in double. */
const toleranceOfSum = (session: Session): number =>
  session.traits.precision > SINGLE ? session.traits.precision : toleranceOf(session)

const comparePass = async (session: Session, tensor: Tensor, parameters: Parameters): Promise<void> => {
  const expected = referencePass(tensor, parameters, newStatistics(tensor.shape, parameters.rank))
  compareStatistics(await session.pass(parameters), expected, toleranceOf(session), toleranceOfSum(session))
}

/**
 * An engine of the sessions in single precision that another engine's sessions have: it has to pass all cases too.
 * @example
 * singleOf(wasmEngine()).name // 'wasm in single precision'
 */
export const singleOf = (engine: Engine): Engine => ({
  name: `${engine.name} in single precision`,
  async open(tensor) {
    const session = await engine.open(tensor)
    const single = session.single ?? fail(`a session of the engine ${engine.name} has no single precision`)
    const own = {
      data: single.data,
      traits: single.traits,
      pass: (parameters: Parameters, into?: Statistics) => single.pass(parameters, into),
      measure: (parameters: Parameters) => single.measure(parameters),
      close: () => session.close(),
    }
    return { ...own, can: abilitiesOf(own) }
  },
})

/** Opens a session, works on it, and closes it. */
const within = async (engine: Engine, tensor: Tensor, work: (session: Session) => Promise<void>): Promise<void> => {
  const session = await engine.open(tensor)
  try {
    await work(session)
  } finally {
    await session.close()
  }
}

/** Passes of all ranks on one session, up and down, each compared with the reference. */
const agrees = (name: string, options: TensorOptions, ranks: readonly number[]): ConformanceCase => ({
  name: `agrees with the reference: ${name}`,
  async check(engine) {
    const tensor = randomTensor(options)
    await within(engine, tensor, async session => {
      for (const [i, rank] of [...ranks, ...[...ranks].reverse()].entries()) {
        try {
          await comparePass(session, tensor, startOf(tensor, rank, 1 + i))
        } catch (error) {
          throw new Error(`rank ${rank}: ${(error as Error).message}`, { cause: error })
        }
      }
    })
  },
})

const measures = (name: string, options: TensorOptions, ranks: readonly number[]): ConformanceCase => ({
  name: `measures as the reference does: ${name}`,
  async check(engine) {
    const tensor = randomTensor(options)
    await within(engine, tensor, async session => {
      for (const rank of ranks) {
        const parameters = startOf(tensor, rank)
        const expected = referenceMeasure(tensor, parameters)
        compareMeasures(await session.measure(parameters), expected, tensor.total, toleranceOf(session))
      }
    })
  },
})

const informs = (name: string, options: TensorOptions, ranks: readonly number[]): ConformanceCase => ({
  name: `gives the information as the reference does (where an engine does that): ${name}`,
  async check(engine) {
    const tensor = randomTensor(options)
    await within(engine, tensor, async session => {
      if (!session.can.includes('information')) return
      for (const rank of ranks) {
        const parameters = startOf(tensor, rank)
        const found = await session.information!(parameters)
        compareInformation(found, referenceInformation(tensor, parameters), tensor.total, toleranceOf(session))
      }
      await refuses('another shape', () => session.information!({ ...startOf(tensor, 3), factors: [] }))
      await refuses('too many parameters', () => session.information!(startOf(tensor, 2500)))
    })
  },
})

const RANKS = [1, 2, 3, 4, 5, 8, 10, 15, 16, 17, 24, 31, 33, 64]

export const conformance: readonly ConformanceCase[] = [
  {
    name: 'what a session says it can do is what it has',
    async check(engine) {
      const tensor = randomTensor({ shape: [5, 6, 3], cells: 30 })
      await within(engine, tensor, async session => {
        const [said, found] = [session.can, abilitiesOf(session)].map(list => list.toSorted().join(', '))
        if (said !== found) fail(`it says that it can do ${said || 'nothing'}, and has ${found || 'nothing'}`)
      })
    },
  },
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
  measures('three modes', { shape: [20, 30, 40], cells: 3000 }, RANKS),
  measures(
    'twenty binary items, missing entries',
    { shape: new Array(20).fill(2), cells: 1500, missing: 0.15 },
    [3, 6],
  ),
  measures('a wide mode, real values', { shape: [200_000, 3, 4], cells: 5000, real: true }, [2, 10]),
  measures('hundreds of modes', { shape: new Array(900).fill(4), cells: 30, missing: 0.05 }, [1, 3, 18]),
  informs('one mode', { shape: [40], cells: 30 }, [1, 2, 5]),
  informs('three modes, real values', { shape: [9, 2, 14], cells: 200, real: true }, [1, 2, 3, 8]),
  informs('eight binary items, missing entries', { shape: new Array(8).fill(2), cells: 150, missing: 0.2 }, [2, 4]),
  informs('hundreds of modes', { shape: new Array(250).fill(2), cells: 8, missing: 0.1 }, [2]),
  {
    name: 'hundreds of modes do not underflow',
    async check(engine) {
      const tensor = randomTensor({ shape: new Array(1000).fill(4), cells: 30, missing: 0.05 })
      await within(engine, tensor, async session => {
        for (const rank of [1, 3, 18]) await comparePass(session, tensor, startOf(tensor, rank))
      })
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
      await within(engine, tensor, session => comparePass(session, tensor, { ...start, factors }))
    },
  },
  {
    name: 'tiny probabilities of many small modes do not underflow',
    async check(engine) {
      // Enough cells for modes of few labels to be worth joining.
      const tensor = randomTensor({ shape: [2, 2, 2, 2, 2, 2, 3], cells: 30_000 })
      const start = startOf(tensor, 3)
      const factors = start.factors.map((factor, n) =>
        factor.map((value, i) => (n < 4 && i < 3 ? value * 10 ** -(199 + i) : value)),
      )
      const parameters = { ...start, factors }
      await within(engine, tensor, async session => {
        await comparePass(session, tensor, parameters)
        const expected = referenceMeasure(tensor, parameters)
        compareMeasures(await session.measure(parameters), expected, tensor.total, toleranceOf(session))
      })
    },
  },
  {
    name: 'a cell of probability zero gives −∞ and adds nothing',
    async check(engine) {
      const tensor = tensorFromColumns(
        [
          [0, 0, 1],
          [0, 1, 1],
          [1, 0, 1],
        ],
        [2, 3, 4],
      )
      const start = startOf(tensor, 2)
      const factors = start.factors.map(factor => factor.slice())
      factors[2].set([0, 0, 1, 1])
      const parameters = { ...start, factors }
      await within(engine, tensor, async session => {
        const found = await session.pass(parameters)
        if (found.logLikelihood !== Number.NEGATIVE_INFINITY) fail(`the log-likelihood is ${found.logLikelihood}`)
        await comparePass(session, tensor, parameters)
        const { sumYYOverP } = await session.measure(parameters)
        if (sumYYOverP !== Number.POSITIVE_INFINITY) fail(`Σ y²/p is ${sumYYOverP}`)
        const information = await session.information?.(parameters)
        if (information === undefined) return
        const expected = referenceInformation(tensor, parameters)
        if (expected.impossible !== 3) fail('the reference does not count what is impossible')
        compareInformation(information, expected, tensor.total, toleranceOf(session))
      })
    },
  },
  {
    name: 'a pass depends on its parameters alone, and leaves them as they are',
    async check(engine) {
      const tensor = randomTensor({ shape: [12, 9, 14], cells: 800, missing: 0.1 })
      await within(engine, tensor, async session => {
        const [first, second] = [startOf(tensor, 5, 1), startOf(tensor, 7, 2)]
        const before = first.factors.map(factor => factor.slice())
        const once = await session.pass(first)
        await session.pass(second)
        const into = newStatistics(tensor.shape, 5)
        into.sizes.fill(7)
        const again = await session.pass(first, into)
        if (again !== into) fail('the statistics to write into were not used')
        if (session.traits.reproducible) same(again, once)
        else compareStatistics(again, once, toleranceOf(session))
        before.forEach((factor, n) => {
          if (factor.some((value, i) => value !== first.factors[n][i])) fail('the parameters were changed')
        })
      })
    },
  },
  {
    name: 'several sessions do not disturb each other',
    async check(engine) {
      const tensors = [1, 2, 3].map(seed => randomTensor({ shape: [7, 8, 9], cells: 300, seed }))
      const sessions = await Promise.all(tensors.map(tensor => engine.open(tensor)))
      await Promise.all(sessions.map((session, i) => comparePass(session, tensors[i], startOf(tensors[i], 2 + i))))
      await Promise.all(sessions.map(session => session.close()))
    },
  },
  {
    name: 'several models in one scan are as each by itself (where an engine does that)',
    async check(engine) {
      const tensor = randomTensor({ shape: [7, 8, 9], cells: 300, missing: 0.1 })
      await within(engine, tensor, async session => {
        const starts = [2, 5, 2].map((rank, seed) => startOf(tensor, rank, seed))
        const found = await session.passes?.(starts)
        found?.forEach((statistics, i) => {
          const expected = referencePass(tensor, starts[i], newStatistics(tensor.shape, starts[i].rank))
          compareStatistics(statistics, expected, toleranceOf(session))
        })
      })
    },
  },
  {
    name: 'other values for the same cells, zeros among them, come and go (where an engine does that)',
    async check(engine) {
      const tensor = randomTensor({ shape: [300, 8, 9], cells: 6000, missing: 0.1 })
      await within(engine, tensor, async session => {
        if (!session.can.includes('reweight')) return
        const other = (seed: number) => tensor.values.map((value, cell) => ((cell + seed) % 3 === 0 ? 0 : value * seed))
        for (const seed of [2, 5]) {
          const values = [other(seed), other(seed + 1)]
          const opened: Session[] = []
          for (const each of values) opened.push(await session.reweight!(each))
          for (const rank of [3, 6]) {
            await comparePass(session, tensor, startOf(tensor, rank))
            for (const [i, each] of opened.entries()) {
              const expected = new CellTensor(tensor.modes, tensor.indices, values[i])
              if (each.data.total !== expected.total) fail('the total is not that of the values')
              await comparePass(each, expected, startOf(tensor, rank, 3))
              const [measured, right] = [await each.measure(startOf(tensor, rank)), startOf(tensor, rank)]
              compareMeasures(measured, referenceMeasure(expected, right), expected.total, toleranceOf(each))
            }
          }
          for (const each of opened) await each.close()
          await refuses('a pass after closing', () => opened[0].pass(startOf(tensor, 2)))
        }
        await refuses('too few values', () => session.reweight!(new Float64Array(3)))
        await refuses('a negative value', () => session.reweight!(tensor.values.map(() => -1)))
      })
    },
  },
  {
    name: 'opens other data beside its own (where an engine does that)',
    async check(engine) {
      const tensor = randomTensor({ shape: [7, 8, 9], cells: 300 })
      const other = randomTensor({ shape: [7, 8, 9], cells: 200, seed: 2 })
      await within(engine, tensor, async session => {
        if (!session.can.includes('open')) return
        const opened = await session.open!(other)
        await comparePass(opened, other, startOf(other, 3))
        await comparePass(session, tensor, startOf(tensor, 4))
        await opened.close()
        await comparePass(session, tensor, startOf(tensor, 3))
      })
    },
  },
  {
    name: 'wrong parameters and closed sessions are refused',
    async check(engine) {
      const tensor = randomTensor({ shape: [5, 6], cells: 20 })
      const other = randomTensor({ shape: [5, 7], cells: 20 })
      const session = await engine.open(tensor)
      await refuses('another shape', () => session.pass(startOf(other, 2)))
      await refuses('too few shares', () => session.pass({ ...startOf(tensor, 3), shares: new Float64Array(2) }))
      await refuses('statistics of another rank', () =>
        session.pass(startOf(tensor, 3), newStatistics(tensor.shape, 2)),
      )
      await session.pass(startOf(tensor, 2))
      await session.close()
      await session.close()
      await refuses('a pass after closing', () => session.pass(startOf(tensor, 2)))
      await refuses('a measure after closing', () => session.measure(startOf(tensor, 2)))
      const { information } = session
      if (information !== undefined) await refuses('information after closing', () => information(startOf(tensor, 2)))
    },
  },
]
