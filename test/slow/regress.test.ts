import { fit, regressClasses, tensorFromColumns } from '@polyad/core'
import { wasmEngine } from '@polyad/core/engine'
import { withoutModes } from '@polyad/core/model'
import { random } from '@polyad/core/numeric'
import { describe, expect, it } from 'vitest'

/**
 * Coefficients of covariates in three steps, over samples whose truth is known and to which the model of the classes is fitted too: they are
 * next to unbiased, and intervals of 95% hold the truth as often as they say. Without the uncertainty of the model those of intercepts would not.
 */

/** A rate of 0.95 then has a standard error of 0.006. */
const SAMPLES = 1500
const OBSERVATIONS = 1000
const YES = [
  [0.85, 0.2],
  [0.8, 0.25],
  [0.7, 0.25],
  [0.8, 0.3],
]
const VALUES = [-2, -1, 0, 1, 2]
const TRUTH = [-0.4, 0.6]
const KINDS = [
  { method: 'ml', measurement: 'estimated' },
  { method: 'bch', measurement: 'estimated' },
  { method: 'ml', measurement: 'known' },
  { method: 'none', measurement: 'estimated' },
] as const

describe('coefficients of covariates in three steps', { timeout: 600_000 }, () => {
  it('are next to unbiased, with intervals that keep their level', async () => {
    const { uniform } = random(2031, 'data')
    const engine = wasmEngine({ threads: 1 })
    const sums = KINDS.map(() => TRUTH.map(() => ({ sum: 0, square: 0, held: 0 })))
    for (let sample = 0; sample < SAMPLES; sample++) {
      const xs = Array.from({ length: OBSERVATIONS }, () => Math.floor(VALUES.length * uniform()))
      const classes = xs.map(x => (uniform() < 1 / (1 + Math.exp(-TRUTH[0] - TRUTH[1] * VALUES[x])) ? 1 : 0))
      const answers = YES.map(yes => classes.map(k => (uniform() < yes[k] ? 0 : 1)))
      const modes = [...YES.map((_, n) => ({ name: `item${n + 1}`, labels: ['yes', 'no'] })), { name: 'x', labels: VALUES }] // biome-ignore format: one list
      const shape = modes.map(({ labels }) => labels.length)
      const tensor = tensorFromColumns([...answers, xs], undefined, { shape, modes })
      const session = await engine.open(withoutModes(tensor, ['x']))
      const { model } = await fit(session, { rank: 2, starts: 3, seed: sample + 1 })
      await session.close()
      const reference = model.profile(0, 0)[0] > model.profile(0, 1)[0] ? 1 : 2
      KINDS.forEach((kind, i) => {
        const { covariates } = regressClasses(tensor, model, { covariates: ['x'], reference, ...kind })
        covariates.coefficients.forEach(({ estimate, interval }, at) => {
          const into = sums[i][at]
          into.sum += estimate
          into.square += estimate * estimate
          const odds = Math.exp(TRUTH[at])
          if (interval![0] <= odds && odds <= interval![1]) into.held++
        })
      })
    }
    const [ml, bch, known, none] = sums.map(list =>
      list.map(({ sum, square, held }, at) => {
        const mean = sum / SAMPLES
        return {
          bias: mean - TRUTH[at],
          deviation: Math.sqrt(square / SAMPLES - mean * mean),
          coverage: held / SAMPLES,
        }
      }),
    )
    console.log({ ml, bch, known, none })
    for (const [intercept, slope] of [ml, bch]) {
      expect(Math.abs(intercept.bias)).toBeLessThan(0.15 * intercept.deviation)
      // The model that is fitted overstates how well it tells the classes apart: in samples of this size some of the bias is left.
      expect(Math.abs(slope.bias)).toBeLessThan(0.1 * Math.abs(none[1].bias))
    }
    for (const { coverage } of [...ml, ...bch]) {
      expect(coverage).toBeGreaterThanOrEqual(0.93)
      expect(coverage).toBeLessThanOrEqual(0.97)
    }
    expect(known[0].coverage).toBeLessThan(0.9)
    expect(none[1].bias).toBeLessThan(-0.1)
  })
})
