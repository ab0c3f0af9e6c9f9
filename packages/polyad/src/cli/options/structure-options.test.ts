import { expect, it } from 'vitest'
import { testFolder } from '../../../../../test/test-folder.ts'
import { STRUCTURE, structureOf } from './structure-options.ts'

const { file } = testFolder()

it.each([
  [{ reference: 2 }, {}, 'reference needs covariates'],
  [{ referenceCategory: { party: 'left' } }, {}, 'referenceCategories needs covariates'],
  [{ per: { income: 1000 } }, {}, 'per needs covariates'],
  [{ standardize: true }, {}, 'standardize needs covariates'],
  [{ free: [{ mode: 'q1' }] }, {}, 'free needs groups: it names variables whose probabilities may differ between them'],
  [{ direct: [{ covariate: 'party', mode: 'q1' }] }, {}, 'direct needs covariates: it names effects that they have'],
  [{ known: 'expert' }, { smoothing: 1 }, 'smoothing cannot be combined with known'],
  [{ known: 'expert' }, { algorithm: 'em' as const }, 'algorithm cannot be em with known'],
  [{ covariates: ['age'] }, { smoothing: 1 }, 'smoothing cannot be combined with covariates'],
  [{ groups: 'country' }, { smoothing: 1 }, 'smoothing cannot be combined with groups'],
  [{ constraints: 'none.json' }, {}, '--constraints: none.json cannot be read'],
  [{ covariates: [] }, {}, '--covariates needs the names of columns, as in'],
  [{ covariates: ['party', 'Party'] }, {}, '--covariates has "Party" twice'],
  [{ covariates: ['age*party', 'party * age'] }, {}, '--covariates has "party * age" twice'],
  [{ covariates: ['age*q1'] }, {}, 'column "q1" cannot be both a variable and a covariate'],
])('%j with %j is refused', (options, settings, message) => {
  expect(() => structureOf(options, settings, { rank: 2, variables: ['Q1', 'q2'] })).toThrow(message)
})

it('takes categories that are covariates; others are for reading', () => {
  const of = (covariates: string[], categories: string[]) =>
    structureOf({ covariates, categories }, {}, { rank: 2 }).categories
  expect(of(['age*party'], ['Party', 'q1'])).toEqual(['Party'])
  expect(of(['age'], ['q1'])).toBeUndefined()
})

it('takes a column whose name ends in a star', () => {
  const { include, covariates } = structureOf({ covariates: ['age*', 'sex*party'] }, {}, { rank: 2 })
  expect(include).toEqual(['age*', 'sex', 'party'])
  expect(covariates).toEqual(['age*', 'sex*party'])
})

it('refuses covariates of one class', () => {
  expect(() => structureOf({ covariates: ['age'] }, {}, { rank: 1 })).toThrow('--covariates needs two classes or more')
})

it('combines everything else', () => {
  const all = { covariates: ['age'], groups: 'country', known: 'expert', join: [['a', 'b']], free: [{ mode: 'q1' }] }
  const { include } = structureOf(all, { pseudoCounts: 1 }, { rank: 2 })
  expect(include).toEqual(['age', 'country', 'expert', 'a', 'b'])
  expect(() => structureOf({ known: 'expert' }, {}, { rank: 1 })).toThrow('rank must be 2 or more with known')
})

it('reads variables and effects, with a class or without', () => {
  const parse = (flag: string, text: string) =>
    STRUCTURE.options.find(({ flags }) => flags.startsWith(`${flag} `))?.parse?.(text, undefined as never)
  expect(parse('--free', 'q1, q2@2,a@b')).toEqual([{ mode: 'q1' }, { mode: 'q2', class: 2 }, { mode: 'a@b' }])
  expect(parse('--direct', 'party->q1,party -> q2@1')).toEqual([
    { covariate: 'party', mode: 'q1' },
    { covariate: 'party', mode: 'q2', class: 1 },
  ])
  expect(() => parse('--direct', 'party')).toThrow('Write an effect as covariate->variable, as in party->trust.')
})

it('names the columns that must be read, and reads constraints', () => {
  expect(structureOf({ covariates: ['age*party', 'sex'] }, {}).include).toEqual(['age', 'party', 'sex'])
  expect(structureOf({ groups: 'country' }, {}).include).toEqual(['country'])
  expect(
    structureOf(
      {
        join: [
          ['a', 'b'],
          ['c', 'd'],
        ],
      },
      {},
    ).include,
  ).toEqual(['a', 'b', 'c', 'd'])
  const good = file('good.json', '{"zero": []}')
  expect(structureOf({ constraints: good }, {}).constraints).toEqual({ zero: [] })
  expect(() => structureOf({ constraints: file('bad.json', '{zero: []}') }, {})).toThrow(/bad\.json is not JSON/)
  for (const text of ['[]', 'null', '3'])
    expect(() => structureOf({ constraints: file('list.json', text) }, {})).toThrow(/list\.json must contain an object/)
})
