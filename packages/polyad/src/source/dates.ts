/** Dates as people write them, and as SQL reads them. */

/** Ways of writing a date beside ISO (2024-05-31), which needs no name. */
export const DATE_FORMATS = ['day.month.year', 'month/day/year', 'day/month/year', 'seconds', 'milliseconds'] as const
export type DateFormat = (typeof DATE_FORMATS)[number]

const TIMES = ['', ' %H:%M:%S', ' %H:%M', ' %I:%M:%S %p', ' %I:%M %p']

const patterns = (date: string): string => `[${TIMES.map(time => `'${date}${time}'`).join(', ')}]`

/** SQL of a value as a TIMESTAMP, NULL where it is not one. */
export const timeSql = (value: string, format?: DateFormat): string => {
  switch (format) {
    case undefined:
      return `TRY_CAST(${value} AS TIMESTAMP)`
    case 'day.month.year':
      return `try_strptime(${value}, ${patterns('%d.%m.%Y')})`
    case 'month/day/year':
      return `try_strptime(${value}, ${patterns('%m/%d/%Y')})`
    case 'day/month/year':
      return `try_strptime(${value}, ${patterns('%d/%m/%Y')})`
    case 'seconds':
      return `make_timestamp(CAST(TRY_CAST(${value} AS DOUBLE) * 1e6 AS BIGINT))`
    case 'milliseconds':
      return `make_timestamp(CAST(TRY_CAST(${value} AS DOUBLE) * 1e3 AS BIGINT))`
  }
}

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
