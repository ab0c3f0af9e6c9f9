import { describe, expect, it } from 'vitest'
import type { Code, SurveyFile, SurveyVariable } from './survey-file.ts'
import { surveyTable } from './survey-table.ts'

const variable = (values: readonly (Code | null)[], own: Partial<SurveyVariable> = {}): SurveyVariable => {
  const different = [...new Set(values.filter(value => value !== null))]
  const codes = Int32Array.from(values, value => (value === null ? -1 : different.indexOf(value)))
  return { name: 'x', title: '', ordinal: false, labels: [], ...own, values: { values: different, codes } }
}

const labelled = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([code, text]) => ({ code: Number(code), text }))

const fileOf = (...variables: SurveyVariable[]): SurveyFile => ({
  name: 'x.sav',
  variables,
  rows: variables[0].values.codes.length,
  notes: [],
})

const tableOf = (values: readonly (Code | null)[], own: Partial<SurveyVariable> = {}, known?: boolean) => {
  const { columns } = surveyTable(
    fileOf(variable(values, own)),
    known === undefined ? undefined : new Map([['x', known]]),
  )
  const [{ texts, codes, meaning }] = columns
  return { values: Array.from(codes, code => texts[code] ?? null), meaning }
}

describe('a variable with value labels', () => {
  const labels = labelled({ 3: 'agree', 1: 'disagree', 2: 'neither' })

  it('takes its labels, in the order of the codes', () => {
    const { values, meaning } = tableOf([3, 1, 2, 3, null], { labels, ordinal: true, title: 'Do you agree?' })
    expect(values).toEqual(['agree', 'disagree', 'neither', 'agree', null])
    expect(meaning).toEqual({ order: ['disagree', 'neither', 'agree'], ordered: true, title: 'Do you agree?' })
  })

  it('shows the code of a value without one in its place', () => {
    const { values, meaning } = tableOf([...new Array(20).fill(1), 3, 2.5], { labels })
    expect(values.slice(-2)).toEqual(['agree', '2.5'])
    expect(meaning.order).toEqual(['disagree', 'neither', '2.5', 'agree'])
  })

  it('keeps its codes if only the ends of a scale have labels, or the values that mean missing', () => {
    const scale = labelled({ 0: 'not at all', 10: 'completely' })
    const { values, meaning } = tableOf([0, 0, 0, 10, 10, 5, 7, 3], { labels: scale })
    expect(values).toEqual(['0', '0', '0', '10', '10', '5', '7', '3'])
    expect(meaning).toEqual({
      someLabels: '0 = not at all, 10 = completely',
      texts: { 0: 'not at all', 10: 'completely' },
    })
    const age = [34, 51, 34, 28, 98, 51, 28, 34]
    expect(tableOf(age, { labels: labelled({ 98: 'refused' }) }).values).toEqual(age.map(String))
  })

  it('follows what is known of it, whatever its values are', () => {
    expect(tableOf([4, 5], { labels }, true).values).toEqual(['4', '5'])
    expect(tableOf([1, 4, 5], { labels }, true).values).toEqual(['disagree', '4', '5'])
    expect(tableOf([1, 2], { labels }, false).values).toEqual(['1', '2'])
  })

  it('tells codes of the same label apart', () => {
    const { values } = tableOf([1, 2, 3], { labels: labelled({ 1: 'other', 2: 'no', 3: 'other' }) })
    expect(values).toEqual(['other (1)', 'no', 'other (3)'])
  })

  it('is missing where the file says so, and those labels do not count', () => {
    const missing = { isMissing: (code: Code) => code === 9, text: '9' }
    const { values, meaning } = tableOf([1, 9, 2], {
      labels: [...labels, { code: 9, text: 'refused' }],
      missing,
    })
    expect(values).toEqual(['disagree', null, 'neither'])
    expect(meaning.order).toEqual(['disagree', 'neither', 'agree'])
    expect(meaning.declaredMissing).toBe('9')
    const onlyMissing = { labels: [{ code: 9, text: 'refused' }], missing }
    expect(tableOf([5, 9, 7], onlyMissing).values).toEqual(['5', null, '7'])
  })

  it('stays numbers where its labels are the numbers', () => {
    expect(tableOf([2, 1], { labels: labelled({ 1: '1', 2: '2' }) }).meaning).toEqual({})
  })
})

it('shows dates as texts, and what is none as a number', () => {
  const shown = (value: number) => (value > 0 ? '2024-05-31' : undefined)
  expect(tableOf([1, -1], { shown }).values).toEqual(['2024-05-31', '-1'])
})
