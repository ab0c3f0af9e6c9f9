import { readFileSync } from 'node:fs'
import {
  evaluate,
  fit,
  fitCovariates,
  matchClasses,
  principalComponent,
  type Tensor,
  tensorFromRows,
} from '@polyad/core'
import { completeCells } from '@polyad/core/model'
import { describe, expect, it } from 'vitest'
import { acm, carcinoma, gss82, hairEyeColor, pleural, values } from './tables.ts'

/** Results printed in textbooks and manuals, or found alike by two independent programs. */

describe('rank 1 is the model of mutual independence', () => {
  it.each([
    ['alcohol, cigarettes, marijuana', acm, 1286.01995442, 1411.38602531, 4, 643.0099772118],
    ['hair, eye and sex', hairEyeColor, 166.3001395, 164.92471738, 24, 83.1500697502],
    ['survey attitudes', gss82, 257.26036, 368.66571, 29, 128.63018],
  ])('%s', async (_, tensor, gSquared, chiSquared, degreesOfFreedom, divergence) => {
    const found = await evaluate(tensor, principalComponent(tensor))
    const digits = tensor === gss82 ? 5 : 6
    expect(found.gSquared).toBeCloseTo(gSquared, digits)
    expect(found.chiSquared).toBeCloseTo(chiSquared, digits)
    expect(found.degreesOfFreedom).toBe(degreesOfFreedom)
    const result = await fit(tensor, { rank: 1 })
    expect(result.divergence).toBeCloseTo(divergence, digits)
    expect(result.converged).toBe(true)
    expect(found.gSquared).toBeCloseTo(2 * (result.divergence as number), 7)
  })
})

interface Published {
  readonly rank: number
  readonly logLikelihood: number
  readonly parameters?: number
  readonly aic?: number
  readonly bic?: number
  readonly gSquared?: number
  readonly chiSquared?: number
  readonly shares?: readonly number[]
  readonly entropy?: number
}

const latentClasses: readonly [string, Tensor, readonly Published[]][] = [
  [
    'carcinoma',
    carcinoma,
    [
      { rank: 1, logLikelihood: -524.464818, parameters: 7, aic: 1062.9296, bic: 1082.3244, gSquared: 476.78139, chiSquared: 1975.38669, shares: [1] },
      { rank: 2, logLikelihood: -317.256837, parameters: 15, aic: 664.5137, bic: 706.0739, gSquared: 62.36543, chiSquared: 92.64814, shares: [0.501212, 0.498788], entropy: 0.985508 },
      { rank: 3, logLikelihood: -293.704979, parameters: 23, aic: 633.41, bic: 697.1357, gSquared: 15.26171, chiSquared: 20.50335, shares: [0.444728, 0.373565, 0.181708], entropy: 0.925665 },
      { rank: 4, logLikelihood: -289.285849, parameters: 31, aic: 640.5717, bic: 726.4629, gSquared: 6.42345, chiSquared: 10.0844, shares: [0.375141, 0.342995, 0.188215, 0.09365], entropy: 0.901831 },
    ],
  ],
  [
    'values',
    values,
    [
      { rank: 1, logLikelihood: -543.649825, parameters: 4, aic: 1095.2996, bic: 1108.8008, gSquared: 81.08423, chiSquared: 104.10707 },
      { rank: 2, logLikelihood: -504.46767, parameters: 9, aic: 1026.9353, bic: 1057.3128, gSquared: 2.71992, chiSquared: 2.71976, shares: [0.720753, 0.279247], entropy: 0.719296 },
    ],
  ],
  [
    'survey attitudes',
    gss82,
    [
      { rank: 1, logLikelihood: -2872.229576, parameters: 6, aic: 5756.4592, bic: 5787.0096, gSquared: 257.26036, chiSquared: 368.66571 },
      { rank: 2, logLikelihood: -2783.26801, parameters: 13, aic: 5592.536, bic: 5658.7287, gSquared: 79.33723, chiSquared: 93.25329, shares: [0.807735, 0.192265], entropy: 0.703276 },
      { rank: 3, logLikelihood: -2754.545405, parameters: 20, aic: 5549.0908, bic: 5650.9257, gSquared: 21.89202, chiSquared: 23.53221, shares: [0.620752, 0.206961, 0.172288], entropy: 0.666924 },
      { rank: 4, logLikelihood: -2746.620807, parameters: 27, aic: 5547.2416, bic: 5684.7187, gSquared: 6.04282, chiSquared: 5.11293, shares: [0.572085, 0.220906, 0.178974, 0.028035], entropy: 0.664877 },
    ],
  ],
  ['pleural thickening', pleural, [{ rank: 2, logLikelihood: -891.142795, parameters: 7, gSquared: 0, chiSquared: 0, shares: [0.945519, 0.054481] }]],
  ['alcohol, cigarettes, marijuana', acm, [{ rank: 2, logLikelihood: -3307.078461, parameters: 7, gSquared: 0, chiSquared: 0, shares: [0.637303, 0.362697] }]],
] // biome-ignore format: one line a published row

describe.each(latentClasses)('latent classes of %s', (_, tensor, fits) => {
  it.each(fits)('rank $rank', async published => {
    const { rank } = published
    const result = await fit(tensor, { rank, starts: 30, stationarity: 1e-8 })
    expect(result.logLikelihood).toBeCloseTo(published.logLikelihood, 5)
    expect(result.converged).toBe(true)
    const found = await evaluate(tensor, result.model)
    const { parameters, aic, bic, gSquared, chiSquared, identification } = found
    expect(identification).toMatchObject({ verdict: 'identified', rank: parameters })
    if (published.parameters !== undefined) expect(parameters).toBe(published.parameters)
    if (published.aic !== undefined) expect(aic).toBeCloseTo(published.aic, 3)
    if (published.bic !== undefined) expect(bic).toBeCloseTo(published.bic, 3)
    if (published.gSquared !== undefined) expect(gSquared).toBeCloseTo(published.gSquared, 4)
    if (published.chiSquared !== undefined) expect(chiSquared).toBeCloseTo(published.chiSquared, 3)
    published.shares?.forEach((share, k) => {
      expect(result.model.shares[k]).toBeCloseTo(share, 4)
    })
    if (published.entropy !== undefined) expect(found.relativeEntropy).toBeCloseTo(published.entropy, 4)
  })
})

it('carcinoma, three classes: the published probabilities of each class', async () => {
  const { model } = await fit(carcinoma, { rank: 3 })
  const published = {
    A: [0, 0.94269, 0.487168],
    B: [0.019056, 0.862057, 0],
    C: [0.142495, 1, 1],
    D: [0.413753, 1, 0.942401],
    E: [0, 0.944918, 0.249397],
    F: [0.523609, 1, 1],
    G: [0, 1, 0.369348],
  }
  for (const [mode, expected] of Object.entries(published)) {
    expected.forEach((p, k) => {
      expect(model.profile(mode, k)[0]).toBeCloseTo(p, 4)
    })
  }
  expect(matchClasses(model, model).score).toBeCloseTo(1, 12)
})

describe('election, with its missing answers', () => {
  /** American National Election Study of 2000: twelve items about two candidates, and the party a person is of (1 to 7). */
  const lines = readFileSync(new URL('data/election.csv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  const [names, ...people] = lines.map(line => line.split(','))
  const items = names.slice(0, 12)
  const rows = people.map(fields => fields.slice(0, 12))

  it.each([
    [2, -22127.913291, [0.537146, 0.462854]],
    [3, -21311.535671, [0.431273, 0.290784, 0.277943]],
  ])('all 1785 rows, rank %i', async (rank, logLikelihood, shares) => {
    const tensor = tensorFromRows(rows, { modes: items, missing: ['NA'] })
    expect(tensor.total).toBe(1785)
    const result = await fit(tensor, { rank, starts: 4 })
    expect(result.logLikelihood).toBeCloseTo(logLikelihood, 4)
    shares.forEach((share, k) => {
      expect(result.model.shares[k]).toBeCloseTo(share, 4)
    })
  })

  it('the 1300 complete rows with a party, membership on PARTY', async () => {
    const parties = people.map(({ 12: party }, i) => [...rows[i], party === 'NA' ? null : Number(party)])
    const tensor = completeCells(tensorFromRows(parties, { modes: names, missing: ['NA'] }))
    expect(tensor.total).toBe(1300)
    const result = await fitCovariates(tensor, { rank: 3, covariates: ['PARTY'], starts: 4 })
    expect(result.logLikelihood).toBeCloseTo(-16222.323348, 5)
    expect(result.evaluation.parameters).toBe(112)
    expect(result.evaluation.aic).toBeCloseTo(32668.6467, 3)
    expect(result.evaluation.bic).toBeCloseTo(33247.7001, 3)
    for (const [k, share] of [0.385883, 0.340515, 0.273602].entries())
      expect(result.model.shares[k]).toBeCloseTo(share, 5)
    const published = [
      [2, 'intercept', -3.81813, 0.31109],
      [2, 'PARTY', 0.79327, 0.06232],
      [3, 'intercept', 1.16155, 0.17989],
      [3, 'PARTY', -0.57436, 0.06401],
    ]
    result.covariates.coefficients.forEach((found, i) => {
      const [k, term, estimate, error] = published[i] as [number, string, number, number]
      expect([found.class, found.term]).toEqual([k, term])
      expect(found.estimate).toBeCloseTo(estimate, 4)
      expect(found.standardError).toBeCloseTo(error, 4)
    })
  })

  it('the 1311 complete rows, rank 3', async () => {
    const tensor = tensorFromRows(
      rows.filter(row => !row.includes('NA')),
      { modes: items },
    )
    expect(tensor.total).toBe(1311)
    const result = await fit(tensor, { rank: 3, starts: 4 })
    expect(result.logLikelihood).toBeCloseTo(-16714.659143, 4)
  })
})
