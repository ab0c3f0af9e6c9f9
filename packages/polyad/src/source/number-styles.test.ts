import { describe, expect, it } from 'vitest'
import { testFolder } from '../../../../test/test-folder.ts'
import { twoReaders } from '../../../../test/two-readers.ts'
import { openTable } from '../table/memory/memory-table.ts'
import type { TableOptions } from '../table/reading/read-view.ts'
import { plainNumber } from '../table/values/number-style.ts'
import { readTensor } from './read-tensor.ts'

/** Numbers as people write them, by DuckDB and in memory. */
const both = twoReaders()
const { file } = testFolder()

interface Read {
  readonly labels: readonly { readonly labels: readonly unknown[] }[]
  readonly notes: readonly { readonly text: string }[]
}

const read = async (
  values: readonly string[],
  delimiter: string,
  options: TableOptions = {},
  more: readonly string[] = [],
) => {
  const quoted = (text: string) => (text.includes(delimiter) ? `"${text}"` : text)
  const rows = values.map((value, i) => [quoted(value), 'xy'[i % 2], ...more.slice(i, i + 1)].join(delimiter))
  const name = delimiter === '\t' ? 'numbers.tsv' : 'numbers.csv'
  const content = `${['x', 'g', ...(more.length > 0 ? ['z'] : [])].join(delimiter)}\n${rows.join('\n')}\n`
  const { readings, inspections } = await both(name, content, { modes: ['x', 'g'], ...options })
  expect(readings[1]).toEqual(readings[0])
  expect(inspections[1]).toEqual(inspections[0])
  const { labels, notes } = readings[0] as Read
  return {
    labels: labels[0].labels,
    notes: notes.map(({ text }) => text).filter(text => text.startsWith('read as numbers')),
  }
}

describe('numbers', () => {
  it('have signs of currencies and of percent', async () => {
    expect(await read(['$1,200.50', '$45', '-$3.25'], ',')).toEqual({
      labels: [-3.25, 45, 1200.5],
      notes: ['read as numbers: x ("$1,200.50" is 1200.5)'],
    })
    expect(await read(['45%', '5%', '12,5%'], ';')).toEqual({
      labels: [5, 12.5, 45],
      notes: ['read as numbers: x ("12,5%" is 12.5)'],
    })
    expect((await read(['€ 3,50', '1.200,00 €', '7 EUR'], ',')).labels).toEqual([3.5, 7, 1200])
    expect((await read(['10%', '20%'], '\t')).labels).toEqual([10, 20])
  })

  it('have thousands, apart by commas, points, blanks or apostrophes', async () => {
    expect((await read(['1,234,567', '1,000', '12'], '\t')).labels).toEqual([12, 1000, 1234567])
    expect((await read(['1.234.567,5', '1.000', '12'], ';')).labels).toEqual([12, 1000, 1234567.5])
    expect((await read(["1'234.50", '999.95'], ',')).labels).toEqual([999.95, 1234.5])
    expect((await read(['1 234,5', '12\u00a0000', '7'], ';')).labels).toEqual([7, 1234.5, 12000])
  })

  it('with a decimal comma beyond doubt need no note', async () => {
    expect(await read(['1,5', '2,25', '10'], ';')).toEqual({ labels: [1.5, 2.25, 10], notes: [] })
    expect(await read(['0,125', '1,250'], ';')).toEqual({ labels: [0.125, 1.25], notes: [] })
  })

  it('with three digits after a comma are decimals between semicolons, and thousands between commas', async () => {
    expect(await read(['1,234', '2,500', '3'], ';')).toEqual({
      labels: [1.234, 2.5, 3],
      notes: [`read as numbers: x ("1,234" is 1.234); if commas separate thousands, use decimal '.'`],
    })
    expect(await read(['1,234', '2,500', '3'], ',')).toEqual({
      labels: [3, 1234, 2500],
      notes: [`read as numbers: x ("1,234" is 1234); if it is a decimal comma, use decimal ','`],
    })
    // Elsewhere it cannot be told.
    expect(await read(['1,234', '2,500', '3'], '\t')).toEqual({ labels: ['1,234', '2,500', '3'], notes: [] })
    // Unless another column has decimals, or thousands are written without commas.
    expect((await read(['1,234', '2,500', '3'], '\t', {}, ['0,5', '1,5', '2'])).labels).toEqual([1.234, 2.5, 3])
    expect((await read(['1,234', '2,500', '3'], ';', {}, ['$0.5', '$1.5', '$2'])).labels).toEqual([3, 1234, 2500])
    expect((await read(['1,234', '2500', '3'], '\t')).labels).toEqual([1.234, 3, 2500])
  })

  it('are read as it is said', async () => {
    const values = ['1,234', '2,500', '3']
    for (const options of [{ decimal: '.' }, { thousands: ',' }] as const) {
      expect((await read(values, ';', options)).labels).toEqual([3, 1234, 2500])
      expect((await read(values, '\t', options)).labels).toEqual([3, 1234, 2500])
    }
    expect((await read(values, ',', { decimal: ',' })).labels).toEqual([1.234, 2.5, 3])
    expect((await read(['1.234', '2.500', '3'], ';', { thousands: '.' })).labels).toEqual([3, 1234, 2500])
    // What a style does not know stays as it is.
    expect((await read(['1.25', '2.5', '3'], ';', { decimal: ',' })).labels).toEqual([1.25, 2.5, 3])
    const wrong = await both('a.csv', 'a,b\n1,2\n', { decimal: ',', thousands: ',' })
    expect(wrong.readings[0]).toBe('OptionError: decimal must differ from thousands (got ",")')
    expect(wrong.readings[1]).toBe(wrong.readings[0])
  })

  it('that are not all numbers are texts', async () => {
    expect((await read(['$1,200', 'free', '$3'], ',')).labels).toEqual(['$1,200', '$3', 'free'])
    expect((await read(['1.5', '1,5'], ';')).labels).toEqual(['1,5', '1.5'])
    expect((await read(['12,34,5', '1'], ';')).labels).toEqual(['1', '12,34,5'])
    for (const text of ['1,23,456', '5%%', '$', '1 23', 'EUR', '1e5', '0,123,456'])
      expect(plainNumber(text, 'point'), text).toBe(text)
  })

  it('are cut, and codes for missing values are compared with them', async () => {
    const { labels } = await read(['$1,200.50', '$900', '-$99', '$1,100'], ',', { bins: ['x:1000'], missing: ['-99'] })
    expect(labels).toEqual(['[0,1000)', '[1000,2000)'])
  })

  it('of new data are read as those of a model, where they could be read both ways', async () => {
    const { recipe, tensor } = await readTensor(file('model.csv', 'x;g\n1,234;a\n2,5;b\n1,234;b\n'), {
      modes: ['x', 'g'],
    })
    expect(recipe.modes[0]).toEqual({ column: 'x', style: 'comma' })
    const opened = await openTable({ name: 'new.csv', text: 'x,g\n"1,234",a\n"1,234",b\n' })
    expect((await opened.rowCodes(recipe, tensor.modes)).codes[0]).toEqual(Int32Array.from([0, 0]))
    const plain = await openTable({ name: 'new.csv', text: 'x,g\n1.234,a\n2.5,b\n' })
    expect((await plain.rowCodes(recipe, tensor.modes)).codes[0]).toEqual(Int32Array.from([0, 1]))
  })
})
