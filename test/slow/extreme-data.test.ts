import { DataError, fit, OptionError, type Session, type Tensor, tensorFromColumns } from '@polyad/core'
import { compareStatistics } from '@polyad/core/conformance'
import { referenceEngine, wasmEngine } from '@polyad/core/engine'
import { describe, expect, it } from 'vitest'
import { writeCells } from '../../packages/core/src/engine/disk/cells-writer.ts'
import { openCells } from '../../packages/core/src/engine/disk/open-cells.ts'
import { randomStart } from '../../packages/core/src/model/random.ts'
import { duckdbEngine } from '../../packages/polyad/src/engine/sql/duckdb/engine.ts'
import { randomNumbers } from '../mutations.ts'
import { testFolder } from '../test-folder.ts'

/** Data that nobody would draw on purpose: counts of any size, one cell, one label, variables that are constant or twice the same. */

const { path } = testFolder()
const SCALES = [1e-300, 1e-200, 1e-100, 1e-20, 1, 1, 1, 1e6, 1e15, 1e20, 1e100, 1e200, 1e300]

interface Drawn {
  readonly make: () => Tensor
  readonly options: Parameters<typeof fit>[1]
}

const draw = (seed: number): Drawn => {
  const random = randomNumbers(seed * 7919)
  const below = (n: number) => Math.floor(random() * n)
  const pick = <T>(values: readonly T[]): T => values[below(values.length)]
  const shape = Array.from({ length: 1 + below(pick([2, 3, 4, 8])) }, () => pick([1, 1, 2, 2, 3, 5, 9, 40]))
  const cells = pick([1, 1, 2, 3, 10, 60, 300])
  const [mixed, scale, missing, constant] = [random() < 0.4, pick(SCALES), pick([0, 0, 0.2, 0.8]), random() < 0.15]
  const columns = shape.map((size, n) =>
    Int32Array.from({ length: cells }, () => (n > 0 && random() < missing ? -1 : constant ? 0 : below(size))),
  )
  const values = Float64Array.from({ length: cells }, () => (mixed ? pick(SCALES) : scale) * (0.1 + random()))
  if (shape.length > 1 && random() < 0.2) [columns[1], shape[1]] = [columns[0], shape[0]]
  const options = {
    ...{ rank: pick([1, 2, 3, 5, 17]), threads: 1, maxPasses: pick([20, 200, 2000]) },
    ...(random() < 0.3 && { starts: 2 }),
    ...(random() < 0.2 && { algorithm: 'em' as const, starts: 1 }),
    ...(random() < 0.2 && { pseudoCounts: pick([1e-9, 0.5, 1e6]) }),
    ...(random() < 0.15 && { precision: 'single' as const }),
  }
  return { make: () => tensorFromColumns(columns, values, { shape }), options }
}

/** The tensor, or undefined if it is refused with a reason. */
const made = ({ make }: Drawn): Tensor | undefined => {
  try {
    return make()
  } catch (error) {
    expect(error).toBeInstanceOf(DataError)
    expect((error as Error).message).toMatch(/^the values sum to .*(divide|multiply) them all by a constant$/)
    return undefined
  }
}

describe('extreme data', () => {
  it('is fitted by finite numbers and a loss that does not rise, or refused with a reason', async () => {
    let fitted = 0
    for (let seed = 1; seed <= 3000; seed++) {
      const drawn = draw(seed)
      const tensor = made(drawn)
      if (tensor === undefined) continue
      let result: Awaited<ReturnType<typeof fit>>
      try {
        result = await fit(tensor, drawn.options)
      } catch (error) {
        expect(error instanceof OptionError || error instanceof DataError, `${seed}: ${error}`).toBe(true)
        expect((error as Error).message, `${seed}`).toMatch(
          /^rank must be at most|too little for a probability above zero/,
        )
        continue
      }
      fitted++
      const { shares, factors } = result.model.parameters
      const numbers = [result.loss, ...shares, ...factors.flatMap(table => [...table])]
      expect(numbers.every(Number.isFinite), `seed ${seed}`).toBe(true)
      expect(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 1), `seed ${seed}`).toBeLessThan(1e-9)
      const { trace } = result
      const size = Math.max(...trace.map(Math.abs))
      for (let i = 1; i < trace.length; i++)
        expect(trace[i] - trace[i - 1], `seed ${seed}`).toBeLessThanOrEqual(1e-9 * size)
    }
    expect(fitted).toBeGreaterThan(600)
  })

  it('has the same pass in memory, on disk and in DuckDB as in the reference', async () => {
    const database = duckdbEngine()
    const file = path('cells.polyad')
    let compared = 0
    for (let seed = 5000; seed < 5400; seed++) {
      const drawn = draw(seed)
      const tensor = made(drawn)
      if (tensor === undefined) continue
      const start = randomStart(tensor.shape, drawn.options.rank, seed, 0)
      const reference = await referenceEngine.open(tensor)
      const expected = await reference.pass(start)
      await reference.close()
      await writeCells(tensor, file)
      const sessions: [string, Promise<Session>, number][] = [
        ['memory', wasmEngine({ threads: 1 }).open(tensor), 1e-9],
        ['disk', openCells(file, { memory: 0 }), 1e-9],
        ...(seed % 20 === 0 ? [['DuckDB', database.open(tensor), 1e-9] as [string, Promise<Session>, number]] : []),
      ]
      for (const [name, opened, precision] of sessions) {
        const session = await opened
        try {
          compareStatistics(await session.pass(start), expected, precision)
        } catch (error) {
          throw new Error(`seed ${seed}, ${name}: ${(error as Error).message}`)
        } finally {
          await session.close()
        }
      }
      compared++
    }
    expect(compared).toBeGreaterThan(150)
  })

  it('of a thousand variables is fitted', async () => {
    const columns = Array.from({ length: 1000 }, (_, n) =>
      Int32Array.from({ length: 300 }, (_, i) => Number((i * 7 + n * 13) % 97 < (i % 2 === 0 ? 30 : 60))),
    )
    const tensor = tensorFromColumns(columns, undefined, { shape: columns.map(() => 2) })
    const { loss, model } = await fit(tensor, { rank: 2, starts: 2, maxPasses: 400 })
    expect(Number.isFinite(loss)).toBe(true)
    // Even and odd rows differ throughout.
    expect([...model.shares].map(share => Math.round(10 * share)).sort()).toEqual([5, 5])
  })
})
