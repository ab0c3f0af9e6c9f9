import { normal, ordinal, tensorFromRows } from '@polyad/core'
import { inWords } from '@polyad/core/options'
import { expect, it } from 'vitest'
import { scaleNotes, stepNotes } from './item-notes.ts'

const data = tensorFromRows(
  [
    [1.5, 1, 1, 'a', 4],
    [2.5, 2, 2, 'b', 1],
    [4, 3, 1, 'a', 2],
  ],
  { modes: ['height', 'mood', 'sex', 'town', 'age'] },
)

it('the steps of numbers that were found are said, and not those that were given', () => {
  const given = [
    { column: 'height', item: normal() },
    { column: 'age', item: normal({ step: 1 }) },
  ]
  expect(stepNotes(data, given).map(each => inWords(each))).toEqual([
    "numbers are taken as measured to the grid of their values: height 0.5; to state a step: items 'height:0.5'",
  ])
  expect(stepNotes(data, given.slice(1))).toEqual([])
  expect(stepNotes(data, undefined)).toEqual([])
})

it('ordered categories are offered as scales, but for those that are something else', () => {
  const structure = { covariates: ['age'], items: [{ column: 'height', item: normal() }] }
  const [note] = scaleNotes(data, structure)
  expect(inWords(note)).toBe(
    'ordered categories: mood; ordinal describes each by one slope for each class, with fewer parameters',
  )
  expect(scaleNotes(data, { ...structure, items: [...structure.items, { column: 'mood', item: ordinal() }] })).toEqual(
    [],
  )
})
