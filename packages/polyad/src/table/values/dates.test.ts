import { describe, expect, it } from 'vitest'
import {
  candidateFormats,
  DATE_FORMATS,
  type DateFormat,
  EPOCHS,
  epochFormat,
  isEpoch,
  LAST_SECOND,
  namesTime,
  OFFSET,
  RFC_MONTHS,
  RFC_ZONES,
  RFC2822,
} from './dates.ts'

describe('how dates are written', () => {
  it('has a name, unless it is ISO', () => {
    const written = ['day.month.year', 'month/day/year', 'day/month/year', 'rfc2822'] as const
    expect(DATE_FORMATS).toEqual([...written, 'seconds', 'milliseconds', 'microseconds', 'nanoseconds'])
    expect(EPOCHS).toEqual({ seconds: 1, milliseconds: 1e3, microseconds: 1e6, nanoseconds: 1e9 })
    expect(DATE_FORMATS.filter(isEpoch)).toEqual(Object.keys(EPOCHS))
    expect(isEpoch(undefined)).toBe(false)
    expect(Number.isFinite(new Date(LAST_SECOND * 1000).getTime())).toBe(true)
    expect(Number.isFinite(new Date((LAST_SECOND + 1) * 1000).getTime())).toBe(false)
  })

  it.each<[string, readonly DateFormat[]]>([
    ['31.5.2024', ['day.month.year']],
    [' 01.05.2024 13:45', ['day.month.year']],
    ['1/5/2024', ['month/day/year', 'day/month/year']],
    [' 12/31/2024, 5 pm', ['month/day/year', 'day/month/year']],
    ['Sun, 15 Nov 2026 21:00:00 +0100', ['rfc2822']],
    ['15 nov 2026 21:00 gmt', ['rfc2822']],
    ['5 Nov 2026 21:00:00 -0500 (Eastern, so to say)', ['rfc2822']],
    ['2024-05-31', []],
    ['31.5.24', []],
    ['31.5.20245', []],
    ['131.5.2024', []],
    ['31.555.2024', []],
    ['x31.5.2024', []],
    ['1/5/20245', []],
    ['x1/5/2024', []],
    ['123/5/2024', []],
    ['1/567/2024', []],
    ['a.b.2024', []],
    ['a/b/2024', []],
    ['15 November 2026 21:00 GMT', []],
    ['15 Nov 26 21:00 GMT', []],
    ['', []],
  ])('%j may be %j', (text, formats) => expect(candidateFormats(text)).toEqual(formats))

  it('times of mail have day, month, year, clock and zone', () => {
    const parts = (text: string) => new RegExp(RFC2822).exec(text)?.slice(1)
    expect(parts('SUN, 15 NOV 2026 21:00:59 +0100 (CET)')).toEqual(['15', 'NOV', '2026', '21:00:59', '+0100'])
    expect(parts(' 5 JAN 2026 09:30 EST ')).toEqual(['5', 'JAN', '2026', '09:30', 'EST'])
    expect(parts('5 JAN 2026 9:30 EST')).toBeUndefined()
    expect(parts('5 JAN 2026 09:30')).toBeUndefined()
    expect(RFC_MONTHS.map(month => new Date(`1 ${month} 2024 UTC`).getUTCMonth())).toEqual([...Array(12).keys()])
    for (const [zone, hours] of Object.entries(RFC_ZONES))
      expect(Date.parse(`1 Jan 2024 00:00:00 ${zone}`), zone).toBe(Date.parse(`2024-01-01T00:00:00${hours}:00`))
    expect(Object.keys(RFC_ZONES).join(' ')).toBe('Z UT UTC GMT EST EDT CST CDT MST MDT PST PDT')
  })

  it.each([
    ['13:45:00Z', 'Z'],
    ['13:45+02:00', '+02:00'],
    ['13:45:00 -0530', '-0530'],
    ['13:45:00.25+02', '+02'],
    ['13:45 UTC ', 'UTC'],
    ['13:45 GMT', 'GMT'],
    ['13:45:00+01:30:20', '+01:30:20'],
    ['13:45', undefined],
    ['2024-05-31', undefined],
    ['13:45+2', undefined],
  ])('the offset of %j is %j', (text, offset) => expect(new RegExp(OFFSET).exec(text)?.[2]).toBe(offset))
})

describe('numbers that are times', () => {
  it.each([
    [1e8, 9_999_999_999, 'seconds'],
    [1e11, 9_999_999_999_999, 'milliseconds'],
    [1e14, 1e16 - 2, 'microseconds'],
    [1e17, 9e18, 'nanoseconds'],
    [99_999_999, 2e8, undefined],
    [1e8, 1e10, undefined],
    [2e10, 3e10, undefined],
    [1e11, 1e13, undefined],
    [1, 5, undefined],
    [2e9, 2e12, undefined],
  ])('from %d to %d they count %s', (least, most, unit) => expect(epochFormat(least, most)).toBe(unit))

  it.each('time Time start_time date DATE_OF_BIRTH timestamp stamp epoch ts TS created_at updated_ts'.split(' '))(
    'may be in a column called %s',
    name => expect(namesTime(name)).toBe(true),
  )
  it.each('hits at tsx xts data cat ats _at_home s ts_ ttss'.split(' '))('are not in one called %s', name =>
    expect(namesTime(name)).toBe(false),
  )
})
