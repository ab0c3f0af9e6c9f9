import { describe, expect, it } from 'vitest'
import { random } from '../../numeric/philox.ts'
import { chiSquareTail } from '../../numeric/special.ts'
import type { DistalData } from './assigned-rows.ts'
import { DISTAL_METHODS, distalOutcome } from './distal.ts'

/** Rows of two or three classes with uncertain posteriors, and an outcome of either kind that depends on the class. */
const drawn = (n: number, classes = 2, seed = 5) => {
  const { uniform } = random(seed, 'data')
  const posteriors: number[] = []
  const [numbers, categories]: number[][] = [[], []]
  for (let i = 0; i < n; i++) {
    const sizes = Array.from({ length: classes }, () => uniform() ** 2.5)
    const sum = sizes.reduce((a, b) => a + b, 0)
    posteriors.push(...sizes.map(size => size / sum))
    let k = 0
    for (let left = uniform() * sum - sizes[0]; left > 0 && k < classes - 1; left -= sizes[k]) k++
    numbers.push(3 * k + uniform() + uniform())
    categories.push(uniform() < [0.6, 0.3, 0.45][k] ? 0 : uniform() < 0.5 ? 1 : 2)
  }
  return { posteriors, classes, numbers, categories }
}

/** All numbers of a value, in their order. */
const numbersIn = (value: unknown): number[] =>
  typeof value === 'number'
    ? [value]
    : value === null || typeof value !== 'object'
      ? []
      : Object.values(value).flatMap(numbersIn)

const means = (data: DistalData, method: 'bch' | 'ml' | 'none') =>
  distalOutcome(data, { method }).classes.map(({ mean }) => mean!)

describe('an outcome that the classes were fitted without', () => {
  const { posteriors, classes, numbers, categories } = drawn(4000, 3)
  const labels = ['a', 'b', 'c']

  it('is found per class once the assignment is corrected, and shrunken together when it is not', () => {
    const data = { posteriors, classes, outcome: numbers }
    const [bch, ml, none] = (['bch', 'ml', 'none'] as const).map(method => means(data, method))
    ;[1, 4, 7].forEach((truth, k) => {
      for (const each of [bch[k], ml[k]]) expect(Math.abs(each.estimate - truth)).toBeLessThan(4 * each.standardError!)
    })
    expect(none[0].estimate).toBeGreaterThan(1.4)
    expect(none[2].estimate).toBeLessThan(6.6)
    const result = distalOutcome(data)
    expect(result).toMatchObject({ kind: 'number', method: 'bch', rows: 4000, missing: 0 })
    expect(result.overall!.degreesOfFreedom).toBe(2)
    expect(result.pairs.map(pair => pair.classes)).toEqual([
      [1, 2],
      [1, 3],
      [2, 3],
    ])
    for (const row of result.classification) expect(row.reduce((a, b) => a + b)).toBeCloseTo(1, 12)
  })

  it('is the plain analysis of known groups where the classes are certain', () => {
    const certain = numbers.flatMap((_, i) => [0, 1, 2].map(k => (k === i % 3 ? 1 : 0)))
    const data = { posteriors: certain, classes: 3, outcome: numbers }
    const group = numbers.filter((_, i) => i % 3 === 1)
    const mean = group.reduce((a, b) => a + b) / group.length
    const variance = group.reduce((sum, y) => sum + (y - mean) ** 2, 0) / group.length
    for (const method of ['bch', 'ml', 'none'] as const) {
      const { estimate, standardError, deviation } = means(data, method)[1]
      expect(estimate).toBeCloseTo(mean, 9)
      expect(standardError).toBeCloseTo(Math.sqrt(variance / group.length), 8)
      expect(deviation).toBeCloseTo(Math.sqrt(variance), 8)
    }
    // Wald's statistic of two groups is the square of their difference over its error.
    const [first, , third] = means(data, 'none')
    const pair = distalOutcome(data).pairs[1]
    const error = Math.hypot(first.standardError!, third.standardError!)
    expect(pair.test!.statistic).toBeCloseTo((pair.difference as number) ** 2 / error ** 2, 8)
  })

  it('is the same by likelihood and by weights for categories, where no weight makes one negative', () => {
    const data = { posteriors, classes, outcome: categories, labels }
    const ml = distalOutcome(data, { method: 'ml', classSizes: 'estimated' })
    const bch = distalOutcome(data, { method: 'bch' })
    expect(distalOutcome(data)).toMatchObject({ method: 'ml', classSizes: 'fixed' })
    // All rows have the outcome, so classes are as large as in the first step.
    distalOutcome(data).classes.forEach(({ probabilities, share }, k) => {
      expect(share).toBeCloseTo(ml.classes[k].share, 8)
      probabilities!.forEach(({ estimate }, j) => {
        expect(estimate).toBeCloseTo(ml.classes[k].probabilities![j].estimate, 8)
      })
    })
    ml.classes.forEach(({ probabilities, share }, k) => {
      expect(share).toBeCloseTo(bch.classes[k].share, 8)
      probabilities!.forEach(({ estimate, standardError, label }, j) => {
        expect(label).toBe(labels[j])
        expect(estimate).toBeCloseTo(bch.classes[k].probabilities![j].estimate, 7)
        expect(standardError).toBeCloseTo(bch.classes[k].probabilities![j].standardError!, 6)
      })
    })
    expect(ml.overall!.degreesOfFreedom).toBe(4)
    expect(ml.overall!.statistic).toBeCloseTo(bch.overall!.statistic, 3)
    expect(Math.abs(ml.classes[0].probabilities![0].estimate - 0.6)).toBeLessThan(0.1)
  })

  it('stays between 0 and 1 by likelihood where weights do not', () => {
    const small = drawn(60, 2, 8)
    const outcome = small.categories.map((_, i) => (small.posteriors[2 * i] > 0.5 && i % 4 > 0 ? 0 : 1))
    const data = { posteriors: small.posteriors, classes: 2, outcome, labels: ['no', 'yes'] }
    const bch = distalOutcome(data, { method: 'bch' }).classes.flatMap(({ probabilities }) => probabilities!)
    expect(Math.min(...bch.map(({ estimate }) => estimate))).toBeLessThan(0)
    expect(bch.find(({ estimate }) => estimate < 0)!.interval).toBeUndefined()
    const ml = distalOutcome(data).classes.flatMap(({ probabilities }) => probabilities!)
    for (const { estimate } of ml) expect(estimate).toBeGreaterThanOrEqual(0)
    expect(ml.some(({ standardError }) => standardError === undefined)).toBe(true)
    // However large the sample is.
    const table = {
      posteriors: [0.9, 0.1, 0.9, 0.1, 0.2, 0.8, 0.2, 0.8],
      classes: 2,
      outcome: [0, 1, 0, 1],
      labels: ['no', 'yes'],
    }
    for (const times of [1, 1e6, 1e12]) {
      const { probabilities } = distalOutcome({ ...table, counts: [50, 1, 20, 30].map(y => y * times) }).classes[0]
      expect(probabilities).toMatchObject([
        { estimate: 1, standardError: undefined },
        { estimate: 0, standardError: undefined },
      ])
    }
    // What is 0 in one class and 1 in the other is no matter of standard errors, and is not called equal.
    const certain = [0, 1].flatMap(k => new Array(20).fill([1 - k, k]).flat())
    const apart = distalOutcome({
      posteriors: certain,
      classes: 2,
      outcome: certain.filter((_, i) => i % 2 === 1),
      labels: ['no', 'yes'],
    })
    expect(apart.classes.map(({ probabilities }) => probabilities![1].estimate)).toEqual([0, 1])
    expect([apart.overall, apart.pairs[0].test]).toEqual([undefined, undefined])
  })

  it('counts rows that were seen often, and weighs without taking weights for observations', () => {
    const data = { posteriors, classes, outcome: numbers }
    const [once] = means(data, 'bch')
    const twice = distalOutcome({ ...data, counts: numbers.map(() => 4) }).classes[0].mean!
    expect(twice.estimate).toBeCloseTo(once.estimate, 9)
    expect(twice.standardError).toBeCloseTo(once.standardError! / 2, 9)
    for (const method of ['bch', 'ml'] as const) {
      const [plain] = means(data, method)
      const weighted = distalOutcome({ ...data, weights: numbers.map(() => 4) }, { method }).classes[0].mean!
      expect(weighted.standardError).toBeCloseTo(plain.standardError!, 8)
    }
  })

  it('is the same whether equal rows are counted or repeated, in any order, to the last bit', () => {
    // Twelve of 60,000 observations say c: by the number of distinct rows they were next to nothing.
    const table = [
      { posterior: [0.9, 0.1], counts: [20_000, 9_991, 9] },
      { posterior: [0.15, 0.85], counts: [12_000, 17_997, 3] },
    ]
    const listed = table.flatMap(({ posterior, counts }) => counts.map((count, j) => ({ posterior, j, count })))
    const dataOf = (rows: typeof listed): DistalData => ({
      posteriors: rows.flatMap(({ posterior }) => posterior),
      classes: 2,
      outcome: rows.map(({ j }) => j),
      labels,
      counts: rows.map(({ count }) => count),
    })
    const expanded = listed.flatMap(row => new Array<typeof row>(row.count).fill({ ...row, count: 1 })).reverse()
    const [counted, repeated] = [listed, expanded].map(rows => distalOutcome(dataOf(rows)))
    expect(counted).toEqual(repeated)
    // By hand: joint frequencies of assigned class and c, (9, 3)/60,000, times the inverse of D, over the classes' sizes.
    const [a, b] = [0.9 * 30_000, 0.15 * 30_000]
    const D = [
      [a / (a + b), b / (a + b)],
      [3000 / 28_500, 25_500 / 28_500],
    ]
    const determinant = D[0][0] * D[1][1] - D[0][1] * D[1][0]
    const joint = [(9 * D[1][1] - 3 * D[1][0]) / determinant, (3 * D[0][0] - 9 * D[0][1]) / determinant]
    const sizes = [30_000 * (D[1][1] - D[1][0]), 30_000 * (D[0][0] - D[0][1])].map(each => each / determinant)
    counted.classes.forEach(({ probabilities }, t) => {
      expect(probabilities![2].estimate).toBeCloseTo(joint[t] / sizes[t], 12)
      expect(probabilities![2].standardError).toBeGreaterThan(0)
    })
  })

  it.each(DISTAL_METHODS)('does not depend on the scale of the weights, nor on how rows are counted: %s', method => {
    const some = numbers.slice(0, 300)
    const weights = some.map((_, i) => 0.3 + ((i * 7) % 10) / 4)
    const rows = { posteriors: posteriors.slice(0, 900), classes, weights }
    const both = [
      { ...rows, outcome: some },
      { ...rows, outcome: categories.slice(0, 300), labels },
    ]
    for (const data of both) {
      const counts = some.map((_, i) => i % 3)
      const plain = distalOutcome({ ...data, counts }, { method })
      for (const scale of [1e-3, 7, 1e6]) {
        const scaled = distalOutcome({ ...data, counts, weights: weights.map(w => w * scale) }, { method })
        const [one, other] = [plain, scaled].map(({ classes: each, overall, normality }) => ({
          each,
          overall,
          normality,
        }))
        expect(numbersIn(other)).toHaveLength(numbersIn(one).length)
        numbersIn(one).forEach((value, i) => {
          expect(Math.abs(numbersIn(other)[i] - value)).toBeLessThanOrEqual(1e-7 * Math.max(1e-3, Math.abs(value)))
        })
      }
      const places = some.flatMap((_, i) => new Array<number>(counts[i]).fill(i))
      const repeated = distalOutcome(
        {
          ...data,
          posteriors: places.flatMap(i => rows.posteriors.slice(3 * i, 3 * i + 3)),
          outcome: places.map(i => data.outcome[i]),
          weights: places.map(i => weights[i]),
        },
        { method },
      )
      expect({ ...repeated, rows: plain.rows }).toEqual(plain)
    }
  })

  it('is told from normal outcomes by its skewness and kurtosis within the classes, as ml needs it', () => {
    // With one class it is the test of Jarque and Bera: n·(g₁²/6 + g₂²/24).
    const n = 400
    const single = { posteriors: new Array<number>(n).fill(1), classes: 1 }
    const sample = numbers.slice(0, n)
    const mean = sample.reduce((a, b) => a + b) / n
    const moment = (k: number) => sample.reduce((sum, y) => sum + (y - mean) ** k, 0) / n
    const [skewness, kurtosis] = [moment(3) / moment(2) ** 1.5, moment(4) / moment(2) ** 2 - 3]
    const { normality } = distalOutcome({ ...single, outcome: sample }, { method: 'ml' })
    expect(normality!.skewness).toBeCloseTo(skewness, 9)
    expect(normality!.kurtosis).toBeCloseTo(kurtosis, 9)
    expect(normality!.pValue).toBeCloseTo(chiSquareTail(n * (skewness ** 2 / 6 + kurtosis ** 2 / 24), 2), 9)
    const { uniform } = random(11, 'data')
    const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
    const judged = (of: (x: number) => number) =>
      distalOutcome(
        { posteriors: posteriors.slice(0, 1500), classes, outcome: Array.from({ length: 500 }, () => of(normal())) },
        { method: 'ml' },
      ).normality!
    expect(judged(x => 170 + 9 * x).doubtful).toBe(false)
    expect(judged(x => 1e5 * Math.exp(x))).toMatchObject({ doubtful: true })
    expect(judged(x => 1e5 * Math.exp(x)).skewness).toBeGreaterThan(2)
    // Nothing else takes an outcome to be normal.
    expect(distalOutcome({ posteriors, classes, outcome: numbers })).not.toHaveProperty('normality')
  })

  it('leaves rows without it out of the third step', () => {
    const gaps = numbers.map((y, i) => (i % 5 === 0 ? Number.NaN : y))
    const result = distalOutcome({ posteriors, classes, outcome: gaps })
    expect(result).toMatchObject({ rows: 3200, missing: 800 })
    // How often the assignment is wrong is known from all rows.
    expect(result.classification).toEqual(distalOutcome({ posteriors, classes, outcome: numbers }).classification)
  })

  it('refuses what cannot be analysed', () => {
    const data = { posteriors: [0.9, 0.1, 0.2, 0.8], classes: 2, outcome: [1, 2] }
    const refused = (change: object, options: object = {}) =>
      expect(() => distalOutcome({ ...data, ...change } as DistalData, options))
    refused({}, { method: 'lrt' }).toThrow(/method must be one of bch, ml, none \(got "lrt"\)/)
    refused({}, { confidence: 95 }).toThrow(/confidence must be a number between 0 and 1/)
    refused({ posteriors: [1, 0] }).toThrow(/posteriors must have 4 numbers for 2 rows \(got 2\)/)
    refused({ posteriors: [0.9, 0.2, 0, 1] }).toThrow(/row 1: the posteriors must be ≥ 0 and sum to 1/)
    refused({ outcome: [1, Number.POSITIVE_INFINITY] }).toThrow(/row 2: the outcome must be a finite number, or NaN/)
    refused({ outcome: [0, 2], labels: ['a', 'b'] }).toThrow(
      /row 2: the outcome must be the position of one of 2 labels/,
    )
    refused({ weights: [1, -1] }).toThrow(/row 2: a weight must be a number ≥ 0 \(got -1\)/)
    refused({ posteriors: [0.9, 0.1, 0.6, 0.4] }).toThrow(
      /class 2 is not the most probable class of any row with an outcome/,
    )
    refused({ outcome: [Number.NaN, 2] }).toThrow(/class 1 is not the most probable class of any row with an outcome/)
    const flat = { posteriors: [1, 0, 1, 0, 0, 1, 0, 1], outcome: [1, 1, 2, 3] }
    refused(flat, { method: 'ml' }).toThrow(/hardly varies in class 1, .* use method 'bch'/)
    for (const method of ['bch', 'ml', 'none']) {
      refused({ outcome: [5, 5] }, { method }).toThrow(/the outcome is 5 in every row that has one/)
      refused({ outcome: [1, 1], labels: ['a', 'b'] }, { method }).toThrow(/the outcome is "b" in every row/)
    }
  })
})
