import { readFileSync } from 'node:fs'
import { openTable, readView } from 'polyad/table'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testFolder } from '../../../../test/test-folder.ts'
import { openTables, type Tables } from '../../../polyad/src/duckdb/client.ts'
import { readTensor } from '../../../polyad/src/source/read-tensor.ts'
import { tensorDigest } from '../../../polyad/src/table/view/tensor-digest.ts'
import { readParquet, readWithin } from './parquet.ts'

const { path } = testFolder()
let tables: Tables
beforeAll(async () => {
  tables = await openTables()
})
afterAll(() => tables.close())

/** A row of every type, with what is awkward about it. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  VARCHAR: ["'x'", "''", "'ä€𝄞'"],
  BOOLEAN: ['true', 'false'],
  TINYINT: ['-128', '127'],
  SMALLINT: ['-7'],
  INTEGER: ['2147483647', '-99'],
  BIGINT: ['9223372036854775807', '-1'],
  UINTEGER: ['4294967295'],
  UBIGINT: ['18446744073709551615'],
  DOUBLE: ['1', '0.1', '-99', '1e16', '1e15', '1e-5', '0.0001', "'nan'", "'inf'", '-0.0', '123456.789'],
  FLOAT: ['0.1', '16777216', '1e10', '3.4e38', '1e-7', '-2.5'],
  'DECIMAL(9,2)': ['1.1', '-0.07', '1234567.89'],
  'DECIMAL(18,4)': ['12345678901.2345', '0'],
  DATE: ["'2024-05-31'", "'1969-12-31'", "'0099-01-01'"],
  TIME: ["'13:45:00'", "'00:00:00.000001'"],
  TIMESTAMP: ["'2024-05-31 13:45:00'", "'1969-12-31 23:59:59.5'", "'2000-01-01 00:00:00.000001'"],
  TIMESTAMP_MS: ["'2024-05-31 13:45:00.25'"],
  TIMESTAMP_NS: ["'2024-05-31 13:45:00.123456789'"],
  UUID: ["'550e8400-e29b-41d4-a716-446655440000'"],
  'INTEGER[]': ['[1, 2]'],
  'STRUCT(a INTEGER)': ["{'a': 1}"],
}

it.each(['uncompressed', 'snappy', 'zstd', 'gzip', 'lz4_raw', 'brotli'])(
  'types and texts are those of DuckDB (%s)',
  async compression => {
    const names = Object.keys(VALUES).map((_, i) => `c${i}`)
    const rows = Array.from({ length: 12 }, (_, row) =>
      Object.entries(VALUES).map(
        ([type, own], i) => `CAST(${row === 11 ? 'NULL' : own[row % own.length]} AS ${type}) AS c${i}`,
      ),
    )
    const file = path(`types-${compression}.parquet`)
    const select = rows.map(row => `SELECT ${row.join(', ')}`).join(' UNION ALL ')
    await tables.run(`COPY (${select}) TO '${file}' (FORMAT parquet, COMPRESSION ${compression})`)
    const flat = names.filter((_, i) => !/\[\]|STRUCT/.test(Object.keys(VALUES)[i]))
    const duck = await tables.rows(`SELECT ${flat.map(name => `CAST(${name} AS VARCHAR)`).join(', ')} FROM '${file}'`)
    const types = await tables.rows(`SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM '${file}')`)
    const own = await readParquet(readFileSync(file))
    expect(own.columns).toEqual(names)
    const nested = (type: string) => (/\[\]$/.test(type) ? 'list' : /^STRUCT/.test(type) ? 'record' : type)
    expect(own.types.map(nested)).toEqual(types.map(([, type]) => nested(String(type))))
    const texts = flat.map(name => own.values[own.columns.indexOf(name)])
    expect(Array.from({ length: 12 }, (_, row) => texts.map(column => column[row]))).toEqual(duck)
  },
)

it('a Parquet file gives the tensor that the command line reads from it', async () => {
  const file = path('survey.parquet')
  const columns =
    "i % 3 AS a, CASE WHEN i % 7 = 0 THEN NULL ELSE 'x' || i % 2 END AS b, i % 5 / 2.0 AS c, DATE '2024-01-01' + CAST(i AS INTEGER) AS d"
  await tables.run(`COPY (SELECT ${columns} FROM range(500) t(i)) TO '${file}' (ROW_GROUP_SIZE 2048)`)
  const options = { bins: ['d:month'], missing: ['0.5'] }
  const [duck, memory] = [
    await readTensor(file, options),
    await readView(await openTable({ name: file, bytes: readFileSync(file) }, { parquet: readParquet }), options),
  ]
  expect(tensorDigest(memory.tensor)).toBe(tensorDigest(duck.tensor))
  expect([memory.notes, memory.recipe, memory.source]).toEqual([duck.notes, duck.recipe, duck.source])
})

it('pages of the second version, lists and long runs are read as DuckDB reads them', async () => {
  const file = path('v2.parquet')
  const columns =
    "i AS a, CASE WHEN i % 7 = 0 THEN NULL ELSE 'x' || i % 2 END AS b, i < 900 AS c, [i, NULL, 3] AS d, [[i], []] AS e, {'u': [i]} AS f, NULL::INTEGER AS g"
  for (const version of ['V1', 'V2']) {
    await tables.run(
      `COPY (SELECT ${columns} FROM range(3000) t(i)) TO '${file}' (FORMAT parquet, PARQUET_VERSION ${version}, ROW_GROUP_SIZE 2048, OVERWRITE true)`,
    )
    const { values } = await readParquet(readFileSync(file))
    const duck = await tables.rows(`SELECT a::VARCHAR, b, c::VARCHAR, g::VARCHAR FROM '${file}'`)
    expect(duck.map((_, row) => [0, 1, 2, 6].map(column => values[column][row]))).toEqual(duck)
    expect([3, 4, 5].map(column => values[column][2999])).toEqual([
      '["2999",null,"3"]',
      '[["2999"],[]]',
      '{"u":["2999"]}',
    ])
  }
})

it('says of a broken file what the command line does, and not what the program stumbled over', async () => {
  const open = (bytes: Uint8Array) => openTable({ name: 'x.parquet', bytes }, { parquet: readParquet })
  const broken = (text: string) => open(new TextEncoder().encode(text))
  const words = 'x.parquet is not a readable Parquet file: '
  await expect(broken('PAR1 and nothing')).rejects.toThrow(words)
  for (const footer of ['\0\0\0\0', '\x04\0\0\0\x04\0\0\0', '\0\x01\0\0\0'])
    await expect(broken(`PAR1${footer}PAR1`)).rejects.toThrow(`${words}the description of its columns cannot be read`)
  const file = path('whole.parquet')
  await tables.run(`COPY (SELECT i AS a, 'x' || i AS b FROM range(300) t(i)) TO '${file}' (COMPRESSION snappy)`)
  const whole = new Uint8Array(readFileSync(file))
  let refused = 0
  for (let at = 4; at < whole.length - 8; at += 11) {
    const changed = whole.slice()
    changed.fill(0xff, at, at + 3)
    await open(changed).catch((error: Error) => {
      refused++
      expect(error.message).toMatch(new RegExp(`^${words}`))
      expect(error.message).not.toMatch(/of undefined|not a function|Invalid|Cannot /)
    })
  }
  expect(refused).toBeGreaterThan(20)
})

it('a run of more values than its page has is refused before it is read', async () => {
  const file = path('run.parquet')
  await tables.run(`COPY (SELECT i AS a FROM range(20) t(i)) TO '${file}' (FORMAT parquet, COMPRESSION uncompressed)`)
  const bytes = readFileSync(file)
  // The levels of the page: two bytes, a run of 20 times 1. It becomes one of a thousand million.
  const at = bytes.indexOf(Buffer.from([2, 0, 0, 0, 40, 1]))
  expect(at).toBeGreaterThan(0)
  bytes.set([0xfe, 0xff, 0xff, 0xff, 0x07, 1], at + 4)
  await expect(openTable({ name: 'run.parquet', bytes }, { parquet: readParquet })).rejects.toThrow(
    'run.parquet is not a readable Parquet file: a page has more values than it declares',
  )
})

it('texts that are said to be times are refused', async () => {
  const file = path('times.parquet')
  await tables.run(`COPY (SELECT 'x' || i AS words FROM range(20) t(i)) TO '${file}' (FORMAT parquet)`)
  const bytes = readFileSync(file)
  // What the texts of the column are, right after its name: UTF-8, which is 0, becomes a time in milliseconds, 7, written as twice that.
  const at = bytes.lastIndexOf(Buffer.from([...Buffer.from('words'), 0x25, 0]))
  expect(at).toBeGreaterThan(0)
  bytes[at + 6] = 14
  await expect(openTable({ name: 'times.parquet', bytes }, { parquet: readParquet })).rejects.toThrow(
    'times.parquet is not a readable Parquet file: its values cannot be read',
  )
})

it('a page that does not say its size is refused', async () => {
  const file = path('size.parquet')
  await tables.run(`COPY (SELECT i AS a FROM range(20) t(i)) TO '${file}' (FORMAT parquet, COMPRESSION uncompressed)`)
  const bytes = readFileSync(file)
  // The header of the first page: its kind, and its size before and after packing, each a byte of what follows and a number.
  let at = 4
  for (let field = 0; field < 2; field++) {
    expect(bytes[at]).toBe(0x15)
    do at++
    while (bytes[at] & 0x80)
    at++
  }
  expect(bytes[at]).toBe(0x15)
  bytes[at] = 0x25
  await expect(openTable({ name: 'size.parquet', bytes }, { parquet: readParquet })).rejects.toThrow(
    'size.parquet is not a readable Parquet file: a page ends beyond its column',
  )
})

it('a frame of Zstandard that claims more than its page, and a schema of endless columns, are refused at once', async () => {
  const file = path('frame.parquet')
  await tables.run(`COPY (SELECT i AS a FROM range(200) t(i)) TO '${file}' (FORMAT parquet, COMPRESSION zstd)`)
  const open = (bytes: Uint8Array) => openTable({ name: 'frame.parquet', bytes }, { parquet: readParquet })
  const frame = readFileSync(file)
  const at = frame.indexOf(Buffer.from([0x28, 0xb5, 0x2f, 0xfd]))
  // A window of a gigabyte, and no size of the content.
  frame.set([0x00, 20 << 3], at + 4)
  await expect(open(frame)).rejects.toThrow('a page does not have the size that it declares')
  const schema = readFileSync(file)
  // The root has one child: a thousand million of them, in place of its name.
  const root = schema.indexOf('duckdb_schema')
  schema.set([0, 0x15, 0xfe, 0xff, 0xff, 0xff, 0x0f, 0], root - 1)
  await expect(open(schema)).rejects.toThrow('frame.parquet is not a readable Parquet file')
})

it.each(['gzip', 'zstd', 'snappy', 'brotli', 'lz4_raw'])(
  'a small file that comes to too much is refused while its pages are unpacked (%s)',
  async compression => {
    const file = path(`bomb-${compression}.parquet`)
    const select = "SELECT repeat('a', 100_000) || i AS a FROM range(20) t(i)"
    await tables.run(`COPY (${select}) TO '${file}' (FORMAT parquet, COMPRESSION ${compression})`)
    const parquet = (bytes: Uint8Array) => readWithin({ most: 1_000_000, freely: 1_000_000, ratio: 1 }, bytes)
    await expect(openTable({ name: 'bomb.parquet', bytes: readFileSync(file) }, { parquet })).rejects.toThrow(
      'bomb.parquet is not a readable Parquet file: it unpacks to more than 1,000,000 bytes',
    )
  },
)
