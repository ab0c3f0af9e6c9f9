import { readFileSync } from 'node:fs'
import { random } from '@polyad/core/numeric'
import { beforeAll, describe, expect, it } from 'vitest'
import { polyad } from './run-polyad.ts'
import { DATA, fittedModel } from './strange-tables.ts'
import { testFolder } from './test-folder.ts'

/** Whatever a command is given, it ends with words: what is wrong, in one message, and exit code 1 (or 2 if the call itself is wrong). */

const files = testFolder()
const { below } = random(9, 'data')
const noise = Uint8Array.from({ length: 4000 }, () => below(256))

let model: string
let explained: string
let rows: string
beforeAll(async () => {
  model = await fittedModel(files, 'plain')
  explained = await fittedModel(files, 'covariates')
  rows = files.file('rows.csv', DATA)
})

const refused = async (args: readonly string[]): Promise<void> => {
  const said = args.join(' ')
  const { code, stdout, stderr } = await polyad(args)
  expect([1, 2], `${said}: ${stdout}`).toContain(code)
  expect(stdout, said).toBe('')
  expect(stderr, said).toMatch(/^error: .*\S/m)
  expect(stderr, said).not.toMatch(/unexpected error|\n\s+at |bug in Polyad/)
  expect(stderr.length, said).toBeLessThan(2000)
}

/** Files that are not what their names say. */
const damagedData = () => {
  const names = ['csv', 'parquet', 'sav', 'dta', 'xlsx', 'rds', 'json', 'npz', 'tns', 'csv.gz']
  return [
    ...names.map(ending => files.file(`noise.${ending}`, noise)),
    ...names.map(ending => files.file(`empty.${ending}`, '')),
    files.file('header.csv', 'a,b,c\n'),
    files.file('cut.csv', `${DATA.slice(0, DATA.indexOf('\n') + 20)}\n"${'x'.repeat(50)}`),
    files.file('other.csv', 'p,q\n1,2\n3,4\n'),
    files.path('nowhere.csv'),
    files.path('.'),
  ]
}

const damagedModels = () => {
  const bytes = readFileSync(model)
  const flipped = bytes.map((byte, i) => (i % 97 === 50 ? byte ^ 0xff : byte))
  return [
    files.file('noise.npz', noise),
    files.file('empty.npz', ''),
    files.file('half.npz', bytes.subarray(0, bytes.length >> 1)),
    files.file('flipped.npz', flipped),
    files.file('noise.json', noise),
    files.file('other.json', '{"format": "polyad-model", "version": 2, "rank": 2}'),
    files.file('future.json', '{"format": "polyad-model", "version": 99}'),
    files.file('list.json', '[1, 2, 3]'),
    files.file('rows.npz', DATA),
    files.path('nowhere.npz'),
    files.path('.'),
  ]
}

describe('damaged data', () => {
  it.each([
    ['classify', (data: string) => ['classify', model, data]],
    ['classify with covariates', (data: string) => ['classify', explained, data, '-o', files.path('out.csv')]],
    ['impute', (data: string) => ['impute', model, data, '-o', files.path('out.csv')]],
    ['rank', (data: string) => ['rank', data, '-k', '1..2', '--starts', '1']],
    ['sample', (data: string) => ['sample', explained, data, '-o', files.path('out.csv')]],
    ['clean', (data: string) => ['clean', `duckdb://${data}`]],
  ])('ends %s with words', async (name, args) => {
    for (const data of damagedData()) {
      // What is no table of the model's columns may be one for itself.
      if (name.startsWith('rank') && /other\.csv$/.test(data)) continue
      await refused(args(data))
    }
  })

  it('is an object with the reason if JSON is asked for', async () => {
    for (const data of [files.file('noise.parquet', noise), files.path('nowhere.csv')]) {
      const { code, stdout } = await polyad(['rank', data, '-k', '1..2', '--json', '-q'])
      expect(code).toBe(1)
      expect(JSON.parse(stdout).error.message).toContain(data)
    }
  })
})

describe('damaged models', () => {
  it.each([
    ['classify', (path: string) => ['classify', path, rows]],
    ['sample', (path: string) => ['sample', path, '-o', files.path('out.csv')]],
    ['sample with data', (path: string) => ['sample', path, rows, '-o', files.path('out.csv')]],
    ['show', (path: string) => ['show', path]],
    ['report', (path: string) => ['report', path, rows, '-o', files.path('out.html')]],
    ['update', (path: string) => ['update', path, rows, '-o', files.path('next.npz')]],
  ])('end %s with words', async (_, args) => {
    for (const path of damagedModels()) await refused(args(path))
  })
})
