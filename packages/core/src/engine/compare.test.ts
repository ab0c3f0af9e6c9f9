import { expect, it } from 'vitest'
import { compareInformation, compareMeasures, compareStatistics, same } from './compare.ts'
import type { Information, Measures, Statistics } from './engine.ts'

/** What engines are held to must itself notice what is wrong. */

const statistics = (change: (given: Statistics) => void = () => {}): Statistics => {
  const made = { logLikelihood: -50, sizes: Float64Array.of(6, 4), factors: [Float64Array.of(3, 1, 3, 3)] }
  change(made as unknown as Statistics)
  return made as unknown as Statistics
}
const measures = (change: Partial<Measures> = {}): Measures =>
  ({ logLikelihood: -50, sumYYOverP: 120, entropy: 2, assigned: Float64Array.of(5, 1, 1, 3), ...change }) as Measures
const information = (change: Partial<Information> = {}): Information =>
  ({ rank: 2, rows: 2, impossible: 0, outer: Float64Array.of(1, 2, 2, 5), ...change }) as Information

it('statistics are compared number by number', () => {
  const check =
    (change: (given: Statistics) => void, relative = 1e-9) =>
    () =>
      compareStatistics(statistics(change), statistics(), relative)
  expect(check(() => {})).not.toThrow()
  expect(
    check(given => {
      given.logLikelihood += 1e-9
    }),
  ).not.toThrow()
  expect(
    check(given => {
      given.logLikelihood += 1e-6
    }),
  ).toThrow(/logLikelihood: -49\.99.* where -50 is expected/)
  expect(
    check(given => {
      given.sizes[1] += 1e-6
    }),
  ).toThrow(/weights\[1\]/)
  expect(
    check(given => {
      given.factors[0][2] = Number.NaN
    }),
  ).toThrow(/factors\[0\]\[2\]: NaN/)
  expect(check(given => void Object.assign(given, { sizes: Float64Array.of(6) }))).toThrow(
    /weights: 1 entries where 2 are expected/,
  )
  expect(() => same(statistics(), statistics())).not.toThrow()
  expect(() =>
    same(
      statistics(given => {
        given.logLikelihood = -50.000000000000007
      }),
      statistics(),
    ),
  ).toThrow(/log-likelihood differs/)
  expect(() =>
    same(
      statistics(given => {
        given.sizes[0] = 6.000000000000001
      }),
      statistics(),
    ),
  ).toThrow(/weights differ/)
  expect(() =>
    same(
      statistics(given => {
        given.factors[0][3] = -3
      }),
      statistics(),
    ),
  ).toThrow(/factors\[0\] differ/)
})

it('so are measures and information', () => {
  const check = (change: Partial<Measures>) => () => compareMeasures(measures(change), measures(), 10, 1e-9)
  expect(check({})).not.toThrow()
  expect(check({ sumYYOverP: 120.1 })).toThrow(/sumYYOverP/)
  expect(check({ entropy: 2.1 })).toThrow(/entropy: 2\.1/)
  expect(check({ entropy: Number.NaN })).toThrow(/entropy: one is not a number/)
  expect(check({ assigned: Float64Array.of(5, 1, 1, 4) })).toThrow(/assigned\[3\]/)
  const unknown = measures({ entropy: Number.NaN })
  expect(() => compareMeasures(unknown, unknown, 10, 1e-9)).not.toThrow()
  const compare = (change: Partial<Information>) => () =>
    compareInformation(information(change), information(), 10, 1e-9)
  expect(compare({})).not.toThrow()
  expect(compare({ rank: 3 })).toThrow(/another size/)
  expect(compare({ rows: 3 })).toThrow(/another size/)
  expect(compare({ impossible: 1 })).toThrow(/impossible/)
  expect(compare({ outer: Float64Array.of(1) })).toThrow(/outer has 1 entries/)
  expect(compare({ outer: Float64Array.of(1, 2, 2, 6) })).toThrow(/outer\[3\]/)
})
