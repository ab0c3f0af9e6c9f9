import { OptionError } from '@polyad/core'
import { nearest } from './nearest.ts'

/** The zone in which points in time are read unless another is named. */
export const UTC = 'UTC'

/** Refuses what does not name a time zone. An offset is refused too: which zone has it depends on the time of the year. */
export const checkTimeZone = (name: string): void => {
  if (isTimeZone(name)) return
  const near = nearest(name, Intl.supportedValuesOf('timeZone'))
  const hint = near === undefined ? '' : `; did you mean ${near}?`
  const got = `(got ${JSON.stringify(name)})${hint}`
  throw new OptionError('timeZone', `must be the name of a time zone, such as UTC or Europe/Berlin ${got}`)
}

export const isTimeZone = (name: string): boolean => {
  try {
    return /^[a-z]/i.test(name) && formatter(name) !== undefined
  } catch {
    return false
  }
}

const formatter = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })

const DAY = 86_400

type Clocks = (time: number) => number

/** The zones that were asked for: to make one takes longer than to ask it. */
const zones = new Map<string, Clocks>([[UTC, () => 0]])

/** By how many seconds the clocks of a zone are ahead of UTC at a time in seconds from 1970 on. */
export const secondsAhead = (zone: string): Clocks => {
  const known = zones.get(zone) ?? clocksOf(zone)
  zones.set(zone, known)
  return known
}

const clocksOf = (zone: string): Clocks => {
  const format = formatter(zone)
  const ask = (time: number): number => {
    const parts = format.formatToParts(new Date(time * 1000))
    const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const [, sign, hours, minutes, seconds = '0'] = /([-+])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name) ?? []
    if (sign === undefined) return 0
    return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds))
  }
  // Clocks that agree at both ends of a day were not changed in it.
  const days = new Map<number, number | undefined>()
  return time => {
    const day = Math.floor(time / DAY)
    if (!days.has(day)) {
      const first = ask(day * DAY)
      days.set(day, first === ask((day + 1) * DAY) ? first : undefined)
    }
    return days.get(day) ?? ask(time)
  }
}
