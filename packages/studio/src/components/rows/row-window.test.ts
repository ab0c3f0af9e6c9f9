import { describe, expect, it } from 'vitest'
import { isPressed, scrollOf, topAfterKey, topOf, windowOf } from './row-window.ts'

const size = (rows: number) => ({ rows, rowHeight: 36, viewHeight: 540 })

describe('a long list', () => {
  it('makes the rows in view and a few beside them, and is as high as all', () => {
    const list = size(100_000)
    for (const scrolled of [0, 17, 36 * 500, 36 * 50_000 + 5, 36 * 100_000 - 540]) {
      const top = topOf(list, scrolled)
      expect(top * 36).toBeCloseTo(scrolled, 6)
      const { from, to, before, after } = windowOf(list, scrolled, top)
      expect(to - from).toBeLessThanOrEqual(15 + 1 + 16)
      expect(from).toBeLessThanOrEqual(top)
      expect(to).toBeGreaterThanOrEqual(Math.min(100_000, top + 15))
      expect(before).toBeCloseTo(from * 36, 6)
      expect(before + (to - from) * 36 + after).toBeCloseTo(36 * 100_000, 6)
    }
  })

  it('that is short makes all of its rows', () => {
    expect(windowOf(size(4), 0, 0)).toEqual({ from: 0, to: 4, before: 0, after: 0 })
    expect(windowOf(size(0), 0, 0)).toEqual({ from: 0, to: 0, before: 0, after: 0 })
    expect([topOf(size(4), 100), scrollOf(size(4), 3)]).toEqual([0, 0])
  })

  it('that no browser could draw is pressed together: its first and last row are reached, and rows stand where the view is', () => {
    const list = size(5_000_000)
    expect(isPressed(list)).toBe(true)
    expect(isPressed(size(100_000))).toBe(false)
    const end = 12_000_000 - 540
    expect(topOf(list, end)).toBe(5_000_000 - 15)
    for (const top of [0, 1, 2_345_678, 5_000_000 - 15]) {
      const scrolled = scrollOf(list, top)
      expect(topOf(list, scrolled)).toBeCloseTo(top, 3)
      const { from, to, before, after } = windowOf(list, scrolled, top)
      // What is at the upper edge of the view is the row that is meant.
      expect(before + (top - from) * 36).toBeCloseTo(scrolled, 3)
      expect(before + (to - from) * 36 + after).toBeCloseTo(12_000_000, 3)
    }
  })

  it('moves by rows, pages and to the ends with keys', () => {
    const list = size(1000)
    expect(topAfterKey(list, 0, 'ArrowDown')).toBe(1)
    expect(topAfterKey(list, 1.5, 'ArrowDown')).toBe(2)
    expect(topAfterKey(list, 1.5, 'ArrowUp')).toBe(1)
    expect(topAfterKey(list, 0, 'ArrowUp')).toBe(0)
    expect(topAfterKey(list, 3, 'PageDown')).toBe(17)
    expect(topAfterKey(list, 3, 'End')).toBe(985)
    expect(topAfterKey(list, 985, 'PageDown')).toBe(985)
    expect(topAfterKey(list, 500, 'Home')).toBe(0)
    expect(topAfterKey(list, 500, 'a')).toBeUndefined()
  })
})
