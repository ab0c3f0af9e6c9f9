import { describe, expect, it } from 'vitest'
import { surveyRows } from '../../../../../test/structured-survey.ts'
import { fit } from '../../fit/fit.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { evaluate } from '../fit-statistics/evaluate.ts'
import { explainedBootstrap, explainedResiduals } from './deprecated.ts'
import { fitStructured, type StructuredFitOptions } from './structured.ts'

const exact = { rank: 2, starts: 4, stationarity: 1e-9, tolerance: 1e-13, minGain: 0 }
const rows = surveyRows()
type Column = keyof (typeof rows)[number]
const tensorOf = (...names: Column[]) =>
  tensorFromRows(rows.map(row => Object.fromEntries(names.map(name => [name, row[name]]))))
const fitted = async (names: Column[], options: Omit<StructuredFitOptions, 'rank'>) =>
  (await fitStructured(tensorOf(...names), { ...exact, ...options })).explained!

describe('residuals of explained fits', () => {
  /**
   * With numpy, from the models that BFGS found: expected tables are sums over the rows that have the answers, of memberships at their
   * covariates (or their known class) times the probabilities of their own group.
   */
  it.each([
    {
      names: ['a', 'b', 'c', 'd', 'country'] as const,
      options: { groups: 'country', free: [{ mode: 'c' }] },
      pairs: { ab: 0.096315, ac: 0.413761, ad: 0.314103, bc: 0.147731, bd: 0.74891, cd: 0.464351 },
      cells: [
        { labels: [0, 1, 0, 1], observed: 25, expected: 17.381003, residual: 1.827513 },
        { labels: [1, 1, 0, 0], observed: 5, expected: 9.011782, residual: -1.336386 },
        { labels: [1, 1, 2, 0], observed: 41, expected: 33.544695, residual: 1.287222 },
      ],
    },
    {
      names: ['a', 'b', 'c', 'd', 'known', 'x', 'country'] as const,
      options: { known: 'known', covariates: ['x'], groups: 'country', free: [{ mode: 'c', class: 1 }] },
      pairs: { ab: 0.028672, ac: 1.068111, ad: 0.250217, bc: 0.737755, bd: 0.951101, cd: 0.491927 },
      cells: [
        { labels: [1, 1, 2, 0], observed: 41, expected: 31.208396, residual: 1.752743 },
        { labels: [0, 1, 0, 1], observed: 25, expected: 18.099303, residual: 1.622042 },
        { labels: [1, 1, 0, 0], observed: 5, expected: 9.504423, residual: -1.461088 },
      ],
    },
  ])('are given what explains the classes: $options', async ({ names, options, pairs, cells }) => {
    const found = explainedResiduals(await fitted([...names], options), { limit: 3 })
    expect(found.variables).toEqual(['a', 'b', 'c', 'd'])
    found.cells.forEach((cell, i) => {
      expect(cell).toMatchObject({ labels: cells[i].labels, observed: cells[i].observed })
      expect(cell.expected).toBeCloseTo(cells[i].expected, 4)
      expect(cell.residual).toBeCloseTo(cells[i].residual, 4)
    })
    const own = Object.fromEntries(found.pairs.map(({ modes, chiSquared }) => [modes.join(''), chiSquared]))
    for (const [name, chiSquared] of Object.entries(pairs)) expect(own[name]).toBeCloseTo(chiSquared, 4)
  })
})

describe('the bootstrap of explained fits', () => {
  it('has the G² of the table in which a category is one more mode', async () => {
    const explained = await fitted(['a', 'b', 'e', 'country'], { covariates: ['country'] })
    const { gSquared, pairs } = await explainedBootstrap(explained, { replicates: 20, threads: 1, starts: 0 })
    const table = tensorOf('a', 'b', 'e', 'country')
    expect(gSquared!.statistic).toBeCloseTo((await evaluate(table, (await fit(table, exact)).model)).gSquared!, 6)
    expect(pairs.map(({ modes }) => modes.join('')).sort()).toEqual(['ab', 'ae', 'be'])
  })

  it('draws whole clusters, and has the errors of the design', async () => {
    // Every row twice, in a household: as much is known as from half of them.
    const twice = rows.flatMap(({ a, b, c, country }, i) =>
      [0, 1].map(() => ({ a, b, c, country, household: `h${i}` })),
    )
    const design = { cluster: 'household' }
    const { explained } = await fitStructured(tensorFromRows(twice), {
      ...exact,
      groups: 'country',
      free: [{ mode: 'c' }],
      design,
    })
    const found = await explainedBootstrap(explained!, {
      replicates: 80,
      kind: 'nonparametric',
      starts: 0,
      threads: 1,
      design,
    })
    const { coefficients } = explained!.covariates
    found.coefficients.forEach(({ standardError }, i) => {
      expect(standardError / coefficients[i].standardError!).toBeGreaterThan(0.7)
      expect(standardError / coefficients[i].standardError!).toBeLessThan(1.4)
    })
    const alone = await fitted(['a', 'b', 'c', 'country'], {
      groups: 'country',
      free: [{ mode: 'c' }],
      kind: 'sandwich',
    })
    expect(coefficients[1].standardError! / alone.covariates.coefficients[1].standardError!).toBeCloseTo(1, 1)
    await expect(explainedBootstrap(explained!, { design })).rejects.toThrow(
      "kind must be 'nonparametric' with a design",
    )
  })

  it('has errors like those by the information, with everything at once', async () => {
    const fit = await fitted(['a', 'b', 'c', 'd', 'known', 'x', 'country'], {
      known: 'known',
      covariates: ['x'],
      groups: 'country',
      free: [{ mode: 'c', class: 1 }],
      kind: 'observed',
    })
    for (const kind of ['parametric', 'nonparametric'] as const) {
      const found = await explainedBootstrap(fit, { replicates: 80, kind, starts: 0, threads: 1 })
      expect(found).toMatchObject({ kind, replicates: 80, stopped: false })
      expect(found.converged).toBeGreaterThan(75)
      found.coefficients.forEach(({ class: k, term, standardError, interval }, i) => {
        const own = fit.covariates.coefficients[i]
        expect({ class: k, term }).toEqual({ class: own.class, term: own.term })
        // 80 replicates know a standard error to about 8%.
        expect(standardError / own.standardError!).toBeGreaterThan(0.72)
        expect(standardError / own.standardError!).toBeLessThan(1.35)
        expect(interval![0]).toBeLessThan(own.estimate)
        expect(interval![1]).toBeGreaterThan(own.estimate)
      })
      expect(found.shares[0].standardError / fit.standardErrors.shares![0]!).toBeGreaterThan(0.72)
      expect(found.profiles).toHaveLength(fit.model.modes.length)
      // Equal in the second class, in every replicate.
      expect(found.profiles[2][1]).toEqual(found.profiles[4][1])
      expect(found.pairs).toHaveLength(kind === 'parametric' ? 6 : 0)
      // The classes are known for some rows: G² has no table.
      expect(found.gSquared).toBeUndefined()
    }
  })
})
