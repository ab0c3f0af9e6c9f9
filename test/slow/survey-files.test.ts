import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { Mode } from '@polyad/core'
import { describe, expect, it } from 'vitest'
import { readTensor } from '../../packages/polyad/src/source/read-tensor.ts'
import { openTable } from '../../packages/polyad/src/table/memory/memory-table.ts'
import type { ReadResult } from '../../packages/polyad/src/table/reading/read-view.ts'
import { testFolder } from '../test-folder.ts'
import { twoReaders } from '../two-readers.ts'

/** Files of SPSS and Stata that other programs wrote, read through DuckDB and in memory. */
const folder = fileURLToPath(new URL('../data/survey/', import.meta.url))
const bytesOf = (name: string) => new Uint8Array(readFileSync(folder + name))
const files = readdirSync(folder).filter(name => /\.(z?sav|dta)$/.test(name))
const { file } = testFolder()
const both = twoReaders()
const texts = ({ notes }: ReadResult) => notes.map(({ text }) => text)

it.each(files)('%s is read alike by DuckDB and in memory', async name => {
  const modes = /haven/.test(name) ? ['mood'] : /1252/.test(name) ? ['größe', 'ort'] : undefined
  const { readings, inspections } = await both(name, bytesOf(name), modes === undefined ? {} : { modes })
  expect(typeof readings[0], String(readings[0])).toBe('object')
  expect(readings[1]).toEqual(readings[0])
  expect(inspections[1]).toEqual(inspections[0])
})

const sheets = fileURLToPath(new URL('../data/sheets/', import.meta.url))

it.each(readdirSync(sheets).filter(name => /\.(xlsx|ods)$/.test(name)))(
  '%s is read alike by DuckDB and in memory',
  async name => {
    const bytes = new Uint8Array(readFileSync(sheets + name))
    const { readings, inspections } = await both(name, bytes, name === 'libreoffice.ods' ? { sheet: '2' } : {})
    expect(typeof readings[0], String(readings[0])).toBe('object')
    expect(readings[1]).toEqual(readings[0])
    expect(inspections[1]).toEqual(inspections[0])
    const wrong = await both(name, bytes, { sheet: 'nix' })
    expect(wrong.readings[0]).toMatch(/OptionError: sheet 'nix': .* has no such sheet; it has 1 "/)
    expect(wrong.readings[1]).toBe(wrong.readings[0])
  },
)

const others = fileURLToPath(new URL('../data/r-sas/', import.meta.url))

it.each(readdirSync(others).filter(name => /\.(rds|rda|RData|xpt)$/.test(name)))(
  '%s is read alike by DuckDB and in memory',
  async name => {
    const bytes = new Uint8Array(readFileSync(others + name))
    const modes = /^(base|one)/.test(name) ? ['party', 'mood', 'trust'] : /narrow/.test(name) ? ['q'] : undefined
    const { readings, inspections } = await both(name, bytes, modes === undefined ? {} : { modes })
    if (/xz|bzip2|ascii|model|table/.test(name)) expect(readings[0]).toMatch(/^DataError: /)
    else if (!/several/.test(name)) expect(typeof readings[0], String(readings[0])).toBe('object')
    expect(readings[1]).toEqual(readings[0])
    expect(inspections[1]).toEqual(inspections[0])
  },
)

it('a data frame of R keeps the order of its factors, and may come without an ending', async () => {
  const options = { modes: ['party', 'mood', 'trust', 'moment'], bins: ['moment:year'] }
  const { tensor, notes } = await readTensor(`${others}base.rds`, options)
  expect(tensor.modes.map(({ labels, ordered }) => ({ labels, ordered }))).toEqual([
    // Nobody chose the Yak.
    { labels: ['Ape', 'Mole'], ordered: false },
    { labels: ['bad', 'fair', 'good'], ordered: true },
    { labels: ['none', 'some', 'much', '8'], ordered: false },
    { labels: [1999, 2000], ordered: true },
  ])
  expect(notes.map(({ text }) => text)).toContain(
    'categories are value labels, in the order of their codes: party, mood, trust',
  )
  for (const name of ['base.rds', 'base-plain.rds', 'one.RData'])
    expect(
      (await readTensor(file(`unnamed-${name.length}`, new Uint8Array(readFileSync(others + name))), options)).tensor,
    ).toEqual(tensor)
})

it('a sheet is for spreadsheets', async () => {
  const { readings } = await both('a.csv', 'a,b\n1,2\n', { sheet: '1' })
  expect(readings[0]).toMatch(
    /^OptionError: sheet is for Excel, OpenDocument, R and SAS files, and .*a\.csv is a \.csv file$/,
  )
  expect(readings[1]).toBe(readings[0])
})

describe('an SPSS file', () => {
  const options = { modes: ['trust', 'party'] }

  it('gives labels in the order of their codes, ordered if it is ordinal, and missing as it declares', async () => {
    const read = await readTensor(`${folder}pspp-bytes.sav`, options)
    const { modes } = read.tensor
    expect(modes[0]).toMatchObject({ labels: ['none', 'some', 'much', 'full', 'not asked'], ordered: true })
    expect(modes[1]).toMatchObject({ labels: ['Zebra', 'Ape', 'Mole'], ordered: false })
    // One row has neither.
    expect(read).toMatchObject({ rows: 7, dropped: 1 })
    expect(read.tensor.missing).toEqual([true, false])
    expect(texts(read)).toContain('categories are value labels, in the order of their codes: trust, party')
    expect(texts(read)).toContain('missing, as the file declares: trust (lowest to 0, 8)')
  })

  it('proposes the weight variable that it declares, which is no mode', async () => {
    const read = await readTensor(`${folder}pspp-none.sav`)
    expect(texts(read).filter(text => text.includes('wt'))).toEqual([
      "the file declares wt as its weight variable: use weights 'wt'; until then every row counts once",
    ])
    expect(read.tensor.modes.map(({ name }) => name)).not.toContain('wt')
    const weighted = await readTensor(`${folder}pspp-none.sav`, { ...options, weights: 'wt' })
    expect(texts(weighted).join()).not.toContain('declares wt')
    expect(weighted.source.weights).toBe('wt')
  })

  it('may be gzipped, without an ending, several, or the table of a query', async () => {
    const plain = await readTensor(`${folder}pspp-bytes.sav`, options)
    const packed = file('packed.sav.gz', gzipSync(bytesOf('pspp-bytes.sav')))
    expect((await readTensor(packed, options)).tensor).toEqual(plain.tensor)
    const unnamed = file('unnamed', bytesOf('pspp-zlib.zsav'))
    expect((await readTensor(unnamed, options)).tensor).toEqual(plain.tensor)
    const twice = await readTensor([`${folder}pspp-bytes.sav`, `${folder}pspp-zlib.zsav`], options)
    expect(twice.tensor.total).toBe(2 * plain.tensor.total)
    expect(twice.tensor.modes).toEqual(plain.tensor.modes)
    const sql = "SELECT trust, party FROM data WHERE region <> 'south'"
    const queried = await readTensor(`${folder}pspp-bytes.sav`, { ...options, sql })
    expect(queried.tensor.modes[0].labels).toEqual(['none', 'much', 'full', 'not asked'])
  })

  it('has dates that can be cut', async () => {
    const { tensor } = await readTensor(`${folder}pspp-bytes.sav`, { modes: ['day'], bins: ['day:month'] })
    expect(tensor.modes[0].labels?.slice(0, 3)).toEqual(['January', 'February', 'March'])
  })

  it('is refused where it is damaged, and says where', async () => {
    const cut = file('cut.sav', bytesOf('pspp-none.sav').subarray(0, 15_000))
    await expect(readTensor(cut)).rejects.toThrow(`${cut} is cut short: it declares 7 cases, and has 6`)
    const broken = file('broken.sav', bytesOf('pspp-none.sav').fill(200, 176, 180))
    await expect(readTensor(broken)).rejects.toThrow(`${broken} is damaged at byte 176: there is no record of type`)
  })
})

describe('a Stata file', () => {
  it('gives labels in the order of their codes, and all kinds of missing values as missing', async () => {
    const { tensor } = await readTensor(`${folder}haven-14.dta`, { modes: ['mood', 'yes'] })
    expect(tensor.modes[0].labels).toEqual(['bad', 'fair', 'good'])
    expect(tensor.marginals[0]).toEqual(Float64Array.of(1, 1, 1))
  })
})

it('categories without an order of their own keep that of their codes where labels are trimmed, or their case ignored', async () => {
  const reading = { modes: ['party'], trim: true, ignoreCase: true, missingAs: 'nobody' }
  const { tensor } = await readTensor(`${folder}pspp-bytes.sav`, reading)
  expect(tensor.modes[0].labels).toEqual(['Zebra', 'Ape', 'Mole', 'nobody'])
})

it('rows for a model are read by its labels, or by its codes', async () => {
  const { recipe, tensor } = await readTensor(`${folder}pspp-bytes.sav`, { modes: ['party', 'income'] })
  const table = await openTable({ name: 'new.sav', bytes: bytesOf('pspp-bytes.sav') })
  const { codes, unknown } = await table.rowCodes(recipe, tensor.modes)
  expect(unknown).toEqual([0, 0])
  expect([...codes[0]]).toEqual([0, 1, 2, 0, 1, -1, 2])
  // A model that knows the codes reads codes.
  const byCode = await table.rowCodes({ modes: [{ column: 'party' }], missing: [] }, [new Mode('party', [1, 2, 3])])
  expect([...byCode.codes[0]]).toEqual([0, 1, 2, 0, 1, -1, 2])
})

it('a survey with labels is the same table as its codes in CSV, and its categories have names', async () => {
  const labelled = await readTensor(`${folder}election.zsav`)
  const coded = await readTensor(`${folder}../election.csv`)
  expect(labelled.tensor.indices).toEqual(coded.tensor.indices)
  expect(labelled.tensor.values).toEqual(coded.tensor.values)
  expect(labelled.dropped).toBe(coded.dropped)
  expect(labelled.tensor.modes.map(({ name }) => name)).toEqual(coded.tensor.modes.map(({ name }) => name))
  const answers = ['Extremely well', 'Quite well', 'Not too well', 'Not well at all']
  expect(labelled.tensor.modes[0]).toMatchObject({ labels: answers, ordered: true })
})
