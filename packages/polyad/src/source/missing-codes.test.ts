import { describe, expect, it } from 'vitest'
import { twoReaders } from '../../../../test/two-readers.ts'
import type { TableOptions } from '../table/reading/read-view.ts'

/** Codes for missing values are compared as the labels they become, by both readers. */

const both = twoReaders()

interface Read {
  readonly labels: readonly { readonly labels: readonly unknown[] }[]
  readonly notes: readonly { readonly kind: string; readonly text: string }[]
}

const read = async (content: string, options: TableOptions, name = 'codes.csv'): Promise<Read | string> => {
  const { readings } = await both(name, content, options)
  expect(readings[1]).toEqual(readings[0])
  return readings[0] as Read | string
}

const labels = async (values: readonly string[], missing: readonly string[]) => {
  const text = `q,g\n${values.map((value, i) => `${value},${'xy'[i % 2]}`).join('\n')}\n`
  const found = (await read(text, { missing, modes: ['q', 'g'] })) as Read
  return { labels: found.labels[0].labels, warnings: found.notes.filter(({ kind }) => kind === 'warning') }
}

describe('a code for missing values', () => {
  it('is one number however it is written, as a program writes numbers', async () => {
    const pandas = ['1.0', '2.0', '8.0', '', '9.0', '1.0']
    expect(await labels(pandas, ['8', '9'])).toEqual({ labels: [1, 2], warnings: [] })
    expect(await labels(pandas, ['8.00', '9e0'])).toEqual({ labels: [1, 2], warnings: [] })
    expect((await labels(['1', '8', '2'], ['8.0'])).labels).toEqual([1, 2])
    // 008 is no number: as a label it keeps its zeros.
    expect((await labels(['001', '008', '002'], ['8'])).labels).toEqual(['001', '002', '008'])
    expect((await labels(['001', '008', '002'], ['008'])).labels).toEqual(['001', '002'])
    // Among words too: a column of words in which some are left.
    expect((await labels(['yes', '8.0', 'no'], ['8'])).labels).toEqual(['no', 'yes'])
  })

  it('that matches nothing is named', async () => {
    const { warnings } = await labels(['1', '2', '8'], ['8', '-9', 'Refused'])
    expect(warnings.map(({ text }) => text)).toEqual([
      'no value in the columns used matches the missing codes -9, "Refused"; check how they are written',
    ])
    // It is looked for in all rows before it is named.
    const late = `${'1,x\n2,y\n'.repeat(10_100)}99,x\n`
    const found = (await read(`q,g\n${late}`, { missing: ['99'] }, 'late.csv')) as Read
    expect(found.notes.filter(({ kind }) => kind === 'warning')).toEqual([])
  })

  it('cannot be for one column, unless that is a value', async () => {
    const text = 'trust0,time\n1,12:30\n8,12:45\n2,12:30\n1,12:45\n'
    expect(await read(text, { missing: ['trust0:8'], modes: ['trust0', 'time'] })).toBe(
      "OptionError: missing 'trust0:8': no value is written so. For codes of one column, use missingIn 'trust0:8'",
    )
    expect(await read(text, { missing: ['12:30'], modes: ['trust0', 'time'] })).toMatchObject({
      labels: [{}, { labels: ['12:45'] }],
    })
    const own = 'a,b\na:1,x\na:2,y\na:1,y\n'
    expect(await read(own, { missing: ['a:1'], modes: ['a', 'b'] })).toMatchObject({
      labels: [{ labels: ['a:2'] }, {}],
    })
  })
})
