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
      parts: [
        { column: 'a', labels: [1, 2] },
        { column: 'b', labels: ['x'] },
      ],
      when: [
        { column: 'c', labels: ['yes', 'no'], label: 'yes' },
        { column: 'd', labels: [1], label: 1 },
      ],
    },
  ],
  given: [{ column: 'sex' }, { column: 'age', binning: { kind: 'int' } }],
  missing,
  missingIn: { age: ['99'] },
  recode: { a: [{ from: ['1', '2'], to: 'x' }] },
  trim: true,
  ignoreCase: true,
}

describe('the recipe of a model', () => {
  it('is as it was written, and where there is none every mode is a column', () => {
    expect(checkRecipe(undefined, ['a', 'b'])).toEqual({
      modes: [{ column: 'a' }, { column: 'b' }],
      missing: ['', 'NA', 'NULL', 'NaN'],
    })
    expect(
      checkRecipe(JSON.parse(JSON.stringify(WHOLE)), ['age', 'a / b'], [{ name: 'sex' }, { name: 'age' }]),
    ).toStrictEqual(WHOLE)
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
    expect(checked({ modes: [{ column: 'vote', binning: { ...binning, more: 1 } }] }).modes[0].binning).toStrictEqual(
      binning,
    )
  })

  const mode = (more: object) => ({ modes: [{ column: 'vote', ...more }] })
  it.each<[object | null, string]>([
    [null, 'recipe must be an object (got null)'],
    [{ modes: undefined }, 'recipe.modes must be a list (it is missing)'],
    [{ modes: {} }, 'recipe.modes must be a list (got an object)'],
    [{ modes: [] }, 'recipe.modes must have 1 entries (got 0)'],
    [{ modes: [...modes, ...modes] }, 'recipe.modes must have 1 entries (got 2)'],
    [{ modes, missing: undefined }, 'recipe.missing must be a list (it is missing)'],
    [{ modes, missing: 'NA' }, 'recipe.missing must be a list (got "NA")'],
    [{ modes, missing: ['NA', 9] }, 'recipe.missing[1] must be text (got 9)'],
    [{ modes: [null] }, 'recipe.modes[0] must be an object (got null)'],
    [{ modes: [{ column: 5 }] }, 'recipe.modes[0].column must be text (got 5)'],
    [mode({ missingAs: 5 }), 'recipe.modes[0].missingAs must be text (got 5)'],
    [mode({ other: null }), 'recipe.modes[0].other must be text (got null)'],
    [mode({ parts: 'a' }), 'recipe.modes[0].parts must be a list (got "a")'],
    [mode({ parts: [null] }), 'recipe.modes[0].parts[0] must be an object (got null)'],
    [mode({ parts: [{ column: 'a' }] }), 'recipe.modes[0].parts[0].labels must be a list (it is missing)'],
    [mode({ parts: [{ labels: ['x'] }] }), 'recipe.modes[0].parts[0].column must be text (it is missing)'],
    [
      mode({ parts: [{ column: 'a', labels: [null] }] }),
      'recipe.modes[0].parts[0].labels[0] must be a text or a finite number (got null)',
    ],
    [
      mode({ parts: [{ column: 'a', labels: ['x', {}] }] }),
      'recipe.modes[0].parts[0].labels[1] must be a text or a finite number (got an object)',
    ],
    [mode({ when: {} }), 'recipe.modes[0].when must be a list (got an object)'],
    [mode({ when: [null] }), 'recipe.modes[0].when[0] must be an object (got null)'],
    [
      mode({ when: [{ column: 'a', labels: ['x'] }] }),
      'recipe.modes[0].when[0].label must be a text or a finite number (it is missing)',
    ],
    [mode({ binning: null }), 'recipe.modes[0].binning must be an object (got null)'],
    [
      mode({ binning: { kind: 'other' } }),
      'recipe.modes[0].binning.kind must be one of int, width, quantiles, date (got "other")',
    ],
    [mode({ binning: { kind: 'width', width: 0 } }), 'recipe.modes[0].binning.width must be a number > 0 (got 0)'],
    [mode({ binning: { kind: 'width', width: -1 } }), 'recipe.modes[0].binning.width must be a number > 0 (got -1)'],
    [
      mode({ binning: { kind: 'width', width: '1; DROP' } }),
      'recipe.modes[0].binning.width must be a number > 0 (got "1; DROP")',
    ],
    [mode({ binning: { kind: 'quantiles', edges: 1 } }), 'recipe.modes[0].binning.edges must be a list (got 1)'],
    [
      mode({ binning: { kind: 'quantiles', edges: [1, null] } }),
      'recipe.modes[0].binning.edges[1] must be a finite number (got null)',
    ],
    [
      mode({ binning: { kind: 'date', part: 'century' } }),
      'recipe.modes[0].binning.part must be one of minute, hour, weekday, day, week, month, quarter, year, yearmonth, date (got "century")',
    ],
    [
      mode({ binning: { kind: 'date', part: 'month', format: 'x' } }),
      'recipe.modes[0].binning.format must be one of day.month.year, month/day/year, day/month/year, rfc2822, seconds, milliseconds, microseconds, nanoseconds (got "x")',
    ],
    [
      mode({ binning: { kind: 'other', part: 'month' } }),
      'recipe.modes[0].binning.kind must be one of int, width, quantiles, date (got "other")',
    ],
    [
      mode({ binning: { kind: 'date', part: 'month', zone: 'Moon' } }),
      'recipe.modes[0].binning.zone must be a time zone that is known here (got "Moon")',
    ],
    [
      mode({ binning: { kind: 'date', part: 'month', zone: 5 } }),
      'recipe.modes[0].binning.zone must be a time zone that is known here (got 5)',
    ],
    [{ modes, missingIn: { a: 'x' } }, 'recipe.missingIn.a must be a list (got "x")'],
    [{ modes, missingIn: { a: ['x'], b: ['y', 5] } }, 'recipe.missingIn.b[1] must be text (got 5)'],
    [{ modes, recode: { a: 'x' } }, 'recipe.recode.a must be a list (got "x")'],
    [{ modes, recode: { a: [null] } }, 'recipe.recode.a[0] must be an object (got null)'],
    [{ modes, recode: { a: [{ from: ['x'] }] } }, 'recipe.recode.a[0].to must be text (it is missing)'],
    [{ modes, recode: { a: [{ from: [], to: 'x' }] } }, 'recipe.recode.a[0].from must not be empty'],
    [{ modes, recode: { a: [{ from: ['x', 5], to: 'x' }] } }, 'recipe.recode.a[0].from[1] must be text (got 5)'],
    [{ modes, covariates: { columns: 5 } }, 'recipe.given must be a list (got 5)'],
    [{ modes, given: 'age' }, 'recipe.given must be a list (got "age")'],
    [{ modes, given: [{}] }, 'recipe.given[0].column must be text (it is missing)'],
    [{ modes, given: modes }, 'recipe.given must have 0 entries (got 1)'],
  ])('%j is refused', async (recipe, reason) => {
    const names = ['vote']
    const call = () => (recipe === null ? checkRecipe(null, names) : checkRecipe({ missing, ...recipe }, names))
    expect(await refusal(call)).toBe(`DataError: this is not a usable model file: ${reason}`)
  })

  it('nothing in place of codes and recodings is none', () => {
    expect(checked({ modes, missingIn: null, recode: null })).toStrictEqual({
      modes,
      missing,
      missingIn: {},
      recode: {},
    })
  })

  it('has a column of its name for what is given besides the modes, as version 1 has it or by itself', () => {
    const given = [{ name: 'age' }]
    expect(checkRecipe(undefined, ['vote'], given).given).toEqual([{ column: 'age' }])
    expect(checkRecipe({ modes, missing }, ['vote'], given).given).toEqual([{ column: 'age' }])
    const columns = [{ column: 'Age', labels: [1, 2], binning: { kind: 'int' } }]
    const older = checkRecipe({ modes, missing, covariates: { reference: 1, terms: [], columns } }, ['vote'], given)
    expect(older).toStrictEqual({ modes, given: [{ column: 'Age', binning: { kind: 'int' } }], missing })
  })

  it('reads these columns of a table', () => {
    expect(recipeColumns(WHOLE)).toEqual(['age', 'a', 'b', 'sex'])
    expect(recipeColumns({ modes })).toEqual(['vote'])
  })

  it('knows its columns by labels, or by numbers', () => {
    const given = [
      { name: 'sex', labels: ['f', 'm'], numeric: false },
      { name: 'age', labels: [], numeric: true },
    ]
    const known = (recipe: Partial<Recipe>, ...labels: (readonly (string | number)[] | undefined)[]) =>
      Object.fromEntries(
        labelledColumns(
          { modes, ...recipe },
          labels.map(each => ({ labels: each })),
          { given },
        ),
      )
    expect(known({}, ['yes', 'no'])).toEqual({ vote: true })
    expect(known({}, [1, 2])).toEqual({ vote: false })
    expect(known({}, ['1', 'x'])).toEqual({ vote: true })
    expect(known({}, undefined)).toEqual({ vote: false })
    expect(
      known({ modes: [{ column: 'vote', missingAs: '(none)', other: '(other)' }] }, [1, '(none)', '(other)']),
    ).toEqual({ vote: false })
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
