import { describe, expect, it } from 'vitest'
import { similarLabels, similarLabelsNote } from './similar-labels.ts'

describe('labels that differ only by case or blanks', () => {
  const textOf = (labels: readonly (string | number)[]) => similarLabelsNote('city', labels).map(({ text }) => text)

  it('are found in groups, numbers aside', () => {
    expect(similarLabels(['Bonn', 'bonn ', 'Köln', ' BONN', 'x', 'X'])).toEqual([
      ['Bonn', 'bonn ', ' BONN'],
      ['x', 'X'],
    ])
    expect(similarLabels(['a', 'b', 1, 1])).toEqual([])
    const many = (count: number) => ['a', 'A', ...Array.from({ length: count - 2 }, (_, i) => `n${i}`)]
    expect(similarLabels(many(50_000))).toEqual([['a', 'A']])
    expect(similarLabels(many(50_001))).toEqual([])
  })

  it.each([
    [['a', 'b', 3], []],
    [['a', 'A'], ['"a" and "A"; join them with ignoreCase']],
    [['a', ' a'], ['"a" and " a"; join them with trim']],
    [['a', ' A'], ['"a" and " A"; join them with ignoreCase']],
    [['a', ' a', 'A'], ['"a" and " a" and "A"; join them with trim, with ignoreCase']],
    [['a', 'a ', 'B', 'b'], ['"a" and "a ", "B" and "b"; join them with trim, with ignoreCase']],
    [
      ['a', 'A', 'b', 'B', 'c', 'C', 'd', 'D'],
      ['"a" and "A", "b" and "B", "c" and "C" and 1 more; join them with ignoreCase'],
    ],
  ])('of %j are said', (labels, said) => {
    expect(textOf(labels)).toEqual(said.map(text => `city has categories that differ only in case or blanks: ${text}`))
  })

  it('are a warning', () =>
    expect(similarLabelsNote('a, b', ['x', 'X'])[0]).toMatchObject({
      kind: 'warning',
      text: expect.stringMatching(/^"a, b" has/),
    }))
})
