import { describe, expect, it } from 'vitest'
import { random } from '../../numeric/philox.ts'
import { freeCoefficients, randomCoefficients } from './coefficients.ts'
import { type LogitDesign, logitInformation, logitOf } from './logit.ts'

/** A design of so many combinations: an intercept, and terms that are zero in some part of the combinations. */
const designOf = (patterns: number, width: number, zeros: number, seed = 1): LogitDesign => {
  const { uniform } = random(seed, 'sample')
  const terms = Array.from({ length: width }, (_, p) => ({ name: `${p}`, factors: [] }))
  const values = Float64Array.from({ length: patterns * width }, (_, i) =>
    i % width === 0 ? 1 : uniform() < zeros ? 0 : 4 * uniform() - 2,
  )
  return { terms, patterns, values, counts: Float64Array.from({ length: patterns }, () => 1 + 9 * uniform()) }
}

/** Written from the formula, combination by combination. */
const plainMemberships = ({ patterns, values, terms }: LogitDesign, rank: number, at: Float64Array): number[] =>
  Array.from({ length: patterns }, (_, z) => {
    const predictors = Array.from({ length: rank }, (_, k) =>
      k === 0 ? 0 : terms.reduce((sum, _, p) => sum + at[(k - 1) * terms.length + p] * values[z * terms.length + p], 0),
    )
    const most = Math.max(...predictors)
    const parts = predictors.map(each => Math.exp(each - most))
    const total = parts.reduce((a, b) => a + b)
    return parts.map(part => part / total)
  }).flat()

const RANK = 3
const at = (width: number) => {
  const { uniform } = random(3, 'sample')
  return Float64Array.from({ length: (RANK - 1) * width }, () => 2 * uniform() - 1)
}

/** The slope of each coordinate by central differences. */
const slopes = (f: (x: Float64Array) => number, x: Float64Array): number[] =>
  Array.from(x, (_, i) => {
    const moved = (by: number) => f(x.map((value, j) => (i === j ? value + by : value)))
    return (moved(1e-5) - moved(-1e-5)) / 2e-5
  })

const close = (found: ArrayLike<number>, expected: ArrayLike<number>, digits: number) => {
  expect(found.length).toBe(expected.length)
  for (let i = 0; i < expected.length; i++) expect(found[i]).toBeCloseTo(expected[i], digits)
}

describe.each([
  ['dense', designOf(7, 3, 0)],
  ['sparse', designOf(9, 5, 0.8)],
])('the logit of a %s design', (_, design) => {
  const width = design.terms.length
  const logit = logitOf(design, RANK)
  const membershipsAt = (x: Float64Array) => {
    const into = new Float64Array(design.patterns * RANK)
    logit.memberships(x, into)
    return into
  }

  it('has the memberships of the formula, whatever the size of the predictors', () => {
    expect(logit.size).toBe(2 * width)
    for (const scale of [0, 1, 30, 400, 1e4]) {
      const x = at(width).map(value => scale * value)
      close(membershipsAt(x), plainMemberships(design, RANK, x), 12)
    }
    const apart = new Float64Array(2 * width)
    apart[0] = 800
    expect([...membershipsAt(apart).subarray(0, 3)]).toEqual([0, 1, 0])
    apart[0] = -800
    close(membershipsAt(apart).subarray(0, 3), [0.5, 0, 0.5], 12)
  })

  it('has the slope of the log-likelihood of classes that are known', () => {
    const { uniform } = random(5, 'sample')
    const fallen = new Float64Array(design.patterns * RANK)
    design.counts.forEach((count, z) => {
      const parts = Array.from({ length: RANK }, () => uniform())
      const sum = parts.reduce((a, b) => a + b)
      parts.forEach((part, k) => {
        fallen[z * RANK + k] = (count * part) / sum
      })
    })
    const x = at(width)
    const into = new Float64Array(logit.size).fill(9)
    logit.slope(fallen, membershipsAt(x), into)
    const likelihood = (y: Float64Array) =>
      plainMemberships(design, RANK, y).reduce((sum, p, i) => sum + fallen[i] * Math.log(p), 0)
    close(into, slopes(likelihood, x), 6)
  })

  it('has the information: minus the second derivatives, and its factor times its transpose', () => {
    const x = at(width)
    const pi = membershipsAt(x)
    // With classes that are known, the log-likelihood curves by the counts alone.
    const fallen = new Float64Array(pi.length)
    const slopeAt = (y: Float64Array) => {
      const into = new Float64Array(logit.size)
      logit.slope(fallen, membershipsAt(y), into)
      return into
    }
    const expected = Array.from({ length: logit.size }, (_, i) => slopes(y => -slopeAt(y)[i], x)).flat()
    const information = logitInformation(design, pi, RANK, [1, 2])
    close(information, expected, 6)
    const factor = logit.information(pi)
    const { size } = logit
    const product = Float64Array.from({ length: size * size }, (_, at) => {
      const [i, j] = [Math.floor(at / size), at % size]
      let sum = 0
      for (let p = 0; p <= Math.min(i, j); p++) sum += factor[i * size + p] * factor[j * size + p]
      return sum
    })
    close(product, expected, 6)
    // Of some of the classes, in the order that is asked for.
    const own = logitInformation(design, pi, RANK, [2, 1])
    for (let p = 0; p < width; p++)
      for (let q = 0; q < width; q++)
        expect(own[p * size + q]).toBeCloseTo(information[(width + p) * size + width + q], 12)
    expect(logitInformation(design, pi, RANK, [0])).toHaveLength(width * width)
  })

  it('has a factor also if a class has died out', () => {
    const gone = new Float64Array(design.patterns * RANK)
    for (let z = 0; z < design.patterns; z++) gone.set([0.5, 0.5, 0], z * RANK)
    const factor = logit.information(gone)
    for (let i = 0; i < logit.size; i++) expect(factor[i * logit.size + i]).toBeGreaterThan(0)
    // What is known of the others is hardly changed: by a hundred-millionth.
    const information = logitInformation(design, gone, RANK, [1])
    expect(factor[0] ** 2 / information[0]).toBeCloseTo(1, 6)
    expect(factor[0] ** 2).toBeGreaterThan(information[0])
    const alone = new Float64Array(design.patterns * RANK)
    for (let z = 0; z < design.patterns; z++) alone[z * RANK] = 1
    const least = logit.information(alone)
    for (let i = 0; i < logit.size; i++) expect(least[i * logit.size + i]).toBeGreaterThan(0)
  })
})

describe('coefficients to begin with', () => {
  it('rise by one to eight per standard deviation, and are zero within two of the middle', () => {
    const { uniform } = random(1, 'sample')
    for (let n = 0; n < 300; n++) {
      const one = randomCoefficients(2, 3, uniform)
      expect(one).toHaveLength(6)
      for (let k = 0; k < 3; k++) {
        expect(Math.abs(one[k])).toBeLessThanOrEqual(16)
        expect(Math.abs(one[3 + k])).toBeLessThanOrEqual(8)
      }
    }
    // Steepness 1, 8 and √8; the intercept between −2 and 2 of it, and all slopes together between −1 and 1.
    const fixed = (...draws: readonly number[]) => {
      let next = 0
      return [...randomCoefficients(5, 1, () => draws[next++])]
    }
    close(fixed(0, 1, 1, 0, 0.5, 0.75), [2, 0.5, -0.5, 0, 0.25], 12)
    close(fixed(1, 0, 1, 0, 0.5, 0.75), [-16, 4, -4, 0, 2], 12)
    close(fixed(0.5, 0.75, 1, 1, 1, 1), [Math.sqrt(8), ...new Array(4).fill(Math.sqrt(8) / 2)], 12)
  })

  it('of a child are at most four, class by class, and drawn anew for a new class', () => {
    const given = [1, 8, -3, 2, -16, 4]
    const some = Float64Array.from(given)
    freeCoefficients(some, 3, -1, () => 0.5)
    expect([...some]).toEqual([1, 2, -3, 2, -4, 4])
    const fresh = Float64Array.from(given)
    freeCoefficients(fresh, 3, 2, () => 1)
    expect([...fresh]).toEqual([1, 2, 16, 2, -4, 8])
  })
})
