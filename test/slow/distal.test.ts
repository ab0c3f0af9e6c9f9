import {
  type DistalMethod,
  distalOutcome,
  evaluate,
  fit,
  posteriorInto,
  random,
  tensorFromColumns,
  wasmEngine,
} from '@polyad/core'
import { describe, expect, it } from 'vitest'

/**
 * Outcomes of classes that are known with moderate certainty only (a relative entropy of about 0.6), over many samples whose truth is
 * known: without correction the classes are drawn together; with either correction they are where they should be, and
 * intervals of 95 % hold the truth about as often as they say. The classes are fitted anew to every sample.
 */

const SAMPLES = 4000
const OBSERVATIONS = 1000
const YES = [
  [0.85, 0.2],
  [0.8, 0.25],
  [0.7, 0.25],
  [0.8, 0.3],
]
const SHARES = [0.6, 0.4]
const MEANS = [0, 1]
const PROBABILITIES = [
  [0.6, 0.3, 0.1],
  [0.2, 0.3, 0.5],
]

/** A normal number as the sum of twelve uniform ones: its tails do not matter here. */
const normal = (uniform: () => number): number => Array.from({ length: 12 }, uniform).reduce((a, b) => a + b) - 6

describe('distal outcomes of uncertain classes', () => {
  it('are unbiased once corrected, and intervals keep their level', { timeout: 1_800_000 }, async () => {
    const { uniform } = random(2029, 'data')
    const engine = wasmEngine({ threads: 1 })
    const methods: DistalMethod[] = ['none', 'bch', 'ml']
    // For each method: the mean of either class, then the first probability of either class.
    const truth = [...MEANS, ...PROBABILITIES.map(([first]) => first)]
    const sums = methods.map(() => truth.map(() => ({ sum: 0, square: 0, error: 0, held: 0 })))
    let entropy = 0
    for (let sample = 0; sample < SAMPLES; sample++) {
      const classes = Array.from({ length: OBSERVATIONS }, () => (uniform() < SHARES[0] ? 0 : 1))
      const answers = YES.map(yes => Int32Array.from(classes, k => (uniform() < yes[k] ? 0 : 1)))
      const number = classes.map(k => MEANS[k] + normal(uniform))
      const category = classes.map(k => {
        const [u, [first, second]] = [uniform(), PROBABILITIES[k]]
        return u < first ? 0 : u < first + second ? 1 : 2
      })
      const tensor = tensorFromColumns(answers.map(column => [...column]), undefined, { shape: YES.map(() => 2) }) // biome-ignore format: one call
      const session = await engine.open(tensor)
      const { model } = await fit(session, { rank: 2, starts: 3, seed: sample + 1 })
      const { entropyRSquared } = await evaluate(session, model)
      entropy += entropyRSquared! / SAMPLES
      await session.close()
      // The classes of a fit are in the order of their size, which need not be the true one.
      const own = model.profile(0, 0)[0] > model.profile(0, 1)[0] ? [0, 1] : [1, 0]
      const posterior = new Float64Array(2)
      const posteriors = classes.flatMap((_, i) => {
        posteriorInto(model.parameters, answers, i, posterior)
        return own.map(k => posterior[k])
      })
      methods.forEach((method, m) => {
        const means = distalOutcome({ posteriors, classes: 2, outcome: number }, { method }).classes
        const data = { posteriors, classes: 2, outcome: category, labels: ['a', 'b', 'c'] }
        const parts = distalOutcome(data, { method }).classes
        const found = [...means.map(({ mean }) => mean!), ...parts.map(({ probabilities }) => probabilities![0])]
        found.forEach(({ estimate, standardError, interval }, i) => {
          const into = sums[m][i]
          into.sum += estimate
          into.square += estimate * estimate
          into.error += standardError ?? 0
          if (interval !== null && interval[0] <= truth[i] && truth[i] <= interval[1]) into.held++
        })
      })
    }
    expect(entropy).toBeGreaterThan(0.55)
    expect(entropy).toBeLessThan(0.65)
    const figures = sums.map(list =>
      list.map(({ sum, square, error, held }, i) => {
        const mean = sum / SAMPLES
        const deviation = Math.sqrt(square / SAMPLES - mean * mean)
        const [bias, noise] = [mean - truth[i], deviation / Math.sqrt(SAMPLES)]
        return { bias, noise, deviation, error: error / SAMPLES, coverage: held / SAMPLES }
      }),
    )
    console.info(entropy, JSON.stringify(figures, (_, value) => (typeof value === 'number' ? Number(value.toFixed(4)) : value), 1)) // biome-ignore format: one line
    const [none, ...corrected] = figures
    for (const { bias, noise } of none) expect(Math.abs(bias)).toBeGreaterThan(10 * noise)
    for (const { bias, noise, coverage } of corrected.flat()) {
      expect(Math.abs(bias)).toBeLessThan(4 * noise)
      expect(coverage).toBeGreaterThanOrEqual(0.93)
      expect(coverage).toBeLessThanOrEqual(0.97)
    }
  })
})
