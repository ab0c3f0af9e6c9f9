import {
  type DistalData,
  type DistalMethod,
  distalOutcome,
  evaluate,
  fit,
  Mode,
  Model,
  tensorFromColumns,
  tensorFromRows,
} from '@polyad/core'
import { wasmEngine } from '@polyad/core/engine'
import { posteriorInto } from '@polyad/core/model'
import { random } from '@polyad/core/numeric'
import { describe, expect, it } from 'vitest'

/**
 * Outcomes of classes that are known with moderate certainty only (a relative entropy of about 0.6), over many samples whose truth is
 * known: without correction the classes are drawn together. With either correction they are where they should be, and intervals of
 * 95% hold the truth as often as they say: where the model of the classes is the true one, and where it is fitted anew to every sample and its
 * uncertainty is allowed for. Then a twentieth of the bias is left in samples of this size.
 */

/** Samples with the true model, and with one that is fitted to each, which takes longer: `npm run bench:three-steps` draws more of those. */
const SAMPLES = { known: 1000, fitted: 800 }
/** How far a rate may be from 95%: three and a half standard errors. */
const allowed = (samples: number): number => 3.5 * Math.sqrt((0.95 * 0.05) / samples)
const OBSERVATIONS = 1000
const YES = [
  [0.85, 0.2],
  [0.8, 0.25],
  [0.7, 0.25],
  [0.8, 0.3],
]
const SHARES = [0.6, 0.4]
const ITEMS = YES.map((_, n) => new Mode(`item${n + 1}`, ['yes', 'no']))
const TRUTH = new Model(ITEMS, {
  rank: 2,
  sizes: Float64Array.from(SHARES, share => share * OBSERVATIONS),
  factors: YES.map(([a, b]) => Float64Array.of(a, b, 1 - a, 1 - b)),
})
const MEANS = [0, 1]
const PROBABILITIES = [
  [0.6, 0.3, 0.1],
  [0.2, 0.3, 0.5],
]

const METHODS: readonly DistalMethod[] = ['none', 'bch', 'ml']

/** A normal number as the sum of twelve uniform ones: its tails do not matter here. */
const normal = (uniform: () => number): number => Array.from({ length: 12 }, uniform).reduce((a, b) => a + b) - 6

/** The model of a sample's classes, with the class first whose members say yes. */
const fitted = async (answers: readonly Int32Array[], seed: number): Promise<{ model: Model; own: number[] }> => {
  const tensor = tensorFromColumns(
    answers.map(column => [...column]),
    undefined,
    { shape: YES.map(() => 2) },
  )
  const session = await wasmEngine({ threads: 1 }).open(tensor)
  const { model } = await fit(session, { rank: 2, starts: 3, seed })
  await session.close()
  return { model, own: model.profile(0, 0)[0] > model.profile(0, 1)[0] ? [0, 1] : [1, 0] }
}

type DistalOutcome = Pick<DistalData, 'outcome' | 'labels'>

/** Bias and its Monte Carlo error, and coverage, of each method: of both means, and of the first probability of both classes. */
const simulate = async (known: boolean) => {
  const samples = known ? SAMPLES.known : SAMPLES.fitted
  const { uniform } = random(2029, 'data')
  const truth = [...MEANS, ...PROBABILITIES.map(([first]) => first)]
  const sums = METHODS.map(() => truth.map(() => ({ sum: 0, square: 0, held: 0 })))
  for (let sample = 0; sample < samples; sample++) {
    const classes = Array.from({ length: OBSERVATIONS }, () => (uniform() < SHARES[0] ? 0 : 1))
    const answers = YES.map(yes => Int32Array.from(classes, k => (uniform() < yes[k] ? 0 : 1)))
    const number = classes.map(k => MEANS[k] + normal(uniform))
    const category = classes.map(k => {
      const [u, [first, second]] = [uniform(), PROBABILITIES[k]]
      return u < first ? 0 : u < first + second ? 1 : 2
    })
    const { model, own } = known ? { model: TRUTH, own: [0, 1] } : await fitted(answers, sample + 1)
    const posterior = new Float64Array(2)
    const posteriors = classes.flatMap((_, i) => {
      posteriorInto(model.parameters, answers, i, posterior)
      return own.map(k => posterior[k])
    })
    const classified = known ? { posteriors, classes: 2 } : { model, answers }
    METHODS.forEach((method, m) => {
      const of = (outcome: DistalOutcome) => {
        const { classes: found, measurement } = distalOutcome({ ...classified, ...outcome }, { method })
        expect(measurement).toBe(known ? 'known' : 'estimated here')
        return known ? found : own.map(k => found[k])
      }
      const means = of({ outcome: number })
      const parts = of({ outcome: category, labels: ['a', 'b', 'c'] })
      const found = [...means.map(({ mean }) => mean!), ...parts.map(({ probabilities }) => probabilities![0])]
      found.forEach(({ estimate, interval }, i) => {
        sums[m][i].sum += estimate
        sums[m][i].square += estimate * estimate
        if (interval !== undefined && interval[0] <= truth[i] && truth[i] <= interval[1]) sums[m][i].held++
      })
    })
  }
  return sums.map(list =>
    list.map(({ sum, square, held }, i) => {
      const mean = sum / samples
      const noise = Math.sqrt((square / samples - mean * mean) / samples)
      return { bias: mean - truth[i], noise, coverage: held / samples }
    }),
  )
}

describe('distal outcomes of uncertain classes', { timeout: 1_800_000 }, () => {
  it('are those of a relative entropy of about 0.6', async () => {
    const sample = tensorFromRows([...TRUTH.sample(100_000).rows], { modes: ITEMS.map(({ name }) => name) })
    const { relativeEntropy } = await evaluate(sample, TRUTH)
    expect(relativeEntropy).toBeGreaterThan(0.55)
    expect(relativeEntropy).toBeLessThan(0.65)
  })

  it('are unbiased with either correction where the model is the true one, and intervals keep their level', async () => {
    const [none, ...corrected] = await simulate(true)
    for (const { bias, noise } of none) expect(Math.abs(bias)).toBeGreaterThan(20 * noise)
    for (const { bias, noise, coverage } of corrected.flat()) {
      expect(Math.abs(bias)).toBeLessThan(4 * noise)
      expect(coverage).toBeGreaterThanOrEqual(0.93)
      expect(coverage).toBeLessThanOrEqual(0.97)
    }
  })

  it('have little of the bias left where the model is fitted too, and intervals keep their level', async () => {
    const [none, ...corrected] = await simulate(false)
    for (const list of corrected) {
      list.forEach(({ bias, coverage }, i) => {
        expect(Math.abs(bias)).toBeLessThan(0.1 * Math.abs(none[i].bias))
        expect(Math.abs(coverage - 0.95)).toBeLessThan(allowed(SAMPLES.fitted))
      })
    }
  })

  it('are warned of where they are not normal and ml would find differences, and hardly ever where they are', () => {
    const { uniform } = random(2033, 'data')
    const standard = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
    /** How often ml and bch reject that the classes are equal, and how often the outcome is called not normal. */
    const rates = (samples: number, observations: number, draw: (k: number) => number) => {
      const sums = { ml: 0, bch: 0, doubtful: 0 }
      const posterior = new Float64Array(2)
      for (let sample = 0; sample < samples; sample++) {
        const classes = Array.from({ length: observations }, () => (uniform() < SHARES[0] ? 0 : 1))
        const answers = YES.map(yes => Int32Array.from(classes, k => (uniform() < yes[k] ? 0 : 1)))
        const posteriors = classes.flatMap((_, i) => {
          posteriorInto(TRUTH.parameters, answers, i, posterior)
          return [...posterior]
        })
        const data = { posteriors, classes: 2, outcome: classes.map(draw) }
        const ml = distalOutcome(data, { method: 'ml' })
        if (ml.overall!.pValue < 0.05) sums.ml += 1 / samples
        if (distalOutcome(data).overall!.pValue < 0.05) sums.bch += 1 / samples
        if (ml.normality!.doubtful) sums.doubtful += 1 / samples
      }
      return sums
    }
    const NORMAL = { equal: standard, shifted: (k: number) => 1.5 * k + standard(), spread: (k: number) => 2 * k + (k === 0 ? 1 : 3) * standard() } // biome-ignore format: three
    for (const observations of [60, 300]) {
      for (const [name, draw] of Object.entries(NORMAL)) {
        const { doubtful } = rates(1000, observations, draw)
        console.log(`normal, ${name}, n = ${observations}: ${(100 * doubtful).toFixed(1)}% warned of`)
        expect(doubtful).toBeLessThan(name === 'spread' ? 0.05 : 0.01)
      }
    }
    const OTHERS = { 'lognormal 1': () => Math.exp(standard()), 'lognormal 0.5': () => Math.exp(standard() / 2), exponential: () => -Math.log(uniform()) } // biome-ignore format: three
    for (const [name, draw] of Object.entries({ ...OTHERS, normal: standard })) {
      const { ml, bch, doubtful } = rates(300, 500, draw)
      console.log(`${name}, n = 500: ml ${(100 * ml).toFixed(1)}%, bch ${(100 * bch).toFixed(1)}%, warned of ${(100 * doubtful).toFixed(1)}%`) // biome-ignore format: one line
      expect(bch).toBeLessThan(0.09)
      if (name === 'normal') expect(ml).toBeLessThan(0.09)
      else expect([ml > 0.5, doubtful]).toEqual([true, expect.closeTo(1, 2)])
    }
  })
})
