import { describe, expect, it } from 'vitest'
import { fit } from '../../fit/fit.ts'
import { random } from '../../numeric/philox.ts'
import { tensorFromColumns } from '../../tensor/coordinates.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { briefOptions, nextToSearch } from './brief-search.ts'
import { chooseRank } from './choose-rank.ts'
import type { RankedFit } from './recommend.ts'

/** Answers of two clear classes to yes–no questions. */
const answers = (rows: number, questions: number): Tensor => {
  const { uniform } = random(7, 'data')
  const columns = Array.from({ length: questions }, () => new Int32Array(rows))
  for (let i = 0; i < rows; i++) {
    const yes = uniform() < 0.4 ? 0.85 : 0.2
    for (const column of columns) column[i] = uniform() < yes ? 1 : 0
  }
  return tensorFromColumns(columns)
}

describe('a brief search', () => {
  const large = { cells: 50_000, shape: new Array(40).fill(2), total: 50_000 } as never
  it('has a part of the passes of a whole one', () => {
    expect(briefOptions(large, 3, {})).toEqual({ maxPasses: 800, minGain: 1e-6 })
    expect(briefOptions(large, 6, {})).toEqual({ maxPasses: 500, minGain: 1e-6 })
    expect(briefOptions(large, 6, { maxPasses: 3000, minGain: 1e-3 })).toEqual({ maxPasses: 300, minGain: 1e-3 })
  })
  it('is not made of one class, of small data, if a whole one costs hardly more, or if starts are given', () => {
    expect(briefOptions(large, 1, {})).toBeUndefined()
    expect(briefOptions({ cells: 500, shape: [2, 2, 2], total: 500 } as never, 6, {})).toBeUndefined()
    expect(briefOptions(large, 6, { maxPasses: 399 })).toBeUndefined()
    expect(briefOptions(large, 6, { starts: 20 })).toBeUndefined()
  })
})

describe('what is searched next', () => {
  const fitOf = (rank: number, bic: number, losses: readonly number[], more: Partial<RankedFit> = {}): RankedFit =>
    ({
      rank,
      bic,
      heldOut: -bic / 2000,
      parameters: 8 * rank,
      brief: true,
      result: {
        loss: Math.min(...losses),
        estimatedGain: 0,
        attempts: losses.map(loss => ({ origin: 'random', loss })),
      },
      ...more,
    }) as unknown as RankedFit
  const next = (fits: readonly RankedFit[], by: 'bic' | 'heldOut' = 'bic') => nextToSearch(fits, by, 1000)

  it('is the best, then what is within reach of it, and nothing else', () => {
    const best = fitOf(2, 500, [100, 100])
    // One unit, twice the distance of the middle start, and a quarter of eight parameters.
    const near = fitOf(3, 521.9, [90, 94, 94])
    const far = fitOf(4, 522.1, [80, 84, 84])
    expect(next([best, near, far])).toBe(2)
    const whole = { ...best, brief: false }
    expect(next([whole, far])).toBeUndefined()
    expect(next([whole, near, far])).toBe(3)
    expect(next([whole, near, far], 'heldOut')).toBe(3)
    expect(next([whole, far], 'heldOut')).toBeUndefined()
    expect(next([whole, { ...near, brief: false }, far])).toBeUndefined()
  })
  it('is nothing that cannot be judged', () => {
    expect(next([fitOf(2, Number.NaN, [1])])).toBeUndefined()
  })
})

it('numbers that cannot be recommended are searched briefly, unless all are to be searched', async () => {
  const data = answers(1500, 16)
  const seen: [number, boolean | undefined, boolean][] = []
  const choice = await chooseRank(data, {
    to: 4,
    folds: 2,
    threads: 1,
    onFit: ({ rank, brief, heldOut }, items) => {
      expect(items.cells).toBe(data.cells)
      seen.push([rank, brief, heldOut !== undefined])
    },
  })
  expect(choice.fits.map(({ brief }) => brief)).toEqual([undefined, undefined, true, true])
  expect(seen).toEqual([
    ...[1, 2, 3, 4].map(rank => [rank, rank > 1 || undefined, false]),
    [2, undefined, false],
    ...[1, 2, 3, 4].map(rank => [rank, rank > 2 || undefined, true]),
  ])
  expect(choice.recommended).toBe(2)
  const lead = choice.fits[2].bic - choice.fits[1].bic
  expect(choice.reason).toContain(
    `3, 4 classes searched briefly: their BIC would have to be at least ${lead.toFixed(1)} lower to change this`,
  )
  // What is recommended is what fit finds.
  const { model } = await fit(data, { rank: 2, threads: 1 })
  expect(choice.fits[1].result.model.parameters).toEqual(model.parameters)
  const thorough = await chooseRank(data, { to: 4, folds: 0, threads: 1, maxPasses: 3000, thorough: true })
  expect(thorough.recommended).toBe(2)
  expect(thorough.fits.some(({ brief }) => brief)).toBe(false)
  expect(thorough.reason).not.toContain('briefly')
}, 60_000)
