import { describe, expect, it } from 'vitest'
import type { CovariateDesign } from '../../fit/covariates/design.ts'
import { inverseOf } from '../../numeric/linear.ts'
import { random } from '../../numeric/philox.ts'
import type { AssignedRows } from './assigned-rows.ts'
import {
  byWeights,
  categoriesByLikelihood,
  categoriesInClasses,
  numbersByLikelihood,
  type ThirdStep,
} from './distal-estimators.ts'
import type { ClassifiedRows } from './measurement-step.ts'
import {
  type AssignedCombinations,
  completeInformation,
  fitMembership,
  observedInformation,
} from './membership-step.ts'
import { outcomeStep } from './outcome-step.ts'
import type { ThirdEquations } from './three-steps.ts'

/**
 * Estimates solve equations. So they move with the weights of the rows, and with the classification D, by the inverse of the equations'
 * derivatives times what these change: bread, scores and slopes are compared with differences of estimates that were computed anew.
 */

const CLASSES = 3
// biome-ignore format: a matrix
const D = Float64Array.of(
  0.8, 0.15, 0.05,
  0.1, 0.75, 0.15,
  0.05, 0.1, 0.85,
)
/** Of all rows, also those without an outcome. */
const SIZES = Float64Array.of(0.36, 0.3, 0.34)
const N = 120
const { uniform } = random(4, 'data')
const assigned = Int32Array.from({ length: N }, (_, i) => i % CLASSES)
const weights = Float64Array.from({ length: N }, () => 0.5 + uniform())
const numbers = Float64Array.from({ length: N }, (_, i) => 2 * assigned[i] + uniform() + uniform())
const categories = Float64Array.from({ length: N }, (_, i) => (i % 4 === 3 ? assigned[i] : Math.floor(3 * uniform())))

const rowsOf = (width: number, outcome: Float64Array) =>
  ({
    classes: CLASSES,
    width,
    assigned,
    outcome,
    weights,
    observations: N,
    classification: D,
    all: { masses: SIZES },
  }) as unknown as AssignedRows

/** Values with another one at a place. */
const moved = (values: Float64Array, at: number, by: number) =>
  values.map((value, i) => (i === at ? value + by : value))

/** The change of numbers per unit, by central differences. */
const changeOf = (f: (by: number) => ArrayLike<number>, by: number): number[] => {
  const [above, below] = [f(by), f(-by)]
  return Array.from(above, (value, i) => (value - below[i]) / (2 * by))
}

const times = (matrix: Float64Array, columns: number, vector: ArrayLike<number>): number[] =>
  Array.from({ length: matrix.length / columns }, (_, i) => {
    let sum = 0
    for (let j = 0; j < columns; j++) sum += matrix[i * columns + j] * vector[j]
    return sum
  })

const close = (found: ArrayLike<number>, expected: ArrayLike<number>, within: number) => {
  expect(found.length).toBe(expected.length)
  const size = Math.max(1e-3, ...Array.from(expected, Math.abs))
  for (let i = 0; i < expected.length; i++) expect(Math.abs(found[i] - expected[i])).toBeLessThan(within * size)
}

/** Holds equations against estimates that are computed with other weights, and another D. */
const checkEquations = (
  { size, bread, addScore, slopes }: ThirdEquations,
  map: Float64Array | undefined,
  used: readonly number[],
  by: {
    weight: (row: number, by: number) => ArrayLike<number>
    classification: (at: number, by: number) => ArrayLike<number>
  },
  within: number,
) => {
  const through = (vector: ArrayLike<number>) => {
    const step = times(bread, size, vector)
    return map === undefined ? step : times(map, size, step)
  }
  const sum = new Float64Array(size)
  for (const row of used) {
    const score = new Float64Array(size)
    addScore(row, score)
    score.forEach((each, a) => {
      sum[a] += weights[row] * each
    })
    if (row < 12)
      close(
        through(score),
        changeOf(step => by.weight(row, step), 1e-3),
        within,
      )
  }
  for (const each of sum) expect(Math.abs(each)).toBeLessThan(1e-4)
  for (let at = 0; at < CLASSES ** 2; at++)
    close(
      through(slopes.subarray(at * size, (at + 1) * size)),
      changeOf(step => by.classification(at, step), 1e-3),
      within,
    )
}

describe('the third step of an outcome', () => {
  it.each([
    ['numbers by weights', byWeights, 1, numbers, 1e-3],
    ['categories by weights', byWeights, 3, categories, 1e-3],
    ['numbers by likelihood', rows => numbersByLikelihood(rows, false), 1, numbers, 2e-2],
    ['numbers by likelihood, sizes fixed', rows => numbersByLikelihood(rows, true), 1, numbers, 2e-2],
    ['categories by likelihood', categoriesByLikelihood, 3, categories, 3e-2],
    ['categories by likelihood, sizes fixed', categoriesInClasses, 3, categories, 1e-2],
  ] as [string, (rows: AssignedRows) => ThirdStep, number, Float64Array, number][])(
    'solves its equations: %s',
    (_, step, width, outcome, within) => {
      const rows = rowsOf(width, outcome)
      const { equations, map, estimates, shares } = step(rows)
      expect(estimates).toHaveLength(CLASSES * width)
      expect(shares.reduce((a, b) => a + b)).toBeCloseTo(1, 9)
      const estimatesWith = (more: Partial<AssignedRows>) => step({ ...rows, ...more }).estimates
      checkEquations(
        equations(),
        map?.(),
        Array.from({ length: N }, (_, i) => i),
        {
          weight: (row, by) => estimatesWith({ weights: moved(weights, row, by) }),
          classification: (at, by) => estimatesWith({ classification: moved(D, at, by) }),
        },
        within,
      )
    },
  )

  it.each([
    ['numbers', (rows: AssignedRows) => numbersByLikelihood(rows, true), 1, numbers],
    ['categories', categoriesInClasses, 3, categories],
  ] as const)(
    'by likelihood is at the maximum for classes of the sizes of the first step: %s',
    (_, step, width, outcome) => {
      const rows = rowsOf(width, outcome)
      const { estimates, shares, variances, equations, map } = step(rows)
      close(shares, SIZES, 1e-12)
      /** Written from the formula. */
      const objective = (at: ArrayLike<number>) =>
        outcome.reduce((sum, y, i) => {
          const density = (t: number) =>
            width === 3 ? at[3 * t + y] : Math.exp(-((y - at[t]) ** 2) / variances![t] / 2) / Math.sqrt(variances![t])
          return (
            sum +
            weights[i] * Math.log([0, 1, 2].reduce((p, t) => p + SIZES[t] * density(t) * D[t * 3 + assigned[i]], 0))
          )
        }, 0)
      // From one category to another of the same class, so that probabilities sum to 1.
      const directions =
        width === 1
          ? [0, 1, 2].map(t => [t])
          : [0, 1, 2].flatMap(t => [
              [3 * t, 3 * t + 1],
              [3 * t, 3 * t + 2],
            ])
      for (const [up, down] of directions) {
        const at = (by: number) => [
          objective(estimates.map((each, i) => each + (i === up ? by : i === down ? -by : 0))),
        ]
        expect(Math.abs(changeOf(at, 1e-5)[0])).toBeLessThan(1e-4)
        expect(at(0.01)[0]).toBeLessThan(at(0)[0])
      }
      // And moves with these sizes.
      const { bySizes, bread, size } = equations()
      for (let t = 0; t < CLASSES; t++) {
        const own = Array.from({ length: size }, (_, a) =>
          [0, 1, 2].reduce((sum, u) => sum - SIZES[u] * bySizes![u * size + a], bySizes![t * size + a]),
        )
        const found = times(map!(), size, times(bread, size, own))
        close(
          found,
          changeOf(
            by => step({ ...rows, all: { masses: moved(SIZES, t, by) } } as unknown as AssignedRows).estimates,
            1e-3,
          ),
          2e-2,
        )
      }
    },
  )

  it('by weights is that of the inverse of the classification, row by row', () => {
    const { estimates, shares, variances } = byWeights(rowsOf(1, numbers))
    const W = inverseOf(D, CLASSES)!
    for (let t = 0; t < CLASSES; t++) {
      const own = Array.from(assigned, (s, i) => weights[i] * W[s * CLASSES + t])
      const mass = own.reduce((a, b) => a + b)
      const mean = own.reduce((sum, w, i) => sum + w * numbers[i], 0) / mass
      expect(estimates[t]).toBeCloseTo(mean, 10)
      expect(shares[t]).toBeCloseTo(mass / weights.reduce((a, b) => a + b), 10)
      const variance = own.reduce((sum, w, i) => sum + w * (numbers[i] - mean) ** 2, 0) / mass
      if (variance >= 0) expect(variances![t]).toBeCloseTo(variance, 10)
      else expect(variances![t]).toBeNaN()
    }
    expect(byWeights(rowsOf(3, categories)).variances).toBeUndefined()
  })

  it('says what to do if there is no correction, no member or no normal distribution', () => {
    const same = { ...rowsOf(1, numbers), classification: new Float64Array(9).fill(1 / 3) }
    expect(() => byWeights(same)).toThrow(
      'the classes overlap too much to correct for wrong assignments: use fewer classes',
    )
    const few = { ...rowsOf(1, numbers), assigned: assigned.map(() => 0) }
    expect(() => byWeights(few)).toThrow(
      /^class 2 has no members left after the correction: use method 'ml', or fewer classes$/,
    )
    const identity = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1)
    const flat = numbers.map((y, i) => (assigned[i] === 1 ? 5 : y))
    expect(() => numbersByLikelihood({ ...rowsOf(1, flat), classification: identity }, true)).toThrow(
      /^the outcome hardly varies in class 2, which no normal distribution describes: use method 'bch', or treat its values as categories$/,
    )
  })
})

/** An intercept and two terms, of five combinations. */
const PATTERNS = 5
const design = {
  terms: ['intercept', 'x', 'y'].map(name => ({ name, factors: [] })),
  patterns: PATTERNS,
  values: Float64Array.from(
    { length: PATTERNS * 3 },
    (_, i) => [1, Math.floor(i / 3) - 2, Math.floor(i / 3) % 2][i % 3],
  ),
  counts: new Float64Array(PATTERNS).fill(1),
  covariates: [],
} as unknown as CovariateDesign
const pattern = Int32Array.from({ length: N }, (_, i) => (i === 7 ? -1 : Math.floor(i / 3) % PATTERNS))
const used = Array.from({ length: N }, (_, i) => i).filter(i => i !== 7)

describe('the third step of an outcome with covariates', () => {
  const rows = { classes: CLASSES, assigned, weights, classification: D } as unknown as ClassifiedRows

  it.each([
    ['number', { kind: 'number', value: (row: number) => numbers[row] + (pattern[row] - 2), width: 1 }],
    ['category', { kind: 'category', value: (row: number) => categories[row], width: 2 }],
  ] as const)('solves its equations: a %s', (kind, values) => {
    const step = (more: Partial<ClassifiedRows> = {}) => outcomeStep({ ...rows, ...more }, design, pattern, values)
    const { equations, adjusted, coefficients, terms, shares } = step()
    expect([terms, coefficients.length]).toEqual([5, 5 * values.width])
    const by = (of: (one: ReturnType<typeof step>) => ArrayLike<number>) => ({
      weight: (row: number, amount: number) => of(step({ weights: moved(weights, row, amount) })),
      classification: (at: number, amount: number) => of(step({ classification: moved(D, at, amount) })),
    })
    checkEquations(
      equations,
      undefined,
      used,
      by(({ coefficients }) => coefficients),
      1e-3,
    )
    // What is adjusted moves with the coefficients alone if D does.
    const { map } = adjusted()
    for (let at = 0; at < CLASSES ** 2; at++) {
      const own = equations.slopes.subarray(at * equations.size, (at + 1) * equations.size)
      const found = times(map, equations.size, times(equations.bread, equations.size, own))
      close(
        found,
        changeOf(amount => step({ classification: moved(D, at, amount) }).adjusted().values, 1e-4),
        1e-3,
      )
    }
    expect(shares.reduce((a, b) => a + b)).toBeCloseTo(1, 10)
    const none = new Float64Array(equations.size)
    equations.addScore(7, none)
    expect([...none]).toEqual(new Array(equations.size).fill(0))
    const { values: means } = adjusted()
    if (kind === 'category')
      for (let t = 0; t < CLASSES; t++) expect(means[3 * t] + means[3 * t + 1] + means[3 * t + 2]).toBeCloseTo(1, 12)
    else {
      const mass = used.reduce((sum, i) => sum + weights[i], 0)
      const mean = (p: number) =>
        used.reduce((sum, i) => sum + (weights[i] / mass) * design.values[pattern[i] * 3 + p], 0)
      for (let t = 0; t < CLASSES; t++)
        expect(means[t]).toBeCloseTo(coefficients[t] + coefficients[3] * mean(1) + coefficients[4] * mean(2), 10)
    }
  })

  it('says what to do if there is no correction, or no logit', () => {
    const value = { kind: 'number', value: (row: number) => numbers[row], width: 1 } as const
    const same = { ...rows, classification: new Float64Array(9).fill(1 / 3) }
    expect(() => outcomeStep(same, design, pattern, value)).toThrow(
      'the classes overlap too much to correct for wrong assignments: use fewer classes',
    )
    const apart = { kind: 'category', value: (row: number) => (assigned[row] === 0 ? 1 : 0), width: 1 } as const
    expect(() => outcomeStep(rows, design, pattern, apart)).toThrow(
      'the regression of the outcome has no solution: a category hardly occurs in some class; merge categories, or leave covariates out',
    )
  })
})

describe('the third step of membership', () => {
  const counts = new Float64Array(PATTERNS * CLASSES)
  for (const i of used)
    counts[pattern[i] * CLASSES + assigned[i]] += weights[i] * (1 + ((pattern[i] + assigned[i]) % 3))
  const all = Float64Array.from({ length: PATTERNS }, (_, z) => counts[3 * z] + counts[3 * z + 1] + counts[3 * z + 2])
  const data: AssignedCombinations = {
    classes: CLASSES,
    counts,
    classification: D,
    corrected: inverseOf(D, CLASSES)!,
    design: { ...design, counts: all },
  }
  /** Memberships of coefficients, written from the formula. */
  const membershipsOf = (coefficients: ArrayLike<number>) =>
    Array.from({ length: PATTERNS }, (_, z) => {
      const parts = Array.from({ length: CLASSES }, (_, t) =>
        Math.exp([0, 1, 2].reduce((sum, p) => sum + coefficients[t * 3 + p] * design.values[z * 3 + p], 0)),
      )
      const sum = parts.reduce((a, b) => a + b)
      return parts.map(part => part / sum)
    }).flat()
  const objectives = {
    ml: (pi: readonly number[]) =>
      counts.reduce((sum, count, i) => {
        const [z, s] = [Math.floor(i / CLASSES), i % CLASSES]
        return sum + count * Math.log([0, 1, 2].reduce((p, t) => p + pi[z * CLASSES + t] * D[t * CLASSES + s], 0))
      }, 0),
    bch: (pi: readonly number[]) =>
      counts.reduce((sum, count, i) => {
        const [z, s] = [Math.floor(i / CLASSES), i % CLASSES]
        return (
          sum +
          count * [0, 1, 2].reduce((own, t) => own + data.corrected[s * CLASSES + t] * Math.log(pi[z * CLASSES + t]), 0)
        )
      }, 0),
  }

  it.each(['ml', 'bch'] as const)('is the maximum of its objective: %s', method => {
    const { coefficients, memberships } = fitMembership(data, method)
    expect([...coefficients.subarray(0, 3)]).toEqual([0, 0, 0])
    close(memberships, membershipsOf(coefficients), 1e-12)
    const at = (more: Float64Array) => objectives[method](membershipsOf(more))
    for (let i = 3; i < 9; i++) {
      const [slope] = changeOf(by => [at(moved(coefficients, i, by))], 1e-4)
      expect(Math.abs(slope)).toBeLessThan(1e-5)
      expect(at(moved(coefficients, i, 0.1))).toBeLessThan(at(coefficients))
    }
  })

  it('has the information of its likelihood, about all classes but the reference', () => {
    const { coefficients, memberships } = fitMembership(data, 'ml')
    const curvature = (f: (x: Float64Array) => number, places: readonly number[]) =>
      places.flatMap(i =>
        places.map(j => -changeOf(a => changeOf(b => [f(moved(moved(coefficients, i, a), j, b))], 1e-3), 1e-3)[0]),
      )
    const complete = (x: Float64Array) =>
      membershipsOf(x).reduce((sum, p, i) => {
        return sum + all[Math.floor(i / CLASSES)] * memberships[i] * Math.log(p)
      }, 0)
    for (const [reference, places] of [
      [0, [3, 4, 5, 6, 7, 8]],
      [1, [0, 1, 2, 6, 7, 8]],
    ] as const) {
      // biome-ignore format: two cases
      close(observedInformation(data, memberships, reference), curvature(x => objectives.ml(membershipsOf(x)), places), 1e-4)
      close(completeInformation(data, memberships, reference), curvature(complete, places), 1e-4)
    }
  })
})
