import { describe, expect, it } from 'vitest'
import { surveyRows } from '../../../../../test/structured-survey.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { fitStructured } from '../structure/structured.ts'
import { chooseRank } from './choose-rank.ts'
import { testRanks } from './test-ranks.ts'

const tensorOf = (...names: (keyof ReturnType<typeof surveyRows>[number])[]) =>
  tensorFromRows(surveyRows().map(row => Object.fromEntries(names.map(name => [name, row[name]]))))
const exact = { starts: 3, stationarity: 1e-8, tolerance: 1e-12, minGain: 0, threads: 1 }

describe('numbers of classes of models with covariates and groups', () => {
  it('are compared as the fits of each number are, on the rows that have the covariates', async () => {
    const tensor = tensorOf('a', 'b', 'c', 'd', 'x', 'country')
    const structure = { covariates: ['x'], groups: 'country', free: [{ mode: 'c' }] }
    const { fits, recommended, reason } = await chooseRank(tensor, { to: 3, ...exact, ...structure })
    expect(fits.map(({ rank }) => rank)).toEqual([1, 2, 3])
    const { explained } = await fitStructured(tensor, { rank: 2, ...exact, ...structure })
    expect(fits[1].logLikelihood).toBeCloseTo(explained!.logLikelihood, 6)
    expect(fits[1].bic).toBeCloseTo(explained!.evaluation.bic, 5)
    expect(fits[1].parameters).toBe(explained!.evaluation.parameters)
    expect(fits[1].relativeEntropy).toBeCloseTo(explained!.evaluation.relativeEntropy!, 6)
    expect(fits[1].result.model.structure.given.map(({ name }) => name)).toEqual(['x', 'country'])
    // One class: the tables of the variables, those of c by country.
    const rows = surveyRows().filter(({ x, country }) => x !== undefined && country !== undefined)
    const table = (key: (row: (typeof rows)[number]) => unknown, of = rows) => {
      const counts = new Map<unknown, number>()
      for (const row of of) counts.set(key(row), (counts.get(key(row)) ?? 0) + 1)
      return [...counts.values()].reduce((sum, count) => sum + count * Math.log(count / of.length), 0)
    }
    const answered = (name: 'a' | 'b' | 'c' | 'd', of = rows) =>
      table(
        row => row[name],
        of.filter(row => row[name] !== undefined && row[name] !== null),
      )
    const countries = [...new Set(rows.map(({ country }) => country))]
    const byCountry = countries.reduce(
      (sum, own) =>
        sum +
        answered(
          'c',
          rows.filter(({ country }) => country === own),
        ),
      0,
    )
    expect(fits[0].logLikelihood).toBeCloseTo(answered('a') + answered('b') + answered('d') + byCountry, 6)
    for (const { gSquared, heldOut } of fits) expect([gSquared, heldOut]).toEqual([undefined, undefined])
    expect(recommended).toBe(2)
    expect(reason).toContain('BIC')
  })

  it('are tested against each other, with replicates that have the covariates of the rows', async () => {
    const tensor = tensorOf('a', 'b', 'c', 'd', 'x')
    const options = { covariates: ['x'], ...exact, replicates: 20, replicateStarts: 6, all: true }
    const one = await testRanks(tensor, { rank: 1, ...options })
    expect(one).toMatchObject({ rank: 1, against: 2, replicates: 20 })
    // No replicate of one class is as far from it as data of two.
    expect(one.pValue).toBeCloseTo(1 / 21, 12)
    expect(one.statistic).toBeCloseTo(2 * (one.fits[1].logLikelihood - one.fits[0].logLikelihood), 9)
    const two = await testRanks(tensor, { rank: 2, ...options })
    expect(two.pValue).toBeGreaterThan(0.05)
    const { tests } = {
      tests: await chooseRank(tensor, { from: 1, to: 2, ...exact, covariates: ['x'], replicates: 20 }),
    }
    expect(tests.fits[0].test!.statistic).toBeCloseTo(one.statistic, 6)
  })

  it('refuse what has no meaning for several numbers of classes', async () => {
    const tensor = tensorOf('a', 'b', 'c', 'x', 'country')
    await expect(chooseRank(tensor, { groups: 'country', free: [{ mode: 'c', class: 2 }] })).rejects.toThrow(
      'free cannot name a class (c in class 2): models with other numbers of classes have other classes',
    )
    await expect(chooseRank(tensor, { covariates: ['x'], by: 'heldOut' })).rejects.toThrow(
      'by cannot be heldOut with covariates',
    )
    await expect(chooseRank(tensor, { covariates: ['x'], smoothing: 1 })).rejects.toThrow(
      'smoothing cannot be combined with covariates',
    )
    await expect(testRanks(tensor, { rank: 1, free: [{ mode: 'a' }] })).rejects.toThrow('free needs groups')
    await expect(testRanks(tensor, { rank: 1, covariates: ['y'] })).rejects.toThrow(
      'covariates names no mode of the data: "y"',
    )
  })
})
