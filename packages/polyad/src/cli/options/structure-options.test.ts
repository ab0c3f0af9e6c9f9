import { expect, it } from 'vitest'
import { testFolder } from '../../../../../test/test-folder.ts'
import { structureOf } from './structure-options.ts'

const { file } = testFolder()

it.each([
  [{ covariates: ['age'], groups: 'country' }, {}, '--covariates and --groups cannot be combined'],
  [{ join: [['a', 'b']], constraints: 'x.json' }, {}, '--constraints and --join cannot be combined'],
  [{ reference: 2 }, {}, '--reference is for --covariates'],
  [{ categories: ['age'] }, {}, '--categories is for --covariates'],
  [{ referenceCategory: { party: 'left' } }, {}, '--reference-category is for --covariates'],
  [{ per: { income: 1000 } }, {}, '--per is for --covariates'],
  [{ standardize: true }, {}, '--standardize is for --covariates'],
  [{ covariates: ['age'] }, { smoothing: 1 }, 'smoothing cannot be combined with covariates'],
  [{ groups: 'country' }, { smoothing: 1 }, 'smoothing cannot be combined with groups'],
  [{ constraints: 'none.json' }, {}, '--constraints: none.json cannot be read'],
  [{ covariates: [] }, {}, '--covariates needs the names of columns, as in'],
  [{ covariates: ['party*'] }, {}, 'a name is missing beside * in "party*"'],
  [{ covariates: ['party', 'Party'] }, {}, '--covariates has "Party" twice'],
  [{ covariates: ['age*party', 'party * age'] }, {}, '--covariates has "party * age" twice'],
  [{ covariates: ['age*q1'] }, {}, 'column "q1" cannot be both a mode and a covariate'],
])('%j with %j is refused', (options, settings, message) => {
  expect(() => structureOf(options, settings, { rank: 2, modes: ['Q1', 'q2'] })).toThrow(message)
})

it('refuses covariates of one class', () => {
  expect(() => structureOf({ covariates: ['age'] }, {}, { rank: 1 })).toThrow('--covariates needs two classes or more')
})

it('names the columns that must be read, and reads constraints', () => {
  expect(structureOf({ covariates: ['age*party', 'sex'] }, {}).include).toEqual(['age', 'party', 'sex'])
  expect(structureOf({ groups: 'country' }, {}).include).toEqual(['country'])
  expect(structureOf({ join: [['a', 'b'], ['c', 'd']] }, {}).include).toEqual(['a', 'b', 'c', 'd']) // biome-ignore format: one call
  const good = file('good.json', '{"zero": []}')
  expect(structureOf({ constraints: good }, {}).constraints).toEqual({ zero: [] })
  expect(() => structureOf({ constraints: file('bad.json', '{zero: []}') }, {})).toThrow(/bad\.json is not JSON/)
  for (const text of ['[]', 'null', '3'])
    expect(() => structureOf({ constraints: file('list.json', text) }, {})).toThrow(/list\.json must hold an object/)
})
