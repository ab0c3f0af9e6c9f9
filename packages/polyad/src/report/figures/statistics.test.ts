import { evaluate, fit, type Model, type RankTest, type Tensor, tensorFromRows } from '@polyad/core'
import { CRITERIA, evaluateLikelihood, FIT_TESTS } from '@polyad/core/stats'
import { describe, expect, it } from 'vitest'
import { FIT_FIELDS } from '../../cli/options/output-options.ts'
import { modelRecordOf } from '../record/model-record.ts'
import { criteriaOf } from './fit-figures.ts'
import { otherTests, testsOf } from './fit-tests.ts'
import { GLOSSARY } from './glossary.ts'
import { missingFromRanks, notComputedClause, notComputedText } from './not-computed.ts'
import { statisticPairs, whyNoTest } from './shown-statistics.ts'
import { SCANNED, STATISTIC_KEYS, STATISTICS, type Surface, statisticFigures, statisticsOn } from './statistics.ts'

const COLUMNS: readonly Surface[] = ['ranks', 'criteria', 'paper']
const SURFACES: Surface[] = [
  'terminal',
  'report',
  'studio',
  'independence',
  'against',
  'ranks',
  'fits',
  'criteria',
  'paper',
]

const table = (n: readonly (number | null)[]): Tensor =>
  tensorFromRows(
    n.map((count, i) => ({
      a: `${i % 2}`,
      b: `${(i >> 1) % 2}`,
      c: i === 0 && n[0] === null ? null : `${i >> 2}`,
      n: count ?? 9,
    })),
    { modes: ['a', 'b', 'c'], count: 'n' },
  )
const complete = table([40, 12, 11, 30, 9, 31, 29, 50])
const gaps = table([null, 12, 11, 30, 9, 31, 29, 50])

const figuresOf = async (tensor: Tensor, rank: number) => {
  const { model } = await fit(tensor, { rank, threads: 1 })
  const found = await evaluate(tensor, model)
  return {
    model,
    found,
    figures: { ...statisticFigures({ ...found, criteria: criteriaOf(found) }), total: tensor.total },
  }
}
const namesOn = (surface: Surface) => statisticsOn(surface).map(({ name }) => name)

describe('the table of statistics', () => {
  it('has every figure of an evaluation, as --json says it', async () => {
    const { found, figures } = await figuresOf(complete, 2)
    expect(Object.keys(figures).filter(key => key !== 'total')).toEqual([...STATISTIC_KEYS])
    for (const key of STATISTIC_KEYS)
      if (key !== 'criteria' && key !== 'averagePosteriors') expect(figures[key]).toBe(found[key] ?? null)
    const listed = FIT_FIELDS.flatMap(([names]) => names.split(', '))
    for (const key of STATISTIC_KEYS) expect(listed.filter(name => name === key)).toEqual([key])
  })

  it('gives each one name, and words of the glossary that there are', () => {
    for (const surface of SURFACES) {
      const shown = statisticsOn(surface)
      expect(new Set(shown.map(({ key }) => key)).size, surface).toBe(shown.length)
      for (const of of ['name', ...(COLUMNS.includes(surface) ? ['title'] : [])] as const)
        expect(new Set(shown.map(each => each[of as 'name' | 'title'])).size, surface).toBe(shown.length)
      for (const { term } of shown) if (term !== undefined) expect(GLOSSARY).toHaveProperty(term)
    }
    const criteria = CRITERIA.map(({ key }) => key)
    for (const surface of ['terminal', 'report', 'studio', 'ranks', 'criteria'] as const)
      expect(statisticsOn(surface).flatMap(({ key }) => criteria.filter(each => each === key))).toEqual(criteria)
  })

  it('is in the order that each surface has', () => {
    expect(namesOn('paper')).toEqual([
      'log-likelihood',
      'parameters',
      'AIC',
      'BIC',
      'adjusted BIC',
      'G²',
      'degrees of freedom',
      'relative entropy',
      'smallest class',
    ])
    expect(namesOn('independence')).toEqual(['G²', 'X²', 'degrees of freedom', 'p of G²', 'log-likelihood'])
    const kept = ['log-likelihood', 'degrees of freedom', 'relative entropy', 'smallest class', 'AIC', 'G²', 'p of G²']
    expect(namesOn('terminal').filter(name => kept.includes(name))).toEqual(kept)
  })

  it('leaves out what means nothing for a fit, and says why', async () => {
    const names = async (tensor: Tensor, rank: number) => {
      const { figures } = await figuresOf(tensor, rank)
      return { figures, names: statisticPairs(figures, 'terminal').map(([name]) => name), why: whyNoTest(figures) }
    }
    const whole = await names(complete, 2)
    // The density is of models with continuous variables, held-out log-likelihoods are of fits with folds.
    expect([whole.names.length, whole.why]).toEqual([namesOn('terminal').length - 2, undefined])
    const one = await names(complete, 1)
    const lacking = statisticsOn('terminal').flatMap(({ name, needs }) => (needs === 'classes' ? [name] : []))
    expect(lacking).toContain('relative entropy')
    expect(whole.names.filter(name => !one.names.includes(name))).toEqual(lacking)
    const missing = await names(gaps, 2)
    expect(whole.names.filter(name => !missing.names.includes(name))).toEqual(['G²', 'X²', 'Cressie–Read', 'p of G²'])
    expect(missing.why).toBe('G² and X² are not defined, because values are missing.')
    const of = (kind: 'normal' | 'ordinal') => ({ ...whole.figures, gSquared: null, items: [{ kind }] })
    expect(whyNoTest(of('ordinal'), 'rows belong together')).toMatch(/because rows belong together\.$/)
    expect(whyNoTest(of('normal'), 'rows belong together')).toMatch(/for variables that are numbers\.$/)
    const { figures } = await figuresOf(complete, 2)
    const empty = { ...figures, degreesOfFreedom: 1e9 }
    expect(statisticPairs(empty, 'report').map(([name]) => name)).not.toContain('degrees of freedom')
    expect(whyNoTest(empty)).toContain('G², X² and degrees of freedom are left out')
    expect(statisticPairs(figures, 'report', ['pValue']).map(([name]) => name)).not.toContain('p of G²')
  })

  it('knows what a stopped fit lacks: what is not told by its likelihood', async () => {
    const { model, found } = await figuresOf(complete, 2)
    const quick = evaluateLikelihood(complete, model, found.logLikelihood)
    const lacks = STATISTIC_KEYS.filter(
      key => key !== 'criteria' && JSON.stringify(quick[key] ?? null) !== JSON.stringify(found[key] ?? null),
    )
    expect(SCANNED.map(({ key }) => key)).toEqual(lacks.filter(key => key !== 'gSquared' && key !== 'pValue'))
    expect(notComputedText([...SCANNED.map(({ key }) => key), 'standardErrors', 'report'])).toBe(
      'X², Cressie–Read, certainty of the classes, standard errors, report',
    )
  })

  it('knows what a stopped comparison lacks: numbers of classes, held-out log-likelihoods, tests', () => {
    const criteria = { aic: 1, aic3: 1, bic: 1, sabic: 1, caic: 1, icl: 1, awe: 1 }
    const test = {} as RankTest
    const all = { ranks: 3, heldOut: true, test: true }
    const whole = [1, 2, 3].map(rank => ({ criteria: { ...criteria, heldOut: -9 }, ...(rank < 3 && { test }) }))
    expect(missingFromRanks(whole, all)).toEqual([])
    expect(missingFromRanks(whole.slice(0, 2), all)).toEqual(['fits'])
    expect(missingFromRanks([whole[0], { criteria, test }, { criteria }], all)).toEqual(['heldOut'])
    expect(
      missingFromRanks(
        whole.map(({ criteria }) => ({ criteria })),
        all,
      ),
    ).toEqual(['test'])
    expect(missingFromRanks([{ criteria }], { ranks: 1, heldOut: false, test: true })).toEqual([])
    expect(notComputedClause(['fits', 'test'])).toBe(
      '; not computed: other numbers of classes, tests of numbers of classes',
    )
    expect(notComputedClause([])).toBe('')
  })
})

describe('a record of a fit', () => {
  const read = (result: object, model: Model) =>
    modelRecordOf({ result: JSON.parse(JSON.stringify(result)) }, model.rank).statistics

  it('is read with every statistic, and without one that an older version did not know', async () => {
    const { model, figures } = await figuresOf(complete, 2)
    expect(read(figures, model)).toEqual({ ...figures, total: undefined })
    const { cressieRead: _, ...older } = figures
    expect(read(older, model)).toEqual({ ...figures, cressieRead: null, total: undefined })
    const { logLikelihood: __, ...broken } = figures
    expect(read(broken, model)).toBeNull()
    for (const key of STATISTIC_KEYS) expect(read({ ...figures, [key]: 'much' }, model), key).toBeNull()
  })
})

describe('bootstrap tests', () => {
  it('are listed with those first that keep their level in a sparse table', () => {
    const all = Object.fromEntries(FIT_TESTS.map(key => [key, { key }]))
    expect(testsOf(all).map(([key]) => key)).toEqual(['chiSquared', 'gSquared', 'cressieRead'])
    expect(testsOf({ gSquared: { p: 1 }, chiSquared: null })).toEqual([['gSquared', { p: 1 }]])
    expect(Object.keys(otherTests(key => STATISTICS[key].name))).toEqual(['chiSquared', 'cressieRead'])
  })
})
