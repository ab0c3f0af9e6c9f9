import { type Model, tensorFromRows } from '@polyad/core'
import { describe, expect, it } from 'vitest'
import { structuredRecipe } from './structured-recipe.ts'

const tensor = tensorFromRows([
  { vote: 'yes', Age: 1, sex: 'f' },
  { vote: 'no', Age: 2, sex: 'm' },
])
const recipe = { modes: [{ column: 'vote' }, { column: 'Age', missingAs: 'x' }, { column: 'sex' }], missing: ['NA'] }
const model = (names: string[], given: string[] = []) =>
  ({
    rank: 2,
    modes: names.map(name => ({ name })),
    items: [],
    structure: { given: given.map(name => ({ name })) },
  }) as unknown as Model
const of = (names: string[], join?: string[][], given: string[] = [], parts: object[] = []) =>
  structuredRecipe({ recipe, tensor }, model(names, given), join, parts as never)

describe('the recipe of a model', () => {
  it('has the columns that are modes', () => {
    expect(of(['Age', 'vote'])).toEqual({ modes: [recipe.modes[1], recipe.modes[0]], missing: ['NA'] })
  })

  it('has the columns of which a mode is made', () => {
    expect(
      of(
        ['vote / Age', 'sex'],
        [
          ['sex', 'vote'],
          ['vote', 'age'],
        ],
      ).modes,
    ).toEqual([
      {
        column: 'vote / Age',
        parts: [
          { column: 'vote', labels: ['no', 'yes'] },
          { column: 'Age', missingAs: 'x', labels: [1, 2] },
        ],
      },
      { column: 'sex' },
    ])
    expect(of(['vote / Age']).modes).toEqual([{ column: 'vote / Age', parts: [] }])
  })

  it('has the labels that a row must have for a part of a mode', () => {
    const parts = [{ name: 'vote (f)', mode: 'vote', where: [{ column: 'SEX', label: 'f' }] }]
    expect(of(['vote (f)', 'Age'], undefined, undefined, parts).modes).toEqual([
      { column: 'vote', when: [{ column: 'sex', labels: ['f', 'm'], label: 'f' }] },
      recipe.modes[1],
    ])
  })

  it('has the columns that are given besides, in their order', () => {
    expect(of(['vote'], undefined, ['sex', 'age'])).toEqual({
      modes: [recipe.modes[0]],
      given: [recipe.modes[2], recipe.modes[1]],
      missing: ['NA'],
    })
    expect(of(['vote'])).toEqual({ modes: [recipe.modes[0]], missing: ['NA'] })
  })

  it('takes a column by its exact name first', () => {
    const both = {
      modes: [
        { name: 'AGE', size: 1, labels: ['x'] },
        { name: 'age', size: 1, labels: ['y'] },
      ],
    }
    const given = { recipe: { modes: [{ column: 'AGE' }, { column: 'age' }], missing: [] }, tensor: both as never }
    expect(structuredRecipe(given, model(['age / AGE']), [['age', 'AGE']]).modes[0].parts).toEqual([
      { column: 'age', labels: ['y'] },
      { column: 'AGE', labels: ['x'] },
    ])
  })

  it('counts labels of modes that have none', () => {
    const plain = {
      modes: [
        { name: 'a', size: 3, labels: undefined },
        { name: 'b', size: 2, labels: ['x', 'y'] },
      ],
    }
    const modes = structuredRecipe(
      { recipe: { modes: [{ column: 'a' }, { column: 'b' }], missing: [] }, tensor: plain as never },
      model(['a / b']),
      [['a', 'b']],
    ).modes
    expect(modes[0].parts?.map(({ labels }) => labels)).toEqual([
      [0, 1, 2],
      ['x', 'y'],
    ])
  })
})
