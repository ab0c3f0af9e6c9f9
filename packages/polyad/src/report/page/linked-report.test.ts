import { plainDocument } from '@polyad/charts'
import { fitStructured, tensorFromRows } from '@polyad/core'
import { random } from '@polyad/core/numeric'
import { beforeAll, describe, expect, it } from 'vitest'
import { linkedFigures } from '../figures/linked-figures.ts'
import { tableOf, tableText } from '../tables/table-of.ts'
import { cautions } from './cautions.ts'
import { howToReport, references } from './how-to-report.ts'
import { makeReport } from './make-report.ts'
import { reportPage } from './page.ts'
import { plotData } from './plot-data.ts'
import { summary } from './summary.ts'

/** Reports of persons over time, and of groups with classes. */

const { uniform } = random(11, 'data')
const says = (k: number) =>
  Object.fromEntries(
    ['a', 'b', 'c'].map((name, i) => [name, uniform() < (k === 0 ? 0.9 - i / 10 : 0.1 + i / 10) ? 'yes' : 'no']),
  )

const fitted = async (kind: 'panel' | 'pupils') => {
  const rows = Array.from({ length: 60 }, (_, unit) => {
    let k = kind === 'panel' ? Number(uniform() < 0.3) : unit % 2
    return Array.from({ length: 3 }, (_, t) => {
      if (kind === 'pupils') return { school: `school ${unit % 12}`, ...says(uniform() < 0.8 ? k : 1 - k) }
      if (t > 0 && uniform() < 0.2) k = 1 - k
      return { id: unit, wave: 2020 + t, ...says(k) }
    })
  }).flat()
  const structure = kind === 'panel' ? { person: 'id', time: 'wave' } : { within: 'school', groupClasses: 2 }
  const { linked } = await fitStructured(tensorFromRows(rows), { rank: 2, ...structure, starts: 2 })
  const { model, data, standardErrors } = linked!
  const run = { command: 'fit', result: { ...linkedFigures(linked!, 3), standardErrors: null } }
  const report = await makeReport(model, { run, data: data.items, placed: data, errors: standardErrors! })
  return { model, run, report, text: [...summary(report), ...cautions(report), ...howToReport(report)].join('\n') }
}

describe('waves of persons', () => {
  let found: Awaited<ReturnType<typeof fitted>>
  beforeAll(async () => {
    found = await fitted('panel')
  })

  it('are told in the summary, the methods paragraph and its references', () => {
    const { report, text } = found
    expect(text).toContain('describe 180 observations of 60 persons at 3 waves on 3 variables')
    expect(text).toContain('A latent transition model (Collins & Lanza, 2010) with 2 classes')
    expect(text).toContain('transition probabilities differed between steps')
    expect(text).toContain(
      '3 observations were left out because the person, the wave, the group, or every answer, was missing.',
    )
    expect(references(report).join()).toContain('Latent class and latent transition analysis')
    expect(text).toMatch(/Few persons are in Class 2 \(at least one step with about \d+\)/)
  })

  it('have flows that add up to the sizes of the waves, and certainty given all rows of a person', () => {
    const { report, model } = found
    const { waves, transitions } = report.charts.flows!
    for (const t of [0, 1])
      for (const l of [0, 1])
        expect(waves[t].sizes.reduce((sum, size, k) => sum + size * transitions[t][k][l], 0)).toBeCloseTo(
          waves[t + 1].sizes[l],
          12,
        )
    const points = report.charts.certainty!.points
    const mean = points.reduce((sum, { probabilities, count }) => sum + count * probabilities[0], 0) / 180
    expect(mean).toBeCloseTo(model.shares[0], 4)
  })

  it('have a section, a chart and a table with standard errors', () => {
    const { report, model, run } = found
    const page = reportPage(report, { document: plainDocument() })
    expect(page).toContain('<h2 id="change-title">Change over time</h2>')
    expect(page).toContain('Moves between 2 classes over 3 waves, 2020 to 2022')
    const table = tableOf('transitions', { models: [{ model, run }] }, { percent: true })
    expect(table.parts.map(({ rows }) => rows.length)).toEqual([3, 6])
    expect(table.parts[0].columns.map(({ title }) => title)).toEqual(['n', '%', 'SE', '%', 'SE'])
    expect(tableText(table, 'tex')).toContain('2020 to 2021')
    expect(() => tableOf('mixes', { models: [{ model, run }] })).toThrow('mixes need a model with classes of groups')
    expect(() => plotData('mixes', { model, run })).toThrow('mixes need a model with classes of groups')
  })

  it('have tables without standard errors if the record is gone', () => {
    const { parts, notes } = tableOf('transitions', { models: [{ model: found.model }] })
    expect(parts[0].columns.map(({ title }) => title)).toEqual(['Class 1', 'Class 2'])
    expect(notes.join()).not.toContain('SE')
  })
})

describe('groups with classes', () => {
  it('have a section, sentences and a table, and a caution if they are few', async () => {
    const { report, model, run, text } = await fitted('pupils')
    expect(text).toContain('A multilevel latent class model (Vermunt, 2003)')
    expect(text).toContain('180 observations in 12 groups (school) on 3 categorical variables')
    expect(text).toContain('There are only 12 groups')
    expect(text).toContain('Class sizes differ between classes of groups: group class 1 (')
    expect(reportPage(report, { document: plainDocument() })).toContain('Class sizes within 2 classes of groups')
    const { rows } = tableOf('mixes', { models: [{ model, run }] }).parts[0]
    expect(rows.map(({ cells }) => cells.length)).toEqual([6, 6])
    expect(() => plotData('flows', { model, run })).toThrow('flows need a model of classes that change over time')
  })
})

describe('covariates of persons', () => {
  it('have their odds ratios and tests in the table of odds and in the report, from the fit or its record', async () => {
    const rows = Array.from({ length: 90 }, (_, id) => {
      const sex = id % 2 === 0 ? 'f' : 'm'
      let k = Number(uniform() < (sex === 'f' ? 0.2 : 0.7))
      return [1, 2].map(wave => {
        if (wave > 1 && uniform() < 0.3) k = 1 - k
        return { id, wave, sex, ...says(k) }
      })
    }).flat()
    const asked = { person: 'id', time: 'wave', covariates: ['sex'], transitionCovariates: ['sex'] }
    const { linked } = await fitStructured(tensorFromRows(rows), { rank: 2, starts: 1, ...asked })
    const { model, data, standardErrors } = linked!
    const figures = linkedFigures(linked!)
    const run = { command: 'fit', result: JSON.parse(JSON.stringify({ ...figures, standardErrors: null })) }
    const recorded = tableOf('odds', { models: [{ model, run }] })
    expect(recorded.parts.map(({ caption }) => caption)).toEqual([
      'Effects on class at the first wave',
      'Wald tests of effects on class at the first wave',
      'Effects on transitions',
      'Wald tests of effects on transitions',
    ])
    const [initial, tests, moves] = recorded.parts
    const effect = standardErrors!.effects![0]
    const slope = effect.coefficients.find(({ term }) => term !== 'intercept')!
    expect(initial.rows.map(({ head }) => head)).toEqual(['Class 2', 'intercept', slope.term])
    expect(initial.rows[2].cells.map(cell => (typeof cell === 'string' ? cell : cell.value))).toEqual([
      slope.estimate,
      slope.error,
      slope.oddsRatio,
      ...slope.interval!,
      slope.z,
      slope.pValue,
    ])
    expect(tests.rows[0].cells[0]).toMatchObject({ value: effect.tests[0].test!.statistic })
    expect(moves.rows.filter(({ cells }) => cells.length === 0).map(({ head }) => head)).toEqual([
      'Class 1 → Class 2',
      'Class 2 → Class 1',
    ])
    expect(tableOf('odds', { models: [{ model, run: {} }], errors: standardErrors! }).parts).toEqual(recorded.parts)
    const report = await makeReport(model, { run, data: data.items, placed: data })
    expect(reportPage(report, { document: plainDocument() })).toContain('Effects on class at the first wave')
    expect(() => tableOf('odds', { models: [{ model }] })).toThrow('odds ratios need a model with covariates')
  })
})
