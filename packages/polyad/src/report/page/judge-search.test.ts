import { describe, expect, it } from 'vitest'
import { judgeSearch } from './judge-search.ts'

const figures = (verdict: object = {}, more: object = {}) =>
  ({
    rank: 3,
    reason: 'stationary',
    verdict: {
      reached: 20,
      attempts: 26,
      startsReached: 18,
      starts: 24,
      chanceOfBetter: 0.002,
      ambiguous: false,
      ...verdict,
    },
    ...more,
  }) as Parameters<typeof judgeSearch>[0]

describe('whether the search settled', () => {
  it.each([
    [
      figures(),
      'good',
      'The search settled. 18 of 24 starts and 2 of 2 recombinations reached this solution. The estimated chance that a better one exists is 0.2%.',
    ],
    [
      figures({ chanceOfBetter: 0.2 }),
      'fair',
      /^The search may not have settled\. 18 of 24 starts .* exists is 20%\.$/,
    ],
    [figures({ reached: 1, startsReached: 1 }), 'poor', /^The search has not settled\. .*another seed/],
    [figures({ startsReached: null }), 'good', /^The search settled\. 20 of 26 runs reached/],
    [figures({ attempts: 1, starts: 1, reached: 1 }), 'poor', /one run/],
    [figures({ ambiguous: true }), 'poor', /Use fewer classes/],
    [figures({}, { reason: 'stopped' }), 'poor', /stopped/],
    [figures({}, { reason: 'passes' }), 'poor', /did not converge/],
    [figures({}, { reason: 'settled' }), 'good', /stopped early/],
    [figures({}, { rank: 1 }), 'good', /exact/],
  ] as const)('%# is said first', (given, level, words) => {
    // biome-ignore format: one table
    const found = judgeSearch(given)
    expect(found.level).toBe(level)
    expect([found.answer, ...found.evidence].join(' ')).toMatch(words)
    expect(JSON.stringify(found)).not.toContain('reliable')
  })
})
