import { describe, expect, it } from 'vitest'
import { merge, mergedName, move, rename, separate } from './recoding.ts'

const NONE = { recode: [], order: undefined }
const KNOWN = ['1', '2', '3', '4', '5']

describe('categories', () => {
  it('are merged, merged again and renamed by what they were in the file', () => {
    const high = merge(NONE, ['4', '5'], 'high', KNOWN)
    expect(high.recode).toEqual([{ from: ['4', '5'], to: 'high' }])
    const more = merge(high, ['3', 'high'], 'upper', ['1', '2', '3', 'high'])
    expect(more.recode).toEqual([{ from: ['3', '4', '5'], to: 'upper' }])
    expect(rename(more, 'upper', 'top', ['1', '2', 'upper']).recode).toEqual([{ from: ['3', '4', '5'], to: 'top' }])
  })

  it('become one with another by its name, and themselves again by their own', () => {
    const one = rename(NONE, '1', '2', KNOWN)
    expect(one.recode).toEqual([{ from: ['1', '2'], to: '2' }])
    expect(separate(one, '2').recode).toEqual([])
    const yes = rename(NONE, '1', 'yes', KNOWN)
    expect(rename(yes, 'yes', '1', ['yes', '2', '3', '4', '5']).recode).toEqual([])
  })

  it('keep the order that was given', () => {
    const moved = move(NONE, '5', -1, KNOWN)
    expect(moved.order).toEqual(['1', '2', '3', '5', '4'])
    const merged = merge(moved, ['2', '5'], 'both', moved.order ?? [])
    expect(merged.order).toEqual(['1', 'both', '3', '4'])
    expect(separate(merged, 'both').order).toEqual(['1', '2', '5', '3', '4'])
    expect(move(NONE, '1', -1, KNOWN)).toEqual(NONE)
  })

  it('have a name together', () => expect(mergedName(['4', '5'])).toBe('4 / 5'))
})
