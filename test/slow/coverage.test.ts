import { fit, type Interval, Mode, Model, standardErrors, type Tensor, tensorFromColumns } from '@polyad/core'
import { wasmEngine } from '@polyad/core/engine'
import { type Random, random } from '@polyad/core/numeric'
import { describe, expect, it } from 'vitest'

/**
 * Intervals keep their level: over many tables drawn from a known model, those of 95% hold the true value about as often as they
 * say, for every parameter and for every kind of standard errors.
 */

const OBSERVATIONS = 1000
/** Enough that a rate, whose standard error is then 0.0028, is not outside the bounds by chance: with 1500 one of 44 was. */
const TABLES = 6000
const YES = [
  [0.85, 0.2],
  [0.8, 0.3],
  [0.75, 0.15],
  [0.7, 0.25],
  [0.9, 0.35],
]
const SHARES = [0.6, 0.4]

const truth = new Model(
  YES.map((_, n) => new Mode(`item${n + 1}`, ['yes', 'no'])),
  {
    rank: 2,
    sizes: Float64Array.from(SHARES, share => share * OBSERVATIONS),
    factors: YES.map(([a, b]) => Float64Array.of(a, b, 1 - a, 1 - b)),
  },
)

/** A table of observations; each answer is left out with a probability. */
const drawn = ({ uniform }: Random, missing: number): Tensor => {
  const rows = Array.from({ length: OBSERVATIONS }, () => {
    const k = uniform() < SHARES[0] ? 0 : 1
    return YES.map(yes => (uniform() < missing ? -1 : uniform() < yes[k] ? 0 : 1))
  })
  return tensorFromColumns(
    YES.map((_, n) => rows.map(row => row[n])),
    undefined,
    { shape: YES.map(() => 2), modes: truth.modes.map(({ name, labels = [] }) => ({ name, labels })) },
  )
}

const KINDS = ['empirical', 'observed', 'sandwich'] as const

describe('the coverage of 95% intervals', () => {
  it.each([0, 0.15])('with %f of the answers missing', { timeout: 600_000 }, async missing => {
    const source = random(2028, 'data', 3)
    const engine = wasmEngine({ threads: 1 })
    // The first share, and every probability of a yes.
    const held = KINDS.map(() => new Float64Array(1 + 2 * YES.length))
    for (let table = 0; table < TABLES; table++) {
      const session = await engine.open(drawn(source, missing))
      const { model } = await fit(session, { rank: 2, init: truth })
      // The classes of a fit are in the order of their size, which need not be the true one.
      const own = model.profile(0, 0)[0] > 0.5 ? [0, 1] : [1, 0]
      for (const [i, kind] of KINDS.entries()) {
        const { intervals } = await standardErrors(session, model, { kind })
        const check = (at: number, value: number, interval: Interval | undefined) => {
          if (interval !== undefined && interval[0] <= value && value <= interval[1]) held[i][at]++
        }
        check(0, SHARES[0], intervals!.shares[own[0]])
        YES.forEach((yes, n) => {
          yes.forEach((value, k) => {
            check(1 + 2 * n + k, value, intervals!.factors[n][own[k]][0])
          })
        })
      }
      await session.close()
    }
    for (const counts of held) {
      const rates = [...counts].map(count => count / TABLES)
      for (const rate of rates) {
        expect(rate).toBeGreaterThanOrEqual(0.93)
        expect(rate).toBeLessThanOrEqual(0.97)
      }
      const mean = rates.reduce((a, b) => a + b, 0) / rates.length
      expect(mean).toBeGreaterThanOrEqual(0.945)
      expect(mean).toBeLessThanOrEqual(0.955)
    }
  })
})
