import { fit } from '@polyad/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabaseOf } from '../../packages/polyad/src/engine/open-sql-table.ts'
import { parseAddress } from '../../packages/polyad/src/engine/sql/address.ts'
import { readAnswer, rowsOf } from '../../packages/polyad/src/engine/sql/clickhouse/answer.ts'
import { placeOf } from '../../packages/polyad/src/engine/sql/clickhouse/place.ts'
import { httpServer } from '../../packages/polyad/src/engine/sql/clickhouse/server.ts'
import { countTable } from '../../packages/polyad/src/engine/sql/count-table.ts'
import type { SqlTableOptions } from '../../packages/polyad/src/engine/sql/database-kind.ts'
import {
  classifyInDatabase,
  imputeInDatabase,
  sampleInDatabase,
} from '../../packages/polyad/src/engine/sql/score-in-database.ts'
import { loadModel, saveModel } from '../../packages/polyad/src/output/model-store.ts'
import { readTensor } from '../../packages/polyad/src/source/read-tensor.ts'
import { testFolder } from '../test-folder.ts'
import { haveChdb, openChdb } from './chdb-server.ts'
import { csvRows, tableOf, twoKinds } from './tables.ts'

const folder = testFolder()

describe.skipIf(!haveChdb)('a table of a current ClickHouse, over HTTP', () => {
  const rows = twoKinds(300, ['A', 'B', 'C', "it's"], ['yes', 'no', "'); DROP TABLE d.data; --"])
  const options = { count: 'n', modes: rows.columns, missing: [''] }
  let chdb: Awaited<ReturnType<typeof openChdb>>
  beforeAll(async () => {
    chdb = await openChdb()
    await chdb.sql('CREATE DATABASE d', ...tableOf('d.data', rows))
  })
  afterAll(() => chdb?.close())
  const open = (table: string, target?: string, options: SqlTableOptions = {}) =>
    openDatabaseOf(chdb.address(`d/${table}`), options, target === undefined ? undefined : chdb.address(`d/${target}`))
  const model = () => loadModel(folder.path('model.npz'))

  it('is fitted as the same rows in a file are', async () => {
    const { tensor, recipe } = await readTensor(folder.file('rows.csv', csvRows(rows)), options)
    const own = await fit(tensor, { rank: 2, starts: 3 })
    const database = await open('data')
    const { session, rows: read } = await countTable(database, await database.plan(options))
    expect(read).toBe(300)
    expect(session.data.shape).toEqual(tensor.shape)
    expect(session.data.cells).toBe(tensor.cells)
    const found = await fit(session, { rank: 2, starts: 3 })
    expect(Math.abs(found.loss / own.loss - 1)).toBeLessThan(1e-9)
    await session.close()
    await database.connection.close()
    await saveModel(folder.path('model.npz'), own.model, { recipe })
    expect(await chdb.text("SELECT count() FROM system.tables WHERE name LIKE 'polyad_run_%'")).toBe('0')
  })

  const text = "['x', 'y', 'z'][1 + number % 3]"
  const orNull = (value: string) => `if(number % 5 = 0, NULL, ${value})`
  /** Types with three values each, but for Bool, and what they hold in row `number`. */
  const TYPES: Readonly<Record<string, string>> = {
    String: text,
    'Nullable(String)': orNull(text),
    'LowCardinality(String)': text,
    'LowCardinality(Nullable(String))': orNull(text),
    'FixedString(4)': text,
    'Nullable(FixedString(4))': orNull(text),
    'LowCardinality(FixedString(4))': text,
    "Enum8('x' = 1, 'y' = 2, 'z' = 3)": text,
    "Nullable(Enum16('x' = 1, 'y' = 2, 'z' = 3))": orNull(text),
    'SimpleAggregateFunction(max, LowCardinality(String))': text,
    Bool: 'number % 2',
    'Nullable(Bool)': orNull('number % 2'),
    UInt8: 'number % 3',
    'Nullable(Int64)': orNull('number % 3'),
    'LowCardinality(Nullable(Int64))': orNull('number % 3'),
    Int256: 'number % 3',
    'LowCardinality(Float64)': 'number % 3',
    'Nullable(Float32)': orNull('number % 3'),
    'Decimal(9, 2)': 'number % 3',
    'Nullable(Decimal(38, 10))': orNull('number % 3'),
    Date: "toDate('2020-01-01') + number % 3",
    'LowCardinality(Date)': "toDate('2020-01-01') + number % 3",
    Date32: "toDate32('1910-01-01') + number % 3",
    "DateTime('Europe/Berlin')": "toDateTime('2020-01-01 10:00:00', 'Europe/Berlin') + number % 3",
    "DateTime64(3, 'Europe/Berlin')": "toDateTime64('2020-01-01 10:00:00.125', 3, 'Europe/Berlin') + number % 3",
    "Nullable(DateTime64(6, 'UTC'))": orNull("toDateTime64('2020-01-01 10:00:00', 6, 'UTC') + number % 3"),
    UUID: "toUUID(concat('00000000-0000-0000-0000-00000000000', toString(number % 3)))",
    'Nullable(UUID)': orNull("toUUID(concat('00000000-0000-0000-0000-00000000000', toString(number % 3)))"),
    IPv4: "toIPv4(concat('10.0.0.', toString(number % 3)))",
    IPv6: "toIPv6(concat('2001:db8::', toString(number % 3)))",
  }
  /** Types that hold several values, or values of several types. */
  const COMPOUND: Readonly<Record<string, string>> = {
    'Array(String)': `[${text}]`,
    'Map(String, UInt8)': 'map(toString(number % 3), number % 2)',
    'Tuple(a UInt8, b String)': `(number % 3, ${text})`,
    'Variant(String, UInt8)': `${text}::Variant(String, UInt8)`,
    JSON: `concat('{"a": ', toString(number % 3), '}')::JSON`,
  }

  it('has columns of any scalar type, as variables and beside them; others are refused by name', async () => {
    const entries = Object.entries({ ...TYPES, ...COMPOUND })
    await chdb.sql(
      'SET allow_suspicious_low_cardinality_types = 1',
      `CREATE TABLE d.types (${entries.map(([type], i) => `c${i} ${type}`).join(', ')}) ENGINE = MergeTree ORDER BY tuple()`,
      `INSERT INTO d.types SELECT ${entries.map(([, value]) => value).join(', ')} FROM numbers(60)`,
    )
    const database = await open('types')
    const count = Object.keys(TYPES).length
    const { session } = await countTable(database, await database.plan({ modes: Array.from({ length: count }, (_, i) => `c${i}`) })) // biome-ignore format: one call
    for (const [i, { labels }] of session.data.modes.entries()) {
      const counted = await chdb.text(
        `SELECT count() FROM d.types WHERE isNotNull(c${i}) GROUP BY c${i} ORDER BY replaceAll(toString(c${i}), char(0), '')`,
      )
      const [type] = entries[i]
      expect(labels?.length, type).toBe(type.includes('Bool') ? 2 : 3)
      expect([...session.data.marginals[i]], type).toEqual(counted.split('\n').map(Number))
    }
    const byType = (type: string) => session.data.modes[Object.keys(TYPES).indexOf(type)].labels
    expect(byType("DateTime64(3, 'Europe/Berlin')")?.[0]).toBe('2020-01-01 10:00:00.125')
    expect(byType('FixedString(4)')).toEqual(['x', 'y', 'z'])
    expect(byType('IPv4')?.[0]).toBe('10.0.0.0')
    await session.close()
    // Beside one variable, all of them are rows of the table that is made.
    const one = await database.plan({ modes: ['c0', 'c1'] })
    const two = await countTable(database, one)
    const { model } = await fit(two.session, { rank: 2, starts: 1 })
    await two.session.close()
    for (let i = count; i < entries.length; i++)
      await expect(database.plan({ modes: ['c0', `c${i}`] }), entries[i][0]).rejects.toThrow(
        `column "c${i}" holds lists or records and cannot be a variable`,
      )
    // Without names, they are left out with a note.
    const { notes, modes } = await database.plan({})
    expect(modes.some(({ name }) => Number(name.slice(1)) >= count)).toBe(false)
    expect(notes.map(note => note.text).join('\n')).toContain(`c${count}`)
    await database.connection.close()
    await saveModel(folder.path('types.npz'), model, { recipe: one.recipe([0, 0]) })
    const scoring = await open('types', 'typed')
    await classifyInDatabase(scoring, loadModel(folder.path('types.npz')))
    await scoring.connection.close()
    // Their values are as they were, to the last digit.
    const digest = (table: string) => chdb.text(`SELECT arraySort(groupArray(cityHash64(toString(tuple(${entries.map((_, i) => `c${i}`).join(', ')}))))) FROM d.${table}`) // biome-ignore format: one query
    expect(await digest('typed')).toBe(await digest('types'))
  })

  it('has its working tables in another database if that is asked for, and its answers are compressed', async () => {
    await chdb.sql('CREATE DATABASE aside')
    const before = { ...chdb.traffic }
    const database = await open('data', undefined, { scratch: 'aside' })
    const { session } = await countTable(database, await database.plan(options))
    const tables =
      "SELECT countIf(database = 'aside'), countIf(database = 'd') FROM system.tables WHERE name LIKE 'polyad_run_%'"
    expect(await chdb.text(tables)).toMatch(/^[1-9]\d*\s0$/)
    await fit(session, { rank: 2, starts: 1 })
    await session.close()
    await database.connection.close()
    expect(await chdb.text(tables)).toBe('0\t0')
    const [answered, compressed] = [
      chdb.traffic.answered - before.answered,
      chdb.traffic.compressed - before.compressed,
    ]
    expect(compressed).toBeGreaterThan(0)
    expect(compressed).toBeLessThan(answered)
    await expect(open('data', undefined, { scratch: 'nowhere' })).rejects.toThrow(/nowhere.*does not exist/)
  })

  it('is read in blocks of shared values too', async () => {
    const answer = await readAnswer(
      httpServer(`http:${chdb.address('d').slice('clickhouse:'.length, -2)}`, placeOf(parseAddress(chdb.address('d')))),
      'SELECT CAST(if(number % 7 = 0, NULL, toString(number % 1000)) AS LowCardinality(Nullable(String))) AS a FROM numbers(200000)',
    )
    expect(answer.length).toBeGreaterThan(1)
    const expected = Array.from({ length: 200_000 }, (_, i) => (i % 7 === 0 ? null : String(i % 1000)))
    expect(rowsOf(answer).flat()).toEqual(expected)
  })

  it('is classified, filled and drawn inside', async () => {
    const stored = model()
    const scoring = await open('data', 'scored')
    const summary = await classifyInDatabase(scoring, stored, { posterior: true })
    await scoring.connection.close()
    expect(summary.rows).toBe(300)
    const expected = rows.rows.map(row =>
      stored.model.posterior(Object.fromEntries(rows.columns.map((name, n) => [name, row[n]]))),
    )
    expect(summary.classes[0].rows).toBe(expected.filter(each => each.class === 0).length)
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
    expect(summary.logLikelihood).toBeCloseTo(sum(expected.map(each => each.logLikelihood)), 6)
    expect(Number(await chdb.text('SELECT sum(posterior_1) FROM d.scored'))).toBeCloseTo(sum(expected.map(each => each.probabilities[0])), 6) // biome-ignore format: one comparison
    const filling = await open('data', 'filled')
    const { missing } = await imputeInDatabase(filling, stored)
    await filling.connection.close()
    expect(sum(missing)).toBe(rows.rows.flat().filter(value => value === null).length)
    expect(await chdb.text("SELECT countIf(isNull(A) OR isNull(B) OR isNull(C) OR isNull(`it's`)) FROM d.filled")).toBe('0') // biome-ignore format: one comparison
    const drawing = await open('drawn', 'drawn')
    await sampleInDatabase(drawing, stored.model, { rows: 5000, seed: 3, class: true })
    await drawing.connection.close()
    const share = Number(await chdb.text('SELECT countIf(class = 1) / count() FROM d.drawn'))
    expect(Math.abs(share - stored.model.shares[0])).toBeLessThan(0.03)
  })
})
