import { expect, it } from 'vitest'
import { CRITERIA } from '../judge/criteria.ts'
import { type RankedFit, recommend } from './recommend.ts'

/** Fits that differ by nothing but their rank and their criteria. */
const fitOf = (rank: number, value: number): RankedFit =>
  ({
    ...Object.fromEntries(CRITERIA.map(({ key }) => [key, key === 'heldOut' ? -value : value])),
    rank,
    degreesOfFreedom: 5,
    identification: { verdict: 'identified' },
    result: { verdict: { ambiguous: false, reached: 3 }, reason: 'converged', converged: true },
  }) as unknown as RankedFit

it('at the edge of what was tried it says what to try', () => {
  const falling = [1, 2, 3, 4, 5, 6].map(rank => fitOf(rank, 1300 - rank))
  expect(recommend(falling, 'bic').reason).toMatch(/it is the largest number tried: try up to 8$/)
  const rising = [3, 4, 5].map(rank => fitOf(rank, 1300 + rank))
  expect(recommend(rising, 'bic').reason).toMatch(/it is the smallest number tried: try fewer$/)
  const [first] = rising
  expect(recommend([fitOf(1, 1200), first], 'bic').reason).not.toMatch(/tried/)
  expect(recommend([first], 'bic').reason).not.toMatch(/tried/)
})

it.each(['bic', 'heldOut'] as const)('a lead by rounding only goes to the smaller rank (%s)', by => {
  const level = [fitOf(1, 1300), fitOf(2, 1200), fitOf(3, 1200 - 1e-9), fitOf(4, 1200 - 2e-9)]
  expect(recommend(level, by).recommended).toBe(2)
  expect(recommend(level, by).reason).toMatch(/best with 2 classes, equal to that of 3 classes$/)
  expect(recommend(level.toReversed(), by).recommended).toBe(2)
  const ahead = [fitOf(1, 1300), fitOf(2, 1200), fitOf(3, 1200 - 1e-3), fitOf(4, 1250)]
  expect(recommend(ahead, by).recommended).toBe(3)
})
