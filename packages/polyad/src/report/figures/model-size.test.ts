import { describe, expect, it } from 'vitest'
import { lastRank, sizeWarning } from './model-size.ts'

describe('sizeWarning', () => {
  it('is of the table, or of the observations where they are fewer', () => {
    // Seven binary modes: 128 cells; fourteen classes have 111 parameters, sixteen 127.
    const carcinoma = { shape: [2, 2, 2, 2, 2, 2, 2], cells: 20, total: 118 }
    expect(sizeWarning(carcinoma, 14)).toBeUndefined()
    expect(sizeWarning(carcinoma, 15)).toMatch(/^119 parameters for 118 observations: /)
    expect(sizeWarning({ ...carcinoma, total: 1000 }, 16)).toBeUndefined()
    expect(sizeWarning({ ...carcinoma, total: 1000 }, 17)).toMatch(/^135 parameters for a table of 128 cells: /)
    expect(sizeWarning(carcinoma, 21)).toBeUndefined()
  })
})

describe('lastRank', () => {
  it('ends where every table is fitted exactly, and at the cells where that is passed', () => {
    const size = { shape: [3, 4], cells: 12, total: 500 }
    expect(lastRank(size, 1, 3)).toEqual({ to: 3, note: undefined })
    expect(lastRank(size, 1, 6)).toEqual({ to: 3, note: expect.stringMatching(/^3 classes fit any table/) })
    expect(lastRank(size, 5, 20)).toEqual({
      to: 12,
      note: expect.stringMatching(/^there are only 12 cells.*12 classes/),
    })
    expect(lastRank({ ...size, cells: 2 }, 1, 6).to).toBe(2)
  })
})
