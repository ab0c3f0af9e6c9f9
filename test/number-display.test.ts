import {
  CHARTS,
  categoriesOf,
  linesData,
  numberOf,
  pairsData,
  plainDocument,
  profilesData,
  svgText,
  timeData,
} from '@polyad/charts'
import {
  count,
  fit,
  type Model,
  modelDrift,
  normal,
  ordinal,
  standardErrors,
  type Tensor,
  tensorFromRows,
} from '@polyad/core'
import { random } from '@polyad/core/numeric'
import { makeReport } from 'polyad/report'
import { beforeAll, describe, expect, it } from 'vitest'
import { howToReport } from '../packages/polyad/src/report/page/how-to-report.ts'
import { plotData } from '../packages/polyad/src/report/page/plot-data.ts'
import { tableOf, tableText } from '../packages/polyad/src/report/tables/table-of.ts'
import { driftText } from '../packages/polyad/src/report/text/drift-text.ts'
import { errorRecord } from '../packages/polyad/src/report/text/error-table.ts'

/** Numbers are shown by their means, never as a row, a bar or a point for each value. */

let [data, model] = [] as unknown as [Tensor, Model]
const items = { height: normal({ step: 1 }), visits: count(), trust: ordinal() }

beforeAll(async () => {
  const { uniform: next } = random(3, 'sample')
  const rows = Array.from({ length: 400 }, (_, i) => {
    const tall = i % 2 === 0
    const noise = next() + next() + next() - 1.5
    return {
      height: Math.round((tall ? 180 : 160) + 6 * noise),
      visits: Math.floor((tall ? 8 : 2) * next()),
      trust: 1 + Math.floor(3 * (tall ? Math.sqrt(next()) : next() ** 2)),
      vote: next() < (tall ? 0.8 : 0.2) ? 'yes' : 'no',
    }
  })
  data = tensorFromRows(rows, { modes: ['height', 'visits', 'trust', 'vote'] })
  model = (await fit(data, { rank: 2, items, threads: 1, seed: 1 })).model
})

describe('charts', () => {
  it('the mean and the standard deviation over all classes are those of the data', () => {
    const { overall, classes } = numberOf(model, 0) ?? { overall: { mean: 0, sd: 0 }, classes: [] }
    let [sum, squares] = [0, 0]
    data.values.forEach((value, cell) => {
      const label = data.modes[0].label(data.indices[0][cell]) as number
      sum += value * label
      squares += value * label * label
    })
    const mean = sum / data.total
    expect(overall.mean).toBeCloseTo(mean, 2)
    expect(overall.sd).toBeCloseTo(Math.sqrt(squares / data.total - mean ** 2), 0)
    expect(classes.map(({ mean: own }) => Math.round(own / 10)).sort()).toEqual([16, 18])
    expect([1, 2, 3].map(n => numberOf(model, n) !== undefined)).toEqual([true, false, false])
  })

  it('profiles have two rows for a number, and a panel with its means', () => {
    const shown = profilesData(model)
    const { rows } = CHARTS.profiles.table(shown)
    expect(rows.filter(([name]) => name === 'height').map(([, category]) => category)).toEqual(['mean', 'SD'])
    expect(rows.filter(([name]) => name === 'trust')).toHaveLength(3)
    const svg = CHARTS.profiles.draw({ ...shown, modes: [shown.modes[0]] }, { document: plainDocument(), width: 640 })
    expect(svgText(svg)).toMatch(/mean and SD in 2 classes.*Mean \(SD\): class 1 1[68]/s)
    expect(svgText(svg)).not.toMatch(/NaN|undefined/)
  })

  it('charts of categories leave numbers out, and say so', () => {
    const shown = profilesData(model)
    expect(categoriesOf(shown).modes.map(({ name }) => name)).toEqual(['trust', 'vote'])
    const { items: lines, omitted } = linesData(shown)
    expect(lines.map(({ name }) => name)).toEqual(['trust', 'vote'])
    expect(omitted?.names).toEqual(['height', 'visits'])
    expect(
      pairsData(shown)
        ?.modes.map(({ name }) => name)
        .sort(),
    ).toEqual(['trust', 'vote'])
    expect(timeData(shown, 'height')).toBeUndefined()
    expect(CHARTS.top.table(shown).rows.some(([, name]) => name === 'height')).toBe(false)
    const source = { model, run: {} }
    expect(() => plotData('time', { ...source, modes: ['height'] })).toThrow('must have categories, not numbers')
    expect(() => plotData('top', { ...source, modes: ['visits'] })).toThrow('top need categories')
    expect(() => plotData('anomalies', { ...source, data })).toThrow('anomalies need a model of categories')
  })
})

describe('reports and tables', () => {
  it('say what the variables are, and compare with nothing that takes numbers for categories', async () => {
    const report = await makeReport(model, { data })
    const words = howToReport(report).join(' ')
    expect(words).toContain('of 1 categorical, 1 ordinal, 1 continuous and 1 count variables')
    expect(words).toContain('height was normally distributed, with a standard deviation for each class')
    expect(words).toContain('visits was Poisson distributed')
    const { charts, oneClass } = report
    expect(oneClass).toBeNull()
    expect([charts.anomalies, charts.top, charts.pairs]).toEqual([null, null, null])
    expect(charts.time).toEqual([])
    expect(charts.profiles?.modes[0].number?.classes).toHaveLength(2)
  })

  it('a table has mean and SD with their standard errors, also from a model file', async () => {
    const errors = await standardErrors(data, model)
    const given = tableOf('profiles', { models: [{ model }], errors })
    const [, mean, sd, , rate] = given.parts[0].rows
    expect([mean.head, sd.head, rate.head]).toEqual(['M', 'SD', 'M'])
    const own = errors.items?.[0]?.find(({ name, class: k }) => name === 'mean' && k === 0)
    expect(mean.cells[0]).toMatchObject({ value: own?.value })
    expect(mean.cells[1]).toMatchObject({ value: own?.error })
    // The rate of a Poisson distribution is its mean; its standard deviation is no parameter.
    expect(rate.cells[1]).toMatchObject({ value: errors.items?.[1]?.[0].error })
    const run = { result: { standardErrors: JSON.parse(JSON.stringify(errorRecord(errors))) } }
    expect(tableText(tableOf('profiles', { models: [{ model, run }] }), 'md')).toBe(tableText(given, 'md'))
  })

  it('drift names means, not values', async () => {
    const { model: equal } = await fit(data, {
      rank: 2,
      items: { ...items, height: normal({ step: 1, variances: 'equal' }) },
      threads: 1,
      seed: 1,
    })
    const page = { columns: 160, style: (_: unknown, text: string) => text }
    const text = driftText(modelDrift(model, equal), [model, equal], page as never).join('\n')
    expect(text).toMatch(/height +class \d +mean +\d+\.\d+ +\d+\.\d+/)
    expect(text).toContain('not known for numbers')
  })
})
