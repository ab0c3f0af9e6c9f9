import { DataError, fit, OptionError, type Session, type Tensor, tensorFromColumns } from '@polyad/core'
import { compareStatistics } from '@polyad/core/conformance'
import { type Engine, type Statistics, wasmEngine } from '@polyad/core/engine'
import { expect } from 'vitest'
import { writeCells } from '../packages/core/src/engine/disk/cells-writer.ts'
import { openCells } from '../packages/core/src/engine/disk/open-cells.ts'
import { newStatistics } from '../packages/core/src/engine/engine.ts'
import { referencePass } from '../packages/core/src/engine/reference.ts'
import type { Parameters } from '../packages/core/src/model/parameters.ts'
import { randomStart } from '../packages/core/src/model/random.ts'
import { below, oneOf, type Random, randomNumbers } from './mutations.ts'

/** Data that nobody would draw on purpose: counts of any size, one cell, one label, variables that are constant or twice the same. */

const SCALES = [1e-300, 1e-200, 1e-100, 1e-20, 1, 1, 1, 1e6, 1e15, 1e20, 1e100, 1e200, 1e300]

/** Sizes of modes, and how many cells there are. */
const KINDS: readonly ((random: Random) => readonly [shape: number[], cells: number])[] = [
  random => [
    Array.from({ length: 1 + below(oneOf([2, 3, 4, 8], random), random) }, () => oneOf([1, 1, 2, 2, 3, 5, 9, 40], random)),
    oneOf([1, 1, 2, 3, 10, 60, 300], random),
  ],
  // Many labels, few of which occur; many modes; one cell of anything.
  random => [[oneOf([1000, 20_000], random), 1 + below(5, random), 70], oneOf([1, 5, 40], random)],
  random => [Array.from({ length: oneOf([30, 90, 200], random) }, () => 1 + below(3, random)), oneOf([1, 4, 25], random)],
  random => [Array.from({ length: 1 + below(6, random) }, () => 1 + below(300, random)), 1],
] // biome-ignore format: a list

/** The same data for the same seed. */
export const draw = (seed: number) => {
  const random = randomNumbers(seed * 7919)
  const [shape, cells] = KINDS[random() < 0.7 ? 0 : 1 + below(KINDS.length - 1, random)](random)
  const [mixed, scale, missing] = [
    random() < 0.3,
    random() < 0.5 ? oneOf([1e-30, 1, 1, 50, 1e9], random) : oneOf(SCALES, random),
    oneOf([0, 0, 0.2, 0.8], random),
  ]
  const constant = random() < 0.15
  const columns = shape.map((size, n) =>
    Int32Array.from({ length: cells }, () => (n > 0 && random() < missing ? -1 : constant ? 0 : below(size, random))),
  )
  const values = Float64Array.from({ length: cells }, () => (mixed ? oneOf(SCALES, random) : scale) * (0.1 + random()))
  if (shape.length > 1 && random() < 0.2) [columns[1], shape[1]] = [columns[0], shape[0]]
  const options = {
    ...{ rank: oneOf([1, 1, 2, 2, 3, 3, 5, 17], random), threads: 1, maxPasses: oneOf([20, 200, 1000], random), seed },
    ...(random() < 0.3 && { starts: 2 }),
    ...(random() < 0.2 && { algorithm: 'em' as const, starts: 1 }),
    ...(random() < 0.2 && { pseudoCounts: oneOf([1e-9, 0.5, 1e6], random) }),
    ...(random() < 0.15 && { precision: 'single' as const }),
  }
  return { make: () => tensorFromColumns(columns, values, { shape }), options, random }
}

/** The tensor, or undefined if it is refused with a reason. */
export const made = ({ make }: Pick<ReturnType<typeof draw>, 'make'>): Tensor | undefined => {
  try {
    return make()
  } catch (error) {
    expect(error).toBeInstanceOf(DataError)
    expect((error as Error).message).toMatch(/^the values sum to .*(divide|multiply) them all by a constant$/)
    return undefined
  }
}

/** The pass by logarithms alone, which neither underflow nor overflow: it shares nothing with an engine. */
const byLogarithms = ({ cells, indices, values, shape }: Tensor, { rank, shares, factors }: Parameters): Statistics => {
  const sums = newStatistics(shape, rank)
  const logs = new Float64Array(rank)
  for (let cell = 0; cell < cells; cell++) {
    for (let k = 0; k < rank; k++) {
      logs[k] = Math.log(shares[k])
      indices.forEach((column, n) => {
        if (column[cell] >= 0) logs[k] += Math.log(factors[n][column[cell] * rank + k])
      })
    }
    const most = Math.max(...logs)
    const all = most === Number.NEGATIVE_INFINITY ? most : most + Math.log(logs.reduce((sum, each) => sum + Math.exp(each - most), 0)) // biome-ignore format: one expression
    sums.logLikelihood += values[cell] * all
    for (let k = 0; k < rank; k++) {
      const part = most === Number.NEGATIVE_INFINITY ? 0 : values[cell] * Math.exp(logs[k] - all)
      sums.sizes[k] += part
      indices.forEach((column, n) => {
        if (column[cell] >= 0) sums.factors[n][column[cell] * rank + k] += part
      })
    }
  }
  return sums
}

/** A model with probabilities of any size; some are zero. */
const extremeModel = (shape: readonly number[], rank: number, random: Random): Parameters => {
  const sizes = [1, 1, 0.5, 1e-5, 1e-30, 1e-150, 1e-300, 1e-310, 5e-324]
  const zeros = random() < 0.2 ? 0.1 : 0
  const entry = () => (random() < zeros ? 0 : oneOf(sizes, random) * (0.5 + random() / 2))
  const column = (length: number) => {
    const entries = Array.from({ length }, entry)
    const sum = entries.reduce((all, each) => all + each, 0)
    return sum > 0 ? entries.map(each => each / sum) : entries.map(() => 1 / length)
  }
  const shares = Float64Array.from(column(rank))
  const factors = shape.map(size => {
    const table = new Float64Array(size * rank)
    for (let k = 0; k < rank; k++) column(size).forEach((each, j) => void table.set([each], j * rank + k))
    return table
  })
  return { rank, shares, factors }
}

/** Passes with usual and with extreme models agree with logarithms: those of the reference, in memory, on disk and, if it is given, in a database. */
export const passesAgree = async (seed: number, file: string, database?: Engine): Promise<boolean> => {
  const drawn = draw(seed)
  const tensor = made(drawn)
  if (tensor === undefined) return false
  const { shape } = tensor
  const rank = Math.min(drawn.options.rank, 5)
  await writeCells(tensor, file)
  const starts = [randomStart(shape, rank, seed, 0), extremeModel(shape, rank, drawn.random)]
  const sessions: [string, Promise<Session>][] = [
    ['memory', wasmEngine({ threads: 1 }).open(tensor)],
    ['disk', openCells(file, { memory: 0, threads: 1 })],
    ...(database === undefined ? [] : [['the database', database.open(tensor)] as [string, Promise<Session>]]),
  ]
  const where = (name: string, start: number) => `seed ${seed}, ${start === 0 ? 'usual' : 'extreme'} model, ${name}`
  for (const [name, opened] of [['the reference', undefined] as const, ...sessions]) {
    const session = await opened
    try {
      for (const [start, parameters] of starts.entries()) {
        const sums =
          session === undefined
            ? referencePass(tensor, parameters, newStatistics(shape, rank))
            : await session.pass(parameters)
        const expected = byLogarithms(tensor, parameters)
        const scaled = scaledBy(tensor.total)
        try {
          compareStatistics(scaled(sums), scaled(expected), 1e-9)
        } catch (error) {
          throw new Error(`${where(name, start)}: ${(error as Error).message}`)
        }
      }
    } finally {
      await session?.close()
    }
  }
  return true
}

/** Per observation: the sums of huge counts would not fit into a number once they are added again. */
const scaledBy =
  (total: number) =>
  ({ rank, sizes, factors, logLikelihood }: Statistics): Statistics => ({
    rank,
    sizes: sizes.map(each => each / total),
    factors: factors.map(table => table.map(each => each / total)),
    logLikelihood: logLikelihood / total,
  })

/** A fit is finite, its loss is that of its model and does not rise, and it is no worse than one class; or it is refused with a reason. */
export const fitHolds = async (seed: number, engine?: Engine): Promise<boolean> => {
  const { options, ...drawn } = draw(seed)
  const tensor = made(drawn)
  if (tensor === undefined) return false
  const where = `seed ${seed}`
  let result: Awaited<ReturnType<typeof fit>>
  try {
    result = await fit(tensor, { ...options, ...(engine !== undefined && { engine }) })
  } catch (error) {
    expect(error instanceof OptionError || error instanceof DataError, `${where}: ${(error as Error).stack}`).toBe(true)
    expect((error as Error).message, where).toMatch(/^rank must be at most|too little for a probability above zero/)
    return false
  }
  const { loss, trace, model } = result
  const { shares, factors, rank } = model.parameters
  const numbers = [loss, ...trace, ...shares, ...factors.flatMap(table => [...table])]
  expect(numbers.every(Number.isFinite), where).toBe(true)
  expect(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 1), where).toBeLessThan(1e-9)
  for (const table of factors)
    for (let k = 0; k < rank; k++) {
      let sum = 0
      for (let at = k; at < table.length; at += rank) sum += table[at]
      expect(Math.abs(sum - 1), `${where}: a column sums to ${sum}`).toBeLessThan(1e-9)
    }
  const size = Math.max(...trace.map(Math.abs))
  for (let i = 1; i < trace.length; i++) expect(trace[i] - trace[i - 1], where).toBeLessThanOrEqual(1e-9 * size)
  const { total } = tensor
  const own = total - total * Math.log(total) - byLogarithms(tensor, model.parameters).logLikelihood
  const precision = options.precision === 'single' ? 1e-6 : 1e-9
  const least = total * Math.max(1, Math.abs(Math.log(total)))
  expect(Math.abs(own - loss), `${where}: a loss of ${loss}, and of its model ${own}`).toBeLessThanOrEqual(precision * Math.max(Math.abs(loss), least)) // biome-ignore format: one call
  return true
}
