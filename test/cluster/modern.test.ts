import { fit } from '@polyad/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAddress } from '../../packages/polyad/src/engine/sql/address.ts'
import { readAnswer, rowsOf } from '../../packages/polyad/src/engine/sql/clickhouse/answer.ts'
import { openPlace } from '../../packages/polyad/src/engine/sql/clickhouse/database.ts'
import { placeOf } from '../../packages/polyad/src/engine/sql/clickhouse/place.ts'
import { countTable } from '../../packages/polyad/src/engine/sql/count-table.ts'
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

describe.skipIf(!haveChdb)('a table of a modern ClickHouse', () => {
  const rows = twoKinds(300, ['A', 'B', 'C', "it's"], ['yes', 'no', "'); DROP TABLE d.data; --"])
  const options = { count: 'n', modes: rows.columns, missing: [''] }
  let chdb: ReturnType<typeof openChdb>
  beforeAll(async () => {
    chdb = openChdb()
    await chdb.sql('CREATE DATABASE d', ...tableOf('d.data', rows))
  })
  afterAll(() => chdb?.close())
  const open = (table: string, target?: string) => {
    const place = (name: string) => placeOf(parseAddress(`clickhouse://chdb/d/${name}`))
    const own = place(table)
    return openPlace(own, target === undefined ? undefined : target === table ? own : place(target), () =>
      chdb.server(),
    )
  }
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

  it('has columns of any scalar type', async () => {
    const text = "['x', 'y', 'z'][1 + number % 3]"
    const types: Readonly<Record<string, string>> = {
      String: text,
      'LowCardinality(String)': text,
      'LowCardinality(Nullable(String))': `if(number % 5 = 0, NULL, ${text})`,
      'LowCardinality(FixedString(4))': text,
      "Nullable(Enum8('x' = 1, 'y' = 2, 'z' = 3))": `if(number % 5 = 0, NULL, ${text})`,
      'SimpleAggregateFunction(max, LowCardinality(String))': text,
      Bool: 'number % 2',
      'LowCardinality(Nullable(Int64))': 'if(number % 5 = 0, NULL, number % 3)',
      'LowCardinality(Float64)': 'number % 3',
      'LowCardinality(Date)': "toDate('2020-01-01') + number % 3",
      'Decimal(9, 2)': 'number % 3',
      UUID: "toUUID(concat('00000000-0000-0000-0000-00000000000', toString(number % 3)))",
    }
    const entries = Object.entries(types)
    await chdb.sql(
      'SET allow_suspicious_low_cardinality_types = 1',
      `CREATE TABLE d.types (${entries.map(([type], i) => `c${i} ${type}`).join(', ')}) ENGINE = MergeTree ORDER BY tuple()`,
      `INSERT INTO d.types SELECT ${entries.map(([, value]) => value).join(', ')} FROM numbers(60)`,
    )
    const database = await open('types')
    const { session } = await countTable(database, await database.plan({ modes: entries.map((_, i) => `c${i}`) }))
    for (const [i, { labels }] of session.data.modes.entries()) {
      const counted = await chdb.text(
        `SELECT count() FROM d.types WHERE isNotNull(c${i}) GROUP BY c${i} ORDER BY replaceAll(toString(c${i}), char(0), '')`,
      )
      expect(labels?.length, entries[i][0]).toBe(entries[i][0] === 'Bool' ? 2 : 3)
      expect([...session.data.marginals[i]], entries[i][0]).toEqual(counted.split('\n').map(Number))
    }
    await session.close()
    await database.connection.close()
  })

  it('is read in blocks of shared values too', async () => {
    const answer = await readAnswer(
      chdb.server(),
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
