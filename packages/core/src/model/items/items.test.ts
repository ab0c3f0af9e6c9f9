import fc from 'fast-check'
import { expect, it } from 'vitest'
import { random } from '../../numeric/philox.ts'
import type { ParametricSpec } from './item.ts'
import { itemModel } from './items.ts'

it('a specification and labels make an item', () => {
  expect(itemModel({ kind: 'normal', step: 0.1, variances: 'equal' }, ['5.1', 4.9], 3)).toMatchObject({
    kind: 'normal',
    size: 4,
  })
  expect(itemModel({ kind: 'count', distribution: 'negative-binomial' }, ['0', 2], 3)).toMatchObject({
    kind: 'count',
    size: 6,
  })
  const ordinal = itemModel({ kind: 'ordinal', scores: [1, 2, 3] }, ['low', 'middle', 'high'], 3)
  expect(ordinal).toMatchObject({ kind: 'ordinal', size: 4, rank: 3 })
  expect(ordinal.probability('middle', new Float64Array(4), new Float64Array(3))).toBe(true)
  expect(() => itemModel({ kind: 'count', distribution: 'poisson' }, ['few', 2], 3)).toThrow('"few"')
})

const SPECS: readonly ParametricSpec[] = [
  { kind: 'normal', step: 1, variances: 'free' },
  { kind: 'normal', step: 0.001, variances: 'equal' },
  { kind: 'normal', step: 1e5, variances: 'free' },
  { kind: 'count', distribution: 'poisson' },
  { kind: 'count', distribution: 'negative-binomial' },
  { kind: 'ordinal', scores: [0, 1, 2, 50, 1e5] },
  { kind: 'ordinal', scores: [1e-9, 2e-9, 4e-9, 5e-9, 1e-8] },
]

it.each(SPECS)('stays possible whatever the counts are: $kind', spec => {
  const rank = 2
  const values = [0, 1, 5, 70, 1e5]
  const item = itemModel(spec, values, rank)
  const counts = (length: number) =>
    fc
      .array(fc.constantFrom(0, 0, 0, 5e-324, 1e-300, 1e-9, 0.3, 1, 7, 1e15), { minLength: length, maxLength: length })
      .map(each => Float64Array.from(each))
  fc.assert(
    fc.property(counts(values.length * rank), counts(values.length), fc.nat(1e6), (expected, marginal, seed) => {
      const { uniform } = random(seed, 'start')
      for (let theta of [item.project(expected), item.random(marginal, uniform)]) {
        const [slope, next] = [new Float64Array(item.size), new Float64Array(item.size)]
        const [table, information] = [new Float64Array(expected.length), new Float64Array(item.size ** 2)]
        for (let step = 0; step < 8; step++) {
          item.slope(theta, expected, slope)
          item.maximize(theta, expected, slope, next)
          theta = next.slice()
          item.table(theta, table)
          item.information(theta, expected, information)
          expect(theta.every((each, i) => Number.isFinite(each) && (each > 0 || !item.positive[i]))).toBe(true)
          expect(table.every(p => p >= 1e-300 && p <= 1 + 1e-12)).toBe(true)
          expect(information.every((each, i) => (i % (item.size + 1) === 0 ? each > 0 : Number.isFinite(each)))).toBe(
            true,
          )
          expect(item.scores(theta).every(({ scores }) => scores.every(Number.isFinite))).toBe(true)
        }
        expect(item.draw(theta, 1, uniform)).toSatisfy(Number.isFinite)
      }
    }),
    { numRuns: 60 },
  )
})
