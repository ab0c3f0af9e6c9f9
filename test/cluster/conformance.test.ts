import { conformance } from '@polyad/core/conformance'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { parseAddress } from '../../packages/polyad/src/engine/sql/address.ts'
import { openClickhouse } from '../../packages/polyad/src/engine/sql/clickhouse/database.ts'
import { placeOf } from '../../packages/polyad/src/engine/sql/clickhouse/place.ts'
import { sqlEngine } from '../../packages/polyad/src/engine/sql/sql-engine.ts'
import { haveChdb, openChdb } from './chdb-server.ts'
import { haveClickhouse, PASSWORD, startCluster } from './cluster.mjs'

const environment = { CLICKHOUSE_PASSWORD: PASSWORD }

describe.skipIf(!haveClickhouse)('ClickHouse 18.16', () => {
  let cluster: Awaited<ReturnType<typeof startCluster>>
  beforeAll(async () => {
    cluster = await startCluster()
    await cluster.sql(
      'CREATE DATABASE conforming',
      'CREATE TABLE conforming.one (a UInt8) ENGINE = MergeTree ORDER BY a',
      `CREATE TABLE conforming.all AS conforming.one ENGINE = Distributed(${cluster.name}, conforming, one, rand())`,
    )
  })
  afterAll(() => cluster?.stop())

  describe.each([
    ['on two shards', 'conforming/all', false],
    ['on one server', 'conforming/one', true],
  ] as const)('%s', (_, path, one) => {
    const engine = sqlEngine('clickhouse', () =>
      openClickhouse(placeOf(parseAddress(cluster.address(path, { one })), undefined, environment)),
    )
    // One server is a cluster of one shard: a part of the cases tells whether it is opened as such.
    const cases = one ? conformance.filter((_, i) => i % 4 === 2) : conformance
    it.each(cases)('$name', ({ check }) => check(engine))
  })
})

describe.skipIf(!haveChdb)('a current ClickHouse, over HTTP', () => {
  let chdb: Awaited<ReturnType<typeof openChdb>>
  beforeAll(async () => {
    chdb = await openChdb()
    await chdb.sql('CREATE DATABASE conforming')
  })
  afterAll(() => chdb?.close())
  const engine = sqlEngine('chdb', () => openClickhouse(placeOf(parseAddress(chdb.address('conforming')))))
  it.each(conformance)('$name', ({ check }) => check(engine))
})
