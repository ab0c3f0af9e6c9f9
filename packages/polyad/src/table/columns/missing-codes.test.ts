import { describe, expect, it } from 'vitest'
import { type CodedColumn, missingCodes, suspects } from './missing-codes.ts'
import { missingCodesNote } from './missing-notes.ts'

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const columns = (values: Readonly<Record<string, CodedColumn['values']>>) =>
  Object.entries(values).map(([name, own]) => ({ name, values: own }))
const noteOf = (values: Readonly<Record<string, CodedColumn['values']>>) =>
  missingCodesNote(suspects(columns(values)))[0]?.text

describe('codes for missing values', () => {
  it.each([
    // Runs at the end of a field of two digits, with numbers free below.
    [
      [...range(18, 93), 97, 98, 99],
      ['97', '98', '99'],
    ],
    [[...range(18, 96), 97, 98], []],
    [[...range(18, 90), 99], []],
    [range(0, 100), []],
    [
      [...range(0, 10), 77, 88, 99],
      ['77', '88', '99'],
    ],
    // Below zero, beside a scale that reaches further up, or beside an age.
    [
      [-2, -1, ...range(0, 10)],
      ['-2', '-1'],
    ],
    [
      [-8, -2, -1, ...range(18, 80)],
      ['-8', '-2', '-1'],
    ],
    [
      [-9, -8, -1, 0, 1],
      ['-9', '-8', '-1'],
    ],
    [range(-2, 2), []],
    [[-2, -1, 1, 2], []],
    [[-1, 0, 1], []],
    [range(-9, 9), []],
    [[-3, -1, 0, 1, 2, 3], []],
    [range(-9, 30), []],
    [[-3, -1, ...range(0, 200)], []],
    [[-0.5, -1, 3, 4, 5], []],
  ])('of %j are %j', (values, codes) => expect(missingCodes(values)).toEqual(codes))

  it('at the end of a scale need a second column', () => {
    const scale = [...range(1, 5), 8, 9]
    const found = (values: Readonly<Record<string, CodedColumn['values']>>) =>
      Object.fromEntries(suspects(columns(values)).map(({ name, codes }) => [name, codes]))
    expect(found({ q1: scale, g: [1, 2] })).toEqual({ q1: [], g: [] })
    expect(found({ q1: scale, q2: scale, q3: [1, 2, 3, 9], rooms: range(1, 9) })).toEqual({
      q1: ['8', '9'],
      q2: ['8', '9'],
      q3: ['9'],
      rooms: [],
    })
    // A scale of seven without a 6, and one of ten with gaps.
    expect(found({ q1: [1, 2, 3, 4, 5, 7], q2: [1, 2, 3, 4, 5, 7] })).toEqual({ q1: [], q2: [] })
    expect(found({ q1: [1, 2, 3, 8, 9, 10], q2: [1, 2, 3, 8, 9, 10] })).toEqual({ q1: [], q2: [] })
    // Beside words that mean missing.
    expect(found({ q1: ['1', '2', '3', '9', 'Refused'], q2: ['1', '2', '3', '9'] })).toEqual({
      q1: ['Refused', '9'],
      q2: ['9'],
    })
  })

  it('are proposed with the option for their columns', () => {
    const scale = [...range(1, 5), 8, 9]
    const start = 'counted as categories, but may mean missing: '
    expect(noteOf({ trust0: scale, trust1: scale, age: range(1, 9) })).toBe(
      `${start}8, 9 in trust0 and trust1; if so, add missingIn 'trust*:8,9'`,
    )
    expect(noteOf({ trust0: scale, trust1: scale, trusted: range(1, 9) })).toBe(
      `${start}8, 9 in trust0 and trust1; if so, add missingIn 'trust0:8,9', missingIn 'trust1:8,9'`,
    )
    expect(noteOf({ moralG: scale, knowG: scale, moralB: [1, 2] })).toBe(
      `${start}8, 9 in moralG and knowG; if so, add missingIn '*G:8,9'`,
    )
    expect(noteOf({ a: [1, 2, 3, -99], b: ['x', 'y', 'z', 'Refused'] })).toBe(
      `${start}-99 in a, "Refused" in b; if so, add missing '-99', missing 'Refused'`,
    )
    // 99 means something in b.
    expect(noteOf({ a: [1, 2, 3, 99], b: range(90, 100) })).toBe(`${start}99 in a; if so, add missingIn 'a:99'`)
    expect(noteOf({ a: [1, 2], b: [3, 4] })).toBeUndefined()
  })
})
