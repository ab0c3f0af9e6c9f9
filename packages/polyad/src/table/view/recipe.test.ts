import { describe, expect, it } from 'vitest'
import { refusal } from '../../../../../test/refusal.ts'
import { checkRecipe, labelledColumns, type Recipe, recipeColumns } from './recipe.ts'

const missing = ['', 'NA']
const checked = (recipe: object, names = ['vote']) => checkRecipe({ missing, ...recipe }, names)
const modes = [{ column: 'vote' }]
const WHOLE: Recipe = {
  modes: [
    { column: 'age', binning: { kind: 'width', width: 10 }, missingAs: '(none)', style: 'comma', other: '(other)' },
    {
      column: 'a / b',
      parts: [{ column: 'a', labels: [1, 2] }, { column: 'b', labels: ['x'] }],
      when: [{ column: 'c', labels: ['yes', 'no'], label: 'yes' }, { column: 'd', labels: [1], label: 1 }],
    },
  ],
  covariates: {
    reference: 1,
    terms: [{ name: 'constant', factors: [] }, { name: 'sex', factors: [{ covariate: 'sex', label: 'f' }, { covariate: 'age' }] }],
    coefficients: [[0, 0], [1.5, -2]],
    columns: [{ column: 'sex', labels: ['f', 'm'] }, { column: 'age', labels: [] }],
  },
  missing,
  missingIn: { age: ['99'] },
  recode: { a: [{ from: ['1', '2'], to: 'x' }] },
  trim: true,
  ignoreCase: true,
} // biome-ignore format: one object

describe('the recipe of a model', () => {
  it('is as it was written, and where there is none every mode is a column', () => {
    expect(checkRecipe(undefined, ['a', 'b'])).toEqual({ modes: [{ column: 'a' }, { column: 'b' }], missing: ['', 'NA', 'NULL', 'NaN'] }) // biome-ignore format: one line
    expect(checkRecipe(JSON.parse(JSON.stringify(WHOLE)), ['age', 'a / b'])).toStrictEqual(WHOLE)
    expect(checked({ modes })).toStrictEqual({ modes, missing })
    expect(checked({ modes, trim: false, ignoreCase: 'yes', covariates: undefined })).toStrictEqual({ modes, missing })
    expect(checked({ modes: [{ column: 'vote', style: 'point' }] }).modes[0].style).toBe('point')
    expect(checked({ modes: [{ column: 'vote', style: 'other' }] }).modes[0]).toStrictEqual({ column: 'vote' })
  })

  it.each([
    [{ kind: 'int' }],
    [{ kind: 'width', width: 0.5 }],
    [{ kind: 'quantiles', edges: [1, 2.5] }],
    [{ kind: 'date', part: 'month' }],
    [{ kind: 'date', part: 'hour', format: 'day.month.year' }],
    [{ kind: 'date', part: 'hour', format: 'seconds', zone: 'Europe/Berlin' }],
  ])('the binning %j is kept', binning => {
    expect(checked({ modes: [{ column: 'vote', binning: { ...binning, more: 1 } }] }).modes[0].binning).toStrictEqual(binning) // biome-ignore format: one line
  })

  const fits = 'its recipe does not fit its modes'
  const broken = 'its recipe is broken'
  const mode = (more: object) => ({ modes: [{ column: 'vote', ...more }] })
  const explained = (more: object) => ({ modes, covariates: { reference: 0, terms: [{ name: 'c', factors: [] }], coefficients: [[1]], columns: [], ...more } }) // biome-ignore format: one line
  it.each<[object | null, string]>([
    [null, fits],
    [{ modes: undefined }, fits],
    [{ modes: {} }, fits],
    [{ modes: [] }, fits],
    [{ modes: [...modes, ...modes] }, fits],
    [{ modes, missing: undefined }, fits],
    [{ modes, missing: 'NA' }, fits],
    [{ modes, missing: ['NA', 9] }, fits],
    [{ modes: [null] }, 'a mode of its recipe has no column'],
    [{ modes: [{ column: 5 }] }, 'a mode of its recipe has no column'],
    [mode({ missingAs: 5 }), broken],
    [mode({ other: null }), broken],
    [mode({ parts: 'a' }), broken],
    [mode({ parts: [null] }), broken],
    [mode({ parts: [{ column: 'a' }] }), broken],
    [mode({ parts: [{ labels: ['x'] }] }), 'a mode of its recipe has no column'],
    [mode({ parts: [{ column: 'a', labels: [null] }] }), 'a label of its recipe is broken'],
    [mode({ parts: [{ column: 'a', labels: ['x', {}] }] }), 'a label of its recipe is broken'],
    [mode({ when: {} }), broken],
    [mode({ when: [null] }), broken],
    [mode({ when: [{ column: 'a', labels: ['x'] }] }), 'a label of its recipe is broken'],
    [mode({ binning: null }), 'a binning of its recipe is not known'],
    [mode({ binning: { kind: 'other' } }), 'a binning of its recipe is not known'],
    [mode({ binning: { kind: 'width', width: 0 } }), 'a binning of its recipe is not known'],
    [mode({ binning: { kind: 'width', width: -1 } }), 'a binning of its recipe is not known'],
    [mode({ binning: { kind: 'width', width: '1; DROP' } }), 'a bin of its recipe is not a number'],
    [mode({ binning: { kind: 'quantiles', edges: 1 } }), 'a binning of its recipe is not known'],
    [mode({ binning: { kind: 'quantiles', edges: [1, null] } }), 'a bin of its recipe is not a number'],
    [mode({ binning: { kind: 'date', part: 'century' } }), 'a binning of its recipe is not known'],
    [mode({ binning: { kind: 'date', part: 'month', format: 'x' } }), 'a binning of its recipe is not known'],
    [mode({ binning: { kind: 'other', part: 'month' } }), 'a binning of its recipe is not known'],
    [mode({ binning: { kind: 'date', part: 'month', zone: 'Moon' } }), 'its time zone "Moon" is not known here'],
    [mode({ binning: { kind: 'date', part: 'month', zone: 5 } }), 'its time zone 5 is not known here'],
    [{ modes, missingIn: { a: 'x' } }, broken],
    [{ modes, missingIn: { a: ['x'], b: ['y', 5] } }, broken],
    [{ modes, recode: { a: 'x' } }, broken],
    [{ modes, recode: { a: [null] } }, broken],
    [{ modes, recode: { a: [{ from: ['x'] }] } }, broken],
    [{ modes, recode: { a: [{ from: [], to: 'x' }] } }, broken],
    [{ modes, recode: { a: [{ from: ['x', 5], to: 'x' }] } }, broken],
    [{ modes, covariates: null }, broken],
    [explained({ coefficients: [['x']] }), 'a coefficient is not a number'],
    [explained({ coefficients: [[null]] }), 'a coefficient is not a number'],
    [explained({ coefficients: [[1], [1, 2]] }), 'its coefficients do not fit its terms'],
    [explained({ terms: 5 }), broken],
    [explained({ terms: [null] }), broken],
    [explained({ terms: [{ name: 'c', factors: [null] }] }), 'a term is broken'],
    [explained({ terms: [{ name: 'c', factors: [{ covariate: 5 }] }] }), 'a term is broken'],
    [explained({ terms: [{ name: 'c', factors: [{ covariate: 'x', label: null }] }] }), 'a term is broken'],
    [explained({ terms: [{ name: 'c', factors: [{ covariate: 'x' }] }] }), 'nothing is known of its covariate x'],
    [explained({ terms: [{ name: 'c', factors: [{ covariate: 'x' }] }], columns: [{ column: 'y', labels: [] }] }), 'nothing is known of its covariate x'],
    [explained({ columns: [{ column: 'y' }] }), broken],
  ])('%j is refused', async (recipe, reason) => {
    const names = ['vote']
    const call = () => (recipe === null ? checkRecipe(null, names) : checkRecipe({ missing, ...recipe }, names))
    expect(await refusal(call)).toBe(`DataError: this is not a usable model file: ${reason}`)
  }) // biome-ignore format: a table

  it('nothing in place of codes and recodings is none', () => {
    expect(checked({ modes, missingIn: null, recode: null })).toStrictEqual({
      modes,
      missing,
      missingIn: {},
      recode: {},
    })
    expect(checked(explained({})).covariates).toEqual({ reference: 0, terms: [{ name: 'c', factors: [] }], coefficients: [[1]], columns: [] }) // biome-ignore format: one line
  })

  it('reads these columns of a table', () => {
    expect(recipeColumns(WHOLE)).toEqual(['age', 'a', 'b', 'sex'])
    expect(recipeColumns({ modes })).toEqual(['vote'])
  })

  it('knows its columns by labels, or by numbers', () => {
    const known = (recipe: Partial<Recipe>, ...labels: (readonly (string | number)[] | undefined)[]) =>
      Object.fromEntries(labelledColumns({ modes, ...recipe }, labels.map(each => ({ labels: each })))) // biome-ignore format: one call
    expect(known({}, ['yes', 'no'])).toEqual({ vote: true })
    expect(known({}, [1, 2])).toEqual({ vote: false })
    expect(known({}, ['1', 'x'])).toEqual({ vote: true })
    expect(known({}, undefined)).toEqual({ vote: false })
    expect(known({ modes: [{ column: 'vote', missingAs: '(none)', other: '(other)' }] }, [1, '(none)', '(other)'])).toEqual({ vote: false }) // biome-ignore format: one line
    expect(known({ modes: [{ column: 'vote', binning: { kind: 'int' } }] }, ['x'])).toEqual({ vote: false })
    expect(known(WHOLE, ['x'], ['y'])).toEqual({ age: false, a: false, b: true, sex: true })
    // What was recoded says nothing of the column: what it was recoded from does.
    expect(known({ recode: { vote: [{ from: ['1', '2'], to: 'low' }] } }, ['low', 3])).toEqual({ vote: false })
    expect(known({ recode: { vote: [{ from: ['a'], to: '1' }] } }, [1, 2])).toEqual({ vote: true })
    expect(known({ recode: { vote: [{ from: ['1'], to: 'low' }] } }, ['low', 'high'])).toEqual({ vote: true })
    expect(known({ recode: { other: [{ from: ['1'], to: 'low' }] } }, ['low'])).toEqual({ vote: true })
    expect(known({ modes: [{ column: 'toString' }], recode: {} }, ['x'])).toEqual({ toString: true })
  })
})
