import { describe, expect, it } from 'vitest'
import { missingNumbers, missingOf, readingOf, recodeOf, spellingOf, writtenMissing } from './reading.ts'

describe('how values are read', () => {
  const usual = ['', 'NA', 'NULL', 'NaN']
  it('as the options say, and no more', () => {
    expect(readingOf({})).toStrictEqual({ missing: usual })
    expect(readingOf({ missing: ['-9', 'NA'] })).toStrictEqual({ missing: [...usual, '-9'] })
    expect(readingOf({ missingOnly: ['x'] })).toStrictEqual({ missing: ['x'] })
    expect(readingOf({ missingOnly: ['x'], missing: ['y', 'x'] })).toStrictEqual({ missing: ['x', 'y'] })
    expect(readingOf({ trim: true, ignoreCase: true, timeZone: 'Europe/Paris' })).toStrictEqual({
      missing: usual,
      trim: true,
      ignoreCase: true,
      timeZone: 'Europe/Paris',
    })
    expect(readingOf({ trim: false, ignoreCase: false })).toStrictEqual({ missing: usual })
    expect(readingOf({ decimal: ',' }).decimal).toBe(',')
    expect(readingOf({ thousands: ',' }).decimal).toBe('.')
    expect(readingOf({ thousands: '.' }).decimal).toBe(',')
    expect(readingOf({ decimal: '.', thousands: ',' }).decimal).toBe('.')
  })

  it('codes of single columns, by their names', () => {
    const reading = { missing: ['NA'], missingIn: { Age: ['8'], age: ['9'], vote: ['7'] } }
    expect(missingOf(reading, 'age')).toEqual(['NA', '9'])
    expect(missingOf(reading, 'Age')).toEqual(['NA', '8'])
    // In any case, if that leaves no doubt.
    expect(missingOf(reading, 'AGE')).toEqual(['NA'])
    expect(missingOf(reading, 'VOTE')).toEqual(['NA', '7'])
    expect(missingOf(reading, 'toString')).toEqual(['NA'])
    expect(missingOf({ missing: ['NA'] }, 'age')).toEqual(['NA'])
    const recode = { q: [{ from: ['1'], to: 'x' }] }
    expect(recodeOf({ recode }, 'Q')).toBe(recode.q)
    expect(recodeOf({ recode }, 'p')).toEqual([])
    expect(recodeOf({}, 'q')).toEqual([])
  })

  it('with their own case, where it is ignored', () => {
    expect(spellingOf({ missing: [], ignoreCase: true, trim: true })).toEqual({
      missing: [],
      trim: true,
      ignoreCase: false,
      spelling: true,
    })
    const reading = { missing: [] }
    expect(spellingOf(reading)).toBe(reading)
  })

  it('codes that are numbers, and those that separated text knows', () => {
    expect(missingNumbers(['', 'NA', '8.0', '-9', '007', 'x', '-0'])).toEqual([8, -9, 0])
    expect(writtenMissing(['', '-9', 'NaN', 'na', 'NULL', 'NA'])).toEqual(['', 'NaN', 'NULL', 'NA'])
  })
})
