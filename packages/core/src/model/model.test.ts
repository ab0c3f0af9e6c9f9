import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { models, tensorsWithStart } from '../../../../test/arbitrary.ts'
import { DataError, OptionError } from '../errors.ts'
import { modelFromJson, modelToJson } from '../file/model-json.ts'
import { chiSquareTail } from '../numeric/special.ts'
import { Mode } from '../tensor/mode.ts'
import type { Row } from '../tensor/rows.ts'
import { matchClasses } from './match.ts'
import { Model } from './model.ts'
import { componentsOf } from './parameters.ts'

/** Two diseases, a symptom and a test: small enough for Bayes' rule by hand. */
const clinic = new Model([new Mode('fever', ['no', 'yes']), new Mode('test', ['negative', 'positive', 'unclear'])], {
  rank: 2,
  sizes: Float64Array.of(60, 40),
  factors: [Float64Array.of(0.9, 0.2, 0.1, 0.8), Float64Array.of(0.7, 0.1, 0.2, 0.6, 0.1, 0.3)],
})

describe('Model', () => {
  it("follows Bayes' rule by hand", () => {
    const row = { fever: 'yes', test: 'positive' }
    const [a, b] = [60 * 0.1 * 0.2, 40 * 0.8 * 0.6]
    expect(clinic.expected(row)).toBeCloseTo(a + b, 12)
    expect(clinic.probability(row)).toBeCloseTo((a + b) / 100, 14)
    const posterior = clinic.posterior(row)
    expect(posterior.probabilities[1]).toBeCloseTo(b / (a + b), 14)
    expect(posterior.class).toBe(1)
    expect(posterior.probability).toBe(posterior.probabilities[1])
    expect(posterior.logLikelihood).toBeCloseTo(Math.log((a + b) / 100), 14)
    expect(clinic.classify(row)).toBe(1)
    expect(clinic.shares).toEqual([0.6, 0.4])
  })

  it('gives its factors as matrices, from which every expected count follows', () => {
    expect(clinic.factor('fever')).toEqual([
      [0.9, 0.2],
      [0.1, 0.8],
    ])
    expect(clinic.factor(1)).toEqual([
      [0.7, 0.1],
      [0.2, 0.6],
      [0.1, 0.3],
    ])
    expect(() => clinic.factor('age')).toThrow(OptionError)
    const { weights, factors } = clinic.toArrays()
    expect(weights).toEqual([60, 40])
    const [fever, test] = factors
    for (const [i, own] of fever.entries())
      for (const [j, other] of test.entries()) {
        const expected = weights.reduce((sum, weight, k) => sum + weight * own[k] * other[k], 0)
        const row = { fever: clinic.modes[0].label(i), test: clinic.modes[1].label(j) }
        expect(clinic.expected(row)).toBeCloseTo(expected, 12)
      }
    // A copy: the model never changes.
    weights[0] = factors[0][0][0] = 7
    expect(clinic.toArrays().weights[0] + clinic.factor(0)[0][0]).toBe(60.9)
  })

  it('leaves out what is missing, and names what it has never seen', () => {
    const known = clinic.posterior({ fever: 'yes' })
    expect(known.probabilities[0]).toBeCloseTo(6 / (6 + 32), 14)
    expect(known.unseen).toEqual([])
    const odd = clinic.posterior({ fever: 'yes', test: 'lost' })
    expect(odd.probabilities).toEqual(known.probabilities)
    expect(odd.unseen).toEqual(['test'])
    expect(clinic.posterior([null, undefined]).probabilities).toEqual([0.6, 0.4])
    expect(clinic.probability({ fever: 'yes', test: 'lost' })).toBe(0)
    expect(clinic.expected([null, null])).toBe(100)
  })

  it('with strict, refuses what it has never seen', () => {
    const strictly = (row: object) => () => clinic.posterior(row as Row, { strict: true })
    expect(clinic.posterior({ fever: 'yes', test: 'lost' }, { strict: false }).unseen).toEqual(['test'])
    expect(clinic.posterior({ fever: 'yes', test: null }, { strict: true })).toEqual(clinic.posterior({ fever: 'yes' }))
    expect(clinic.classify({ fever: 'yes' }, { strict: true })).toBe(1)
    expect(strictly({ fever: 'yes', test: 'lost' })).toThrow(
      new DataError('"test" must be a label of the model, such as "negative", "positive", "unclear" (got "lost")'),
    )
    expect(strictly({ fever: 1 })).toThrow('"fever" must be a label of the model, such as "no", "yes" (got 1)')
    expect(() => clinic.classify({ fever: 1 }, { strict: true })).toThrow(DataError)
    const numbers = new Model([new Mode('n', 9)], {
      rank: 1,
      sizes: Float64Array.of(1),
      factors: [new Float64Array(9).fill(1 / 9)],
    })
    expect(() => numbers.posterior({ n: 9 }, { strict: true })).toThrow('such as 0 to 8 (got 9)')
    const years = new Model([new Mode('year', [1, 2, 3, 4, 5, 6, 7, 8])], {
      rank: 1,
      sizes: Float64Array.of(1),
      factors: [new Float64Array(8).fill(1 / 8)],
    })
    expect(() => years.posterior({ year: 9 }, { strict: true })).toThrow('such as 1, 2, 3, 4, 5, 6 (got 9)')
    // A number that is written as a text is the same label.
    expect(years.posterior({ year: '8' }, { strict: true }).unseen).toEqual([])
    expect(() => clinic.posterior({ fever: 'yes' }, { stict: true } as object)).toThrow(OptionError)
    expect(() => clinic.posterior({ fever: 'yes' }, { strict: 1 } as object)).toThrow(OptionError)
  })

  it('an impossible row gets the shares and a log-likelihood of −∞', () => {
    const strict = new Model(clinic.modes, {
      rank: 2,
      sizes: Float64Array.of(60, 40),
      factors: [Float64Array.of(1, 1, 0, 0), clinic.parameters.factors[1]],
    })
    const posterior = strict.posterior({ fever: 'yes' })
    expect(posterior.logLikelihood).toBe(Number.NEGATIVE_INFINITY)
    expect(posterior.probabilities).toEqual([0.6, 0.4])
  })

  it('the posterior sums to 1, and the marginal is the average of the profiles', () => {
    fc.assert(
      fc.property(tensorsWithStart(), ([tensor, model]) => {
        for (let cell = 0; cell < tensor.cells; cell++) {
          const row = tensor.indices.map(column => (column[cell] < 0 ? null : column[cell]))
          const { probabilities } = model.posterior(row)
          expect(probabilities.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12)
        }
        model.modes.forEach((_, n) => {
          model.marginal(n).forEach((p, j) => {
            const mean = model.shares.reduce((sum, share, k) => sum + share * model.profile(n, k)[j], 0)
            expect(p).toBeCloseTo(mean, 14)
          })
        })
      }),
    )
  })

  it('does not lose a class that is behind in the first of many modes and ahead in the end', () => {
    const modes = Array.from({ length: 1200 }, (_, n) => new Mode(`m${n}`, ['a', 'b']))
    const factors = modes.map((_, n) =>
      n < 600 ? Float64Array.of(0.99, 0.01, 0.01, 0.99) : Float64Array.of(0.001, 0.999, 0.999, 0.001),
    )
    const sizes = Float64Array.of(1, 1)
    const row = modes.map(() => 'a')
    const ahead = new Model(modes, { rank: 2, sizes, factors }).posterior(row)
    const back = new Model([...modes].reverse(), { rank: 2, sizes, factors: [...factors].reverse() }).posterior(row)
    const truth = 600 * Math.log(0.01) + 600 * Math.log(0.999) + Math.log(0.5)
    expect(ahead.class).toBe(1)
    expect(ahead.logLikelihood).toBeCloseTo(truth, 8)
    expect(back.logLikelihood).toBeCloseTo(truth, 8)
    const tiny = new Model([new Mode('x', 2)], {
      rank: 1,
      sizes: Float64Array.of(1),
      factors: [Float64Array.of(5e-324, 1)],
    })
    expect(tiny.posterior([0]).logLikelihood).toBeCloseTo(Math.log(5e-324), 9)
  })

  it('does not mistake what every object inherits for a label', () => {
    const model = new Model([new Mode('constructor', ['a', 'b']), new Mode('x', ['c', 'd'])], {
      rank: 1,
      sizes: Float64Array.of(1),
      factors: [Float64Array.of(0.5, 0.5), Float64Array.of(0.25, 0.75)],
    })
    expect(model.probability({ x: 'c' })).toBe(0.25)
    expect(model.probability({ constructor: 'a', x: 'c' })).toBe(0.125)
    expect(() => model.posterior({ y: 1 })).toThrow(/none of the modes/)
  })

  it('draws samples that follow its probabilities (χ², seeded), the same ones every time', () => {
    const count = 20_000
    const { rows, classes } = clinic.sample(count, { seed: 11 })
    const seen = new Map<string, number>()
    rows.forEach((row, i) => {
      const key = JSON.stringify([...row, classes[i]])
      seen.set(key, (seen.get(key) ?? 0) + 1)
    })
    let statistic = 0
    let cells = 0
    clinic.modes[0].labels?.forEach((fever, i) => {
      clinic.modes[1].labels?.forEach((test, j) => {
        for (const k of [0, 1]) {
          const expected = count * clinic.shares[k] * clinic.profile(0, k)[i] * clinic.profile(1, k)[j]
          statistic += ((seen.get(JSON.stringify([fever, test, k])) ?? 0) - expected) ** 2 / expected
          cells++
        }
      })
    })
    expect(chiSquareTail(statistic, cells - 1)).toBeGreaterThan(0.001)
    expect(clinic.sample(5, { seed: 11 }).rows).toEqual(rows.slice(0, 5))
    expect(clinic.sample(50, { seed: 12 }).rows).not.toEqual(rows.slice(0, 50))
    expect(clinic.sample(0).rows).toEqual([])
  })

  it('never draws a label of probability zero', () => {
    const model = new Model([new Mode('x', 4)], {
      rank: 1,
      sizes: Float64Array.of(1),
      factors: [Float64Array.of(0, 0.5, 0.5, 0)],
    })
    expect(new Set(model.sample(2000).rows.flat())).toEqual(new Set([1, 2]))
  })

  it.each<[string, () => unknown, new (...args: never[]) => Error, RegExp]>([
    [
      'a column that does not sum to 1',
      () => new Model([new Mode('x', 2)], { rank: 1, sizes: Float64Array.of(1), factors: [Float64Array.of(0.5, 0.6)] }),
      OptionError,
      /column 1 of the factor of mode "x" must sum to 1 \(got 1\.1\)/,
    ],
    [
      'a negative entry',
      () =>
        new Model([new Mode('x', 2)], { rank: 1, sizes: Float64Array.of(1), factors: [Float64Array.of(-0.5, 1.5)] }),
      OptionError,
      /finite numbers ≥ 0/,
    ],
    [
      'a negative size',
      () => new Model([new Mode('x', 1)], { rank: 1, sizes: Float64Array.of(-1), factors: [Float64Array.of(1)] }),
      OptionError,
      /the size of a class must be/,
    ],
    [
      'sizes of zero',
      () => new Model([new Mode('x', 1)], { rank: 1, sizes: Float64Array.of(0), factors: [Float64Array.of(1)] }),
      OptionError,
      /above zero/,
    ],
    [
      'a factor of another size',
      () => new Model([new Mode('x', 3)], { rank: 1, sizes: Float64Array.of(1), factors: [Float64Array.of(1)] }),
      OptionError,
      /3 × 1 entries \(got 1\)/,
    ],
    [
      'too few factors',
      () =>
        new Model([new Mode('x', 1), new Mode('y', 1)], {
          rank: 1,
          sizes: Float64Array.of(1),
          factors: [Float64Array.of(1)],
        }),
      OptionError,
      /2 factors/,
    ],
    [
      'no sizes',
      () => new Model([new Mode('x', 1)], { rank: 2, factors: [Float64Array.of(1, 1)] } as never),
      OptionError,
      /there must be 2 sizes, one per class \(got 0\)/,
    ],
    [
      'no factors',
      () => new Model([new Mode('x', 1)], { rank: 1, sizes: Float64Array.of(1) } as never),
      OptionError,
      /there must be 1 factors, one per mode \(got 0\)/,
    ],
    ['a row of another length', () => clinic.posterior(['yes']), DataError, /2 entries/],
    ['a row of other keys', () => clinic.posterior({ feber: 'yes' }), DataError, /none of the modes fever, test/],
    ['an unknown mode', () => clinic.profile('x', 0), OptionError, /no mode "x".*fever, test/],
    ['an unknown class', () => clinic.profile(0, 2), OptionError, /class must be a whole number from 0 to 1/],
    ['half a sample', () => clinic.sample(1.5), OptionError, /count must be/],
  ])('refuses %s', (_, make, kind, message) => {
    expect(make).toThrow(kind)
    expect(make).toThrow(message)
  })
})

describe('matchClasses', () => {
  it('undoes any relabelling of the classes, with a score of 1', () => {
    const shuffled = fc
      .integer({ min: 1, max: 5 })
      .chain(rank =>
        fc.tuple(models([4, 5, 3], rank, 100), fc.shuffledSubarray([...Array(rank).keys()], { minLength: rank })),
      )
    fc.assert(
      fc.property(shuffled, ([model, order]) => {
        const { rank, shares, factors } = model.parameters
        const other = new Model(model.modes, {
          rank,
          sizes: shares.map((_, k) => 100 * shares[order[k]]),
          factors: factors.map(factor => factor.map((_, i) => factor[i - (i % rank) + order[i % rank]])),
        })
        const match = matchClasses(other, model)
        expect(match.score).toBeCloseTo(1, 9)
        match.similarity.forEach(each => {
          expect(each).toBeCloseTo(1, 9)
        })
      }),
    )
  })

  it('scores by hand, and pairs models of different rank both ways', () => {
    const make = (weights: number[], columns: number[][]) =>
      new Model([new Mode('x', 2), new Mode('y', 2)], {
        rank: weights.length,
        sizes: Float64Array.from(weights),
        factors: [0, 1].map(() => Float64Array.from([0, 1].flatMap(j => columns.map(column => column[j])))),
      })
    const a = make([10], [[1, 0]])
    const b = make(
      [3, 5],
      [
        [0, 1],
        [1, 0],
      ],
    )
    const match = matchClasses(a, b)
    expect(match.partner).toEqual([1])
    // One class of everything, and one of 5 in 8.
    expect(match.score).toBeCloseTo(5 / 8 / 2, 12)
    const back = matchClasses(b, a)
    expect(back.partner).toEqual([-1, 0])
    expect(back.similarity).toEqual([0, 1])
    expect(back.score).toBe(match.score)
    expect(() => matchClasses(a, clinic)).toThrow(
      /same modes: only the first model has "x", "y"; only the second has "fever", "test"/,
    )
  })
})

describe('model files', () => {
  it('round-trip every bit', () => {
    fc.assert(
      fc.property(models([3, 4], 3, 1234.5), model => {
        const back = modelFromJson(JSON.stringify(modelToJson(model)))
        expect(back.parameters).toEqual(model.parameters)
        expect(back.modes.map(({ name, labels, ordered, size }) => ({ name, labels, ordered, size }))).toEqual(
          model.modes.map(({ name, labels, ordered, size }) => ({ name, labels, ordered, size })),
        )
      }),
    )
    const named = new Model(clinic.modes, componentsOf(clinic.parameters, 100), ['cold', 'flu'])
    const back = modelFromJson(modelToJson(named))
    expect(back.classNames).toEqual(['cold', 'flu'])
    expect(back.classify({ fever: 'yes', test: 'positive' })).toBe('flu')
    expect(back.modes[1].labels).toEqual(['negative', 'positive', 'unclear'])
  })

  const good = () => JSON.parse(JSON.stringify(modelToJson(clinic)))
  it.each<[string, (json: ReturnType<typeof good>) => unknown, RegExp]>([
    ['half a file', json => JSON.stringify(json).slice(0, 50), /not JSON/],
    ['a list', () => [], /must be an object/],
    ['another format', json => ({ ...json, format: 'x' }), /format must be "polyad-model"/],
    ['a newer version', json => ({ ...json, version: 3 }), /version must be 1 or 2 \(got 3\): it needs a newer Polyad/],
    ['a rank of zero', json => ({ ...json, rank: 0 }), /rank must be/],
    ['another rank', json => ({ ...json, rank: 3 }), /weights must have 3 entries/],
    ['a huge rank', json => ({ ...json, rank: 1e9 }), /weights must have 1000000000 entries/],
    ['a weight of null', json => ({ ...json, weights: [1, null] }), /weights\[1\] must be a number ≥ 0 \(got null\)/],
    ['no modes', json => ({ ...json, modes: [] }), /modes must not be empty/],
    [
      'a size that lies',
      json => ({ ...json, modes: [{ ...json.modes[0], size: 2 ** 31 }] }),
      /size is 2147483648 but its factor has 2 rows/,
    ],
    ['too few labels', json => ({ ...json, modes: [{ ...json.modes[0], labels: ['no'] }] }), /1 labels for 2 rows/],
    ['a label twice', json => ({ ...json, modes: [{ ...json.modes[0], labels: ['no', 'no'] }] }), /"no" twice/],
    [
      'a broken column',
      json => ({
        ...json,
        modes: [
          {
            ...json.modes[0],
            factor: [
              [1, 1],
              [1, 1],
            ],
          },
        ],
      }),
      /must sum to 1/,
    ],
    [
      'a ragged factor',
      json => ({ ...json, modes: [{ ...json.modes[0], factor: [[1, 1], [1]] }] }),
      /factor\[1\] must have 2 entries/,
    ],
  ])('refuses %s', (_, spoil, message) => {
    expect(() => modelFromJson(spoil(good()))).toThrow(DataError)
    expect(() => modelFromJson(spoil(good()))).toThrow(message)
  })
})
