import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { DataError } from '@polyad/core'
import { describe, expect, it } from 'vitest'
import { mutate, randomNumbers } from '../../../../../test/mutations.ts'
import { unpacked } from '../files/unpack.ts'
import { readR } from './r-data.ts'
import type { SurveyFile, SurveyVariable } from './survey-file.ts'
import { surveyTable } from './survey-table.ts'
import { ibmNumber, readXpt } from './xpt.ts'

/** Files of R and SAS, and what R and pyreadstat read from them: test/data/r-sas/README.md. */
const folder = new URL('../../../../../test/data/r-sas/', import.meta.url)
const bytesOf = async (name: string) => unpacked(name, new Uint8Array(readFileSync(new URL(name, folder))))
const read = async (name: string, sheet?: string): Promise<SurveyFile> => {
  const options = sheet === undefined ? {} : { sheet }
  return (name.endsWith('.xpt') ? readXpt : readR)(name, await bytesOf(name), options)
}
const files = readdirSync(folder)

interface Expected {
  readonly columns: readonly {
    readonly name: string
    readonly label?: string
    readonly ordinal?: boolean
    readonly labels?: readonly (readonly [string, string])[]
    readonly values: readonly (string | number | null)[]
  }[]
}
const expected = (name: string): Expected => JSON.parse(readFileSync(new URL(name, folder), 'utf8'))

/** Every value as it is shown. */
const valuesOf = ({ values: { values, codes }, shown }: SurveyVariable) =>
  Array.from(codes, code => {
    const value = values[code] ?? null
    return typeof value === 'number' ? (shown?.(value) ?? value) : value
  })

const frames: readonly { name: string; sheet?: string }[] = [
  ...['base.rds', 'base-plain.rds', 'base-2.rds', 'one.RData'].map(name => ({ name })),
  { name: 'several.rda', sheet: 'frame' },
]

describe('a data frame of R', () => {
  it.each(frames)('$name has the values that R says', async ({ name, sheet }) => {
    const { columns } = expected('base.json')
    const { variables, rows, notes } = await read(name, sheet)
    expect(rows).toBe(12)
    expect(variables.map(variable => variable.name)).toEqual(columns.map(column => column.name))
    expect(notes.map(({ text }) => text)).toEqual([`${name}: columns of lists or of other values are left out: nested`])
    for (const [i, { name: own, values, ordinal, labels = [] }] of columns.entries()) {
      const variable = variables[i]
      expect(variable.ordinal, own).toBe(ordinal)
      expect(
        variable.labels.map(({ code, text }) => [`${code}`, text]),
        own,
      ).toEqual(labels)
      const found = valuesOf(variable)
      const isFactor = labels.length > 0 && values.some(value => labels.some(([, text]) => text === value))
      const texts = isFactor
        ? found.map(code => variable.labels.find(label => label.code === code)?.text ?? null)
        : found
      const same = (value: unknown, wanted: unknown) =>
        typeof value === 'number' ? Number(value.toPrecision(15)) === Number(wanted) : value === wanted
      for (const [row, value] of texts.entries())
        expect(same(value, values[row]), `${own} ${row}: ${value} ${values[row]}`).toBe(true)
    }
  })

  it('gives factors in the order of their levels, labels by their codes, and what it declares as missing', async () => {
    const { columns } = surveyTable(await read('base.rds'))
    const of = (name: string) => columns.find(column => column.name === name)
    expect(of('party')?.meaning.order).toEqual(['Zebra', 'Ape', 'Mole', 'Yak'])
    expect(of('mood')?.meaning).toMatchObject({ order: ['bad', 'fair', 'good'], ordered: true })
    expect(of('trust')?.meaning).toMatchObject({ title: 'Trust in people', declaredMissing: 'lowest to 0, 9' })
    expect(of('trust')?.texts).toEqual(['none', 'some', 'much', '8'])
    expect(of('tagged')?.texts).toEqual(['low', 'high'])
    expect(of('region')?.meaning.order).toEqual(['East', 'North', 'South'])
  })

  it('is the first of a file, or the one that is asked for', async () => {
    const first = await read('several.rda')
    expect(first.sheets).toEqual(['latin', 'frame'])
    expect(first.notes.map(({ text }) => text)).toContain(
      `several.rda: the data frame "latin" is read; there is also "frame" (for another, use sheet 'frame')`,
    )
    expect(first.variables[0].labels.map(({ text }) => text)).toEqual(['Bräunlage', 'Köln'])
    await expect(read('several.rda', 'nix')).rejects.toThrow('it has 1 "latin", 2 "frame"')
  })

  it.each([
    ['base-xz.rds', 'is packed with xz, which cannot be read here: in R, save it again with saveRDS'],
    ['base-bzip2.rds', 'is packed with bzip2'],
    ['base-ascii.rds', 'is in an old format of R'],
    ['model.rds', 'model.rds holds'],
    [
      'table.rds',
      'table.rds holds an object of class "table", not a data frame: in R, save one with saveRDS(as.data.frame(x)',
    ],
  ])('%s is refused, with what to do', async (name, said) => {
    await expect(read(name)).rejects.toThrow(said)
    await expect(read(name)).rejects.toThrow(DataError)
  })
})

describe('a transport file of SAS', () => {
  it.each(files.filter(name => name.endsWith('.xpt')))('%s has the values that pyreadstat reads', async name => {
    const { columns } = expected(`${name}.json`)
    const { variables } = await read(name)
    expect(variables.map(variable => variable.name)).toEqual(columns.map(column => column.name))
    for (const [i, { name: own, label, values }] of columns.entries()) {
      expect(variables[i].title, own).toBe(label)
      expect(valuesOf(variables[i]).length, own).toBe(values.length)
      valuesOf(variables[i]).forEach((value, row) => {
        const wanted = values[row]
        // The last bits of a number are rounded by one, and cut by the other.
        if (typeof value === 'number')
          expect(Math.abs(value - Number(wanted))).toBeLessThanOrEqual(2e-16 * Math.abs(value))
        else expect(value, `${own} ${row}`).toBe(wanted)
      })
    }
  })

  it('has numbers of IBM, of any width', () => {
    const of = (...bytes: number[]) => ibmNumber(Uint8Array.from(bytes), 0, bytes.length)
    // By the definition: 1 = 0.0625 · 16, −118.625 = −0x76A · 16⁻¹, as the documents of IBM have it.
    expect([of(0x41, 0x10, 0, 0, 0, 0, 0, 0), of(0xc2, 0x76, 0xa0, 0), of(0x40, 0x80), of(0, 0, 0)]).toEqual([
      1, -118.625, 0.5, 0,
    ])
    expect([of(0x2e, 0, 0, 0), of(0x41, 0, 0, 0), of(0x5f, 0, 0)]).toEqual([undefined, undefined, undefined])
  })
})

it('what is packed has a limit', async () => {
  const packed = gzipSync(new Uint8Array(1_000_000))
  expect((await unpacked('x.rds', packed)).length).toBe(1_000_000)
  await expect(unpacked('x.rds', packed, { most: 999_999, freely: 999_999, ratio: 1 })).rejects.toThrow(
    'x.rds unpacks to more than 999,999 bytes, the limit for a packed file',
  )
})

/** Mutations of every file. */
const MUTATIONS = 300

describe('files that are damaged', () => {
  it.each(files.filter(name => /base-plain|base-2|several|model|xpt$/.test(name)))(
    '%s is read, or refused by a DataError that names it',
    async name => {
      const bytes = new Uint8Array(await bytesOf(name))
      const random = randomNumbers(bytes.length)
      let refused = 0
      for (let n = 0; n < MUTATIONS; n++) {
        const damaged = mutate(bytes, random)
        try {
          const { rows, columns } = surveyTable(await (name.endsWith('.xpt') ? readXpt : readR)(name, damaged))
          expect(columns.every(({ codes }) => codes.length === rows)).toBe(true)
        } catch (error) {
          expect(error, `mutation ${n}`).toBeInstanceOf(DataError)
          expect((error as Error).message, `mutation ${n}`).toContain(name)
          expect((error as Error).message, `mutation ${n}`).not.toMatch(/undefined|null|NaN/)
          refused++
        }
      }
      expect(refused).toBeGreaterThan(0)
    },
  )
})
