import { fit } from '@polyad/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAddress } from '../../packages/polyad/src/engine/sql/address.ts'
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
