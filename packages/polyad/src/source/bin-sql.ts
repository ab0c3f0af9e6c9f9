import type { Binning } from '../table/rules/bins.ts'
import type { DateFormat } from '../table/rules/dates.ts'

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
const doubleSql = (x: number): string => `CAST('${x}' AS DOUBLE)`

const finiteSql = (x: string, result: string): string =>
  `CASE WHEN isfinite(${x}) AND abs(${x}) < 9e15 THEN CAST(${result} AS BIGINT) END`

const dateSql = (value: string, { part, format }: Extract<Binning, { kind: 'date' }>): string => {
  const time = timeSql(value, format)
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
