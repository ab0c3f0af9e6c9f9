import { EngineError, tensorFromColumns } from '@polyad/core'
import { describe, expect, it } from 'vitest'
import { type Connection, DatabaseFault } from './connection.ts'
import { openDuckdb } from './duckdb/connection.ts'
import { duckdbDialect } from './duckdb/dialect.ts'
import { retried } from './retry.ts'
import { sqlEngine } from './sql-engine.ts'

const tensor = tensorFromColumns(
  [
    [0, 1, 1],
    [0, 0, 1],
  ],
  [2, 3, 4],
)
const start = {
  rank: 1,
  shares: Float64Array.of(1),
  factors: tensor.shape.map(size => new Float64Array(size).fill(0.5)),
}

/** DuckDB behind a connection that fails when it is told to: half of the result comes first, as where a server goes away in the middle. */
const unreliable = async () => {
  const inner = await openDuckdb()
  const faults: DatabaseFault[] = []
  let renewed = 0
  const connection: Connection = {
    ...inner,
    columns: async (sql, onPiece, sent) => {
      const fault = faults.shift()
      if (fault === undefined) return inner.columns(sql, onPiece, sent)
      await inner.columns(sql, piece => onPiece(piece.map(column => column.slice(0, 1)) as never), sent)
      throw fault
    },
    renew: async () => {
      renewed++
    },
  }
  return { connection, faults, renewals: () => renewed }
}

const lost = () => new DatabaseFault('connection reset by the server', { transient: true, place: 'shard 2 (db2:9000)' })

describe('a pass that fails', () => {
  it('is done again, on a new connection, and gives what it gives undisturbed', async () => {
    const { connection, faults, renewals } = await unreliable()
    const session = await sqlEngine('duckdb', async () => ({ dialect: duckdbDialect, connection }), {
      backOff: 1,
    }).open(tensor)
    const expected = await session.pass(start)
    faults.push(lost(), lost(), lost())
    const found = await session.pass(start)
    expect(found.sizes[0]).toBeCloseTo(expected.sizes[0], 12)
    expect([...found.factors[0]]).toEqual([...expected.factors[0]])
    expect(found.logLikelihood).toBeCloseTo(expected.logLikelihood, 12)
    expect(renewals()).toBe(3)
    await session.close()
  })

  it('ends in an error that names the shard, after so many tries', async () => {
    const { connection, faults } = await unreliable()
    const session = await sqlEngine('duckdb', async () => ({ dialect: duckdbDialect, connection }), {
      attempts: 3,
      backOff: 1,
    }).open(tensor)
    faults.push(lost(), lost(), lost(), lost())
    const failure = await session.pass(start).catch(error => error)
    expect(failure).toBeInstanceOf(EngineError)
    expect(failure.message).toBe('shard 2 (db2:9000): connection reset by the server (tried 3 times)')
    expect(failure.cause).toBeInstanceOf(DatabaseFault)
    expect(faults).toHaveLength(1)
    faults.splice(0, 1, new DatabaseFault('no such table', { transient: false }))
    await expect(session.pass(start)).rejects.toThrow(/^DuckDB: no such table$/)
    await session.close()
  })

  it('at the limit of memory says to raise it', async () => {
    const connection = await openDuckdb({ memory: '20MB' })
    const failed = retried(connection, {}, () => connection.rows('SELECT len(list(i)) FROM range(20000000) t(i)'))
    await expect(failed).rejects.toThrow(/Out of Memory.*it reached its memory limit: raise memory/)
    await connection.close()
  })
})
