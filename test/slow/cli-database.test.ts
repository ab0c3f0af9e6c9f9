import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTables } from '../../packages/polyad/src/duckdb/client.ts'
import { literal } from '../../packages/polyad/src/duckdb/sql-text.ts'
import { csvOf, objectOf, polyad, scratchFolder } from '../run-polyad.ts'
import { carcinoma } from '../tables.ts'

/** Tables that stay where they are, from the command line: carcinoma in a DuckDB file, and as CSV by --engine sql. */

const scratch = scratchFolder()
afterAll(scratch.remove)
const data = scratch.path('carcinoma.csv')
const file = scratch.path('clinic.duckdb')
const address = `duckdb://${file}/ratings`
const model = scratch.path('model.npz')
const rows = async (sql: string) => {
  const tables = await openTables()
  await tables.run(`ATTACH ${literal(file)} AS clinic (READ_ONLY); USE clinic`)
  try {
    return await tables.rows(sql)
  } finally {
    await tables.close()
  }
}

beforeAll(async () => {
  writeFileSync(data, csvOf(carcinoma))
  const tables = await openTables()
  await tables.run(`ATTACH ${literal(file)} AS clinic; CREATE TABLE clinic.ratings AS FROM read_csv(${literal(data)})`)
  await tables.close()
})

describe('data that stays where it is', () => {
  it('is fitted there: the same model as in memory', async () => {
    const asked = ['-k', '2', '--starts', '2', '--seed', '2', '--count', 'n', '--json']
    const own = objectOf(await polyad(['fit', data, ...asked]), 'fit')
    const table = await polyad(['fit', address, ...asked, '-o', model])
    const found = objectOf(table, 'fit')
    expect(table.stderr).toContain('fitted in place (sql (DuckDB))')
    expect(found.logLikelihood).toBeCloseTo(own.logLikelihood, 6)
    expect(found.criteria.bic).toBeCloseTo(own.criteria.bic, 6)
    found.shares.forEach((share: number, k: number) => {
      expect(share).toBeCloseTo(own.shares[k], 5)
    })
    expect(found.source).toMatchObject({ files: [address], count: 'n', rows: 20 })
    const files = objectOf(await polyad(['fit', data, ...asked, '--engine', 'sql']), 'fit')
    expect(files.logLikelihood).toBeCloseTo(own.logLikelihood, 6)
  })

  it('is compared over numbers of classes there', async () => {
    const found = objectOf(await polyad(['rank', address, '-k', '1..2', '--starts', '2', '-c', 'n', '--json']), 'rank')
    expect(found.fits).toHaveLength(2)
    expect(found.recommended).toBe(2)
  })

  it('is classified, filled and drawn there: no row comes out', async () => {
    const own = objectOf(await polyad(['classify', model, data, '--json']), 'classify')
    const found = objectOf(
      await polyad(['classify', model, address, '-o', `duckdb://${file}/scored`, '--posterior', '--json']),
      'classify',
    )
    expect(found).toMatchObject({ rows: 20, total: 118, count: 'n', classes: own.classes, absent: [] })
    expect(found.logLikelihood).toBeCloseTo(own.logLikelihood, 8)
    const [[most, sum]] = (await rows(
      'SELECT max(abs(posterior_1 + posterior_2 - 1)), CAST(count(*) AS INTEGER) FROM scored',
    )) as number[][]
    expect(most).toBeLessThan(1e-12)
    expect(sum).toBe(20)
    objectOf(await polyad(['impute', model, address, '-o', `duckdb://${file}/filled`, '--json']), 'impute')
    objectOf(await polyad(['sample', model, '-n', '50', '-o', `duckdb://${file}/drawn`, '--json']), 'sample')
    expect(await rows('SELECT CAST(count(*) AS INTEGER) FROM drawn')).toEqual([[50]])
    expect(await rows(`SELECT table_name FROM duckdb_tables() ORDER BY 1`)).toEqual(
      ['drawn', 'filled', 'ratings', 'scored'].map(name => [name]),
    )
    expect(objectOf(await polyad(['clean', `duckdb://${file}`, '--json']), 'clean')).toMatchObject({
      database: `duckdb://${file}`,
      removed: [],
    })
  })

  it.each([
    [['fit', address, '-k', '2', '--bootstrap', '10'], '--bootstrap needs the cells in memory'],
    [['fit', address, '-k', '2', '--covariates', 'A'], '--covariates needs the cells in memory'],
    [['fit', address, '-k', '2', '--engine', 'wasm'], 'leave --engine out'],
    [['test', address, '-k', '2'], 'is in a database'],
    [['classify', model, address, '-o', 'rows.csv'], 'rows do not leave their database'],
    [['impute', model, address], 'no output table was given: give -o its address'],
    [['classify', model, address, '-o', `duckdb://${file}/ratings`], 'already exists'],
  ])('says why not: %j', async (args, reason) => {
    const { code, stderr, stdout } = await polyad(args)
    expect(code).not.toBe(0)
    expect(stderr.replace(/\s+/g, ' ')).toContain(reason)
    expect(stdout).toBe('')
  })

  it('keeps passwords to itself', async () => {
    const secret = 'pa55word'
    const { stderr } = await polyad(['fit', `mongo://me:${secret}@host/db/t`, '-k', '2'])
    expect(stderr).not.toContain(secret)
    const named = scratch.path('named.json')
    await polyad(['fit', data, '-k', '2', '--starts', '2', '-o', named, '--missing-as', `x://me:${secret}@host`])
    const saved = JSON.parse(readFileSync(named, 'utf8'))
    expect(saved.run.line).toContain('x://me:***@host')
  })
})
