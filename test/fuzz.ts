import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { DataError, EngineError, fit, OptionError, tensorFromColumns, tensorFromRows } from '@polyad/core'
import { modelFileFromJson, modelFromNpz, modelToJson, modelToNpz, writeNpy, writeNpz } from '@polyad/core/file'
import { expect } from 'vitest'
import { randomTensor } from '../packages/core/src/engine/conformance.ts'
import { writeCells } from '../packages/core/src/engine/disk/cells-writer.ts'
import { loadCells } from '../packages/core/src/engine/disk/open-cells.ts'
import { openTables } from '../packages/polyad/src/duckdb/client.ts'
import { readNpyTensor, readNpzTensor } from '../packages/polyad/src/source/formats/numpy.ts'
import { readTns } from '../packages/polyad/src/source/formats/tns.ts'
import { openTable } from '../packages/polyad/src/table/memory/memory-table.ts'
import { inspectTable } from '../packages/polyad/src/table/reading/inspect-table.ts'
import { readParquet } from '../packages/studio/src/worker/parquet.ts'
import { mutate, randomNumbers } from './mutations.ts'

/** Every reader of files, with files that it reads, for trying damaged ones. */

export interface FuzzedFormat {
  readonly name: string
  /** Files that are read, made or found. */
  readonly samples: (path: (name: string) => string) => Promise<readonly Uint8Array[]> | readonly Uint8Array[]
  readonly read: (bytes: Uint8Array, scratch: string) => unknown
  /** Whether pieces of text are put in, too. */
  readonly text?: boolean
}

const encode = (text: string) => new TextEncoder().encode(text)

const rows = Array.from({ length: 40 }, (_, i) => ({
  colour: ['red', 'blue', 'dark green'][i % 3],
  size: String(i % 5),
  when: `2024-0${1 + (i % 9)}-11`,
}))
const CSV = `colour,size,when,n\n${rows.map(({ colour, size, when }, i) => `"${colour}",${size},${when},${i % 4}`).join('\n')}\n`

const filesOf = (folder: string, ending: RegExp): Uint8Array[] => {
  const url = new URL(`data/${folder}/`, import.meta.url)
  const names = readdirSync(url).filter(name => ending.test(name))
  return names.map(name => new Uint8Array(readFileSync(new URL(name, url))))
}

const table = (name: string) => async (bytes: Uint8Array) => {
  const opened = await openTable({ name, bytes }, { parquet: readParquet })
  await inspectTable(opened)
}

const model = async () => (await fit(tensorFromRows(rows), { rank: 2, starts: 1, maxPasses: 20 })).model

/** Reads bytes that must lie in a file. */
const written = (read: (path: string) => unknown) => (bytes: Uint8Array, scratch: string) => {
  writeFileSync(scratch, bytes)
  return read(scratch)
}

const SMALL = { shape: [3, 4], cells: 10 }

export const FUZZED: readonly FuzzedFormat[] = [
  { name: 'CSV', samples: () => [encode(CSV), encode(CSV.replaceAll(',', ';'))], read: table('x.csv'), text: true },
  { name: 'JSON rows', samples: () => [encode(JSON.stringify(rows))], read: table('x.json'), text: true },
  {
    name: '.tns',
    samples: () => [
      encode('# a comment\n1 2 3 4\n2 1 1 0.5\n3 3 3 1e2\n'),
      encode('sptensor\n2\n3 4\n2\n1 1 3\n3 4 1\n'),
    ],
    read: written(path => readTns(path)),
    text: true,
  },
  {
    name: '.npy',
    samples: () => [
      writeNpy({ data: Float64Array.of(1, 2, 3, 4, 5, 6), shape: [2, 3] }),
      writeNpy({ data: Int32Array.of(1, 0, 2, 3), shape: [2, 2] }),
    ],
    read: written(path => readNpyTensor(path, {})),
  },
  {
    name: '.npz',
    samples: () => [
      writeNpz(
        new Map([
          ['coords', { data: Int32Array.of(0, 1, 2, 1, 0, 1), shape: [2, 3] }],
          ['data', { data: Float64Array.of(3, 1, 2), shape: [3] }],
          ['shape', { data: Int32Array.of(3, 2), shape: [2] }],
        ]),
      ),
    ],
    read: written(path => readNpzTensor(path, {})),
  },
  { name: 'a model as .npz', samples: async () => [modelToNpz(await model(), {})], read: bytes => modelFromNpz(bytes) },
  {
    name: 'a model as .json',
    samples: async () => [encode(JSON.stringify(modelToJson(await model())))],
    read: bytes => modelFileFromJson(new TextDecoder().decode(bytes)),
    text: true,
  },
  {
    name: '.polyad cells',
    samples: async path => {
      await writeCells(randomTensor(SMALL), path('cells.polyad'))
      await writeCells(tensorFromColumns([Int32Array.of(0, 1), Int32Array.of(1, -1)], [2, 3]), path('small.polyad'))
      return ['cells.polyad', 'small.polyad'].map(name => new Uint8Array(readFileSync(path(name))))
    },
    read: written(path => loadCells(path)),
  },
  {
    name: 'Parquet',
    samples: async path => {
      const tables = await openTables()
      const columns =
        "i % 3 AS a, CASE WHEN i % 7 = 0 THEN NULL ELSE 'x' || i % 2 END AS b, i / 2.0 AS c, DATE '2024-01-01' AS d"
      const files = ['snappy', 'zstd', 'gzip'].map(packing => [packing, path(`${packing}.parquet`)])
      for (const [packing, file] of files)
        await tables.run(
          `COPY (SELECT ${columns} FROM range(60) t(i)) TO '${file}' (FORMAT parquet, COMPRESSION ${packing})`,
        )
      await tables.close()
      return files.map(([, file]) => new Uint8Array(readFileSync(file)))
    },
    read: table('x.parquet'),
  },
  { name: 'SPSS', samples: () => filesOf('survey', /\.sav$/), read: table('x.sav') },
  { name: 'compressed SPSS', samples: () => filesOf('survey', /^(haven|pspp.*|py.*)\.zsav$/), read: table('x.zsav') },
  { name: 'Stata', samples: () => filesOf('survey', /\.dta$/), read: table('x.dta') },
  { name: 'Excel', samples: () => filesOf('sheets', /\.xlsx$/), read: table('x.xlsx') },
  { name: 'OpenDocument', samples: () => filesOf('sheets', /^(odfpy|libreoffice-merged)\.ods$/), read: table('x.ods') },
  { name: 'R', samples: () => filesOf('r-sas', /^base(-2|-plain)?\.rds$/), read: table('x.rds') },
  { name: 'SAS transport', samples: () => filesOf('r-sas', /\.xpt$/), read: table('x.xpt') },
]

/** Pieces that have misled readers of text. */
const PIECES = [
  ...[
    '__proto__',
    '"constructor":{"prototype":{"polluted":1}}',
    '\0',
    '\u{feff}',
    '"',
    '""',
    "'",
    '\\',
    '\r',
    '\n\n',
    '\t',
  ],
  ...['1e999', '-1e-999', 'NaN', '0x10', '99999999999999999999', '4294967297', '-1', '1.5.2', '٣', '\u202e', '\ud800'],
  ...[
    '[[[[[[[[[[[[[[[[',
    '{"a":',
    ',,,,,,,,,,,,',
    ';;;;',
    '../../../etc/passwd',
    '<script>',
    "'; DROP TABLE x; --",
    '=1+1',
  ],
]

const withPiece = (bytes: Uint8Array, random: () => number): Uint8Array => {
  const at = Math.floor(random() * bytes.length)
  const piece = encode(PIECES[Math.floor(random() * PIECES.length)].repeat(random() < 0.1 ? 500 : 1))
  return Uint8Array.from([
    ...bytes.subarray(0, at),
    ...piece,
    ...bytes.subarray(at + (random() < 0.5 ? 0 : piece.length)),
  ])
}

/** Words that only the author of a program understands. */
const INTERNAL =
  /\b(TypeError|RangeError|SyntaxError|undefined|zod|node:|ENOENT|Cannot read propert|is not a function|is not iterable|Invalid (typed )?array length|Array buffer allocation|call stack|heap)\b|\n\s+at /

/** Reads so many damaged files: each is read, or refused by an error for a person. How many were refused. */
export const fuzz = async (format: FuzzedFormat, count: number, seed: number, path: (name: string) => string) => {
  const samples = await format.samples(path)
  expect(samples.length).toBeGreaterThan(0)
  const random = randomNumbers(seed)
  const scratch = path(`fuzzed-${format.name.replaceAll(/\W/g, '')}`)
  for (const sample of samples) await format.read(sample, scratch)
  let refused = 0
  for (let n = 0; n < count; n++) {
    let bytes: Uint8Array = samples[n % samples.length]
    for (let change = 0; change <= Math.floor(random() * 3); change++)
      bytes = format.text && random() < 0.6 ? withPiece(bytes, random) : mutate(bytes, random)
    try {
      await format.read(bytes, scratch)
    } catch (error) {
      refused++
      const known = [DataError, OptionError, EngineError].some(kind => error instanceof kind)
      if (known && !INTERNAL.test((error as Error).message)) continue
      throw new Error(`${format.name}, seed ${seed}, file ${n}: ${(error as Error).stack}`, { cause: error })
    }
  }
  expect((Object.prototype as unknown as Record<string, unknown>).polluted).toBeUndefined()
  return refused
}
