import { describe, expect, it } from 'vitest'
import { random } from '../../numeric/philox.ts'
import { fisherTail, studentQuantile } from '../../numeric/special.ts'
import { type DistalMethod, distalOutcome } from './distal.ts'

/**
 * R 4.2.2, survey 4.1.1: svyby(~y, ~class, svydesign(ids = ~c, strata = ~h, weights = ~w, nest = TRUE), svymean, covmat = TRUE) of these 48
 * rows, of which the last cluster weighs nothing. Where the class of every row is certain, the classes are domains.
 */
const n = 48
const rows = Array.from({ length: n }, (_, i) => i)
const of = rows.map(i => (i % 3 === 0 ? 0 : 1))
const sample = {
  posteriors: of.flatMap(k => [1 - k, k]),
  classes: 2,
  weights: rows.map(i => (i >= 42 ? 0 : 1 + ((i * 5) % 4))),
  clusters: rows.map(i => Math.floor(i / 6)),
  strata: rows.map(i => (i < 24 ? 'a' : 'b')),
}
const numbers = rows.map(i => ((i * 7) % 11) + 2 * (of[i] + 1))
const categories = rows.map(i => ((i * i) % 5) % 3)
const labels = ['0', '1']

describe('an outcome of rows that were drawn in clusters', () => {
  it.each(['bch', 'ml', 'none'] as const)('has the errors of domain means within strata, by %s', method => {
    const found = distalOutcome({ ...sample, outcome: numbers }, { method })
    const [one, two] = found.classes.map(({ mean }) => mean!)
    expect([one.estimate, two.estimate]).toEqual([7.628571428571428, 8.602941176470589].map(x => expect.closeTo(x, 8)))
    expect([one.standardError, two.standardError]).toEqual(
      [1.208802000672194, 0.6793707394032311].map(x => expect.closeTo(x, 7)),
    )
    expect(found.design).toEqual({ clusters: 8, strata: 2, degreesOfFreedom: 6 })
    expect(one.interval![1] - one.estimate).toBeCloseTo(studentQuantile(0.95, 6) * one.standardError!, 10)
    // By the covariance of R's two means, with Fisher's F.
    const statistic =
      (one.estimate - two.estimate) ** 2 / (1.4612022768290989 + 0.4615446015572929 + 2 * 0.4904738365934609)
    expect(found.overall!.statistic).toBeCloseTo(statistic, 6)
    expect(found.overall!.pValue).toBeCloseTo(fisherTail(statistic, 1, 6), 7)
  })

  it.each(['bch', 'ml'] as const)('has them for categories too, by %s', method => {
    const { classes } = distalOutcome({ ...sample, outcome: categories, labels }, { method })
    const errors = classes.map(({ probabilities }) => probabilities![0].standardError)
    expect(errors).toEqual([0.13508498155650514, 0.04424467769046513].map(x => expect.closeTo(x, 8)))
  })

  it('counts clusters in which the outcome is missing', () => {
    // R as above, on subset(design, !is.na(y)).
    const outcome = numbers.map((y, i) => (sample.clusters[i] === 2 ? Number.NaN : y))
    const errors = distalOutcome({ ...sample, outcome }).classes.map(({ mean }) => mean!.standardError)
    expect(errors).toEqual([1.4230032577632907, 0.5773474180701456].map(x => expect.closeTo(x, 8)))
  })

  it('has the errors of single rows, times n/(n − 1), where every row is a cluster', () => {
    const { uniform } = random(4, 'data')
    const uncertain = Array.from({ length: 300 }, () => ({ p: uniform() ** 2, w: 0.5 + uniform(), u: uniform() }))
    const data = {
      posteriors: uncertain.flatMap(({ p }) => [p, 1 - p]),
      classes: 2,
      weights: uncertain.map(({ w }) => w),
    }
    const clusters = uncertain.map((_, i) => i)
    const kinds = [
      { outcome: uncertain.map(({ p, u }) => 2 * p + u), methods: ['bch', 'ml'] },
      { outcome: uncertain.map(({ p, u }) => (u < 0.2 + p / 2 ? 0 : 1)), labels, methods: ['bch', 'ml'] },
    ]
    for (const { methods, ...outcome } of kinds) {
      for (const method of methods as DistalMethod[]) {
        const [plain, drawn] = [{}, { clusters }].map(design =>
          distalOutcome({ ...data, ...outcome, ...design }, { method }).classes.map(
            each => (each.mean ?? each.probabilities![0]).standardError!,
          ),
        )
        for (const k of [0, 1]) expect(drawn[k] / plain[k]).toBeCloseTo(Math.sqrt(300 / 299), 6)
      }
    }
  })

  it('does not depend on the order of the rows, nor on whether equal ones are counted', () => {
    const data = { ...sample, outcome: numbers }
    const order = [...rows].sort((a, b) => ((a * 29) % n) - ((b * 29) % n))
    const mixed = {
      classes: 2,
      posteriors: order.flatMap(i => data.posteriors.slice(2 * i, 2 * i + 2)),
      outcome: order.map(i => numbers[i]),
      weights: order.map(i => data.weights[i]),
      clusters: order.map(i => data.clusters[i]),
      strata: order.map(i => data.strata[i]),
    }
    expect(distalOutcome(mixed)).toEqual(distalOutcome(data))
  })

  it.each([
    [{ clusters: [1, 2] }, 'clusters must have 48 entries, one per row (got 2)'],
    [{ clusters: undefined }, 'strata need clusters'],
    [{ strata: rows.map(i => (i < 6 ? 'a' : 'b')) }, 'stratum "a" has one cluster'],
    [{ strata: undefined, clusters: rows.map(() => 1) }, 'all rows are from one cluster'],
  ])('refuses %j', (wrong, message) => {
    expect(() => distalOutcome({ ...sample, outcome: numbers, ...wrong } as never)).toThrow(message)
  })
})
