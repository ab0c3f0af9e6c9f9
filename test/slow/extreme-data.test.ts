import { fit, tensorFromColumns } from '@polyad/core'
import { describe, expect, it } from 'vitest'
import { duckdbEngine } from '../../packages/polyad/src/engine/sql/duckdb/engine.ts'
import { fitHolds, passesAgree } from '../extreme-data.ts'
import { testFolder } from '../test-folder.ts'

/** Others, and more of them: `POLYAD_DRAWS=20000 POLYAD_SEED=7 POLYAD_SUITE=slow npx vitest run test/slow/extreme-data.test.ts`. */
const { POLYAD_DRAWS = 2000, POLYAD_SEED = 1 } = process.env
const [DRAWS, FIRST] = [Number(POLYAD_DRAWS), 1_000_000 * Number(POLYAD_SEED)]
const LIMIT = 3_600_000

const { path } = testFolder()

describe('extreme data', () => {
  it(
    'is fitted by finite numbers and a loss that does not rise, or refused with a reason',
    async () => {
      let fitted = 0
      for (let n = 0; n < DRAWS; n++) fitted += Number(await fitHolds(FIRST + n))
      expect(fitted).toBeGreaterThan(DRAWS / 6)
    },
    LIMIT,
  )

  it(
    'has the same pass in memory, on disk and in DuckDB as by logarithms',
    async () => {
      const database = duckdbEngine()
      let compared = 0
      for (let n = 0; n < DRAWS; n++) {
        const seed = FIRST + 500_000 + n
        compared += Number(await passesAgree(seed, path('cells.polyad'), n % 40 === 0 ? database : undefined))
      }
      expect(compared).toBeGreaterThan(DRAWS / 6)
    },
    LIMIT,
  )

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

  it('of ten million labels is fitted, and a rank that memory has no room for is refused', async () => {
    const size = 10_000_000
    const cells = 20_000
    const columns = [
      Int32Array.from({ length: cells }, (_, i) => (i * 499_979) % size),
      Int32Array.from({ length: cells }, (_, i) => Number(i % 10 < 3)),
    ]
    const tensor = tensorFromColumns(columns, undefined, { shape: [size, 2] })
    const { loss, model } = await fit(tensor, { rank: 2, starts: 1, maxPasses: 20, threads: 1 })
    expect(Number.isFinite(loss)).toBe(true)
    expect(model.parameters.factors[0].length).toBe(2 * size)
    await expect(fit(tensor, { rank: 10_000, memory: 2e9 })).rejects.toThrow(/memory|GB/)
  })
})
