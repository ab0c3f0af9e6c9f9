import { expect, it } from 'vitest'
import { inverseOf } from '../../numeric/linear.ts'
import { random } from '../../numeric/philox.ts'
import { chiSquareTail } from '../../numeric/special.ts'
import type { AssignedRows } from './assigned-rows.ts'
import { normalityOf } from './normality.ts'

const D = Float64Array.of(0.85, 0.15, 0.2, 0.8)
const W = inverseOf(D, 2)!
const { uniform } = random(6, 'data')
const assigned = Int32Array.from({ length: 80 }, (_, i) => i % 2)
const weights = Float64Array.from({ length: 80 }, () => 0.5 + uniform())
const squares = weights.map(w => w * w)
const draws = Float64Array.from({ length: 40 }, () => uniform() ** 3 + uniform())
/** Skewed, and far from zero: in thousands. */
const outcome = Float64Array.from(assigned, (s, i) => 1000 * (5 + 0.3 * s + draws[i >> 1]))
const rows = { classes: 2, width: 1, assigned, outcome, weights, squares, classification: D } as unknown as AssignedRows

/** The polynomials of Hermite, times the power of the deviation. */
const hermite = [
  (d: number, v: number) => d ** 3 - 3 * v * d,
  (d: number, v: number) => d ** 4 - 6 * v * d ** 2 + 3 * v ** 2,
]

it('is judged by the third and fourth moments within the classes, with the variances of normal outcomes', () => {
  const total = weights.reduce((a, b) => a + b)
  const own = (t: number, of: (i: number) => number) =>
    weights.reduce((sum, w, i) => sum + w * W[assigned[i] * 2 + t] * of(i), 0)
  const masses = [0, 1].map(t => own(t, () => 1))
  const means = [0, 1].map(t => own(t, i => outcome[i]) / masses[t])
  const variances = [0, 1].map(t => own(t, i => (outcome[i] - means[t]) ** 2) / masses[t])
  expect(Math.min(...variances)).toBeGreaterThan(0)
  const within = variances.reduce((sum, v, t) => sum + (v * masses[t]) / total, 0)
  const [third, fourth] = hermite.map(polynomial => {
    /** What a row adds that was assigned to s. */
    const part = (s: number, y: number) =>
      [0, 1].reduce((sum, t) => sum + W[s * 2 + t] * polynomial(y - means[t], variances[t]), 0)
    const value = weights.reduce((sum, w, i) => sum + w * part(assigned[i], outcome[i]), 0) / total
    // The mean of its square over normal outcomes of the classes that rows assigned to s are from, by the trapezoidal rule.
    const expected = [0, 1].map(s => {
      const joint = [0, 1].map(u => (masses[u] / total) * D[u * 2 + s])
      const all = joint[0] + joint[1]
      return [0, 1].reduce((sum, u) => {
        let integral = 0
        for (let z = -12; z <= 12; z += 0.01)
          integral += 0.01 * Math.exp((-z * z) / 2) * part(s, means[u] + z * Math.sqrt(variances[u])) ** 2
        return sum + ((joint[u] / all) * integral) / Math.sqrt(2 * Math.PI)
      }, 0)
    })
    const variance = squares.reduce((sum, square, i) => sum + square * expected[assigned[i]], 0) / total ** 2
    return { value, statistic: value ** 2 / variance }
  })
  const found = normalityOf(rows)
  expect(found.skewness).toBeCloseTo(third.value / within ** 1.5, 8)
  expect(found.kurtosis).toBeCloseTo(fourth.value / within ** 2, 8)
  expect(found.pValue).toBeCloseTo(chiSquareTail(third.statistic + fourth.statistic, 2), 8)
  expect(found.doubtful).toBe(found.pValue < 1e-5)
})
