import { describe, expect, it } from 'vitest'
import type { CovariateDesign } from '../../fit/covariates/design.ts'
import { inverseOf } from '../../numeric/linear.ts'
import type { ClassifiedRows } from './measurement-step.ts'
import { type AssignedCombinations, fitMembership } from './membership-step.ts'
import { outcomeStep } from './outcome-step.ts'

/** Small samples whose corrected weights are negative for some combinations of the covariates. Expected values are scipy's. */

const designOf = (x: readonly (readonly number[])[], counts: readonly number[]): CovariateDesign =>
  ({
    terms: ['intercept', 'x', 'g'].map(name => ({ name, factors: [] })),
    patterns: x.length,
    values: Float64Array.from(x.flatMap(each => [1, ...each])),
    counts: Float64Array.from(counts),
    covariates: [],
  }) as unknown as CovariateDesign

/** @param table observations by combination, assigned class and category */
const logit = (
  wrong: number,
  x: readonly (readonly number[])[],
  table: readonly (readonly (readonly number[])[])[],
) => {
  const cells = table.flatMap((own, z) => own.flatMap((counts, s) => counts.map((count, j) => ({ z, s, j, count }))))
  const rows = {
    classes: 2,
    assigned: Int32Array.from(cells, ({ s }) => s),
    weights: Float64Array.from(cells, ({ count }) => count),
    classification: Float64Array.of(1 - wrong, wrong, wrong, 1 - wrong),
  } as unknown as ClassifiedRows
  const counts = table.map(own => own.flat().reduce((a, b) => a + b))
  const pattern = Int32Array.from(cells, ({ z }) => z)
  return outcomeStep(rows, designOf(x, counts), pattern, { kind: 'category', value: row => cells[row].j, width: 1 })
}

describe('a logit of an outcome with negative weights', () => {
  it('is at its maximum, to which whole Newton steps do not lead', () => {
    const x = [
      [0.26, 0],
      [-1.1, 1],
      [1.01, 1],
      [0.46, 1],
      [-1.03, 0],
      [-0.24, 1],
    ]
    const table = [
      [
        [4, 11],
        [1, 2],
      ],
      [
        [8, 5],
        [5, 4],
      ],
      [
        [5, 10],
        [3, 5],
      ],
      [
        [4, 5],
        [1, 3],
      ],
      [
        [14, 5],
        [4, 1],
      ],
      [
        [4, 7],
        [6, 3],
      ],
    ]
    const { coefficients } = logit(0.29, x, table)
    expect([...coefficients]).toEqual(
      [-0.27756635, -3.82744225, 0.61391463, 1.01977477].map(each => expect.closeTo(each, 6)),
    )
  })

  it('is refused if it rises without end', () => {
    // At the bounds of ±200 that scipy was given, the objective is 546.9 and still rises by 3 per unit.
    const x = [
      [1.02, 0],
      [0.06, 0],
      [-1.49, 1],
      [-0.12, 1],
      [-0.25, 1],
      [-1.28, 0],
    ]
    const table = [
      [
        [6, 0],
        [12, 4],
      ],
      [
        [6, 5],
        [4, 4],
      ],
      [
        [5, 17],
        [2, 1],
      ],
      [
        [7, 5],
        [5, 0],
      ],
      [
        [3, 5],
        [6, 3],
      ],
      [
        [7, 10],
        [3, 0],
      ],
    ]
    expect(() => logit(0.25, x, table)).toThrow(
      'the regression of the outcome has no maximum, because corrected weights are negative for some combinations of covariates: use fewer covariates or classes',
    )
  })
})

describe('memberships by the likelihood', () => {
  it('are at the best of its maxima', () => {
    const classification = Float64Array.of(0.849, 0.151, 0.371, 0.629)
    const counts = Float64Array.of(14, 4, 3, 5, 11, 5, 7, 7, 13, 3, 2, 6, 19, 9, 11, 1)
    const x = [-1.5, -0.5, 0.5, 1.5].flatMap(each => [
      [each, 0],
      [each, 1],
    ])
    const all = x.map((_, z) => counts[2 * z] + counts[2 * z + 1])
    const data: AssignedCombinations = {
      classes: 2,
      counts,
      classification,
      corrected: inverseOf(classification, 2)!,
      design: designOf(x, all),
    }
    const { memberships } = fitMembership(data, 'ml')
    const logLikelihood = counts.reduce((sum, count, i) => {
      const [z, s] = [Math.floor(i / 2), i % 2]
      const p = memberships[2 * z] * classification[s] + memberships[2 * z + 1] * classification[2 + s]
      return sum + count * Math.log(p)
    }, 0)
    // Of 60 starts in scipy the best ends here, by way of coefficients that run off; others at −72.966 and −73.846.
    expect(logLikelihood).toBeCloseTo(-72.64673, 4)
  })
})
