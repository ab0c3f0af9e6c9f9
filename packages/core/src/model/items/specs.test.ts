import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CountSpec, NormalSpec } from './item.ts'
import { numberOf } from './number-labels.ts'
import { checkItem, gridStep, itemValues, onGrid } from './specs.ts'

const normal = (step: number): NormalSpec => ({ kind: 'normal', step, variances: 'free' })
const poisson: CountSpec = { kind: 'count', distribution: 'poisson' }

describe('the step of the grid', () => {
  it.each([
    [[1, 2, 5], 1],
    [[5.1, 4.9, 6.3], 0.2],
    [[0.1, 0.2, 0.3, 0.7], 0.1],
    [[0.25, 1, 3.75], 0.25],
    [[10, 40, 25], 15],
    [[100, 400, 250], 150],
    [[1990.5, 2020, 2000], 0.5],
    [[-3, 0.5], 3.5],
    [[0.1 + 0.2, 0.1, 0.4], 0.1],
    [[5.1000000000000005, 5.2, 5.4], 0.1],
    [[1e-7, 3e-7, 4e-7], 1e-7],
    [[1e20, 3e20, 4e20], 1e20],
    [[1_700_000_000, 1_700_000_060, 1_700_000_180], 60],
    [[0, 1, 1e8], 1],
    [[-0.5, 0, 1.5], 0.5],
  ])('of %j is %d', (values, step) => {
    expect(gridStep(values)).toBe(step)
  })

  it('is not defined for one value, for what is not finite, and for numbers without a grid', () => {
    expect(gridStep([])).toBeUndefined()
    expect(gridStep([3, 3])).toBeUndefined()
    expect(gridStep([3, Number.POSITIVE_INFINITY])).toBeUndefined()
    expect(gridStep([3, 4, Number.NaN])).toBeUndefined()
    expect(gridStep([0, Math.SQRT2, Math.PI, Math.E])).toBeUndefined()
    expect(gridStep([1e15, 1e15 + 0.5, 1e15 + 2])).toBeUndefined()
  })

  it('is found again, whatever the order', () => {
    const steps = fc.constantFrom(0.001, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 60, 1000)
    const places = fc.uniqueArray(fc.integer({ min: -1000, max: 1000 }), { minLength: 2, maxLength: 20 })
    fc.assert(
      fc.property(steps, places, fc.integer({ min: -50, max: 50 }), (step, at, origin) => {
        const values = at.map(place => (origin + place) * step)
        const divisor = (a: number, b: number): number => (b === 0 ? Math.abs(a) : divisor(b, a % b))
        const expected = at.reduce((common, place) => divisor(common, place - at[0]), 0) * step
        expect(Math.abs((gridStep(values) ?? 0) / expected - 1)).toBeLessThan(1e-12)
      }),
    )
  })
})

it('values of a grid are as they are written', () => {
  expect(onGrid(5.08, 4.9, 0.1)).toBe(5.1)
  expect(onGrid(0.28, 0, 0.1)).toBe(0.3)
  expect(onGrid(-0.04, 0, 0.1)).toBe(0)
  expect(onGrid(1e-7, 0, 3e-8)).toBe(9e-8)
  expect(onGrid(7.49, 0.5, 1)).toBe(7.5)
  expect(onGrid(1, 0, 1 / 3)).toBe(1)
  expect(onGrid(1e22, 0, 1)).toBe(1e22)
})

it('labels are numbers if they read so', () => {
  expect([5, '5.1', ' 7 ', '1e3'].map(numberOf)).toEqual([5, 5.1, 7, 1000])
  expect(['', ' ', 'five', '5 cm', 'Infinity', Number.NaN].every(label => numberOf(label) === undefined)).toBe(true)
})

describe('what a variable is taken for is checked', () => {
  const message = (spec: Parameters<typeof checkItem>[0], labels: (string | number)[]) => {
    try {
      checkItem(spec, labels, 'size')
    } catch (error) {
      return `${(error as Error).name}: ${(error as Error).message}`
    }
    return undefined
  }

  it('and passes if it is right', () => {
    expect(message(normal(0.1), [4.9, '5.1'])).toBeUndefined()
    expect(message(normal(0.8), [4.9, 5.7])).toBeUndefined()
    expect(message(poisson, [0, '1', 7])).toBeUndefined()
    expect(message({ kind: 'ordinal', scores: [1, 2] }, ['low', 'high'])).toBeUndefined()
    expect(message({ kind: 'categorical' }, ['one'])).toBeUndefined()
  })

  it('and the message says what is wrong, where, and what to do', () => {
    expect([
      message(normal(1), [1, 'tall', 'short']),
      message(normal(1), [1, 'Infinity']),
      message(normal(1), [1, '1e400']),
      message(normal(1), [4]),
      message(normal(5), [1, 4]),
      message(normal(0), [1, 4]),
      message(poisson, [0, 1, -1]),
      message(poisson, [0, 1.5]),
      message(poisson, [0, 'many']),
      message({ kind: 'ordinal', scores: [1, 2] }, ['a', 'b', 'c']),
      message({ kind: 'ordinal', scores: [1, Number.NaN] }, ['a', 'b']),
      message({ kind: 'ordinal', scores: [2, 2] }, ['a', 'b']),
    ]).toMatchInlineSnapshot(`
      [
        "DataError: "size" is continuous, but has the value "tall", which is not a number: declare it missing, or use the variable as categorical",
        "DataError: "size" is continuous, but has the value "Infinity", which is not finite: correct it, or declare it missing",
        "DataError: "size" is continuous, but has the value "1e400", which is not finite: correct it, or declare it missing",
        "DataError: "size" has one value only, 4: exclude it from the analysis",
        "OptionError: the step of "size" must not be larger than the range of its values, 3 (got 5): use a smaller step",
        "OptionError: the step of "size" must be a finite number > 0 (got 0)",
        "DataError: "size" is a count, but has the value -1: counts are whole numbers ≥ 0. Use it as continuous or categorical.",
        "DataError: "size" is a count, but has the value 1.5: counts are whole numbers ≥ 0. Use it as continuous or categorical.",
        "DataError: "size" is a count, but has the value "many", which is not a number: declare it missing, or use the variable as categorical",
        "OptionError: "size" must have a score for each of its 3 categories (got 2 scores)",
        "OptionError: the scores of "size" must be finite numbers (got NaN)",
        "OptionError: the scores of "size" must not all be the same (got 2 for each)",
      ]
    `)
  })

  it('and the place is the variable', () => {
    expect(() => itemValues(poisson, [0, 'x'], 'size')).toThrow(expect.objectContaining({ place: { column: 'size' } }))
  })
})
