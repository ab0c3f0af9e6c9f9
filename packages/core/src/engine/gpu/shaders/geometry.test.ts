import { expect, it } from 'vitest'
import { geometryOf, MOST_RANK } from './geometry.ts'

it('a row has room for all classes, in lanes that can add up among each other', () => {
  for (const most of [1, 4, 8, 32]) {
    for (let rank = 1; rank <= MOST_RANK; rank++) {
      const { lanes, each, stride } = geometryOf(rank, most)
      expect(4 * stride).toBeGreaterThanOrEqual(rank)
      expect(stride).toBe(lanes * each)
      expect(lanes).toBeLessThanOrEqual(most)
      expect(Math.log2(lanes) % 1).toBe(0)
      if (most === 1) expect(stride).toBe(Math.ceil(rank / 4))
    }
  }
  expect(geometryOf(16, 32)).toMatchObject({ lanes: 4, each: 1 })
  expect(geometryOf(256, 32)).toMatchObject({ lanes: 32, each: 2 })
})
