import { describe, expect, it } from 'vitest'
import { philox, random } from './philox.ts'

describe('philox 4×32-10', () => {
  // The known answers of the authors' reference implementation.
  it.each([
    [
      [0, 0, 0, 0, 0, 0],
      [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8],
    ],
    [
      [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff],
      [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd],
    ],
    [
      [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0],
      [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1],
    ],
  ])('gives the known answer %#', ([c0, c1, c2, c3, k0, k1], expected) => {
    expect([...philox(new Uint32Array(4), c0, c1, c2, c3, k0, k1)]).toEqual(expected)
  })

  it('streams differ by seed, purpose and number, and repeat exactly', () => {
    const first = (seed: number, purpose: 'start' | 'sample', stream: number) => random(seed, purpose, stream).uniform()
    const all = [
      first(1, 'start', 0),
      first(2, 'start', 0),
      first(1, 'sample', 0),
      first(1, 'start', 1),
      first(2 ** 40 + 1, 'start', 0),
    ]
    expect(new Set(all).size).toBe(all.length)
    expect(first(1, 'start', 0)).toBe(all[0])
  })

  it('is uniform: strictly inside 0 and 1, with the right mean, variance and digits', () => {
    const { uniform, below } = random(5, 'data')
    const draws = Array.from({ length: 100_000 }, uniform)
    const mean = draws.reduce((sum, x) => sum + x, 0) / draws.length
    const variance = draws.reduce((sum, x) => sum + (x - mean) ** 2, 0) / draws.length
    expect(Math.min(...draws.slice(0, 1000))).toBeGreaterThan(0)
    expect(Math.max(...draws.slice(0, 1000))).toBeLessThan(1)
    expect(mean).toBeCloseTo(0.5, 2)
    expect(variance).toBeCloseTo(1 / 12, 2)
    const counts = new Array<number>(10).fill(0)
    for (let i = 0; i < 100_000; i++) counts[below(10)]++
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(500)
  })
})
