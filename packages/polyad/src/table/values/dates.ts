/** Dates as people and programs write them. */

/** What numbers that are times count, from 1970 on, and how many of it make a second. */
export const EPOCHS = { seconds: 1, milliseconds: 1e3, microseconds: 1e6, nanoseconds: 1e9 } as const
export type Epoch = keyof typeof EPOCHS

/** Ways of writing a date beside ISO (2024-05-31), which needs no name. */
export const DATE_FORMATS = [
  'day.month.year',
  'month/day/year',
  'day/month/year',
  'rfc2822',
  ...(Object.keys(EPOCHS) as Epoch[]),
] as const
export type DateFormat = (typeof DATE_FORMATS)[number]

export const isEpoch = (format: DateFormat | undefined): format is Epoch => format !== undefined && format in EPOCHS

/** Times further from 1970 than this, in seconds, are no times: a `Date` ends here, in the year 275760. */
export const LAST_SECOND = 8.64e12

/**
 * The end of a time that says how far its clock is ahead of UTC: 13:45:00Z, 13:45+02:00, 13:45:00 -0530. It is a pattern of capitals for
 * JavaScript and for SQL.
 */
export const OFFSET =
  '(:[0-9.]+)[ \\t-\\r]*(Z|UTC|GMT|[-+][0-9]{2}(?:[0-9]{2}|:(?:[0-9]{2}(?::(?:[0-9]{2})?)?)?)?)[ \\t-\\r]*$'

/** Mail and the web write Sun, 15 Nov 2026 21:00:00 +0100: day, month, year, clock and zone, in capitals. */
export const RFC2822 =
  '^[ \\t-\\r]*(?:[A-Z]{3},)?[ \\t-\\r]*([0-9]{1,2})[ \\t-\\r]+([A-Z]{3})[ \\t-\\r]+([0-9]{4})[ \\t-\\r]+' +
  '([0-9]{2}:[0-9]{2}(?::[0-9]{2})?)[ \\t-\\r]+([-+][0-9]{4}|[A-Z]{1,3})[ \\t-\\r]*(?:\\([^()]*\\))?[ \\t-\\r]*$'

export const RFC_MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ')

/** The zones that such dates may name. */
export const RFC_ZONES: Readonly<Record<string, string>> = {
  Z: '+00',
  UT: '+00',
  UTC: '+00',
  GMT: '+00',
  EST: '-05',
  EDT: '-04',
  CST: '-06',
  CDT: '-05',
  MST: '-07',
  MDT: '-06',
  PST: '-08',
  PDT: '-07',
}

/** Formats in which a value might be a date; the first that reads all values is taken. */
export const candidateFormats = (text: string): readonly DateFormat[] => {
  if (new RegExp(RFC2822, 'i').test(text)) return ['rfc2822']
  if (/^\s*\d{1,2}\.\d{1,2}\.\d{4}\b/.test(text)) return ['day.month.year']
  return /^\s*\d{1,2}\/\d{1,2}\/\d{4}\b/.test(text) ? ['month/day/year', 'day/month/year'] : []
}

/** What numbers from `least` to `most` count as times, from 1973 to 2286; undefined where they are out of range. */
export const epochFormat = (least: number, most: number): Epoch | undefined =>
  (Object.keys(EPOCHS) as Epoch[]).find(unit => least >= 1e8 * EPOCHS[unit] && most < 1e10 * EPOCHS[unit])

/** Without a request, a number is read as a time only if the name of its column says so. */
export const namesTime = (column: string): boolean => /time|date|stamp|epoch|^ts$|_(at|ts)$/i.test(column)
