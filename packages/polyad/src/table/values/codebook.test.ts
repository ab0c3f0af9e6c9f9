import { describe, expect, it } from 'vitest'
import { codebookOf, joinedCodebook, labelsIn, recordedLabels, withLabels } from './codebook.ts'

const columns = ['Name', 'Code', 'Label', 'Question']
const rows = [
  ['q1', null, 'Trust in police', 'How much do you trust the police?'],
  ['', '1', 'low', null],
  [null, '2', 'high', null],
  ['Q2', null, null, 'Anything else?'],
  ['q3', '8', 'none', null],
  ['q3', '9', 'none', null],
]
const codebook = codebookOf('codes.csv', columns, rows)

describe('a codebook', () => {
  it('has labels of variables and values, and questions', () => {
    expect(codebook).toEqual({
      q1: {
        title: 'Trust in police',
        question: 'How much do you trust the police?',
        values: { 1: 'low', 2: 'high' },
      },
      Q2: { question: 'Anything else?' },
      q3: { values: { 8: 'none', 9: 'none' } },
    })
    expect(() => codebookOf('data.csv', ['age', 'vote'], [])).toThrow(
      'data.csv is not a codebook: it needs the columns variable, value and label (it has age, vote)',
    )
  })

  it('is looked up by name, in any case, and by value, however it is written', () => {
    const labels = labelsIn(codebook)
    expect(labels.name('Q1')).toBe('Q1: Trust in police')
    expect(labels.title('q2')).toBe('Anything else?')
    expect([labels.value('q1', 1), labels.value('q1', '2.0'), labels.value('q1', 3)]).toEqual(['low', 'high', '3'])
    expect([labels.value('q3', 8), labels.value('q3', 9)]).toEqual(['none (8)', 'none (9)'])
    expect([labels.name('__proto__'), labels.value('constructor', 'x')]).toEqual(['__proto__', 'x'])
  })

  it('adds to the labels of a model, or takes them away', () => {
    const run = { seed: 1, recipe: { modes: [], labels: { q1: { title: 'old', values: { 3: 'very high' } } } } }
    const both = recordedLabels(withLabels(run, codebook))
    expect(both?.q1).toEqual({ ...codebook.q1, values: { 1: 'low', 2: 'high', 3: 'very high' } })
    expect(withLabels(run, 'off')).toEqual({ seed: 1, recipe: { modes: [] } })
    expect(recordedLabels({ recipe: { labels: { q1: { title: 7 } } } })).toBeUndefined()
    expect(joinedCodebook(undefined, undefined)).toBeUndefined()
  })
})
