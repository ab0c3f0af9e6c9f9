import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testFolder } from '../../../../test/test-folder.ts'
import { openTables, type Tables } from '../duckdb/client.ts'
import { tensorDigest } from '../output/tensor-digest.ts'
import { openTable } from '../table/memory/memory-table.ts'

<<<<<<< HEAD

import { inspectTable } from '../table/rules/inspect-table.ts'

=======

import { type Inspected, inspectTable } from '../table/rules/inspect-table.ts'

>>>>>>> table

import { type ReadResult, readView, type TableOptions } from '../table/rules/read-view.ts'
import { openView } from './duck-view.ts'
import { checkReadable } from './files.ts'

/** The same tables read by DuckDB and in memory: tensors, notes and recipes must be the same, and so must refusals. */

const { file } = testFolder()
let tables: Tables
beforeAll(async () => {
  tables = await openTables()
})
afterAll(() => tables.close())

const outcome = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    return await work()
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`
  }
}

const summary = ({ tensor, squares, ...result }: ReadResult) => ({
  digest: tensorDigest(tensor),
  labels: tensor.modes.map(({ name, labels, ordered }) => ({ name, labels, ordered })),
  squares: squares === undefined ? undefined : tensorDigest(squares),
  ...result,
})

/** What lists and records are made of, and how wide whole numbers are, is DuckDB's own affair. */
const inspected = ({ columns, ...rest }: Inspected) => ({
  ...rest,
  columns: columns.map(({ type, ...column }) => ({ ...column, type: /INT$|\[|^STRUCT/.test(type) ? '' : type })),
})

const both = async (
  name: string,
  content: string | Uint8Array,
  options: TableOptions & { delimiter?: string; header?: boolean },
) => {
  const path = file(name, content)
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  // A view that is asked again must not close its tables.
  const duck = async () => {
    checkReadable(path)
    return { ...(await openView(tables, [path], options)), release: async () => undefined }
  }
  const memory = () => openTable({ name: path, bytes }, options)
  const readings = await Promise.all([
    outcome(async () => summary(await readView(await duck(), options))),
    outcome(async () => summary(await readView(await memory(), options))),
  ])
  const inspections = await Promise.all([
    outcome(async () => inspected(await inspectTable(await duck(), options))),
    outcome(async () => inspected(await inspectTable(await memory(), options))),
  ])
  return { readings, inspections }
}

const WORDS = ['yes', 'no', 'Yes', ' yes', 'NA', '', 'ä', 'İ', 'n/a', 'Refused', '"', 'x,y', 'null', 'NULL', '.']
const NUMBERS = ['1', '2', '3', '1.0', '2.5', '-9', '99', '0', '007', '1e3', '-0', '1,5', '0,25', '10', 'inf']
const DATES = [
  '2024-05-31',
  '2024-5-1 13:45',
  '31.05.2024',
  '1.12.2023 08:00',
  '5/31/2024',
  '3/4/2024',
  '13:45',
  '2023-12-31T23:59:59Z',
]
const COUNTS = ['1', '2', '17', '44', '3.5', '0', '911', '-1', '1.880']

const column = (rows: number) =>
  fc
    .oneof(
      { weight: 4, arbitrary: fc.constantFrom(WORDS.slice(0, 2), WORDS.slice(0, 6), WORDS) },
      {
        weight: 4,
        arbitrary: fc.constantFrom(NUMBERS.slice(0, 3), NUMBERS.slice(0, 7), NUMBERS, ['1,5', '2,25', '10']),
      },
      {
        weight: 2,
        arbitrary: fc.constantFrom(
          DATES.slice(0, 2),
          DATES.slice(2, 4),
          DATES.slice(4, 6),
          ['1717163100', '1701417600'],
          DATES,
        ),
      },
      { weight: 3, arbitrary: fc.constantFrom(COUNTS.slice(0, 4), COUNTS.slice(0, 7), COUNTS) },
      { weight: 1, arbitrary: fc.array(fc.string({ maxLength: 5 }), { minLength: 1, maxLength: 4 }) },
      { weight: 1, arbitrary: fc.constant(Array.from({ length: 60 }, (_, i) => `${i}.${i % 7}`)) },
    )
    .chain(pool => fc.array(fc.constantFrom(...pool), { minLength: rows, maxLength: rows }))

const names = fc.constantFrom<string>('a', 'b', 'A', 'n', 'freq', 'weight', 'time', 'q 1', 'x"y', '', 'b', 'ä')

const BINS = [
  '0.1',
  '10',
  'q2',
  'q5',
  'q7',
  'int',
  'hour',
  'minute',
  'weekday',
  'day',
  'week',
  'month',
  'quarter',
  'year',
  'yearmonth',
  'date',
]

const tableAndOptions = fc
  .record({ rows: fc.integer({ min: 1, max: 60 }), width: fc.integer({ min: 1, max: 5 }) })
  .chain(({ rows, width }) =>
    fc.record({
      header: fc.array(names, { minLength: width, maxLength: width }),
      columns: fc.array(column(rows), { minLength: width, maxLength: width }),
      delimiter: fc.constantFrom(',', ';', '\t', '|'),
      newline: fc.constantFrom('\n', '\r\n', '\n', '\r'),
      quoteAll: fc.boolean(),
      end: fc.boolean(),
      options: fc.record(
        {
          missing: fc.constantFrom(['-9'], ['yes', '99'], ['', 'x']),
          missingOnly: fc.constantFrom([], ['NA'], ['', 'yes']),
          missingAs: fc.constantFrom('Unknown', 'yes'),
          trim: fc.boolean(),
          ignoreCase: fc.boolean(),
          top: fc.integer({ min: 1, max: 3 }),
          count: fc.constantFrom('none', 'n', 'freq', 'weight'),
          weights: fc.constantFrom('n', 'weight'),
          rescaleWeights: fc.constant(true),
          bins: fc.array(
            fc.tuple(names, fc.constantFrom(...BINS)).map(pair => pair.join(':')),
            { minLength: 1, maxLength: 2 },
          ),
          modes: fc.array(names, { minLength: 1, maxLength: 3 }),
          include: fc.array(names, { minLength: 1, maxLength: 2 }),
          except: fc.array(names, { minLength: 1, maxLength: 2 }),
        },
        { requiredKeys: [] },
      ),
    }),
  )
  .map(({ header, columns, delimiter, newline, quoteAll, end, options }) => {
    const quote = (field: string) =>
      quoteAll || /[",;\t|\r\n]|^ | $/.test(field) ? `"${field.replaceAll('"', '""')}"` : field
    const lines = [header, ...columns[0].map((_, row) => columns.map(own => own[row]))]
    const text = lines.map(line => line.map(quote).join(delimiter)).join(newline) + (end ? newline : '')
    const known = (list: readonly string[] | undefined) =>
      list?.filter(name => (header as string[]).includes(name.replace(/:\w*(\.\d)?$/, '')))
    const { bins, modes, include, except, count, weights, missing, missingOnly, ...rest } = options
    const some = (key: string, list: readonly string[] | undefined) =>
      list === undefined || list.length === 0 ? {} : { [key]: list }
    const named = (key: string, name: string | undefined) =>
      name === undefined || !(name === 'none' || header.includes(name)) ? {} : { [key]: name }
    return {
      text,
      options: {
        ...rest,
        // Of a single column DuckDB skips blank lines where an empty field is a value.
        ...(missingOnly === undefined || columns.length === 1 ? some('missing', missing) : { missingOnly }),
        ...some('bins', known(bins)),
        ...some('modes', known(modes)),
        ...some('include', known(include)),
        ...some('except', known(except)),
        ...(named('weights', weights).weights === undefined ? named('count', count) : named('weights', weights)),
        ...(named('weights', weights).weights === undefined ? { rescaleWeights: false } : {}),
      } as TableOptions,
    }
  })

it('messy tables are read alike', async () => {
  await fc.assert(
    fc.asyncProperty(tableAndOptions, async ({ text, options }) => {
      const { readings, inspections } = await both('messy.csv', text, options)
      expect(readings[1]).toEqual(readings[0])
      expect(inspections[1]).toEqual(inspections[0])
    }),
    { numRuns: Number(process.env.POLYAD_RUNS ?? 120), ...(process.env.POLYAD_RUNS === undefined && { seed: 7 }) },
  )
})

/** Files that cannot be read, and how. */
const BROKEN: readonly (readonly [name: string, content: string | Uint8Array, options?: TableOptions])[] = [
  ['uneven.csv', 'a,b\n1,2\n3\n'],
  ['long.csv', 'a,b\n1,2\n3,4,5,6\n'],
  ['quote.csv', 'a,b\n1,"2\n3,4\n'],
  ['after-quote.csv', 'a,b\n1,2\n"3"x,4\n'],
  ['latin1.csv', Uint8Array.from([97, 44, 98, 10, 120, 44, 0xe4, 10, 121, 44, 122, 10])],
  ['utf16.csv', Uint8Array.from([0xff, 0xfe, 97, 0, 10, 0])],
  ['zero.csv', 'a,b\n1,\0\n'],
  ['header.csv', 'a,b\n'],
  ['header-only.csv', 'a,b'],
  ['empty.csv', ''],
  ['blank.csv', '\n\na,b\n1,2\n'],
  ['mixed.csv', 'a,b\n1,2\r\n3,4\n'],
  ['blanks.dat', '1 2 3\n1 2 1\n\n1 2\n'],
  ['count.csv', 'a,b,n\nx,u,1\nx,v,2\ny,u,-3\ny,v,4\n'],
  ['count-missing.csv', 'a,b,n\nx,u,1\n\nx,v,\ny,u,3\ny,v,4\n', { count: 'n' }],
  ['weight.csv', 'a,w\nx,1.5\ny,heavy\n', { weights: 'w' }],
  ['thousands.csv', 'a;b;freq\nx;u;1.880\nx;v;17\ny;u;3\ny;v;2\n'],
  ['bins.csv', 'a,b\n"1\n2",x\n3,y\nfour,x\n', { bins: ['a:1'], missing: ['1\n2'] }],
  ['dates.csv', 'a,b\n2024-05-31,x\n2024-02-30,y\n', { bins: ['a:month'] }],
  ['wide.csv', 'a,b\n1,x\n1e9,y\n', { bins: ['a:0.1'] }],
  ['missing.csv', 'a,b\nNA,\n,NULL\n', { modes: ['a', 'b'] }],
  ['no-label.csv', 'a,b\nNA,x\n,y\n', { modes: ['a', 'b'] }],
  ['unknown.csv', 'age,b\n1,x\n2,y\n', { modes: ['agee'] }],
  ['both.csv', 'a,n\n1,2\n2,3\n', { modes: ['a', 'n'], count: 'n' }],
  ['except.csv', 'a,b\n1,x\n', { modes: ['a'], except: ['a'] }],
  ['single.csv', `a,id\n${Array.from({ length: 90 }, (_, i) => `${i % 3},r${i}`).join('\n')}\n`],
  ['x.xlsx', 'PK anything'],
  ['x.sav', '$FL2 anything'],
  ['x.dta', '<stata_dta>'],
  ['x.npz', 'PK\u0003\u0004'],
  ['cut.csv.gz', Uint8Array.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 75, 212])],
  ['lines.ndjson', '{"a":1}\n{"a":\n{"a":2}\n'],
]

it.each(BROKEN.map(([name, content, options]) => ({ name, content, options })))(
  '$name is refused in the same words',
  async ({ name, content, options = {} }) => {
    const { readings } = await both(name, content, options)
    expect(readings[1]).toBe(readings[0])
    expect(readings[0]).toMatch(/^(Data|Option)Error: /)
  },
)

/** Ways of writing a table. */
const rows = [[1, 2, 1], [2, 2, 1], [1, 1, 2], [2, 1, 2]] // biome-ignore format: one line
const WRITTEN: readonly (readonly [name: string, content: string, options?: TableOptions & { delimiter?: string }])[] =
  [
    ['blanks.dat', rows.map(row => `  ${row.join('   ')} `).join('\n')],
    ['blanks-header.txt', `a  b c\n${rows.map(row => row.join('\t ')).join('\r\n')}\n`],
    [
      'row-names.txt',
      `"a" "b" "c"\n${rows.map((row, i) => `"${i}" ${row.join(' ')}`).join('\n')}\n`,
      { except: ['row'] },
    ],
    [
      'row-names.csv',
      `"a","b","c"\n${rows.map((row, i) => `"${i}",${row.join(',')}`).join('\n')}\n`,
      { except: ['row'] },
    ],
    ['excel.csv', `sep=;\r\na;b;c\r\n${rows.map(row => row.join(';')).join('\r\n')}\r\n`],
    ['bom.csv', `\ufeffa,b\n${rows.map(row => row.slice(1).join(',')).join('\n')}`],
    ['macintosh.csv', `a,b\r${rows.map(row => row.slice(1).join(',')).join('\r')}\r`],
    ['macintosh-quotes.csv', 'a,b\r1,"x\ny"\r2,z\r1,z\r2,"x\ny"\r'],
    ['no-header.csv', rows.map(row => row.join(',')).join('\n')],
    ['trailing.csv', 'a,b\n1,x,\n2,y,\n1,y,\n2,x,\n'],
    ['tabs.tsv', `a\tb\n${rows.map(row => row.slice(1).join('\t')).join('\n')}\n`],
    ['told.csv', 'a:b\n1:2\n2:2\n1:1\n2:1\n', { delimiter: ':' }],
    ['spaces.csv', 'a,b\n "x" ,1\n"x",2\ny, 1\ny,2\n', { modes: ['a', 'b'] }],
    ['commas.csv', 'x;g\n1,5;a\n2,25;b\n10;a\n1,5;b\n', { bins: ['x:1'] }],
    ['late.csv', `x,g\n${'1,a\n2,b\n'.repeat(10_500)}word,c\n`],
    ['records.json', '[{"a":1,"b":"x"},{"a":2.5,"b":"y"},{"a":1,"b":null},{"a":2.5,"b":"x","c":[1]}]'],
    [
      'lines.ndjson',
      '{"a":true,"d":"2024-05-31"}\n\n{"a":false,"d":"2024-06-01"}\n{"a":true,"d":null}\n',
      { bins: ['d:month'] },
    ],
    [
      'times.json',
      '[{"t":"2024-05-31T13:45:00Z","g":1},{"t":"2024-05-31T15:45:00+02:00","g":2}]',
      { bins: ['t:hour'] },
    ],
    ['mixed.json', '[{"a":1,"b":"x","c":"u"},{"a":"one","b":"y","c":"v"},{"a":2,"b":"y","c":"u"}]'],
    [
      'codes.json',
      '[{"a":1.5,"b":-99},{"a":-99,"b":2},{"a":1.5,"b":2},{"a":2,"b":-99}]',
      { missing: ['-99', '-99.0'], modes: ['a', 'b'] },
    ],
  ]

it.each(WRITTEN.map(([name, content, options]) => ({ name, content, options })))(
  '$name is read alike',
  async ({ name, content, options = {} }) => {
    const { readings, inspections } = await both(name, content, options)
    expect(readings[1]).toEqual(readings[0])
    expect(inspections[1]).toEqual(inspections[0])
    expect(readings[0]).toMatchObject({ digest: expect.any(String) })
  },
)

it('gzipped files are unpacked, whatever they are called', async () => {
  const { readings } = await both('packed.csv', gzipSync('a,b\n1,x\n2,y\n1,y\n'), { modes: ['a', 'b'] })
  expect(readings[1]).toEqual(readings[0])
  expect(readings[0]).toMatchObject({ rows: 3 })
})
