import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { refusal } from '../../../../../test/refusal.ts'
import { checkTimeZone, isTimeZone, secondsAhead } from './time-zones.ts'

const at = (text: string) => Date.parse(`${text}Z`) / 1000

describe('time zones', () => {
  it('are known by their names, not by offsets', async () => {
    for (const name of ['UTC', 'Europe/Berlin', 'asia/kolkata', 'GMT']) expect(isTimeZone(name), name).toBe(true)
    for (const name of ['', '+02:00', '-05:00', 'Europe/Bonn', '2', ' UTC']) expect(isTimeZone(name), name).toBe(false)
    const rule = 'OptionError: timeZone must be the name of a time zone, such as UTC or Europe/Berlin '
    expect(await refusal(() => checkTimeZone('Europe/Berlin'))).toBeUndefined()
    expect(await refusal(() => checkTimeZone('Europe/Berlim'))).toBe(
      `${rule}(got "Europe/Berlim"); did you mean Europe/Berlin?`,
    )
    expect(await refusal(() => checkTimeZone('+02:00'))).toBe(`${rule}(got "+02:00")`)
  })

  it.each([
    // Clocks as the IANA database has them.
    ['UTC', '2024-07-01T12:00', 0],
    ['Europe/Berlin', '2024-01-15T12:00', 3600],
    ['Europe/Berlin', '2024-07-15T12:00', 7200],
    ['America/New_York', '2024-01-15T12:00', -18_000],
    ['America/St_Johns', '2024-01-15T12:00', -12_600],
    ['Asia/Kolkata', '2024-01-15T12:00', 19_800],
    // Local mean time, to the second.
    ['Europe/Paris', '1900-01-15T12:00', 561],
    // On the days of change, before and after.
    ['Europe/Berlin', '2024-03-31T00:59:59', 3600],
    ['Europe/Berlin', '2024-03-31T01:00:00', 7200],
    ['Europe/Berlin', '2024-10-27T00:59:59', 7200],
    ['Europe/Berlin', '2024-10-27T01:00:00', 3600],
    ['Africa/Abidjan', '2024-10-27T01:00:00', 0],
  ])('%s at %s is %i seconds ahead', (zone, time, seconds) => {
    // Twice: a day is asked once.
    expect([secondsAhead(zone)(at(time)), secondsAhead(zone)(at(time))]).toEqual([seconds, seconds])
  })

  it('show the clocks of the zone at any time', () => {
    const zones = ['Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Africa/Monrovia']
    const clocks = zones.map(
      timeZone => new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
    )
    fc.assert(
      fc.property(
        fc.nat(zones.length - 1),
        fc.integer({ min: at('1920-01-01T00:00'), max: at('2037-12-31T00:00') }),
        (zone, time) => {
          const shown = clocks[zone].format(new Date(time * 1000)).replace(' ', 'T')
          expect(time + secondsAhead(zones[zone])(time)).toBe(at(shown))
        },
      ),
    )
  })

  it('are made once', () => expect(secondsAhead('Europe/Paris')).toBe(secondsAhead('Europe/Paris')))
})
