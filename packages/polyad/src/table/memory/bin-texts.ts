import type { Binning, DatePart } from '../values/bins.ts'
import { numberOf, roundToNine } from './numbers.ts'
import { timeOf, timeOfDay } from './times.ts'

/** The whole number of the bin a value falls in; undefined where it does not read as it should. */
export const binOf = (text: string, binning: Binning): number | undefined => {
  if (binning.kind === 'date') return dateBin(text, binning)
  const x = numberOf(text)
  if (x === undefined || !Number.isFinite(x) || Math.abs(x) >= 9e15) return undefined
  switch (binning.kind) {
    case 'width':
      // 0.3 / 0.1 is a little below 3: rounding to nine places first puts a value on an edge where it belongs.
      return Math.floor(roundToNine(x / binning.width)) + 0
    case 'int':
      return Math.floor(x) + 0
    case 'quantiles': {
      const above = binning.edges.findIndex(edge => x < edge)
      return above < 0 ? binning.edges.length : above
    }
  }
}

const dateBin = (text: string, { part, format, zone }: Extract<Binning, { kind: 'date' }>): number | undefined => {
  const time = timeOf(text, format, zone)
  if (time !== undefined && Number.isFinite(time)) return partOf(time, part)
  // A time without a date has hours and minutes.
  const clock = part === 'hour' || part === 'minute' ? timeOfDay(text) : undefined
  return clock === undefined ? undefined : partOf(clock, part)
}

const DAY = 86_400

/** A part of a time in seconds from 1970 on, as a number. */
const partOf = (time: number, part: DatePart): number => {
  const days = Math.floor(time / DAY)
  const date = new Date(days * DAY * 1000)
  const month = date.getUTCMonth()
  switch (part) {
    case 'minute':
      return Math.floor((time - days * DAY) / 60) % 60
    case 'hour':
      return Math.floor((time - days * DAY) / 3600)
    case 'weekday':
      return date.getUTCDay() || 7
    case 'day':
      return date.getUTCDate()
    case 'week':
      return weekOf(days)
    case 'month':
      return month + 1
    case 'quarter':
      return Math.floor(month / 3) + 1
    case 'year':
      return date.getUTCFullYear()
    case 'yearmonth':
      return date.getUTCFullYear() * 12 + month
    case 'date':
      return days
  }
}

/** The week of the year, which is that of its Thursday. */
const weekOf = (days: number): number => {
  const thursday = days - ((((days + 3) % 7) + 7) % 7) + 3
  const year = new Date(thursday * DAY * 1000).getUTCFullYear()
  const first = new Date(0).setUTCFullYear(year, 0, 1) / (DAY * 1000)
  return Math.floor((thursday - first) / 7) + 1
}
