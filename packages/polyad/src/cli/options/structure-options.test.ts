import { expect, it } from 'vitest'
import { testFolder } from '../../../../../test/test-folder.ts'
import { structureOf } from './structure-options.ts'

const { file } = testFolder()

it.each([
  [{ covariates: ['age'], groups: 'country' }, {}, '--covariates and --groups cannot be combined'],
  [{ join: [['a', 'b']], constraints: 'x.json' }, {}, '--constraints and --join cannot be combined'],
  [{ reference: 2 }, {}, '--reference is for --covariates'],
  [{ categories: ['age'] }, {}, '--categories is for --covariates'],
  [{ covariates: ['age'] }, { pseudoCounts: 1 }, '--pseudo-counts cannot be combined with --covariates'],
  [{ groups: 'country' }, { smoothing: 1 }, '--smoothing cannot be combined with --groups'],
  [{ constraints: 'none.json' }, {}, '--constraints: none.json cannot be read'],
])('%j with %j is refused', (options, settings, message) => {
  expect(() => structureOf(options, settings)).toThrow(message)
})

it('names the columns that must be read, and reads constraints', () => {
  expect(structureOf({ covariates: ['age*party', 'sex'] }, {}).include).toEqual(['age', 'party', 'sex'])
  expect(structureOf({ groups: 'country' }, {}).include).toEqual(['country'])
  expect(structureOf({ join: [['a', 'b'], ['c', 'd']] }, {}).include).toEqual(['a', 'b', 'c', 'd']) // biome-ignore format: one call
  const good = file('good.json', '{"zero": []}')
  expect(structureOf({ constraints: good }, {}).constraints).toEqual({ zero: [] })
  expect(() => structureOf({ constraints: file('bad.json', '{zero: []}') }, {})).toThrow(/bad\.json is not JSON/)
})
