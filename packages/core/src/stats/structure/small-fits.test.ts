import { describe, expect, it } from 'vitest'
import { surveyRows } from '../../../../../test/structured-survey.ts'
import type { Constraints } from '../../fit/descent/constraints.ts'
import { fit } from '../../fit/fit.ts'
import { tensorFromColumns } from '../../tensor/coordinates.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { modelData } from '../model-data/model-data.ts'
import { splitModes } from '../model-data/split-modes.ts'
import { distalOutcome } from '../three-steps/distal.ts'
import { explainedBootstrap, explainedResiduals } from './deprecated.ts'
import { fitStructured, type StructuredFitOptions } from './structured.ts'

const survey = surveyRows().slice(0, 240)
type Column = keyof (typeof survey)[number]
const tensorOf = (...names: Column[]) =>
  tensorFromRows(survey.map(row => Object.fromEntries(names.map(name => [name, row[name]]))))
const fitted = (names: readonly Column[], options: Omit<StructuredFitOptions, 'rank'>) =>
  fitStructured(tensorOf(...names), { rank: 2, starts: 1, threads: 1, ...options })

describe('a fit with structure', () => {
  it('has what was asked for, and nothing else', async () => {
    const plain = await fitted(['a', 'b', 'd', 'x'], { covariates: ['x'], free: [], direct: [], join: [] })
    expect(Object.keys(plain).sort()).toEqual(['explained', 'result', 'stopped', 'structured', 'tensor'])
    expect(plain.stopped).toBe(false)
    const { structured: explained } = plain
    expect(explained).toBe(plain.result)
    expect(explained).not.toHaveProperty('known')
    expect(explained!.standardErrors).toMatchObject({ kind: 'empirical', confidence: 0.95, free: 8 })
    expect(explained!.evaluation).toMatchObject({
      parameters: 8,
      gSquared: undefined,
      chiSquared: undefined,
      cressieRead: undefined,
      pValue: undefined,
      sparse: true,
    })
    expect(explained!.evaluation.logLikelihood).toBeCloseTo(explained!.logLikelihood, 8)
    expect(explained!.evaluation.bic).toBeCloseTo(-2 * explained!.logLikelihood + 8 * Math.log(240), 6)
    expect(explained!.evaluation.smallestClass).toBe(Math.min(...explained!.model.shares))
    expect(explained!.notes).toEqual([])
    expect(explained!.plain!.model.rank).toBe(2)
    expect(explained!.totalPasses).toBeGreaterThan(explained!.passes)
    const { coefficients } = explained!.covariates
    expect(coefficients.map(({ term }) => term)).toEqual(['intercept', 'x'])
    // The shares are the mean memberships, and vary together.
    const { covariance } = explained!.standardErrors
    expect(covariance!.length).toBe(14 ** 2)
    expect(covariance![1]).toBeCloseTo(-covariance![0], 12)
  })

  it('of known classes has their names, and errors of the answers alone', async () => {
    const { explained, tensor } = await fitted(['a', 'b', 'd', 'known'], { known: 'known', kind: 'observed' })
    expect(tensor.modes.map(({ name }) => name)).toEqual(['a', 'b', 'd'])
    expect(explained!.model.classNames).toEqual(['one', 'two'])
    const count = (label: string) => survey.filter(({ known }) => known === label).length
    expect(explained!.known).toEqual({ name: 'known', labels: ['one', 'two'], totals: [count('one'), count('two')] })
    const { covariance, factors, shares, free } = explained!.standardErrors
    expect([covariance!.length, free]).toEqual([14 ** 2, 7])
    // Every column of two probabilities varies together, and variances are the squares of the errors.
    for (let first = 2; first < 14; first += 4)
      for (const k of [0, 1]) {
        const [i, j] = [first + k, first + 2 + k]
        expect(covariance![i * 14 + j]).toBeCloseTo(-covariance![i * 15], 10)
        expect(Math.sqrt(covariance![i * 15])).toBeCloseTo(factors![(first - 2) / 4][k][0]!, 10)
      }
    expect(shares![0]).toBeCloseTo(shares![1]!, 10)
  })

  it('says why intervals near 0 or 1 are not by profiles', async () => {
    // Nobody of the first class ever says 1.
    const rows = survey.map(({ a, b, d, x }) => ({ a, b: a === 0 ? 0 : b, c: a === 0 ? 0 : 1, d, x }))
    const { explained } = await fitStructured(tensorFromRows(rows), {
      rank: 2,
      starts: 1,
      threads: 1,
      covariates: ['x'],
      constraints: { zero: [{ mode: 'a', label: 1, class: 1 }] },
    })
    const { profile } = explained!.standardErrors
    expect(profile.computed).toBe(0)
    expect(profile.left).toBeGreaterThan(0)
    expect(profile.reason).toBe('fits with constraints or known classes are not profiled')
  })

  it('refuses what leaves fewer than two variables, or is no option', async () => {
    const two = 'covariates must leave at least two modes to be explained'
    await expect(fitted(['a', 'x'], { covariates: ['x'] })).rejects.toThrow(two)
    await expect(fitted(['a', 'x', 'known'], { covariates: ['x'], known: 'known' })).rejects.toThrow(two)
    for (const [options, message] of [
      [{ free: 3 }, 'free must be a list of variables (got 3)'],
      [{ direct: 3 }, 'direct must be a list of effects (got 3)'],
      [{ join: 3 }, 'join must be a list of lists of modes (got 3)'],
      [{ referenceCategories: 3 }, 'referenceCategories must be an object of labels by covariate (got 3)'],
      [{ covariates: ['x'], reference: 3 }, 'reference must be a whole number from 1 to 2 (got 3)'],
      [{ covariates: ['x'], squares: new Float64Array(2) }, 'squares must have'],
      [{ covariates: ['x'], kind: 'observed', design: { cluster: 'c' } }, "kind must be 'sandwich' with a design"],
      [{ init: 1 }, 'fitStructured has no option "init"'],
    ] as const)
      await expect(fitted(['a', 'b', 'x'], options as never)).rejects.toThrow(message)
  })

  it('compares joined variables with separate ones, also beside covariates', async () => {
    const names = ['a', 'b', 'c', 'x'] as const
    const { join, explained, tensor } = await fitted(names, { covariates: ['x'], join: [['a', 'c']] })
    expect(tensor.modes.map(({ name, size }) => [name, size]).toSorted()).toEqual([
      ['a / c', 6],
      ['b', 2],
    ])
    expect(join!.joined).toEqual([['a', 'c']])
    expect(join!.partial).toBe(survey.filter(({ c }) => c === undefined).length)
    expect(join!.models.map(({ name }) => name)).toEqual(['separate', 'joined'])
    expect(join!.models[1].logLikelihood).toBeCloseTo(explained!.logLikelihood, 8)
    // One slope and intercept, and 1 + 5 against 1 + 1 + 2 probabilities in each class; 3 and 6 combinations of two tables.
    expect(join!.models.map(({ parameters }) => parameters)).toEqual([10, 14])
    expect(join!.test.statistic).toBeCloseTo(2 * (join!.models[1].logLikelihood - join!.models[0].logLikelihood), 8)
  })

  it('is a plain fit, if nothing was asked for', async () => {
    const tensor = tensorOf('a', 'b', 'd')
    const options = {
      rank: 2,
      starts: 2,
      threads: 1,
      pseudoCounts: 3,
      constraints: {
        equal: [
          [
            { mode: 'a', class: 1 },
            { mode: 'b', class: 1 },
          ],
        ],
      },
    }
    const found = await fitStructured(tensor, options)
    const { objective, model } = await fit(tensor, options)
    expect([found.result.objective, found.result.model.shares]).toEqual([objective, model.shares])
    expect(Object.keys(found).sort()).toEqual(['constraints', 'result', 'stopped', 'tensor'])
    expect(found.constraints).toEqual(options.constraints)
    const { pseudoCounts: _, constraints: __, ...bare } = options
    expect((await fitStructured(tensor, bare)).result.objective).toBe((await fit(tensor, bare)).objective)
    expect((await fitStructured(tensor, bare)).result.objective).not.toBeCloseTo(objective, 2)
  })

  it('has pseudo-counts of the answers alone beside groups', async () => {
    const tensor = tensorOf('a', 'b', 'd', 'country')
    const options = { rank: 2, starts: 2, threads: 1 } as const
    const { result, groups } = await fitStructured(tensor, { ...options, groups: 'country', pseudoCounts: 2 })
    const alone = await fit(tensor, { ...options, pseudoCounts: { a: 2, b: 2, d: 2 } })
    // That of the table with the group in it, less how frequent the groups are.
    const ofGroups = tensor.marginals[3].reduce((sum, y) => sum + y * Math.log(y / 240), 0)
    expect(tensor.modes[3].name).toBe('country')
    expect(result.objective).toBeCloseTo(alone.objective + ofGroups, 3)
    const named = await fitStructured(tensor, { ...options, groups: 'country', pseudoCounts: { a: 2, b: 2, d: 2 } })
    expect(named.groups!.models).toEqual(groups!.models)
    const lone = tensorFromRows(survey.map(({ a, b }) => ({ a, b, country: 'at' })))
    await expect(fitStructured(lone, { rank: 2, groups: 'country' })).rejects.toThrow(
      'groups must name a column with two groups or more: country has one',
    )
  })
})

describe('the data of a fit with structure', () => {
  it('takes groups for categories, though their labels are numbers', () => {
    const rows = survey.map(({ a, b, country, x }) => ({ a, b, g: ['at', 'ch', 'de'].indexOf(country) + 1, x }))
    const { design, structure } = modelData(tensorFromRows(rows), { groups: 'g', covariates: ['x'] }, 2)
    expect(design.terms.map(({ name }) => name)).toEqual(['intercept', 'x', 'g = 2', 'g = 3'])
    expect(Object.keys(structure).sort()).toEqual(['constraints', 'explained'])
    const plain = modelData(tensorFromRows(rows), { known: 'g' }, 3)
    expect(Object.keys(plain.structure).sort()).toEqual(['constraints', 'known'])
    expect(plain.structure.known).toEqual({ mode: 3, occurs: [true, true, true] })
  })

  it('leaves out rows that have no answer, whatever else they have', () => {
    const silent = [{ a: null, b: null, x: 1, known: 'one', town: 3 }]
    const rows = [...survey.map(({ a, b, x, known }, i) => ({ a, b, x, known, town: i % 4 })), ...silent]
    const data = modelData(tensorFromRows(rows as never), { covariates: ['x'], known: 'known' }, 2, ['town'])
    expect([data.items.total, data.dropped]).toEqual([240, 1])
    expect(data.known!.totals[0]).toBe(survey.filter(({ known }) => known === 'one').length)
    expect(data.drawn.modes.map(({ name }) => name)).toContain('town')
  })

  it('splits variables whose labels have no names', () => {
    const tensor = tensorFromColumns(
      [
        [0, 1, 2, 1],
        [0, 0, 1, 1],
      ],
      undefined,
      { modes: ['q', 'g'], shape: [3, 2] },
    )
    const { tensor: made } = splitModes(tensor, [{ mode: 'q', columns: [['g']] }])
    expect(made.modes.map(({ name, size }) => [name, size])).toEqual([
      ['q (g = 0)', 3],
      ['q (g = 1)', 3],
      ['g', 2],
    ])
    expect(made.modes[0].labels).toEqual([0, 1, 2])
  })

  it('has dimensions by group that constraints make smaller', async () => {
    const names = ['a', 'b', 'd', 'country'] as const
    // Two classes answer two binary variables alike in the first.
    const tied = {
      equal: [
        [
          { mode: 'b', class: 1 },
          { mode: 'd', class: 1 },
        ],
      ],
    }
    const parameters = async (constraints?: Constraints) => {
      const { groups } = await fitted(names, { groups: 'country', ...(constraints && { constraints }) })
      return groups!.models.map(each => each.parameters)
    }
    const [plain, held] = [await parameters(), await parameters(tied)]
    expect(plain.map((count, i) => count - held[i])).toEqual([1, 1, 3])
  })
})

describe('what is computed of a fit with covariates', async () => {
  const { explained } = await fitted(['a', 'b', 'd', 'x'], { covariates: ['x'] })

  it('are residuals of as many cells as asked for', () => {
    expect(explainedResiduals(explained!).cells).toHaveLength(8)
    expect(explainedResiduals(explained!, { limit: 2 }).cells).toHaveLength(2)
    expect(() => explainedResiduals(explained!, { limit: -1 })).toThrow('limit must be a whole number ≥ 0 (got -1)')
    const { cells } = explainedResiduals(explained!, { limit: 8 })
    const complete = survey.filter(({ d }) => d !== undefined).length
    expect(cells.reduce((sum, { observed }) => sum + observed, 0)).toBe(complete)
    expect(cells.reduce((sum, { expected }) => sum + expected, 0)).toBeCloseTo(complete, 6)
    for (const { observed, expected, residual } of cells)
      expect(residual).toBeCloseTo((observed - expected) / Math.sqrt(expected), 10)
  })

  it('are replicates, whose coefficients are those of the fit', async () => {
    const told: number[] = []
    const found = await explainedBootstrap(explained!, {
      replicates: 3,
      starts: 0,
      threads: 1,
      confidence: 0.5,
      onReplicate: ({ done }) => void told.push(done),
    })
    expect([told, found.kind, found.replicates, found.stopped, found.confidence]).toEqual([
      [1, 2, 3],
      'parametric',
      3,
      false,
      0.5,
    ])
    expect(found.coefficients.map(({ class: k, term }) => [k, term])).toEqual([
      [2, 'intercept'],
      [2, 'x'],
    ])
    expect(found.coefficients[1].interval![0]).toBeLessThan(found.coefficients[1].interval![1])
    expect(found.pairs.map(({ pValue }) => [0.25, 0.5, 0.75, 1].includes(pValue))).toEqual([true, true, true])
    const rows = await explainedBootstrap(explained!, { replicates: 3, starts: 0, threads: 1, kind: 'nonparametric' })
    expect(rows.coefficients[0].standardError).not.toBe(found.coefficients[0].standardError)
    expect([rows.gSquared, rows.pairs]).toEqual([undefined, []])
    await expect(explainedBootstrap(explained!, { signal: AbortSignal.abort() })).rejects.toThrow('stopped')
    await expect(explainedBootstrap(explained!, { design: { cluster: 'x' } })).rejects.toThrow(
      'kind must be \'nonparametric\' with a design: what is drawn from a model has no clusters (got "parametric")',
    )
    const weighted = {
      rowWeights: { cells: Int32Array.of(0), weights: Float64Array.of(1), counts: Float64Array.of(1) },
    }
    await expect(explainedBootstrap(explained!, weighted)).rejects.toThrow(
      'cannot be combined with weights if covariates or groups explain the classes',
    )
  })
})

describe('differences of an outcome between classes', () => {
  it('are one number, or one for each category', () => {
    const posteriors = [0.9, 0.1, 0.8, 0.2, 0.7, 0.3, 0.2, 0.8, 0.1, 0.9, 0.3, 0.7]
    const number = distalOutcome({ posteriors, classes: 2, outcome: [4, 5, 6, 2, 3, 1] })
    expect(number.pairs).toEqual([{ classes: [1, 2], difference: expect.closeTo(5, 10), test: number.overall }])
    const category = distalOutcome(
      { posteriors, classes: 2, outcome: [0, 0, 1, 1, 1, 0], labels: ['no', 'yes'] },
      { method: 'bch' },
    )
    const [one, two] = category.classes.map(({ probabilities }) => probabilities!.map(({ estimate }) => estimate))
    expect(category.pairs[0].difference).toEqual([0, 1].map(j => expect.closeTo(one[j] - two[j], 12)))
  })
})
