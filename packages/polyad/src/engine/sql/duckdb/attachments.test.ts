import { beforeAll, describe, expect, it } from 'vitest'
import { testFolder } from '../../../../../../test/test-folder.ts'
import { openTables } from '../../../duckdb/client.ts'
import { literal } from '../../../duckdb/sql-text.ts'
import { openSqlTable } from '../../open-sql-table.ts'
import { isAddress, parseAddress } from '../address.ts'
import { attachment } from './attachments.ts'

const { path } = testFolder()
let [shop, other] = ['', '']

beforeAll(async () => {
  ;[shop, other] = [path('attached.duckdb'), path('other shop.duckdb')]
  const tables = await openTables()
  await tables.run(
    `ATTACH ${literal(shop)} AS first_file; CREATE TABLE first_file.visits AS SELECT i % 2 AS a, i % 3 AS b, i AS id FROM range(12) t(i)`,
  )
  await tables.run(
    `ATTACH ${literal(other)} AS second_file; CREATE TABLE second_file.kept AS SELECT i AS id, i % 4 AS c FROM range(6) t(i)`,
  )
  await tables.close()
})

describe('databases that DuckDB attaches', () => {
  const total = async (address: string, options = {}) => {
    const { session, source } = await openSqlTable(address, { count: 'none', ...options })
    await session.close()
    return [session.data.total, session.data.modes.map(({ name }) => name).join(), source.files]
  }

  it('are another file, its tables, and both in one query', async () => {
    const address = `duckdb:///visits?attach=${shop}`
    expect(await total(address, { modes: ['a', 'b'] })).toEqual([12, 'a,b', [address]])
    const sql = 'SELECT a, b, c FROM visits JOIN other_shop.kept USING (id)'
    const both = `duckdb://${shop}?attach=${encodeURIComponent(other)}`
    expect((await total(both, { sql, modes: ['a', 'b', 'c'] })).slice(0, 2)).toEqual([6, 'a,b,c'])
    const named = `duckdb://${shop}?attach=${encodeURIComponent(`more=${other}`)}`
    expect((await total(named, { sql: sql.replace('other_shop', 'more') }))[0]).toBe(6)
    await expect(total(`duckdb:///?attach=${shop}`)).rejects.toThrow('name a table after the file: visits')
    await expect(total(`${both}&attach=${encodeURIComponent(other)}`, { sql })).rejects.toThrow(
      'two databases are called other_shop',
    )
  })

  it('of an extension that is missing are refused, with what to install', async () => {
    await expect(total(`duckdb:///answers?attach=sqlite:${path('answers.db')}`)).rejects.toThrow(
      /extension sqlite_scanner is not installed.*run INSTALL sqlite_scanner once in the DuckDB shell of version \d|unable to open/,
    )
    await expect(total('md:sales/orders')).rejects.toThrow(
      /extension motherduck is not installed.*INSTALL motherduck|needs a token of MotherDuck/,
    )
  })

  it('are named by what they are', () => {
    expect(
      ['a/b.duckdb', 'sqlite:x/answers.db', 'md:sales', 'delta:/lake/orders/', 'old=c.duckdb'].map(attachment),
    ).toEqual([
      { name: 'b', target: 'a/b.duckdb', type: undefined },
      { name: 'answers', target: 'sqlite:x/answers.db', type: undefined },
      { name: 'sales', target: 'md:sales', type: undefined },
      { name: 'orders', target: '/lake/orders/', type: 'delta' },
      { name: 'old', target: 'c.duckdb', type: undefined },
    ])
    expect([isAddress('md:sales/orders'), isAddress('md:sales'), isAddress('md.csv')]).toEqual([true, false, false])
    expect(parseAddress('md:sales/main/orders')).toMatchObject({ rest: '/main/orders', attached: ['md:sales'] })
  })
})
