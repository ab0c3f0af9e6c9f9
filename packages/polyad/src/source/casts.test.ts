import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTables, type Tables } from '../duckdb/client.ts'
import { list } from '../duckdb/sql-text.ts'
import { binOf } from '../table/memory/bin-texts.ts'
import { doubleText, numberOf } from '../table/memory/numbers.ts'
import { compareTexts, lower } from '../table/memory/read-texts.ts'
import { timeOf, timeOfDay } from '../table/memory/times.ts'
import { type Binning, DATE_PARTS } from '../table/values/bins.ts'
import { DATE_FORMATS } from '../table/values/dates.ts'
import { binSql, numberSql, timeSql } from './relation/bin-sql.ts'

/** What a number, a date and a bin is: DuckDB's casts, and those for tables in memory. */

let tables: Tables
beforeAll(async () => {
  tables = await openTables()
})
afterAll(() => tables.close())

/** What SQL makes of texts `v`. */
const duck = async (texts: readonly string[], sql: string): Promise<readonly unknown[]> => {
  const [[found]] = await tables.rows(
    `SELECT list(${sql} ORDER BY i) FROM (SELECT unnest(${list(texts)}) AS v, unnest(range(${texts.length})) AS i)`,
  )
  return found as unknown[]
}

/** Both make the same of every text. */
const agree = async (texts: readonly string[], sql: string, own: (text: string) => unknown) => {
  const expected = await duck(texts, sql)
  const differing = texts
    .map((text, i) => ({ text, duck: expected[i], own: own(text) ?? null }))
    .filter(each => !Object.is(each.duck, each.own))
  expect(differing).toEqual([])
}

/** Texts at random, but the same ones every time: DuckDB has more ways than are written down. */
const some = <T>(texts: fc.Arbitrary<T>, number: number): T[] => fc.sample(texts, { numRuns: number, seed: 2024 })

const NUMBERS =
  '1|1.0| 1 |\t1|1\n|+1|-1|--1|+-1|-+1|.5|5.|.|-.5|1e3|1E+3|1e|1e400|1e-400|inf|+Inf|-Infinity|nan|-NaN|0x10|1_000|1__0|_1|1_|1,5|1 2||  |true|1f|1e1_0|1_0.5_0|1._5|1.e5|.e5|+ 1|00012|-0|infinit|9007199254740993'.split(
    '|',
  )
const TIMES =
  '2024-05-31|2024-5-1|2024/05/31|2024 05 31|2024.05.31|20240531|2024-05|24-05-31|2024-05-31 13:45|2024-05-31 13|2024-05-31T13:45:00|2024-05-31t13:45|2024-05-31 13:45:00.5|2024-05-31 13:45:00,5|2024-05-31 13:45:00Z|2024-05-31 13:45:00+02|2024-05-31 13:45:00-0530|2024-05-31 13:45:00 UTC|2024-05-31 13:45Z|2024-05-31 13:45:00 +0200|2024-05-31 13:45+02:00|2024-05-31t13:45:00.25z|2024-05-31 13:45:00 GMT|2024-05-31 13:45:00UTC|2024-05-31 00:30:00+05:45:30|2024-05-31 23:30-11|2024-05-31  13:45| 2024-05-31|2024-05-31 |2024-02-30|2024-13-01|2023-02-29|2024-02-29|2024-05-31 24:00|2024-05-31 24:01|2024-05-31 23:60|infinity|-infinity|epoch|0001-01-01 (BC)|-0001-01-01|12024-01-01|2024-05/31|2024-05-31 1:2:3|2024-05-31T|31.05.2024|5/31/2024|13:45|13:45:00|1:36:34 PM|31.05.2024 13:45|1.5.2024 1:45 PM|31.13.2024|3/4/2024|3/4/24|12/31/2024 23:59:59|31/12/2024|1.1.2024 0:30 am|1717163100|1.5|Sun, 15 Nov 2026 21:00:00 +0100|15 Nov 2026 21:00 EST|Sun, 15 Nov 2026 20:00:00 GMT|sun, 1 mar 2026 00:00:00 -0800 (PST)|Sun, 31 Feb 2026 20:00:00 GMT|Sun, 15 Foo 2026 20:00:00 GMT|Sun, 15 Nov 2026 20:00:00 XYZ|15 Nov 2026'.split(
    '|',
  )

/** A text with a few letters exchanged, taken out or put in. */
const mutated = (texts: readonly string[], letters: string) =>
  fc
    .tuple(
      fc.constantFrom(...texts),
      fc.array(fc.tuple(fc.nat(20), fc.nat(2), fc.constantFrom(...letters)), { maxLength: 2 }),
    )
    .map(([text, changes]) =>
      changes.reduce(
        (now, [at, what, letter]) =>
          now.slice(0, at) + (what === 1 ? '' : letter) + now.slice(what === 0 ? at : at + 1),
        text,
      ),
    )

/** Seconds from 1970 on, without fractions. */
const seconds = (sql: string) =>
  `CASE WHEN isfinite(${sql}) THEN CAST((epoch_us(${sql}) - (epoch_us(${sql}) % 1000000 + 1000000) % 1000000) // 1000000 AS DOUBLE) ` +
  `WHEN ${sql} > TIMESTAMP '2000-01-01' THEN 'inf'::DOUBLE WHEN ${sql} IS NOT NULL THEN '-inf'::DOUBLE END`

describe('what is a number', () => {
  it('is agreed on', () => agree(NUMBERS, numberSql('v'), numberOf))

  it('is agreed on whatever is typed', async () => {
    const texts = fc.oneof(mutated(NUMBERS, '0159.eE+-_ \tinfa,'), fc.double().map(String), fc.string())
    await agree(
      some(texts, 5000).filter(text => !text.includes('\0')),
      numberSql('v'),
      numberOf,
    )
  })

  it('is written alike', async () => {
    const texts = some(fc.double({ noNaN: true }), 2000).map(String)
    await agree(
      [...texts, '1e15', '1e16', '0.0001', '0.00001', '-0', 'nan', '123456789012345680'],
      'CAST(TRY_CAST(v AS DOUBLE) AS VARCHAR)',
      text => doubleText(numberOf(text) as number),
    )
  })
})

describe('what is a date', () => {
  const formats = [undefined, ...DATE_FORMATS.slice(0, 4)] as const
  it.each(formats)('is agreed on (%s)', async format => {
    // With a format, DuckDB reads words such as epoch as the year 1900.
    const texts = format === undefined ? TIMES : TIMES.filter(text => !/^-?[a-z]/.test(text))
    await agree(texts, seconds(timeSql('v', format)), text => timeOf(text, format))
    const typed = some(mutated(texts, '0123456789-/:. TZ+PAM'), 4000)
    await agree(typed, seconds(timeSql('v', format)), text => timeOf(text, format))
  })

  it.each(['Europe/Berlin', 'America/St_Johns', 'Asia/Kolkata', 'Pacific/Chatham', 'Africa/Monrovia'])(
    'and what clocks show then in %s',
    async zone => {
      // Clocks of the coming years are known to one of them before they are to the other.
      const days = some(fc.date({ min: new Date('1850-01-01'), max: new Date('2024-12-31'), noInvalidDate: true }), 600)
      const texts = [...days.map(day => day.toISOString()), ...TIMES.filter(text => !/2026/.test(text))]
      await agree(texts, seconds(timeSql('v', undefined, zone)), text => timeOf(text, undefined, zone))
      const micros = days.filter(day => day.getTime() > 0).map(day => `${day.getTime()}123`)
      await agree([...micros, 'inf', 'nan', '1e300', 'x'], seconds(timeSql('v', 'microseconds', zone)), text =>
        timeOf(text, 'microseconds', zone),
      )
    },
  )

  it('and a time of day', () =>
    agree(
      some(mutated(TIMES, '0123456789-/:. TZ+PAM'), 4000),
      'CAST(floor(epoch(TRY_CAST(v AS TIME))) AS DOUBLE)',
      timeOfDay,
    ))
})

describe('bins', () => {
  const cuts: readonly Binning[] = [
    ...[0.1, 0.3, 1, 7, 1e-3].map(width => ({ kind: 'width', width }) as const),
    { kind: 'int' },
    { kind: 'quantiles', edges: [-3, 0.1, 0.30000000000000004, 12.5] },
    { kind: 'quantiles', edges: [] },
  ]
  it.each(cuts)('of numbers are the same ones: %j', async binning => {
    const numbers = some(
      fc.oneof(
        fc.integer({ min: -500, max: 500 }).map(n => n / 10),
        fc.double({ min: -1e6, max: 1e6 }),
        fc.double({ min: -1e12, max: 1e12 }),
      ),
      1500,
    )
    const texts = [...numbers.map(String), ...'0.1|0.3|0.30000000000000004|0.7|2.1|1e15|9e15|x|inf|nan|-0'.split('|')]
    await agree(texts, `CAST(${binSql('v', binning)} AS DOUBLE)`, text => binOf(text, binning))
  })

  it.each(DATE_PARTS)('of dates are the same ones: %s', async part => {
    const days = some(fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }), 800)
    const special = '13:45|2024-05-31 24:00|2020-12-31|2021-01-03|2024-12-30|infinity|x'.split('|')
    const texts = [...days.map(day => day.toISOString()), ...special]
    await agree(texts, `CAST(${binSql('v', { kind: 'date', part })} AS DOUBLE)`, text =>
      binOf(text, { kind: 'date', part }),
    )
    await agree(
      ['1717163100', '1701417600.9', '1e9'],
      `CAST(${binSql('v', { kind: 'date', part, format: 'seconds' })} AS DOUBLE)`,
      text => binOf(text, { kind: 'date', part, format: 'seconds' }),
    )
  })
})

it('letters are made small, and texts compared, alike', async () => {
  // Of scripts that have capitals, and beyond the first plane.
  const letter = fc
    .oneof(fc.integer({ min: 1, max: 0x587 }), fc.constantFrom(0x1e9e, 0x212a, 0xfb01, 0xffee, 0x1d11e, 0x1f600))
    .map(code => String.fromCodePoint(code))
  const texts = [...new Set(some(fc.string({ unit: letter, maxLength: 3 }), 3000))].filter(text => !text.includes('\0'))
  await agree(texts, 'lower(v)', lower)
  const [[sorted]] = await tables.rows(`SELECT list(v ORDER BY v) FROM (SELECT unnest(${list(texts)}) AS v)`)
  expect([...texts].sort(compareTexts)).toEqual(sorted)
})
