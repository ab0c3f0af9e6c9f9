import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomStart } from '../../model/random.ts'
import { tensorFromColumns } from '../../tensor/coordinates.ts'
import { compareStatistics, conformance, randomTensor } from '../conformance.ts'
import { newStatistics } from '../engine.ts'
import { referencePass } from '../reference.ts'
import { wasmEngine } from './wasm-engine.ts'

const engine = wasmEngine({ threads: 1 })

describe('the wasm engine', () => {
  it.each(conformance)('$name', async ({ check }) => {
    await check(engine)
  })
})

const agrees = async (options: Parameters<typeof randomTensor>[0], rank: number): Promise<void> => {
  const tensor = randomTensor(options)
  const parameters = randomStart(tensor.shape, rank, 3, 0)
  const expected = referencePass(tensor, parameters, newStatistics(tensor.shape, rank))
  const session = await engine.open(tensor)
  const actual = await session.pass(parameters)
  compareStatistics(actual, expected, 1e-12)
  compareStatistics(await session.pass(parameters, actual), expected, 1e-12)
  await session.close()
}

describe('the kernels agree with the reference', () => {
  const ranks = [...Array.from({ length: 17 }, (_, k) => k + 1), 20, 21, 31, 32, 33, 64]
  it.each(ranks)('at rank %i on a tree, a flat layout and joined modes', async rank => {
    await agrees({ shape: [20, 30, 40], cells: 5000 }, rank)
    await agrees({ shape: [20, 30, 40, 50], cells: 3000, missing: 0.1 }, rank)
    await agrees({ shape: [50, 60, 70, 80, 90], cells: 700, real: true }, rank)
    await agrees({ shape: Array(12).fill(2), cells: 9000, missing: 0.05 }, rank)
    await agrees({ shape: [7], cells: 30 }, rank)
    await agrees({ shape: [300, 200], cells: 20000 }, rank)
  })

  it('on many lanes, with modes compacted by lane', async () => {
    await agrees({ shape: [900, 800], cells: 150_000 }, 3)
    await agrees({ shape: [200_000, 30, 5], cells: 100_000, missing: 0.02 }, 4)
    await agrees({ shape: [100_000, 90_000], cells: 70_000 }, 5)
  })

  it.each([1, 4, 12, 20])(
    'at rank %i on tables so wide that products underflow, with few and many missing answers',
    async rank => {
      await agrees({ shape: Array(700).fill(5), cells: 60 }, rank)
      await agrees({ shape: Array(1500).fill(3), cells: 40, missing: 0.6, real: true }, rank)
      await agrees({ shape: [3000, ...Array(420).fill(6)], cells: 50, missing: 0.05 }, rank)
    },
  )

  it('on shapes of all kinds', async () => {
    const options = fc.record({
      shape: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 9 }),
      cells: fc.integer({ min: 1, max: 1500 }),
      seed: fc.integer({ min: 1, max: 1000 }),
      missing: fc.constantFrom(0, 0.2),
      real: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(options, fc.integer({ min: 1, max: 20 }), async (shape, rank) => {
        await agrees(shape, rank)
      }),
      { numRuns: 150 },
    )
  })
})

describe('the log-likelihood has a way for every kind of value', () => {
  const kinds: [string, (cell: number) => number][] = [
    ['ones', () => 1],
    ['ones and a few others', cell => (cell % 90 === 0 ? 7.25 : 1)],
    ['whole numbers below 4', cell => 1 + (cell % 3)],
    ['whole numbers below 16', cell => 1 + (cell % 15)],
    ['whole numbers, a few of them large', cell => (cell % 40 === 0 ? 1e6 + cell : 1 + (cell % 9))],
    ['large whole numbers', cell => 1000 + cell * 17],
    ['huge whole numbers', cell => 2 ** 52 + 2 * cell],
    ['real numbers', cell => 0.1 + Math.sqrt(cell)],
  ]
  it.each(kinds)('%s', async (_, value) => {
    for (const cells of [1, 2, 511, 513, 1301]) {
      const index = Array.from({ length: cells }, (_, cell) => cell)
      const tensor = tensorFromColumns([index.map(i => i % 37), index], index.map(value))
      const parameters = randomStart(tensor.shape, 3, 5, 0)
      const expected = referencePass(tensor, parameters, newStatistics(tensor.shape, 3))
      const session = await engine.open(tensor)
      compareStatistics(await session.pass(parameters), expected, 1e-13)
      await session.close()
    }
  })
})

describe('the wasm engine', () => {
  it('refuses a number of threads that is none', () => {
    expect(() => wasmEngine({ threads: 0 })).toThrow('threads must be a whole number')
  })
})

it('sessions on the same cells that need a kernel for the first time do not disturb each other', async () => {
  const tensor = randomTensor({ shape: [6, 5, 4], cells: 60 })
  const session = await wasmEngine({ threads: 1 }).open(tensor)
  const others = await Promise.all([2, 3].map(times => session.reweight!(tensor.values.map(value => times * value))))
  // Each of these ranks has kernels in a file of its own.
  for (const rank of [10, 12, 16, 40]) {
    const start = randomStart(tensor.shape, rank, 1, 0)
    const [pass, measures, twice, thrice] = await Promise.all([
      session.pass(start),
      session.measure(start),
      others[0].pass(start),
      others[1].measure(start),
    ])
    const expected = referencePass(tensor, start, newStatistics(tensor.shape, rank))
    compareStatistics(pass, expected, 1e-12)
    expect(measures.logLikelihood).toBeCloseTo(expected.logLikelihood, 9)
    expect(twice.logLikelihood).toBeCloseTo(2 * expected.logLikelihood, 9)
    expect(thrice.logLikelihood).toBeCloseTo(3 * expected.logLikelihood, 9)
  }
  for (const each of [...others, session]) await each.close()
})
