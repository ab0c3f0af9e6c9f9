import {
  type DateFormat,
  EPOCHS,
  isEpoch,
  LAST_SECOND,
  OFFSET,
  RFC_MONTHS,
  RFC_ZONES,
  RFC2822,
} from '../values/dates.ts'
import { secondsAhead, UTC } from '../values/time-zones.ts'
import { numberOf } from './numbers.ts'

/**
 * Dates and times as DuckDB casts text to TIMESTAMP: 2024-05-31, also with slashes or blanks between year, month and
 * day and with single digits; then T or blanks and a time of hours and minutes, with seconds, a fraction of them, and after
 * seconds Z, UTC or an offset; `infinity` and `epoch`; and beyond DuckDB small letters, GMT, blanks before an offset, and an offset
 * after minutes. Other ways of writing are those of `DateFormat`: there a time may follow in 24 hours or with AM and PM.
 * All are seconds from 1970 on; fractions of a second are left out, for nothing asks for them.
 *
 * What says how far it is from UTC is a point in time, and becomes what clocks of a zone show then. Without that a text is what
 * some clock showed, and is taken as it is.
 */
const ISO = /^[ \t-\r]*(-?\d{1,6})([-/ ])(\d{1,2})\2(\d{1,2})( \(BC\))?/
const CLOCK = /^(\d+):(?:$|(\d{1,2}):?$|(\d{1,2}):(\d{1,2})(?:\.\d*)?)/
const ZONE = /^(?:|(?:Z|[-+]\d\d(?:\d\d|:(?:\d\d(?::(?:\d\d)?)?)?)?| [Uu][Tt][Cc]| )[ \t-\r]*)$/

const DAY = 86_400

/** Text as seconds from 1970 on by the clocks of a zone, infinite where it says so; undefined where it is no date. */
export const timeOf = (text: string, format?: DateFormat, zone = UTC): number | undefined => {
  if (format === undefined) return zonedTime(text.toUpperCase(), zone)
  if (format === 'rfc2822') return zonedTime(isoOfRfc(text.toUpperCase()), zone)
  if (!isEpoch(format)) return writtenTime(text, format)
  const value = numberOf(text)
  return value === undefined ? undefined : byClocks(Math.floor(value / EPOCHS[format]), zone)
}

/** What the clocks of a zone show at a time. */
const byClocks = (time: number, zone: string): number | undefined =>
  Math.abs(time) <= LAST_SECOND ? time + secondsAhead(zone)(time) : undefined

const zonedTime = (text: string, zone: string): number | undefined => {
  const found = ZONED.exec(text)
  if (found === null) return isoTime(text)
  const [end, clock, offset] = found
  const local = isoTime(text.slice(0, text.length - end.length) + clock)
  return local === undefined ? undefined : byClocks(local - offsetOf(offset), zone)
}

const ZONED = new RegExp(OFFSET)

/** Whether a date says how far it is from UTC. */
export const hasOffset = (text: string): boolean => ZONED.test(text.toUpperCase())

/** Seconds that a clock is ahead of UTC. */
const offsetOf = (text: string): number => {
  const [hours = 0, minutes = 0, seconds = 0] = (text.match(/\d\d/g) ?? []).map(Number)
  return (text.startsWith('-') ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds)
}

/** The date of mail as ISO writes it; nothing where it is none. */
const isoOfRfc = (text: string): string => {
  const [, day, month, year, clock, zone = ''] = new RegExp(RFC2822).exec(text) ?? []
  const offset = /^[A-Z]/.test(zone) ? RFC_ZONES[zone] : zone
  return day === undefined || offset === undefined
    ? ''
    : `${year}-${RFC_MONTHS.indexOf(month) + 1}-${day} ${clock}${offset}`
}

const isoTime = (text: string): number | undefined => {
  const found = ISO.exec(text)
  if (found === null) return specialTime(text)
  const [all, year, , month, day, bc] = found
  if (bc !== undefined && Number(year) < 1) return undefined
  const days = daysOf(bc === undefined ? Number(year) : 1 - Number(year), Number(month), Number(day))
  if (days === undefined) return undefined
  const rest = text.slice(all.length)
  if (rest === '') return days * DAY
  const gap = /^(?:T[ \t-\r]*|[ \t-\r]+)/.exec(rest)?.[0]
  if (gap === undefined) return undefined
  const seconds = clockOf(rest.slice(gap.length))
  return seconds === undefined ? undefined : days * DAY + seconds
}

const specialTime = (text: string): number | undefined => {
  const [, sign, word] = /^[ \t-\r]*(-?)(infinity|epoch)[ \t-\r]*$/i.exec(text) ?? []
  if (word === undefined) return undefined
  if (word.toLowerCase() === 'epoch') return sign === '' ? 0 : undefined
  return sign === '' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
}

/** Seconds of the time after a date; midnight may be 24:00. */
const clockOf = (text: string): number | undefined => {
  const found = CLOCK.exec(text)
  if (found === null || (found[4] !== undefined && !ZONE.test(text.slice(found[0].length)))) return undefined
  return secondsOf(found)
}

const secondsOf = ([, hours, only, minutes = only ?? '0', seconds = '0']: readonly (string | undefined)[]) => {
  const [h, m, s] = [hours, minutes, seconds].map(Number)
  return m > 59 || s > 59 || h > 24 || (h === 24 && m + s > 0) ? undefined : h * 3600 + m * 60 + s
}

/** Seconds of the day of a time that stands by itself, or of a date; whatever follows the seconds does not matter. */
export const timeOfDay = (text: string): number | undefined => {
  const time = isoTime(text)
  if (time !== undefined) return Number.isFinite(time) ? ((time % DAY) + DAY) % DAY : undefined
  const found = CLOCK.exec(text.replace(/^[ \t-\r]+/, ''))
  return found === null ? undefined : secondsOf(found)
}

const WRITTEN =
  /^[ \t-\r]*(\d{1,2})([./])(\d{1,2})\2(\d{1,4})(?:[ \t-\r]+(\d{1,2}):(\d{1,2})(?::(\d{1,2}))?(?:[ \t-\r]+([AP]M))?)?[ \t-\r]*$/i

const writtenTime = (text: string, format: DateFormat): number | undefined => {
  const found = WRITTEN.exec(text)
  if (found === null) return undefined
  const [, first, separator, second, year, hours = '0', minutes = '0', seconds = '0', half] = found
  if ((separator === '.') !== (format === 'day.month.year')) return undefined
  const [day, month] = format === 'month/day/year' ? [second, first] : [first, second]
  const days = daysOf(Number(year), Number(month), Number(day))
  const [h, m, s] = [hours, minutes, seconds].map(Number)
  if (days === undefined || m > 59 || s > 59) return undefined
  if (half === undefined) return h > 23 ? undefined : days * DAY + h * 3600 + m * 60 + s
  if (h < 1 || h > 12) return undefined
  return days * DAY + ((h % 12) + (/p/i.test(half) ? 12 : 0)) * 3600 + m * 60 + s
}

/** Days from 1970 on of a date that exists. */
const daysOf = (year: number, month: number, day: number): number | undefined => {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return exists ? date.getTime() / (DAY * 1000) : undefined
}

/** Seconds from 1970 on as a date and a time. */
export const timeText = (time: number): string => new Date(time * 1000).toISOString().slice(0, 19).replace('T', ' ')

/** A time of day as DuckDB writes it, with seconds. */
export const clockText = (text: string): string | undefined => {
  const seconds = timeOfDay(text)
  if (seconds === undefined) return undefined
  const fraction = /\.(\d+)/.exec(text)?.[1].slice(0, 6).replace(/0+$/, '') ?? ''
  return `${timeText(seconds).slice(11)}${fraction === '' ? '' : `.${fraction}`}`
}
