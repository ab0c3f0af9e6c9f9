import { describe, expect, it } from 'vitest'
import { reliabilityOf } from './reliability.ts'

const figures = (verdict: object = {}, more: object = {}) =>
  ({
    ...{ rank: 3, reason: 'stationary' },
    verdict: { text: '', advice: [], reached: 18, attempts: 24, unseen: 0, chanceOfBetter: 0.002, ambiguous: false, ...verdict },
    ...more,
  }) as Parameters<typeof reliabilityOf>[0] // biome-ignore format: one object

describe('how far a solution can be relied on', () => {
  it.each([
    [figures(), 'reliable', '18 of 24 searches found this solution: reliable.'],
    [figures({ chanceOfBetter: 0.2 }), 'fair', '18 of 24 searches found this solution: a better one may exist.'],
    [figures({ reached: 1 }), 'provisional', /^1 of 24 searches .* another seed/],
    [figures({ attempts: 1, reached: 1 }), 'provisional', /one search/],
    [figures({ ambiguous: true }), 'provisional', /use fewer classes/],
    [figures({}, { reason: 'stopped' }), 'provisional', /stopped/],
    [figures({}, { reason: 'passes' }), 'provisional', /did not converge/],
    [figures({}, { rank: 1 }), 'exact', /exact/],
  ] as const)('%# is said first', (given, level, words) => {
    const found = reliabilityOf(given)
    expect(found.level).toBe(level)
    expect(found.words).toMatch(words)
  })
})
