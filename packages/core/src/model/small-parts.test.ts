import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { models } from '../../../../test/arbitrary.ts'
import { logGamma } from '../numeric/special.ts'
import { tensorFromColumns } from '../tensor/coordinates.ts'
import { Mode } from '../tensor/mode.ts'
import { checkModel } from './check-model.ts'
import { exponentOf } from './class-weights.ts'
import { logLikelihoodOf, lossesOf, lossOffset } from './loss.ts'
import { matchClasses } from './match.ts'
import { Model } from './model.ts'
import { pairing } from './pairing.ts'
import { sortClasses } from './parameters.ts'
import { explainRow } from './surprise.ts'

const permutations = (n: number): number[][] =>
  n === 0 ? [[]] : permutations(n - 1).flatMap(rest => Array.from({ length: n }, (_, i) => rest.toSpliced(i, 0, n - 1)))

describe('pairs of classes', () => {
  it('of two fits have the least sum of differences, of all ways to pair them', () => {
    const both = fc
      .integer({ min: 1, max: 4 })
      .chain(rank => fc.tuple(models([2, 3], rank, 10), models([2, 3], rank, 10)))
    fc.assert(
      fc.property(both, ([{ parameters: a }, { parameters: b }]) => {
        const apart = (order: readonly number[]) =>
          order.reduce((sum, l, k) => {
            let own = Math.abs(a.shares[k] - b.shares[l])
            a.factors.forEach((factor, n) => {
              for (let j = 0; j < factor.length / a.rank; j++)
                own += Math.abs(factor[j * a.rank + k] - b.factors[n][j * a.rank + l])
            })
            return sum + own
          }, 0)
        const least = Math.min(...permutations(a.rank).map(apart))
        expect(apart(pairing(a, b))).toBeCloseTo(least, 10)
      }),
    )
  })

  it('of size zero agree with each other, and with no other', () => {
    const make = (sizes: number[]) =>
      new Model([new Mode('x', 2)], {
        rank: 2,
        sizes: Float64Array.from(sizes),
        factors: [Float64Array.of(1, 0, 0, 1)],
      })
    expect(matchClasses(make([1, 0]), make([1, 0])).score).toBe(1)
    expect(matchClasses(make([1, 0]), make([1, 1])).score).toBeCloseTo(0.25, 12)
    expect(matchClasses(make([1, 1]), make([1, 0])).score).toBeCloseTo(0.25, 12)
  })

  it('may have numbers for labels, some of them in one model only', () => {
    const make = (size: number) =>
      new Model([new Mode('x', size)], {
        rank: 1,
        sizes: Float64Array.of(1),
        factors: [new Float64Array(size).fill(1 / size)],
      })
    expect(matchClasses(make(2), make(3)).unshared).toEqual([{ mode: 'x', onlyA: [], onlyB: [2] }])
    expect(matchClasses(make(3), make(2)).unshared).toEqual([{ mode: 'x', onlyA: [2], onlyB: [] }])
    // Halves against thirds: the cosine is √(2/3).
    expect(matchClasses(make(2), make(3)).similarity[0]).toBeCloseTo(Math.sqrt(2 / 3), 12)
  })

  it('in descending size keep their order at a tie', () => {
    const sorted = sortClasses({
      rank: 4,
      shares: Float64Array.of(0.2, 0.3, 0.3, 0.2),
      factors: [Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8)],
    })
    expect([...sorted.shares]).toEqual([0.3, 0.3, 0.2, 0.2])
    expect([...sorted.factors[0]]).toEqual([2, 3, 1, 4, 6, 7, 5, 8])
  })
})

describe('losses', () => {
  const tensor = tensorFromColumns(
    [
      [0, 0, 1],
      [0, 1, 1],
    ],
    [3, 1, 2],
  )
  const model = new Model(tensor.modes, {
    rank: 1,
    sizes: Float64Array.of(6),
    factors: [Float64Array.of(0.5, 0.5), Float64Array.of(0.25, 0.75)],
  })
  const cells: [number, number][] = [
    [3, 0.125],
    [1, 0.375],
    [2, 0.375],
  ]
  const likelihood = cells.reduce((sum, [y, p]) => sum + y * Math.log(p), 0)

  it('are what the paper says, by hand', () => {
    expect(logLikelihoodOf(tensor, model.parameters)).toBeCloseTo(likelihood, 12)
    const { loss, divergence, logLikelihood, logProbability } = lossesOf(tensor, likelihood)
    expect(logLikelihood).toBe(likelihood)
    expect(loss).toBeCloseTo(6 - cells.reduce((sum, [y, p]) => sum + y * Math.log(6 * p), 0), 12)
    // Σ y·log(y/m) − y + m over all four cells, one of which holds nothing.
    expect(divergence).toBeCloseTo(
      cells.reduce((sum, [y, p]) => sum + y * Math.log(y / (6 * p)) - y + 6 * p, 6 * 0.125),
      12,
    )
    expect(logProbability).toBeCloseTo(likelihood + Math.log(720 / (6 * 1 * 2)), 12)
    expect(logGamma(7)).toBeCloseTo(Math.log(720), 12)
    // Another total of the model.
    expect(lossesOf(tensor, likelihood, 5).loss).toBeCloseTo(
      5 - cells.reduce((sum, [y, p]) => sum + y * Math.log(5 * p), 0),
      12,
    )
    expect(lossOffset(6)).toBeCloseTo(6 - 6 * Math.log(6), 12)
  })

  it('a cell without counts adds nothing, even if it is impossible', () => {
    const never = { ...model.parameters, factors: [Float64Array.of(1, 0), model.parameters.factors[1]] }
    const zero = { ...tensor, values: Float64Array.of(3, 1, 0) } as typeof tensor
    expect(logLikelihoodOf(zero, never)).toBeCloseTo(3 * Math.log(0.25) + Math.log(0.75), 12)
    expect(logLikelihoodOf(tensor, never)).toBe(Number.NEGATIVE_INFINITY)
  })
})

it('the exponent of a number is that of its leading bit, below the normal range too', () => {
  const numbers = [1, 1.99, 2, 3, 0.5, 2 ** -1021, 2 ** -1022, 2 ** -1023, 3 * 2 ** -1060, 5e-324, Number.MAX_VALUE]
  expect(numbers.map(exponentOf)).toEqual([0, 0, 1, 1, -1, -1021, -1022, -1023, -1059, -1074, 1023])
})

describe('a model', () => {
  const parts = { rank: 2, sizes: Float64Array.of(1, 1), factors: [Float64Array.of(1, 0, 0, 1)] }

  it('has a name for every class or for none', () => {
    const make = (names: string[]) => () => new Model([new Mode('x', 2)], parts, names)
    expect(make(['a'])).toThrow(/classNames must name all 2 classes \(got 1\)/)
    expect(make(['a', 'b', 'c'])).toThrow(/must name all 2 classes \(got 3\)/)
  })

  it('has no infinite numbers, and columns that sum to 1 but for rounding', () => {
    const make = (sizes: number[], factor: number[]) => () =>
      new Model([new Mode('x', 2)], { rank: 1, sizes: Float64Array.from(sizes), factors: [Float64Array.from(factor)] })
    expect(make([Number.POSITIVE_INFINITY], [1, 0])).toThrow(/finite number ≥ 0 \(got Infinity\)/)
    expect(make([1], [Number.POSITIVE_INFINITY, 0])).toThrow(/finite numbers ≥ 0 \(got Infinity\)/)
    expect(make([Number.NaN], [1, 0])).toThrow(/finite number/)
    expect(make([1, 1], [1, 0])).toThrow(/1 sizes, one per class \(got 2\)/)
  })

  it('that is none is refused; only a copy of one is told what became of it', () => {
    const copy = { parameters: {}, modes: [], sizes: [] }
    const without = (name: keyof typeof copy) =>
      Object.fromEntries(Object.entries(copy).filter(([key]) => key !== name))
    expect(() => checkModel('init', copy)).toThrow(/init must be a Model \(got a copy that has lost its methods/)
    for (const other of [without('parameters'), without('modes'), without('sizes'), {}, null, 'x', 3, undefined])
      expect(() => checkModel('init', other)).toThrow(/init must be a Model \(got (?!a copy)/)
  })

  it('of a class of size zero finds rows as surprising as it does without it', () => {
    const modes = [new Mode('x', ['a', 'b']), new Mode('y', ['c', 'd'])]
    const one = new Model(modes, {
      rank: 1,
      sizes: Float64Array.of(9),
      factors: [Float64Array.of(0.9, 0.1), Float64Array.of(1, 0)],
    })
    const two = new Model(modes, {
      rank: 2,
      sizes: Float64Array.of(9, 0),
      factors: [Float64Array.of(0.9, 0.5, 0.1, 0.5), Float64Array.of(1, 0, 0, 1)],
    })
    for (const row of [{ x: 'a', y: 'c' }, { x: 'b', y: 'c' }, { x: 'b' }]) {
      const [expected, found] = [explainRow(one, row), explainRow(two, row)]
      expect(found.surprise).toBeCloseTo(expected.surprise, 12)
      expect(found.expected).toBeCloseTo(expected.expected, 12)
      expect(found.score).toBeCloseTo(expected.score, 9)
    }
  })
})
