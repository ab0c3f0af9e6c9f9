import { list, literal } from '../../duckdb/sql-text.ts'
import type { Binning } from '../../table/values/bins.ts'
import {
  type DateFormat,
  EPOCHS,
  LAST_SECOND,
  OFFSET,
  RFC_MONTHS,
  RFC_ZONES,
  RFC2822,
} from '../../table/values/dates.ts'
import { UTC } from '../../table/values/time-zones.ts'

/** SQL of a value as a number, NULL where it is not one. */
export const numberSql = (value: string): string => `TRY_CAST(${value} AS DOUBLE)`

/** SQL of the whole number of the bin a value falls in; NULL where it is missing or does not read as it should. */
export const binSql = (value: string, binning: Binning): string => {
  const x = numberSql(value)
  switch (binning.kind) {
    case 'width':
      // 0.3 / 0.1 is a little below 3: rounding to nine places first puts a value on an edge where it belongs.
      return finiteSql(x, `floor(round(${x} / ${doubleSql(binning.width)}, 9))`)
    case 'int':
      return finiteSql(x, `floor(${x})`)
    case 'quantiles': {
      const cases = binning.edges.map((edge, i) => `WHEN ${x} < ${doubleSql(edge)} THEN ${i}`)
      return finiteSql(x, cases.length === 0 ? '0' : `CASE ${cases.join(' ')} ELSE ${cases.length} END`)
    }
    case 'date':
      return dateSql(value, binning)
  }
}

/** A number to its last digit: written plainly it would be a DECIMAL. */
/** SQL of a number, to the last bit. */
export const doubleSql = (x: number): string => `CAST('${x}' AS DOUBLE)`

const finiteSql = (x: string, result: string): string =>
  `CASE WHEN isfinite(${x}) AND abs(${x}) < 9e15 THEN CAST(${result} AS BIGINT) END`

const dateSql = (value: string, { part, format, zone }: Extract<Binning, { kind: 'date' }>): string => {
  const time = timeSql(value, format, zone)
  switch (part) {
    case 'hour':
    case 'minute':
      return `coalesce(${part}(${time}), ${part}(TRY_CAST(${value} AS TIME)))`
    case 'weekday':
      return `isodow(${time})`
    case 'yearmonth':
      return `(year(${time}) * 12 + month(${time}) - 1)`
    case 'date':
      return `date_diff('day', DATE '1970-01-01', CAST(${time} AS DATE))`
    default:
      return `${part}(${time})`
  }
}

const TIMES = ['', ' %H:%M:%S', ' %H:%M', ' %I:%M:%S %p', ' %I:%M %p']

const patterns = (date: string): string => `[${TIMES.map(time => `'${date}${time}'`).join(', ')}]`

/** SQL that is true for a date that says how far it is from UTC. */
export const hasOffsetSql = (value: string): string => `regexp_matches(upper(${value}), ${literal(OFFSET)})`

/** SQL of a value as a TIMESTAMP by the clocks of a zone, NULL where it is not one. */
export const timeSql = (value: string, format?: DateFormat, zone = UTC): string => {
  switch (format) {
    case undefined:
      // Most times say nothing of UTC: that is seen by a short pattern, and a cast is all they need.
      return `CASE WHEN regexp_matches(${value}, ':.*[-+A-Za-z]') THEN ${isoSql(`upper(${value})`, zone)} ELSE coalesce(TRY_CAST(${value} AS TIMESTAMP), TRY_CAST(upper(${value}) AS TIMESTAMP)) END`
    case 'rfc2822':
      return isoSql(rfcSql(`upper(${value})`), zone)
    case 'day.month.year':
      return `try_strptime(${value}, ${patterns('%d.%m.%Y')})`
    case 'month/day/year':
      return `try_strptime(${value}, ${patterns('%m/%d/%Y')})`
    case 'day/month/year':
      return `try_strptime(${value}, ${patterns('%d/%m/%Y')})`
    default: {
      const x = numberSql(value)
      const seconds = `floor(${x} / ${doubleSql(EPOCHS[format])})`
      return clocksSql(
        `make_timestamptz(CASE WHEN abs(${seconds}) <= ${LAST_SECOND} THEN CAST(${seconds} AS BIGINT) * 1000000 END)`,
        zone,
      )
    }
  }
}

/** SQL of what the clocks of a zone show at a point in time. */
const clocksSql = (instant: string, zone: string): string =>
  zone === UTC ? `make_timestamp(epoch_us(${instant}))` : `timezone(${literal(zone)}, ${instant})`

/** SQL of ISO's way of writing. Casts are fast and patterns slow: only what DuckDB does not cast as it is written is taken apart. */
const isoSql = (value: string, zone: string): string => {
  const clock = `TRY_CAST(regexp_replace(${value}, ${literal(OFFSET)}, '\\1') AS TIMESTAMP)`
  const offset = `regexp_extract(${value}, ${literal(OFFSET)}, 2)`
  // A clock ahead of UTC shows the first moment of 1970 that much earlier.
  const ahead = `TRY_CAST('1970-01-01 00:00:00' || CASE WHEN ${offset} IN ('UTC', 'GMT') THEN 'Z' ELSE ${offset} END AS TIMESTAMPTZ)`
  const instant = `coalesce(TRY_CAST(${value} AS TIMESTAMPTZ), make_timestamptz(epoch_us(${clock}) + epoch_us(${ahead})))`
  return `CASE WHEN regexp_matches(${value}, ${literal(OFFSET)}) THEN ${clocksSql(instant, zone)} ELSE TRY_CAST(${value} AS TIMESTAMP) END`
}

/** SQL of the date of mail as ISO writes it, NULL where it is none. */
const rfcSql = (value: string): string => {
  const parts = `regexp_extract(${value}, ${literal(RFC2822)}, ['day', 'month', 'year', 'clock', 'zone'])`
  const zones = Object.entries(RFC_ZONES).map(([name, offset]) => `WHEN '${name}' THEN '${offset}'`)
  const offset = `CASE r.zone ${zones.join(' ')} ELSE regexp_extract(r.zone, '^[-+].*') END`
  const month = `list_position(${list(RFC_MONTHS)}, r.month)`
  return `list_transform([${parts}], lambda r: r.year || '-' || ${month} || '-' || r.day || ' ' || r.clock || nullif(${offset}, ''))[1]`
}
