import { describe, expect, it } from 'vitest'
import type { Parameters } from '../../model/parameters.ts'
import { separateDuplicates } from './duplicate-classes.ts'

/** Three classes: the first and the last alike, but for what is added to an entry of the last. */
const model = (difference = 0, shares: readonly number[] = [0.5, 0.3, 0.2]): Parameters => ({
  rank: 3,
  shares: Float64Array.from(shares),
  factors: [
    Float64Array.of(0.2, 0.5, 0.2, 0.8, 0.5, 0.8),
    Float64Array.of(0.1, 0.6, 0.1 + difference, 0.3, 0.2, 0.3 - difference, 0.6, 0.2, 0.6),
  ],
})

const golden = (Math.sqrt(5) - 1) / 2

describe('classes that are alike', () => {
  it('are moved apart by up to a tenth, and the others stay', () => {
    const before = model()
    const { rank, shares, factors } = separateDuplicates(before)!
    expect([rank, [...shares]]).toEqual([3, [0.5, 0.3, 0.2]])
    expect(shares).not.toBe(before.shares)
    factors.forEach((factor, n) => {
      const moved = before.factors[n].map((p, i) => p * (1 + 0.1 * (2 * ((golden * (i + 1) * (n + 1)) % 1) - 1)))
      for (let k = 0; k < 3; k++) {
        const column = (table: Float64Array) => [...table].filter((_, i) => i % 3 === k)
        const sum = column(moved).reduce((a, b) => a + b)
        for (const [j, p] of column(factor).entries())
          expect(p).toBeCloseTo(k === 1 ? column(before.factors[n])[j] : column(moved)[j] / sum, 12)
      }
    })
    expect(separateDuplicates({ rank, shares, factors })).toBeUndefined()
  })

  it('of an item are compared relative to its largest probability', () => {
    // Of a number that is measured to a fine step.
    const fine = model(0.1)
    const small = { ...fine, factors: [fine.factors[0], fine.factors[1].map(p => p * 1e-7)] }
    expect(separateDuplicates(small)).toBeDefined()
    expect(separateDuplicates({ ...small, items: [undefined, Float64Array.of(1)] })).toBeUndefined()
    expect(separateDuplicates({ ...model(), items: [undefined, Float64Array.of(1)] })).toBeDefined()
  })

  it('are those whose probabilities differ by a millionth at most, in every mode, and that have a share', () => {
    expect(separateDuplicates(model(0.9e-6))).toBeDefined()
    expect(separateDuplicates(model(1.1e-6))).toBeUndefined()
    expect(separateDuplicates(model(-1.1e-6))).toBeUndefined()
    expect(separateDuplicates(model(0, [0.5, 0.5, 0]))).toBeUndefined()
    expect(separateDuplicates(model(0, [0, 0.5, 0.5]))).toBeUndefined()
    expect(
      separateDuplicates({ rank: 1, shares: Float64Array.of(1), factors: [Float64Array.of(0.5, 0.5)] }),
    ).toBeUndefined()
  })
})
