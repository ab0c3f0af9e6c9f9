import { describe, expect, it } from 'vitest'
import { decoded, hasPassword, isAddress, parseAddress, redacted } from './address.ts'

describe('addresses of databases', () => {
  it('are told from files', () => {
    expect(['duckdb:///a/b.duckdb/t', 'clickhouse://h/d/t', 'x://'].map(isAddress)).toEqual([true, true, true])
    expect(['a/b.csv', '-', 'C:/data.csv', 'part-*.csv', 's3:x'].map(isAddress)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ])
  })

  it('have parts, in which % stands for what would separate', () => {
    const { scheme, rest, query } = parseAddress('clickhouse://me@h:1/db/a%2Fb?secure=1')
    expect([scheme, rest, query.get('secure')]).toEqual(['clickhouse', 'me@h:1/db/a%2Fb', '1'])
    expect(decoded('a%2Fb')).toBe('a/b')
    expect(() => decoded('100%')).toThrow('%25')
  })

  it.each([
    ['clickhouse://me:pa55@host:8123/db/t', 'clickhouse://me:***@host:8123/db/t'],
    ['clickhouse://:pa55@host/db/t', 'clickhouse://:***@host/db/t'],
    ['clickhouse://me:p@55:word@host/db/t', 'clickhouse://me:***@host/db/t'],
    ['clickhouse://host/db/t?user=me&password=pa55&secure=1', 'clickhouse://host/db/t?user=me&password=***&secure=1'],
    ['failed at "https://u:pa55@h/" and ?token=pa55', 'failed at "https://u:***@h/" and ?token=***'],
    ['duckdb:///folder/a.duckdb/t', 'duckdb:///folder/a.duckdb/t'],
    ['polyad fit clickhouse://a:pa55@h/d/t -k 2', 'polyad fit clickhouse://a:***@h/d/t -k 2'],
  ])('%s is shown without its password', (text, shown) => {
    expect(redacted(text)).toBe(shown)
    expect(redacted(text)).not.toMatch(/pa55|p@55/)
  })

  it('with a password are told from those without', () => {
    const words = ['clickhouse://u:p@h/d/t', 'clickhouses://:p%40@h/d', '--output=clickhouse://u:p@q@h:1/d/t']
    expect(words.map(hasPassword)).toEqual([true, true, true])
    const others = [
      'clickhouse://u@h:1/d/t',
      'clickhouse://a:1,b:2/d/t',
      'clickhouse://u:@h/d',
      'a:b@c',
      'https://u:p@h/x.csv',
    ]
    expect(others.map(hasPassword)).toEqual([false, false, false, false, false])
  })
})
