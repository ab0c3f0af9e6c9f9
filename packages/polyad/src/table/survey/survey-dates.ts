/** Seconds from 1582-10-14, where SPSS counts from, to 1970. */
const SPSS_EPOCH = 12_219_379_200
/** Days, and months, from 1960, where Stata counts from, to 1970. */
const STATA_DAYS = 3653
const STATA_MONTHS = 120

const DAY = 86_400

/** Seconds from 1970 as ISO writes them; undefined beyond the years 1 to 9999. */
const isoText = (seconds: number): string | undefined => {
  const date = new Date(Math.round(seconds * 1000))
  const text = Number.isFinite(date.getTime()) ? date.toISOString() : ''
  if (!/^\d{4}-/.test(text)) return undefined
  return text.slice(0, 19).replace('T', ' ') + (text.slice(19, 23) === '.000' ? '' : text.slice(19, 23))
}

const dateText = (seconds: number): string | undefined => isoText(Math.floor(seconds / DAY) * DAY)?.slice(0, 10)

/** The first day of a month that is counted from January 1970. */
const monthText = (month: number): string | undefined => {
  const date = new Date(0)
  date.setUTCFullYear(1970, Math.floor(month), 1)
  return Number.isFinite(date.getTime()) ? dateText(date.getTime() / 1000) : undefined
}

type Shown = (value: number) => string | undefined

/** DATE, ADATE, JDATE, MOYR, QYR, WKYR, EDATE, SDATE: days; DATETIME, YMDHMS: with the time. */
const SPSS_DATES = [20, 23, 24, 28, 29, 30, 38, 39]
const SPSS_TIMES = [22, 41]
const SPSS_CLOCK = 21

/** How SPSS shows the numbers of a format, if it shows dates or times. Durations stay seconds. */
export const spssDates = (format: number): Shown | undefined => {
  if (SPSS_DATES.includes(format)) return value => dateText(value - SPSS_EPOCH)
  if (SPSS_TIMES.includes(format)) return value => isoText(value - SPSS_EPOCH)
  return format === SPSS_CLOCK ? clockText : undefined
}

/** How Stata shows the numbers of a display format, if it shows dates. Periods are their first day; years stay numbers. */
export const stataDates = (format: string): Shown | undefined => {
  const [, kind, old] = /^%-?\d*(?:t([a-zA-Z])|(d))/.exec(format) ?? []
  switch (kind ?? old) {
    case 'd':
      return value => dateText((Math.floor(value) - STATA_DAYS) * DAY)
    // %tC counts leap seconds too: at most half a minute by now.
    case 'c':
    case 'C':
      return value => isoText(value / 1000 - STATA_DAYS * DAY)
    case 'w':
      return value => {
        // Every year has 52 weeks, the last of eight or nine days.
        const year = Math.floor(value / 52)
        const first = monthText(year * 12 - STATA_MONTHS)
        return first === undefined ? undefined : dateText(Date.parse(first) / 1000 + (value - 52 * year) * 7 * DAY)
      }
    case 'm':
      return value => monthText(value - STATA_MONTHS)
    case 'q':
      return value => monthText(value * 3 - STATA_MONTHS)
    case 'h':
      return value => monthText(value * 6 - STATA_MONTHS)
    default:
      return undefined
  }
}

/** Formats of SAS that show days, and those that show days with their time. */
const SAS_DAYS =
  /^(E8601DA|B8601DA|DATE|DAY|DDMMYY[BCDNPS]?|MMDDYY[BCDNPS]?|YYMMDD[BCDNPS]?|WEEKDATE|WEEKDATX|WORDDATE|WORDDATX|JULIAN|MONYY|MMYY[CDNPS]?|YYMM[CDNPS]?|YYMON|YYQ[CDNPS]?|DOWNAME|MONNAME|EURDF\w*|NLDATE\w*)$/
const SAS_TIMES = /^(E8601DT|B8601DT|DATETIME|DATEAMPM|DTDATE|MDYAMPM|NLDATM\w*)$/
const SAS_CLOCK = /^(E8601TM|B8601TM|TIME|TIMEAMPM|TOD|HHMM)$/

/** How SAS shows the numbers of a format, if it shows dates or times; they are counted from 1960, as in Stata. */
export const sasDates = (format: string): Shown | undefined => {
  const name = format.toUpperCase()
  if (SAS_DAYS.test(name)) return value => dateText((Math.floor(value) - STATA_DAYS) * DAY)
  if (SAS_TIMES.test(name)) return value => isoText(value - STATA_DAYS * DAY)
  return SAS_CLOCK.test(name) ? clockText : undefined
}

/** Days since 1970 as a date. */
export const dayText = (days: number): string | undefined => dateText(Math.floor(days) * DAY)

/** Seconds since 1970 as a point in time. */
export const instantText = (seconds: number): string | undefined => {
  const text = isoText(seconds)
  return text === undefined ? undefined : `${text.replace(' ', 'T')}Z`
}

/** Seconds of a day as clocks show them. */
export const clockText = (seconds: number): string | undefined =>
  seconds >= 0 && seconds < DAY ? isoText(seconds)?.slice(11) : undefined
