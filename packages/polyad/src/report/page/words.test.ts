import { plainDocument } from '@polyad/charts'
import { evaluate, fit, Mode, Model, normal, tensorFromColumns, tensorFromRows } from '@polyad/core'
import { classMarks, oneClass } from '@polyad/core/stats'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tensorsWithStart } from '../../../../../test/arbitrary.ts'
import { carcinoma, values } from '../../../../../test/tables.ts'
import { checkNames, classNamesOf, describeClasses } from '../figures/class-names.ts'
import { fitFigures } from '../figures/fit-figures.ts'
import { fixed, percent } from '../numbers.ts'
import type { Report } from '../record/report.ts'
import { cautions } from './cautions.ts'
import { howToReport, references, undescribed } from './how-to-report.ts'
import { ASSIGNED, UNCERTAIN } from './judgements.ts'
import { makeReport } from './make-report.ts'
import { reportPage } from './page.ts'
import { reportFacts } from './report-facts.ts'
import { classSentences, summary } from './summary.ts'

const sentencesOf = (report: Report): string[] => [
  ...summary(report),
  ...report.classes.flatMap((_, k) => classSentences(report, k).map(text => `${k}: ${text}`)),
  ...cautions(report),
  ...report.leftOut,
]

/** Words that show that a number, or something else, was not there. */
const BROKEN = /NaN|undefined|null|Infinity|\[object/

describe('whatever the model and the data', () => {
  it('every sentence is whole, none is said twice, and they say what the numbers say', async () => {
    await fc.assert(
      fc.asyncProperty(tensorsWithStart({ modes: { min: 1, max: 4 } }), fc.boolean(), async ([data, model], given) => {
        const report = await makeReport(model, given ? { data } : {})
        const all = sentencesOf(report)
        expect(new Set(all).size).toBe(all.length)
        for (const text of [...all, ...howToReport(report), ...references(report)]) {
          expect(text).not.toMatch(BROKEN)
          expect(text).toMatch(/^(\d+: )?[A-Z\d“].*[.”)]$/)
        }
        expect(new Set(report.classes.map(({ name }) => name)).size).toBe(model.rank)
        const text = all.join('\n')
        for (const share of model.shares) if (model.rank > 1) expect(text).toContain(percent(share))
        // Each warning is there where its condition holds, and not where it does not.
        const small = model.shares.some(share => {
          const observations = share * report.data.total
          return observations < 30 || (share < 0.05 && observations < 1000)
        })
        expect(text.includes('rests on about')).toBe(model.rank > 1 && small)
        const { statistics } = report
        expect(statistics !== null).toBe(given)
        const entropy = statistics?.relativeEntropy ?? 1
        expect(text.includes('The classes overlap')).toBe(entropy < UNCERTAIN)
        const weak = statistics?.averagePosteriors.some((row, k) => row !== null && row[k] < ASSIGNED) ?? false
        expect(text.includes('it is low for')).toBe(weak)
        expect(text.includes('Values are missing')).toBe(given && data.missing.includes(true))
        expect(text.includes('is not identified')).toBe(
          statistics !== null && ['not identified', 'boundary'].includes(statistics.identification.verdict),
        )
        expect(text.includes('not whole numbers')).toBe(given && !data.values.every(Number.isInteger))
      }),
      { numRuns: 60, seed: 5 },
    )
  })
})

describe('a published fit', () => {
  /** As a model file has it. */
  const recorded = async (rank: number, options = {}) => {
    const result = await fit(carcinoma, { rank, seed: 1, ...options })
    const figures = fitFigures(carcinoma, result, 0.1, {
      ...(await evaluate(carcinoma, result.model)),
      oneClass: oneClass(carcinoma),
    })
    const { trace, attempts } = result
    const run = { command: 'fit', options: { rank, ...options }, result: { ...figures, trace, attempts } }
    return { model: result.model, run: JSON.parse(JSON.stringify(run)) }
  }

  const fitted = recorded(3)

  it('is told with its figures', async () => {
    const { model, run } = await recorded(3)
    const report = await makeReport(model, { run, data: carcinoma })
    expect(summary(report).join(' ')).toContain('They contain 44.5%, 37.4% and 18.2% of the observations.')
    expect(howToReport(report).join(' ')).toMatch(
      /3 classes \(Goodman, 1974; .*\) was fitted to 118 observations of 7 .* −293\.7\d with 23 free parameters \(AIC 633\.41 \[Akaike, 1974\], BIC 697\.1/,
    )
    // Every work in the list is cited in the paragraph, and Polyad is the program that it names.
    const listed = references(report).map(text => text.slice(0, text.indexOf(',')))
    expect(listed).toEqual(
      [
        'Akaike',
        'Celeux',
        'Dempster',
        'Goodman',
        'Lazarsfeld',
        'Schwarz',
        'The Polyad authors. (2026). Polyad: Latent class analysis and nonnegative tensor decomposition [Computer software].',
      ].map(name => expect.stringMatching(name.slice(0, 6))),
    )
    expect(cautions(report).join(' ')).toMatch(/fewer than 5 observations per cell\. Look at the bivariate residuals/)
    // From the file alone the same is known, but for what the cells would say.
    const alone = await makeReport(model, { run })
    expect(alone.statistics).toEqual(report.statistics)
    expect(summary(report).slice(0, -1)).toEqual(summary(alone))
    expect(summary(report).at(-1)).toBe('1 of 21 pairs of variables remains associated within classes.')
    expect(alone.charts.residuals).toBeNull()
    expect(alone.leftOut).toHaveLength(1)
  })

  it('that is provisional, unfinished or with a prior is called so', async () => {
    const once = await recorded(4, { starts: 1 })
    expect(cautions(await makeReport(once.model, { run: once.run })).join(' ')).toContain('One start says nothing')
    const short = await recorded(4, { starts: 2, maxPasses: 4 })
    expect(cautions(await makeReport(short.model, { run: short.run })).join(' ')).toContain('did not converge')
    const prior = await recorded(2, { pseudoCounts: 1 })
    const report = await makeReport(prior.model, { run: prior.run })
    expect(cautions(report).join(' ')).toContain('A prior was used (pseudo-counts 1)')
    expect(howToReport(report).join(' ')).not.toContain('maximum likelihood')
  })

  describe('counts in its methods paragraph', () => {
    const paragraph = async (verdict: object, search: object = {}) => {
      const { model, run } = await fitted
      const { startsReached: _, starts: __, ...older } = run.result.verdict
      const result = { ...run.result, ...search, verdict: { ...older, ...verdict } }
      return howToReport(await makeReport(model, { run: { ...run, result } })).join(' ')
    }

    it.each([
      [
        { reached: 25, attempts: 26, startsReached: 23, starts: 24 },
        '23 of 24 independent starts reached the best solution, which converged.',
      ],
      [
        { reached: 26, attempts: 26, startsReached: 24, starts: 24 },
        'All 24 independent starts reached the best solution, which converged.',
      ],
      [
        { reached: 2, attempts: 26, startsReached: 0, starts: 24 },
        'None of 24 independent starts reached the best solution; it was found by recombining their solutions.',
      ],
    ])('independent starts only, no recombinations: %#', async (verdict, sentence) => {
      // biome-ignore format: one table
      const text = await paragraph(verdict)
      expect(text).toContain(sentence)
      expect(text).not.toMatch(/of 26|runs/)
    })

    it('the same of models that an earlier version has saved', async () => {
      const text = '23 of 24 starts and 2 of 2 recombinations reached the best solution; estimated chance …'
      const sentence = '23 of 24 independent starts reached the best solution'
      expect(await paragraph({ reached: 25, attempts: 26, text }, { starts: 24 })).toContain(sentence)
      expect(await paragraph({ reached: 23, attempts: 24 }, { starts: 24 })).toContain(sentence)
      // Of a solution that one of 26 runs reached, they do not say whether that was a start.
      const provisional = { reached: 1, attempts: 26, text: '1 of 26 runs reached the best solution' }
      expect(await paragraph(provisional, { starts: 24 })).toContain('The search made 24 independent starts.')
    })
  })

  it('has as many probabilities at 0 or 1 as are not the rest of others', async () => {
    const modes = [new Mode('a', ['no', 'yes']), new Mode('b', ['x', 'y', 'z'])]
    // Of a, 0 and 1 in the first class are one probability; of b, one is 0 in the first class, and two are in the second.
    const factors = [
      [0, 0.5, 1, 0.5],
      [0, 0, 0.4, 1, 0.6, 0],
    ].map(values => Float64Array.from(values))
    const model = new Model(modes, { rank: 2, sizes: Float64Array.of(60, 40), factors })
    const report = await makeReport(model)
    expect(report.boundary).toEqual({ at: 1 + 1 + 2, of: 2 * (1 + 2) })
    expect(cautions(report).join('\n')).toContain('4 of 6 probabilities are estimated as exactly 0 or 1')
  })

  it('is compared with the data it was fitted to by the digest', async () => {
    const { model, run } = await recorded(2)
    const of = (digest: string) => makeReport(model, { run: { ...run, digest: 'a' }, data: carcinoma, digest })
    expect((await of('a')).data.same).toBe(true)
    const other = await of('b')
    expect(other.data.same).toBe(false)
    expect(cautions(other)[0]).toContain('not the data that the model was fitted to')
    expect(howToReport(other)).toEqual([])
    // Weights of version 1.0 were scaled by other bits: the same data has the same log-likelihood.
    const weighted = (data: typeof carcinoma) =>
      makeReport(model, { run: { ...run, digest: 'a', source: { weights: 'w' } }, data, digest: 'b' })
    expect((await weighted(carcinoma)).data.same).toBe(true)
    const heavier = carcinoma.values.map((y, cell) => (cell === 0 ? y * (1 + 1e-6) : y))
    expect(
      (
        await weighted(
          tensorFromColumns(carcinoma.indices, heavier, {
            shape: carcinoma.shape,
            modes: carcinoma.modes.map(({ name }) => name),
          }),
        )
      ).data.same,
    ).toBe(false)
    // The sizes of the classes are those of the fit, and so is what they are parts of.
    const small = tensorFromColumns(
      carcinoma.indices,
      carcinoma.values.map((y, cell) => (cell % 2 === 0 ? y : 0)),
      {
        shape: carcinoma.shape,
        modes: carcinoma.modes.map(({ name }) => name),
      },
    )
    const report = await makeReport(model, { run: { ...run, digest: 'a' }, data: small, digest: 'c' })
    expect(report.data).toMatchObject({ total: small.total, fitted: 118 })
    expect(summary(report)[0]).toContain('118 observations')
    expect(classSentences(report, 0)[0]).toMatch(/of the observations of the fit, about \d+ of 118/)
  })

  const comparison = {
    models: [
      { name: 'pooled', logLikelihood: -300, parameters: 20, aic: 640, bic: 700 },
      { name: 'probabilities equal', logLikelihood: -298.5, parameters: 22, aic: 641, bic: 705 },
    ],
    tests: [{ model: 'pooled', within: 'probabilities equal', statistic: 3, degreesOfFreedom: 2, pValue: 0.223 }],
  }
  const logit = {
    reference: 2,
    confidence: 0.9,
    dropped: 5,
    coefficients: [],
    names: ['age'],
    curves: [],
    tests: [{ covariate: 'age', test: { statistic: 12.5, degreesOfFreedom: 2, pValue: 0.0019 } }],
  }
  const joint = {
    joined: [['x', 'y']],
    models: [
      { ...comparison.models[0], name: 'separate' },
      { ...comparison.models[1], name: 'joined' },
    ],
    test: { ...comparison.tests[0], model: 'separate', within: 'joined' },
  }
  const shares = [
    { group: 'f', total: 60, shares: [0.5, 0.3, 0.2] },
    { group: 'm', total: 58, shares: [0.4, 0.4, 0.2] },
  ]

  it.each<[string, object, object, readonly string[]]>([
    [
      'groups',
      { groups: 'sex' },
      { groups: { mode: 'G', dropped: 4, identified: true, shares, ...comparison } },
      [
        'G was treated as a known grouping with 2 groups (Clogg & Goodman, 1984): class sizes may differ between groups, response probabilities are equal.',
        'Measurement invariance was tested by likelihood-ratio tests: “pooled” against “probabilities equal”, χ²(2) = 3.00, p = 0.223.',
        '4 observations were left out because the group, or every answer, was missing.',
        'Given the group, the log-likelihood of this model was −298.50 with 22 free parameters (AIC 641.00, BIC 705.00).',
      ],
    ],
    [
      'groups of weighted rows',
      { groups: 'sex', weights: 'w' },
      {
        groups: {
          mode: 'G',
          dropped: 0,
          identified: true,
          shares,
          models: comparison.models,
          tests: [
            { ...comparison.tests[0], scaling: 1.5, scaled: 2, pValue: 0.368 },
            {
              ...comparison.tests[0],
              model: 'probabilities equal',
              within: 'free',
              pValue: null,
              reason: 'the fit was stopped',
            },
          ],
        },
      },
      [
        'Measurement invariance was tested by scaled likelihood-ratio tests (Satorra & Bentler, 2001), which allow for the design of the sample: “pooled” against “probabilities equal”, χ²(2) = 2.00, p = 0.368; “probabilities equal” against “free”, likelihood ratio 3.00 on 2 degrees of freedom, without a p-value.',
      ],
    ],
    [
      'covariates',
      { covariates: ['age'] },
      {
        covariates: logit,
        standardErrors: { kind: 'empirical', confidence: 0.95, shares: null, factors: null, intervals: null },
      },
      [
        'Class membership was regressed on age by a multinomial logit (Dayton & Macready, 1988), estimated together with the classes, with class 2 as the reference class; odds ratios are given with 90% confidence intervals.',
        'Wald tests over all classes: age, χ²(2) = 12.50, p = 0.002.',
        'Standard errors are based on the scores (empirical information).',
        '5 observations were left out because a covariate, or every answer, was missing.',
      ],
    ],
    [
      'joined variables',
      { join: [['F', 'G']] },
      { join: joint },
      [
        'x and y were allowed to depend on each other within classes.',
        'The joined model was compared by likelihood-ratio tests: “separate” against “joined”, χ²(2) = 3.00, p = 0.223.',
        'of 8 categorical variables',
      ],
    ],
    ['complete rows', { complete: true }, { left: 7 }, ['7 observations were left out because a value was missing.']],
    [
      'constraints',
      { constraints: { zero: [], equal: [] } },
      {},
      ['The model was fitted under constraints: categories that cannot occur and probabilities that are equal.'],
    ],
    [
      'a design',
      { cluster: 'school', stratum: 'region' },
      { standardErrors: { kind: 'sandwich', confidence: 0.95, shares: null, factors: null, intervals: null } },
      [
        'Standard errors are robust (sandwich), and account for the design of the sample (Binder, 1983): clusters (school) within strata (region).',
      ],
    ],
    [
      'weights',
      { weights: 'w' },
      {},
      [
        'by pseudo-maximum likelihood',
        'Observations were weighted by sampling weights (w), divided by their mean.',
        'was not tested, because observations are weighted',
      ],
    ],
    [
      'groups, covariates and joined variables at once',
      {},
      { groups: { mode: 'G', dropped: 0, identified: true, shares, ...comparison }, covariates: logit, join: joint },
      ['G was treated as a known grouping', 'x and y were allowed', 'was regressed on age'],
    ],
  ])('with %s: the methods paragraph says so', async (name, options, result, sentences) => {
    // biome-ignore format: one table
    const { model, run } = await fitted
    const source = name === 'weights' ? { weights: 'w' } : {}
    const of = { ...run, source, options: { ...run.options, ...options }, result: { ...run.result, ...result } }
    const report = await makeReport(model, { run: of })
    const text = howToReport(report).join(' ')
    for (const sentence of sentences) expect(text).toContain(sentence)
    expect(text).not.toMatch(BROKEN)
    expect(undescribed(report)).toBeNull()
    const left = report.omissions.reduce((sum, { total }) => sum + total, 0)
    expect(report.data.left).toBe(left)
    expect(cautions(report).join().includes(`${left} observations were left out`)).toBe(left > 0)
  })

  it.each([
    [
      [0.001, 0.4],
      ['Class membership is explained by age (p < 0.05).', 'Class membership is not significantly related to sex.'],
    ],
    [[0.3, 0.4], ['Class membership is not significantly related to age or sex.']],
    [
      [0.001, null],
      ['Class membership is explained by age (p < 0.05).', 'The effect of sex could not be tested.'],
    ],
  ])('with p = %j names only the covariates that matter as those that explain membership', async (p, sentences) => {
    const { model, run } = await fitted
    const test = (pValue: number | null) => ({ statistic: 1, degreesOfFreedom: 2, pValue })
    const tests = ['age', 'sex'].map((covariate, i) => ({ covariate, test: p[i] === null ? null : test(p[i]) }))
    const result = { ...run.result, covariates: { ...logit, names: ['age', 'sex'], tests } }
    const said = summary(await makeReport(model, { run: { ...run, result } }))
    expect(said.filter(text => /membership|effect/.test(text))).toEqual(sentences)
  })

  it('does not call a covariate unrelated whose infinite effects no test covers', async () => {
    const { model, run } = await fitted
    const test = { statistic: 0.6, degreesOfFreedom: 1, pValue: 0.42 }
    const tests = [{ covariate: 'age', test, untested: 2 }]
    const result = { ...run.result, covariates: { ...logit, names: ['age'], tests } }
    const said = summary(await makeReport(model, { run: { ...run, result } })).join(' ')
    expect(said).toContain('Some effects of age have no finite estimate')
    expect(said).not.toContain('not significantly related')
  })

  it('has no test of fit by χ² where there are weights', async () => {
    const { model, run } = await fitted
    const dense = { ...run, result: { ...run.result, sparse: false, pValue: 0.4 } }
    expect(summary(await makeReport(model, { run: dense })).join()).toContain('The test of fit does not reject')
    const weighted = await makeReport(model, { run: { ...dense, source: { weights: 'w' } } })
    expect([...summary(weighted), ...cautions(weighted)].join()).not.toContain('test of fit does')
  })

  it('has the p-values of the bootstrap, which are not those of χ²', async () => {
    const { model, run } = await fitted
    const bootstrap = { kind: 'parametric', replicates: 99, pValue: 0.03, interval: [0.01, 0.08] }
    const report = await makeReport(model, { run: { ...run, result: { ...run.result, bootstrap } } })
    expect(howToReport(report).join(' ')).toContain('degrees of freedom, p = 0.030 by the bootstrap (99 replicates).')
    expect(cautions(report).join(' ')).toContain('The test of fit rejects the model')
    expect(cautions(report).join(' ')).not.toContain('observations per cell')
    expect(reportPage(report, { document: plainDocument() })).toMatch(
      /p of G² by the bootstrap \(99 replicates\).{1,99}0\.030 \(0\.010–0\.080\)/,
    )
    // In a sparse table that of G² is not level: X² tests the model.
    const both = { ...bootstrap, chiSquared: { pValue: 0.21, interval: [0.14, 0.3] } }
    const sparse = await makeReport(model, {
      run: { ...run, result: { ...run.result, sparse: true, bootstrap: both } },
    })
    expect(howToReport(sparse).join(' ')).toMatch(
      /X² = [\d.]+ on \d+ degrees of freedom, p = 0\.210 by the bootstrap \(99 replicates\)/,
    )
    expect(cautions(sparse).join(' ')).not.toContain('The test of fit rejects')
    expect(reportPage(sparse, { document: plainDocument() })).toMatch(
      /p of G² by the bootstrap.{1,99}unreliable in a sparse table/,
    )
    const test = (rank: number, pValue: number) => ({
      rank,
      against: rank + 1,
      replicates: 50,
      pValue,
      interval: [0, 1],
    })
    const fits = [1, 2, 3].map(rank => ({ rank, criteria: { bic: rank }, test: test(rank, rank / 10) }))
    const ranks = { fits, recommended: 3, reason: 'a test' }
    const text = howToReport(await makeReport(model, { run: { ...run, ranks } })).join(' ')
    expect(text).toContain('test of 2 against 3 classes gave p = 0.200 (50 replicates)')
    expect(text).toContain('test of 3 against 4 classes gave p = 0.300 (50 replicates)')
    expect(text).not.toContain('test of 1 against')
    // No replicate was as large: what they show is a bound.
    const least = { ...ranks, fits: [fits[0], { ...fits[1], test: test(2, 1 / 51) }, fits[2]] }
    expect(howToReport(await makeReport(model, { run: { ...run, ranks: least } })).join(' ')).toContain(
      'test of 2 against 3 classes gave p ≤ 0.020 (0 of 50 replicates).',
    )
    // Why a test may be wrong is said where the report has it, for tests of this number of classes.
    const rough = fits.map(each => ({ ...each, test: { ...each.test, warnings: [`${each.rank} has few.`] } }))
    const warned = await makeReport(model, { run: { ...run, ranks: { ...ranks, fits: rough } } })
    expect(cautions(warned)).toContain('2 has few. 3 has few.')
    expect(reportPage(warned, { document: plainDocument() })).toContain('2 has few. 3 has few.')
  })

  it('counts the parameters that its criteria count', async () => {
    // Four binary answers cannot tell the 14 parameters of three classes apart: 13 dimensions, as Goodman (1974) says.
    const result = await fit(values, { rank: 3, starts: 3 })
    const report = await makeReport(result.model, { data: values })
    const { logLikelihood } = result
    expect(howToReport(report).join(' ')).toContain(
      `13 free parameters that the data determines, of 14 (AIC ${fixed(26 - 2 * logLikelihood, 2)}`,
    )
  })

  it('says how the criteria disagree on the number of classes', async () => {
    const { model, run } = await recorded(2)
    const ranks = {
      fits: [2, 3].map(rank => ({ rank, criteria: { aic: 10 - rank, bic: 10 + rank } })),
      recommended: 2,
      reason: 'BIC is best with 2 classes',
    }
    const report = await makeReport(model, { run: { ...run, ranks } })
    expect(cautions(report)).toContainEqual('The criteria disagree on the number of classes: AIC prefers three.')
    expect(report.charts.criteria?.criteria.map(({ name }) => name)).toEqual(['AIC', 'BIC'])
  })
})

describe('variables that are told to be in order', () => {
  const labels = ['always', 'never', 'rarely', 'sometimes']
  const model = new Model([new Mode('q', labels), new Mode('pet', ['cat', 'dog', 'fish'])], {
    rank: 1,
    sizes: Float64Array.of(10),
    factors: [Float64Array.of(0.4, 0.3, 0.2, 0.1), Float64Array.of(0.5, 0.3, 0.2)],
  })

  it('are drawn in the order of their answers, not of the alphabet', async () => {
    const { charts } = await makeReport(model, { ordered: ['q'] })
    const [mode] = charts.profiles?.modes ?? []
    expect(mode).toMatchObject({
      labels: ['never', 'rarely', 'sometimes', 'always'],
      marginal: [0.3, 0.2, 0.1, 0.4],
      probabilities: [[0.3, 0.2, 0.1, 0.4]],
      ordered: true,
    })
  })

  it('or refused, with what to do', async () => {
    await expect(makeReport(model, { ordered: ['pet'] })).rejects.toThrow(
      "ordered: the categories of \"pet\" have no known order; number them in the data, as in '1 low', '2 high'",
    )
  })
})

it('what a model file tells is taken where it is as it should be, and is not there where it is not', async () => {
  const result = await fit(values, { rank: 2 })
  const figures = fitFigures(values, result, 0.1, await evaluate(values, result.model))
  for (const [key, value] of Object.entries({
    averagePosteriors: [[1]],
    optima: 'many',
    verdict: null,
    logLikelihood: '<b>',
    identification: { verdict: 'perhaps' },
  })) {
    const run = { result: { ...figures, [key]: value }, options: 7, source: null, ranks: { fits: 3 } }
    const report = await makeReport(result.model, { run })
    expect(report.statistics === null || report.search === null, key).toBe(true)
    expect(sentencesOf(report).join()).not.toMatch(BROKEN)
  }
})

describe('names', () => {
  it('are numbers until somebody gives others; the category that marks a class most, with its variable, describes it', () => {
    const modes = [new Mode('vote', ['no', 'yes']), new Mode('petal_length', ['[1,3)', '[3,7)'])]
    const factors = [Float64Array.from([0.8, 0.2, 0.2, 0.8]), Float64Array.from([0.1, 0.9, 0.9, 0.1])]
    const parameters = { rank: 2, sizes: Float64Array.from([6, 4]), factors }
    const model = new Model(modes, parameters)
    expect(classNamesOf(model)).toEqual(['Class 1', 'Class 2'])
    expect(classNamesOf(new Model(modes, parameters, ['a', 'b']))).toEqual(['a', 'b'])
    const marks = model.shares.map((_, k) => classMarks(model, k, 8))
    expect(describeClasses(marks)).toEqual(['petal_length 3 – 7', 'petal_length 1 – 3'])
  })

  it('come with a caution if one value of a number stands for half of a class', async () => {
    const rows = Array.from({ length: 60 }, (_, i) => ({ score: i % 4 === 0 ? 2 : i % 2, other: i % 3 }))
    const tensor = tensorFromRows(rows, { modes: ['score', 'other'] })
    const items = { score: normal({ step: 1 }) }
    const { model } = await fit(tensor, { rank: 2, items, seed: 1, threads: 1 })
    const said = cautions(await reportFacts(model, { data: tensor })).join(' ')
    expect(said).toMatch(/One step of score \(1\.000\) holds half of class \d.*as a scale \(--ordinal\)/)
  })

  it('are described by what is high or low, if a number marks them', () => {
    const mark = { mode: 'test_score', label: '5.4 … 7.4', probability: 0.7, overall: 0.4, lift: 1.75 }
    const number = { side: 'high', mean: 6.4, overall: 4.8 } as const
    expect(describeClasses([[{ ...mark, number }], [mark]])).toEqual(['high test_score', 'test_score 5.4 … 7.4'])
    const classes = [{ marks: [{ ...mark, number }], share: 0.5, name: 'Class 1' }]
    const report = { classes: [...classes, ...classes], data: { fitted: 100 } } as never
    expect(classSentences(report, 0)[1]).toBe('Most typical: high on test_score (6.400, overall 4.800).')
  })

  it('are described by as many categories as tell the classes apart, and by none where there are none', () => {
    expect(describeClasses([[], []])).toEqual(['', ''])
    const [same, other] = ['same words', 'other words'].map(label => ({
      mode: 'a',
      label,
      probability: 1,
      overall: 0.5,
      lift: 2,
    }))
    expect(describeClasses([[same], [same]])).toEqual(['a same words', 'a same words'])
    expect(describeClasses([[same, other], [same], [other]])).toEqual([
      'a same words, a other words',
      'a same words',
      'a other words',
    ])
  })

  it('that someone gives are one for each class, none empty, none twice', () => {
    expect(checkNames(['a', ' b '], 2)).toEqual(['a', 'b'])
    expect(() => checkNames(['a'], 2)).toThrow('names must name all 2 classes, in descending size (got 1)')
    expect(() => checkNames(['a', ' '], 2)).toThrow('name 2 is')
    expect(() => checkNames(['a', 'a'], 2)).toThrow('names must differ (got "a" for classes 1 and 2)')
  })
})
