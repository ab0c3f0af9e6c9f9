import { describe, expect, it } from 'vitest'
import { threeStepRows as rows } from '../../../../../test/three-step-rows.ts'
import { fit } from '../../fit/fit.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import type { DistalData } from './assigned-rows.ts'
import { type DistalEstimate, type DistalOptions, distalOutcome } from './distal.ts'

const MEAN = rows.reduce((sum, { w }) => sum + w, 0) / rows.length
const MODES = ['q1', 'q2', 'q3', 'q4']
const LABELS = ['low', 'middle', 'high']

/**
 * By numpy and scipy: the equations of all three steps solved by root finding. `errors` are an infinitesimal jackknife: the weight of every row
 * is moved by a thousandth up and down, everything is estimated anew but the assignments, and the squares of the derivatives are added, by
 * rows or (`clusters`) by clusters within strata. `known`: with the third step alone estimated anew.
 */
const EXPECTED = {
  'numbers by bch': {
    estimates: [0.87245399, 3.32829698],
    errors: [0.13263063, 0.1437481],
    known: [0.10973495, 0.10235483],
    clusters: [0.14981619, 0.16476796],
    wald: 199.69893674,
  },
  'numbers by ml': {
    estimates: [0.88429783, 3.25687933],
    errors: [0.11656625, 0.10731173],
    known: [0.09611381, 0.08906777],
    clusters: [0.14051778, 0.12115472],
    wald: 324.85494028,
  },
  'categories by ml': {
    estimates: [0.69338724, 0.24360637, 0.06300639, 0.05725392, 0.3573274, 0.58541868],
    errors: [0.03922785, 0.03051765, 0.02940849, 0.03666619, 0.03442049, 0.04303777],
    known: [0.03458181, 0.03046218, 0.02446999, 0.02548653, 0.03425989, 0.03650057],
    clusters: [0.04648716, 0.03186336, 0.03331109, 0.04203373, 0.03647405, 0.05304506],
  },
} as const

describe('an outcome of classes whose model is estimated too', async () => {
  const tensor = tensorFromRows(
    rows.map(({ answers }) => answers),
    { modes: MODES, weights: rows.map(({ w }) => w / MEAN) },
  )
  const { model } = await fit(tensor, { rank: 2, starts: 4, tolerance: 1e-14, stationarity: 1e-9 })
  const known = (i: number) => i % 13 !== 0
  const data = {
    model,
    answers: model.modes.map((mode, n) =>
      rows.map(({ answers }) => (answers[n] === null ? -1 : mode.indexOf(answers[n])!)),
    ),
    weights: rows.map(({ w }) => w / MEAN),
  }
  const outcomes: Record<keyof typeof EXPECTED, [DistalData, DistalOptions]> = {
    'numbers by bch': [{ ...data, outcome: rows.map(({ y }, i) => (known(i) ? y : Number.NaN)) }, { method: 'bch' }],
    'numbers by ml': [
      { ...data, outcome: rows.map(({ y }, i) => (known(i) ? y : Number.NaN)) },
      { method: 'ml', classSizes: 'estimated' },
    ],
    'categories by ml': [
      { ...data, labels: LABELS, outcome: rows.map(({ category }, i) => (known(i) ? LABELS.indexOf(category) : -1)) },
      { method: 'ml', classSizes: 'estimated' },
    ],
  }
  const listed = (given: DistalData, options: DistalOptions) => {
    const found = distalOutcome(given, options)
    const list = found.classes.flatMap(({ mean, probabilities }): readonly DistalEstimate[] =>
      mean === undefined ? probabilities! : [mean],
    )
    return { ...found, estimates: list.map(({ estimate }) => estimate), errors: list.map(each => each.standardError!) }
  }
  const close = (found: readonly number[], expected: readonly number[], digits: number) => {
    expect(found).toHaveLength(expected.length)
    found.forEach((value, i) => {
      expect(value / expected[i]).toBeCloseTo(1, digits)
    })
  }

  it.each(Object.keys(EXPECTED) as (keyof typeof EXPECTED)[])('has the errors of another program: %s', name => {
    const [given, options] = outcomes[name]
    const expected = EXPECTED[name]
    const found = listed(given, options)
    expect(found).toMatchObject({ measurement: 'estimated here', measurementReason: undefined })
    close(found.estimates, expected.estimates, 5)
    close(found.errors, expected.errors, 4)
    if ('wald' in expected) expect(found.overall!.statistic / expected.wald).toBeCloseTo(1, 3)
    const alone = listed(given, { ...options, measurement: 'known' })
    expect(alone.measurement).toBe('known')
    close(alone.errors, expected.known, 4)
    const design = { clusters: rows.map(({ cluster }) => cluster), strata: rows.map(({ stratum }) => stratum) }
    const drawn = listed({ ...given, ...design }, options)
    expect(drawn.design).toEqual({ clusters: 40, strata: 2, degreesOfFreedom: 38 })
    close(drawn.errors, expected.clusters, 4)
  })

  it('has the errors of weights by likelihood too, if no row lacks the outcome and no probability is negative', () => {
    const complete = { ...data, labels: LABELS, outcome: rows.map(({ category }) => LABELS.indexOf(category)) }
    const [fixed, weighted] = [listed(complete, { method: 'ml' }), listed(complete, { method: 'bch' })]
    expect([fixed.classSizes, weighted.classSizes]).toEqual(['fixed', undefined])
    close(fixed.estimates, weighted.estimates, 5)
    close(fixed.errors, weighted.errors, 4)
    expect(() => distalOutcome(complete, { method: 'bch', classSizes: 'fixed' })).toThrow(
      "classSizes needs method 'ml'",
    )
  })

  it('is that of the posteriors alone if the model is known', () => {
    const [given, options] = outcomes['numbers by bch']
    const { model: _, answers, ...rest } = given
    const posteriors = rows.flatMap((_, i) => {
      const row = Object.fromEntries(
        MODES.flatMap((name, n) => (answers![n][i] < 0 ? [] : [[name, rows[i].answers[n]]])),
      )
      return [...model.posterior(row as never).probabilities]
    })
    const [one, other] = [
      listed({ ...rest, posteriors, classes: 2 }, options),
      listed(given, { ...options, measurement: 'known' }),
    ]
    close(one.estimates, other.estimates, 9)
    close(one.errors, other.errors, 9)
    expect(one.measurement).toBe('known')
  })

  it('does not depend on the order of the rows, nor on whether equal ones are counted', () => {
    const [given] = outcomes['categories by ml']
    const order = rows.map((_, i) => i).sort((a, b) => ((a * 37) % 800) - ((b * 37) % 800))
    const mixed = {
      ...given,
      answers: given.answers!.map(column => order.map(i => column[i])),
      outcome: order.map(i => given.outcome[i]),
      weights: order.map(i => given.weights![i]),
    }
    expect(distalOutcome(mixed)).toEqual(distalOutcome(given))
  })

  it('refuses answers that are not those of the model', () => {
    const [given] = outcomes['numbers by bch']
    const refused = (change: object) => expect(() => distalOutcome({ ...given, ...change } as never))
    refused({ answers: undefined }).toThrow(/give either posteriors and classes, or a model and the answers/)
    refused({ posteriors: [1] }).toThrow(/give either posteriors and classes, or a model and the answers/)
    refused({ answers: given.answers!.slice(1) }).toThrow(/a column for each of the 4 modes \(got 3\)/)
    refused({ answers: given.answers!.map(() => [0]) }).toThrow(/must have 800 positions for 800 rows in "q1"/)
    refused({ answers: given.answers!.map(column => [2, ...Array.from(column).slice(1)]) }).toThrow(
      /row 1: an answer must be the position of one of the 2 labels of "q1"/,
    )
  })

  it('leaves out rows without any answer, as regressClasses and regressOutcome do', () => {
    for (const [given, options] of Object.values(outcomes)) {
      const plain = distalOutcome(given, options)
      const more = distalOutcome(
        {
          ...given,
          answers: given.answers!.map(column => [...Array.from(column), -1, -1, -1]),
          outcome: [...Array.from(given.outcome), given.labels === undefined ? 99 : 2, 0, 0],
          weights: [...Array.from(given.weights!), 3, 1, 1],
          // The last was never seen: it stands for a cluster without rows.
          counts: [...rows.map(() => 1), 1, 1, 0],
        },
        options,
      )
      expect(more).toEqual({ ...plain, missing: plain.missing + 2 })
    }
  })
})
