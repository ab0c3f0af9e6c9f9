import { gzipSync } from 'node:zlib'
import type { SurveyDesign } from '@polyad/core'
import { expect, it } from 'vitest'
import type { ReadResult, TableOptions } from '../../packages/polyad/src/table/reading/read-view.ts'
import { twoReaders } from '../two-readers.ts'

/** Tables read by DuckDB and in memory: tensors, notes and recipes are the same, and so are refusals. */

const both = twoReaders()

/** Files that cannot be read, and how. */
const BROKEN: readonly (readonly [name: string, content: string | Uint8Array, options?: TableOptions])[] = [
  ['uneven.csv', 'a,b\n1,2\n3\n'],
  ['long.csv', 'a,b\n1,2\n3,4,5,6\n'],
  ['quote.csv', 'a,b\n1,"2\n3,4\n'],
  ['after-quote.csv', 'a,b\n1,2\n"3"x,4\n'],
  ['latin1.csv', Uint8Array.from([97, 44, 98, 10, 120, 44, 0xe4, 10, 121, 44, 122, 10])],
  ['latin1-later.csv', Uint8Array.from(Buffer.from('a,b\n1,"x\ny"\n\n2,\xe4\n', 'latin1'))],
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
  ['except.csv', 'a,b\n1,x\n', { modes: ['a'], exclude: ['a'] }],
  ['single.csv', `a,id\n${Array.from({ length: 90 }, (_, i) => `${i % 3},r${i}`).join('\n')}\n`],
  ['column-code.csv', 'trust0,b\n1,x\n8,y\n2,x\n', { missing: ['Trust0:8'], modes: ['trust0', 'b'] }],
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
      { exclude: ['row'] },
    ],
    [
      'row-names.csv',
      `"a","b","c"\n${rows.map((row, i) => `"${i}",${row.join(',')}`).join('\n')}\n`,
      { exclude: ['row'] },
    ],
    ['excel.csv', `sep=;\r\na;b;c\r\n${rows.map(row => row.join(';')).join('\r\n')}\r\n`],
    ['bom.csv', `\ufeffa,b\n${rows.map(row => row.slice(1).join(',')).join('\n')}`],
    ['macintosh.csv', `a,b\r${rows.map(row => row.slice(1).join(',')).join('\r')}\r`],
    ['macintosh-quotes.csv', 'a,b\r1,"x\ny"\r2,z\r1,z\r2,"x\ny"\r'],
    ['no-header.csv', rows.map(row => row.join(',')).join('\n')],
    ['trailing.csv', 'a,b\n1,x,\n2,y,\n1,y,\n2,x,\n'],
    ['tabs.tsv', `a\tb\n${rows.map(row => row.slice(1).join('\t')).join('\n')}\n`],
    ['told.csv', 'a:b\n1:2\n2:2\n1:1\n2:1\n', { delimiter: ':' }],
    ['section.csv', 'a§b\n1§x\n2§y\n1§"§y"\n2§x\n', { delimiter: '§', modes: ['a', 'b'] }],
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
      { missing: ['-99'], modes: ['a', 'b'] },
    ],
    ['pandas.csv', 'q,g\n1.0,x\n8.0,y\n2.0,x\n9.00,y\n,x\n1.0,y\n', { missing: ['8', '9'], modes: ['q', 'g'] }],
    ['comma-codes.csv', 'q;g\n1,5;x\n8,0;y\n2,25;x\n8;y\n', { missing: ['8'], bins: ['q:1'], modes: ['g'] }],
    ['zeros.csv', 'q,g\n007,x\n7,y\n7.0,x\n008,y\n', { missing: ['7'], modes: ['q', 'g'] }],
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

it('clusters are counted in every stratum, whatever their rows weigh', async () => {
  const rows = ['x,1,a,0', 'y,1.0,a,0', 'x,2,a,1.5', 'y,1,b,0.1', 'x,2,b,2', 'y,1,c,0', 'y,2,c,0', 'x,NA,c,0']
  const content = `q,psu,stratum,w\n${rows.join('\n')}\n`
  const options = { modes: ['q'], weights: 'w' }
  const sizesOf = async (design: SurveyDesign) => {
    const { readings } = await both('sample.csv', content, { ...options, design })
    expect(readings[1]).toEqual(readings[0])
    return (readings[0] as ReadResult).design
  }
  const sizes = { a: 2, b: 2, c: 2 }
  expect(await sizesOf({ cluster: 'PSU', stratum: 'stratum' })).toEqual({ cluster: 'psu', stratum: 'stratum', sizes })
  expect(await sizesOf({ cluster: 'psu' })).toEqual({ cluster: 'psu', sizes: 2 })
  expect(await sizesOf({ cluster: 'psu', sizes: 9 })).toEqual({ cluster: 'psu', sizes: 9 })
  const { readings } = await both('sample.csv', content, { ...options, design: { cluster: 'school' } })
  expect(readings[1]).toEqual(readings[0])
  expect(readings[0]).toMatch(/has no column "school"/)
})
