import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readDta } from './dta.ts'
import { readSav } from './sav.ts'
import type { Code, SurveyVariable } from './survey-file.ts'

/** Files that other programs wrote, and what pyreadstat reads from them: test/data/survey/README.md. */
const folder = new URL('../../../../../test/data/survey/', import.meta.url)
const files = readdirSync(folder).filter(name => /\.(z?sav|dta)$/.test(name) && name !== 'election.zsav')

interface Expected {
  readonly rows: number
  readonly columns: readonly {
    readonly name: string
    readonly label: string
    readonly measure: string
    readonly labels: readonly (readonly [Code, string])[]
    readonly missing: readonly { readonly lo: Code; readonly hi: Code }[]
    readonly values: readonly (Code | null)[]
  }[]
}

const read = (name: string) => {
  const bytes = new Uint8Array(readFileSync(new URL(name, folder)))
  return (name.endsWith('.dta') ? readDta : readSav)(name, bytes)
}

/** Every value as it is shown: dates as texts. */
const valuesOf = ({ values: { values, codes }, shown }: SurveyVariable) =>
  Array.from(codes, code => {
    const value = values[code] ?? null
    return typeof value === 'number' ? (shown?.(value) ?? value) : value
  })

/** Numbers of single precision are read by their shortest digits, and pyreadstat gives all of them. */
const single = (value: Code | null, expected: Code | null) =>
  typeof value === 'number' && Math.fround(value) === expected ? expected : value

/** In Stata's files .a to .z may have labels, which pyreadstat gives by their letter. */
const isKindOfMissing = (name: string, code: Code) => name.endsWith('.dta') && typeof code === 'string'

describe.each(files)('%s', name => {
  const expected: Expected = JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'))

  it('has the values that pyreadstat reads', async () => {
    const { rows, variables } = await read(name)
    expect(rows).toBe(expected.rows)
    expect(variables.map(variable => variable.name)).toEqual(expected.columns.map(column => column.name))
    for (const [i, column] of expected.columns.entries())
      expect(
        valuesOf(variables[i]).map((value, row) => single(value, column.values[row])),
        column.name,
      ).toEqual(column.values)
  })

  it('has the labels, missing values and levels that pyreadstat reads', async () => {
    const { variables } = await read(name)
    for (const [i, { name: own, label, labels, measure, missing, values }] of expected.columns.entries()) {
      const variable = variables[i]
      expect(variable.title, own).toBe(label)
      expect(new Map(variable.labels.map(({ code, text }) => [code, text])), own).toEqual(
        new Map(labels.filter(([code]) => !isKindOfMissing(name, code))),
      )
      if (!name.endsWith('.dta')) expect(variable.ordinal, own).toBe(measure === 'ordinal')
      for (const value of values.filter(each => each !== null)) {
        const isMissing = missing.some(({ lo, hi }) => value >= lo && value <= hi)
        expect(variable.missing?.isMissing(value) ?? false, `${own} ${value}`).toBe(isMissing)
      }
    }
  })
})

describe('a file with the larger byte first', () => {
  it('reads like one with the smaller byte first', async () => {
    const [little, big] = await Promise.all([true, false].map(each => readSav('x.sav', smallSav(each))))
    expect(big).toEqual(little)
    expect(little.weight).toBe('b')
    expect(little.variables.map(valuesOf)).toEqual([
      [1, 2.5, null],
      [-3, 251, 1e10],
    ])
  })
})

it('long names are found by short ones in which a letter is cut', async () => {
  const utf8 = (name: string) => Buffer.from(name).toString('latin1')
  const short = ['größeö', 'größeä'].map(name => utf8(name).slice(0, 8))
  const long = short.map((name, i) => `${name}=${utf8(['größe der eltern', 'größe der kinder'][i])}`)
  expect(short[0]).toBe(short[1])
  const apart = [short[0], short[1].replace('g', 'k')]
  const { variables } = await readSav(
    'x.sav',
    smallSav(true, apart, [long[0], long[1].replace('g', 'k')].join('\t'), 65_001),
  )
  expect(variables.map(({ name }) => name)).toEqual(['größe der eltern', 'größe der kinder'])
})

it('an encoding that is given replaces the one that a file declares', async () => {
  const bytes = smallSav(true, ['\xe9', 'B'], '\xe9=\xe9t\xe9\tB=b')
  expect((await readSav('x.sav', bytes)).variables[0].name).toBe('été')
  expect((await readSav('x.sav', bytes, 'windows-1251')).variables[0].name).toBe('йtй')
})

/** Two variables and three cases, as the format is documented, in either order of the bytes. */
const smallSav = (littleEndian: boolean, names = ['A', 'B'], longNames = 'A=a\tB=b', codePage = 1252): Uint8Array => {
  const bytes: number[] = []
  const text = (own: string, length: number) => bytes.push(...Buffer.from(own.padEnd(length), 'latin1'))
  const number = (value: number, float = false) => {
    const view = new DataView(new ArrayBuffer(float ? 8 : 4))
    if (float) view.setFloat64(0, value, littleEndian)
    else view.setInt32(0, value, littleEndian)
    bytes.push(...new Uint8Array(view.buffer))
  }
  text('$FL2', 4)
  text('@(#) SPSS DATA FILE', 60)
  for (const value of [2, 2, 1, 2, 3]) number(value)
  number(100, true)
  text('', 9 + 8 + 64 + 3)
  for (const name of names) {
    for (const value of [2, 0, 0, 0, 0x050800, 0x050800]) number(value)
    text(name, 8)
  }
  // The machine, with the code page at the end; and long names.
  for (const value of [7, 3, 4, 8, 20, 0, 0, -1, 1, 1, 2, codePage]) number(value)
  for (const value of [7, 13, 1, longNames.length]) number(value)
  text(longNames, longNames.length)
  number(999)
  number(0)
  bytes.push(101, 97, 253, 253, 255, 253, 252, 0)
  for (const value of [2.5, 251, 1e10]) number(value, true)
  return Uint8Array.from(bytes)
}
