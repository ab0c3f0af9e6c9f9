import { conformance } from '@polyad/core/conformance'
import { describe, it } from 'vitest'
import { openDuckdb } from './duckdb-connection.ts'
import { duckdbDialect } from './duckdb-dialect.ts'
import { sqlEngine } from './sql-engine.ts'

const engine = sqlEngine('duckdb', async () => ({ dialect: duckdbDialect, connection: await openDuckdb() }))

describe('the pass as SQL in DuckDB', () => {
  it.each(conformance)('$name', async ({ check }) => {
    await check(engine)
  })
})
