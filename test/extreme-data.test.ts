import { describe, expect, it } from 'vitest'
import { fitHolds, passesAgree } from './extreme-data.ts'
import { testFolder } from './test-folder.ts'

/** Thousands more are drawn by `test/slow/extreme-data.test.ts`. */

const { path } = testFolder()
const SEEDS = Array.from({ length: 30 }, (_, i) => i + 1)

describe('extreme data', () => {
  it('is fitted by finite numbers and a loss that does not rise, or refused with a reason', async () => {
    let fitted = 0
    for (const seed of SEEDS) fitted += Number(await fitHolds(seed))
    expect(fitted).toBeGreaterThan(5)
  })

  it('has the same pass in memory and on disk as by logarithms', async () => {
    let compared = 0
    for (const seed of SEEDS) compared += Number(await passesAgree(10_000 + seed, path('cells.polyad')))
    expect(compared).toBeGreaterThan(10)
  })
})
