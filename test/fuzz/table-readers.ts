import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { openTables, type Tables } from '../../packages/polyad/src/duckdb/client.ts'
import { openView } from '../../packages/polyad/src/source/duck-view.ts'
import { checkReadable } from '../../packages/polyad/src/source/relation/files.ts'
import { openTable } from '../../packages/polyad/src/table/memory/memory-table.ts'
import { inspectTable } from '../../packages/polyad/src/table/reading/inspect-table.ts'
import { readView } from '../../packages/polyad/src/table/reading/read-view.ts'
import { readParquet } from '../../packages/studio/src/worker/parquet.ts'
import { changedGzip, changedXml, changedZip } from './archives.ts'
import { encode, type FuzzedReader } from './fuzz.ts'
import { changedJson } from './odd-values.ts'
import { overwrite } from './written.ts'

/** Tables, as a page and small files are read, and as DuckDB reads them. */

const rows = Array.from({ length: 12 }, (_, i) => ({
  colour: ['red', 'blue', 'dark green'][i % 3],
  size: i % 5,
  when: `2024-0${1 + (i % 9)}-11`,
  n: i % 4,
}))
const record = ({ colour, size, when, n }: (typeof rows)[number]) => `"${colour}",${size},${when},${n}`
const CSV = `colour,size,when,n\n${rows.map(record).join('\n')}\n`
const JSON_LINES = rows.map(row => JSON.stringify(row)).join('\n')

const changedRows = (bytes: Uint8Array, random: () => number): Uint8Array => {
  const text = new TextDecoder().decode(bytes)
  if (text.startsWith('[')) return encode(changedJson(JSON.parse(text), random))
  const lines = text.split('\n')
  const at = Math.floor(random() * lines.length)
  return encode(lines.map((line, i) => (i === at ? changedJson(JSON.parse(line), random) : line)).join('\n'))
}

/** Files of a folder, one of them first. */
const filesOf = (folder: string, names: RegExp, first?: string): Uint8Array[] => {
  const url = new URL(`../data/${folder}/`, import.meta.url)
  const found = readdirSync(url).filter(name => names.test(name))
  found.sort((a, b) => Number(b === first) - Number(a === first))
  return found.map(name => new Uint8Array(readFileSync(new URL(name, url))))
}

/** Reads as a page does: every eighth of the tables is inspected, and every eighth becomes a tensor. */
const inMemory = (name: string) => {
  let tables = 0
  return async (bytes: Uint8Array) => {
    const opened = await openTable({ name, bytes }, { parquet: readParquet })
    const turn = tables++ % 8
    if (turn === 0) await inspectTable(opened)
    else if (turn === 4) await readView(opened)
  }
}

/** Reads by DuckDB, in one process for all. */
const inDuckDb = (ending: string): Pick<FuzzedReader, 'read' | 'end'> => {
  let tables: Promise<Tables> | undefined
  let times = 0
  const read = async (bytes: Uint8Array, scratch: string) => {
    tables ??= openTables({ threads: 1 })
    const path = `${scratch}.${ending}`
    overwrite(path, bytes)
    checkReadable(path)
    const view = { ...(await openView(await tables, [path])), release: async () => undefined }
    if (times++ % 2 === 0) await inspectTable(view)
    else await readView(view)
  }
  const end = async () => {
    await (await tables)?.close()
    tables = undefined
  }
  return { read, end }
}

const parquet = async (path: (name: string) => string): Promise<Uint8Array[]> => {
  const tables = await openTables()
  const columns =
    "i % 3 AS a, CASE WHEN i % 7 = 0 THEN NULL ELSE 'x' || i % 2 END AS b, i / 2.0 AS c, DATE '2024-01-01' AS d, [i, 2] AS e, {'u': i} AS f"
  const files = ['uncompressed', 'snappy', 'zstd', 'gzip'].map(packing => [packing, path(`${packing}.parquet`)])
  for (const [packing, file] of files)
    await tables.run(
      `COPY (SELECT ${columns} FROM range(20) t(i)) TO '${file}' (FORMAT parquet, COMPRESSION ${packing})`,
    )
  await tables.close()
  return files.map(([, file]) => new Uint8Array(readFileSync(file)))
}

const csv = () => [
  encode('a,b\nx,1\n"y",2024-01-02\n'),
  encode(CSV),
  encode(CSV.replaceAll(',', ';')),
  encode(CSV.replaceAll(',', '\t').replaceAll('\n', '\r\n')),
]
const json = () => [encode(JSON.stringify(rows.slice(0, 2))), encode(JSON.stringify(rows)), encode(JSON_LINES)]

export const TABLES: readonly FuzzedReader[] = [
  { name: 'CSV', samples: csv, read: inMemory('x.csv'), text: true },
  { name: 'JSON rows', samples: json, read: inMemory('x.json'), change: changedRows, text: true },
  { name: 'Parquet', samples: parquet, read: inMemory('x.parquet') },
  { name: 'SPSS', samples: () => filesOf('survey', /\.sav$/, 'pspp-windows-1252.sav'), read: inMemory('x.sav') },
  {
    name: 'compressed SPSS',
    samples: () => filesOf('survey', /^(haven|pspp.*|py.*)\.zsav$/, 'pyreadstat-zlib.zsav'),
    read: inMemory('x.zsav'),
  },
  { name: 'Stata', samples: () => filesOf('survey', /\.dta$/, 'haven-12.dta'), read: inMemory('x.dta') },
  {
    name: 'Excel',
    samples: () => filesOf('sheets', /\.xlsx$/, 'openpyxl-merged.xlsx'),
    read: inMemory('x.xlsx'),
    change: changedZip(changedXml),
  },
  {
    name: 'OpenDocument',
    samples: () => filesOf('sheets', /^(odfpy|libreoffice-merged)\.ods$/, 'odfpy.ods'),
    read: inMemory('x.ods'),
    change: changedZip(changedXml),
  },
  {
    name: 'R',
    samples: () => filesOf('r-sas', /^(base(-2|-plain)?\.rds|one\.RData)$/, 'base-plain.rds'),
    read: inMemory('x.rds'),
    change: changedGzip(),
  },
  {
    name: 'SAS transport',
    samples: () => filesOf('r-sas', /\.xpt$/, 'pyreadstat-narrow.xpt'),
    read: inMemory('x.xpt'),
  },
]

export const DATABASE: readonly FuzzedReader[] = [
  { name: 'CSV, by DuckDB', samples: csv, ...inDuckDb('csv'), text: true },
  {
    name: 'packed CSV, by DuckDB',
    samples: () => csv().map(bytes => new Uint8Array(gzipSync(bytes))),
    ...inDuckDb('csv.gz'),
    change: changedGzip(),
  },
  {
    name: 'JSON rows, by DuckDB',
    samples: json,
    ...inDuckDb('json'),
    change: changedRows,
    text: true,
  },
  { name: 'Parquet, by DuckDB', samples: parquet, ...inDuckDb('parquet') },
  {
    name: 'SPSS, by DuckDB',
    samples: () => filesOf('survey', /^(pspp-windows|py.*)\S*\.sav$/),
    ...inDuckDb('sav'),
  },
]
