import { describe, expect, it } from 'vitest'
import { testFolder } from '../../../../test/test-folder.ts'
import { readTwice as readTensor, twoReaders } from '../../../../test/two-readers.ts'
import { openTable } from '../table/memory/memory-table.ts'
import { columnCode, namesColumns } from '../table/values/column-code.ts'
import { checkRecipe } from '../table/view/recipe.ts'

/** Codes for missing values of single columns, by DuckDB and in memory. */
const both = twoReaders()
const { file } = testFolder()

const rows = ['1,8,8', '2,9,1', '8,1,2', '9,2,77', '1,1,77', '2,2,1', '1,1,8', '2,2,2']
const table = `trust0,trust1,age\n${rows.join('\n')}\n`
const modes = ['trust0', 'trust1', 'age']

/** The labels of the modes under options, by both readers. */
const labelsOf = async (missingIn: readonly string[], more: object = {}) => {
  const { readings, inspections } = await both('codes.csv', table, { missingIn, modes, ...more })
  expect(readings[1]).toEqual(readings[0])
  expect(inspections[1]).toEqual(inspections[0])
  const [read] = readings as { labels: { labels: unknown }[]; notes: { text: string }[]; recipe: unknown }[]
  return {
    labels: read.labels.map(({ labels }) => labels),
    notes: read.notes.map(({ text }) => text),
    recipe: read.recipe,
  }
}

describe('codes for missing values of single columns', () => {
  it('hold there alone, and in all columns that a pattern finds', async () => {
    expect((await labelsOf(['trust0:8,9'])).labels).toEqual([
      [1, 2],
      [1, 2, 8, 9],
      [1, 2, 8, 77],
    ])
    expect((await labelsOf(['TRUST*:8,9', 'age:77'])).labels).toEqual([
      [1, 2],
      [1, 2],
      [1, 2, 8],
    ])
    expect((await labelsOf(['trust*:8', 'trust1:9'], { missing: ['77'] })).labels).toEqual([
      [1, 2, 9],
      [1, 2],
      [1, 2, 8],
    ])
    expect((await labelsOf(['trust0:8,9'], { trim: true, ignoreCase: true })).labels[0]).toEqual([1, 2])
  })

  it('are numbers however they are written', async () => {
    const { readings } = await both('pandas.csv', 'q,g\n1.0,a\n8.0,b\n2.0,a\n1.0,b\n', {
      missingIn: ['q:8'],
      modes: ['q', 'g'],
    })
    expect(readings[0]).toMatchObject({ labels: [{ labels: [1, 2] }, { labels: ['a', 'b'] }] })
    expect(readings[1]).toEqual(readings[0])
  })

  it('are named where they match nothing, and refused where there is no such column', async () => {
    expect((await labelsOf(['trust0:8,66'])).notes).toContain(
      '66 in trust0: no value matches the missing code; check how it is written',
    )
    for (const [missingIn, said] of [
      [
        'trsut0:8',
        /OptionError: missingIn 'trsut0:8': .*codes.csv has no column "trsut0"; did you mean "trust0"\? \(put a code with a colon in double quotes/,
      ],
      [
        'trsut*:8',
        /OptionError: missingIn 'trsut\*:8': no column of .*codes.csv matches trsut\* \(its columns are trust0, /,
      ],
      ['77,trust0:8', /names codes before a column \(give codes for all columns and codes for one column separately\)/],
      ['"trust*":8', /has no column "trust\*"/],
      ['8', /OptionError: missingIn must name a column and its codes, as in trust0:8,9 \(got "8"\)/],
    ] as const) {
      const { readings } = await both('codes.csv', table, { missingIn: [missingIn], modes })
      expect(readings[0]).toMatch(said)
      expect(readings[1]).toBe(readings[0])
    }
  })

  it('may belong to columns with colons in their names', async () => {
    const { readings } = await both('colons.csv', 'a:b,c\n1,x\n8,y\n2,x\n', {
      missingIn: ['a:b:8'],
      modes: ['a:b', 'c'],
    })
    expect(readings[0]).toMatchObject({ labels: [{ labels: [1, 2] }, { labels: ['x', 'y'] }] })
    expect(readings[1]).toEqual(readings[0])
    // Where a is a column too, the name stands in quotes.
    const two = await both('two.csv', 'a,a:b\n1,b:8\n2,8\n1,9\n2,9\n', { missingIn: ['"a:b":8'], modes: ['a', 'a:b'] })
    expect(two.readings[0]).toMatchObject({ labels: [{ labels: [1, 2] }, { labels: ['9', 'b:8'] }] })
    expect(two.readings[1]).toEqual(two.readings[0])
    expect(columnCode('a:b', ['8', 'x,y'])).toBe('"a:b":8,"x,y"')
    expect(['trust*:8', '"a:b":8', 'x:1,2'].map(namesColumns)).toEqual([true, true, true])
    expect(['99', '"12:30",8', ':-)', 'a,b'].map(namesColumns)).toEqual([false, false, false, false])
  })

  it('are kept with a model, whose rows are read so', async () => {
    const { recipe, tensor } = await readTensor(file('codes.csv', table), { missingIn: ['trust*:8,9'], modes })
    expect(recipe.missingIn).toEqual({ trust0: ['8', '9'], trust1: ['8', '9'] })
    const kept = checkRecipe(JSON.parse(JSON.stringify(recipe)), modes)
    const opened = await openTable({ name: 'new.csv', text: 'Trust0,trust1,age\n8,1,8\n1,9,2\n' })
    const { codes } = await opened.rowCodes(kept, tensor.modes)
    expect(codes.map(own => [...own])).toEqual([
      [-1, 0],
      [0, -1],
      [2, 1],
    ])
    expect(() => checkRecipe({ ...recipe, missingIn: { trust0: [8] } }, modes)).toThrow(
      'recipe.missingIn.trust0[0] must be text (got 8)',
    )
  })
})
