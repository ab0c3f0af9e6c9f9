/** Dates as people write them. */

/** Ways of writing a date beside ISO (2024-05-31), which needs no name. */
export const DATE_FORMATS = ['day.month.year', 'month/day/year', 'day/month/year', 'seconds', 'milliseconds'] as const
export type DateFormat = (typeof DATE_FORMATS)[number]

/** Formats in which a value might be a date; the first that reads all values is taken. */
export const candidateFormats = (text: string): readonly DateFormat[] => {
  if (/^\s*\d{1,2}\.\d{1,2}\.\d{4}\b/.test(text)) return ['day.month.year']
  return /^\s*\d{1,2}\/\d{1,2}\/\d{4}\b/.test(text) ? ['month/day/year', 'day/month/year'] : []
}

/** What numbers from `least` to `most` count as times, from 1973 to 2286; undefined where they are out of range. */
export const epochFormat = (least: number, most: number): DateFormat | undefined => {
  if (least >= 1e8 && most < 1e10) return 'seconds'
  return least >= 1e11 && most < 1e13 ? 'milliseconds' : undefined
}

/** A number is only taken for a time, without being asked to be, where its column's name says so. */
export const namesTime = (column: string): boolean => /time|date|stamp|epoch|^ts$|_(at|ts)$/i.test(column)
