import { describe, expect, it } from 'vitest'
import { isMissingWord } from './missing-words.ts'

describe('words that stand for missing', () => {
  it.each([
    ...['NA', 'N/A', '#N/A', '#NA', 'n.a', 'n.a.', 'nan', 'NaN', 'null', '.', '.a', '.Z', '?', '???', '-', '--', '*', '***'],
    ...['missing', 'Unknown', 'Refused', 'refusal', 'prefer not to say', 'Prefer not to answer', 'declined to say'],
    ...['declined to answer', "Don't know", 'don’t know', 'dont know', 'do not know', 'DK', 'dk/na', 'd.k.', 'No answer'],
    ...['no response', 'not asked', 'not applicable', 'not available', 'not answered', 'not stated', 'not ascertained'],
    ...['k.A.', 'k. A.', 'k.a', 'keine Angabe', 'weiß nicht', 'weiss nicht', '  refused  '],
  ])('%j is one', text => expect(isMissingWord(text)).toBe(true)) // biome-ignore format: words

  it.each([
    ...['', 'none', 'no', 'nana', 'nb', 'xn/a', 'n/ab', '.ab', 'a.', '?x', '-1', 'x-', '*x', 'missing person', 'annulled'],
    ...['unknown soldier', 'prefer not', 'answer', 'no answers', 'not', 'asked', 'know', 'known', 'don t knows', 'ka', 'angabe', 'nicht'],
  ])('%j is none', text => expect(isMissingWord(text)).toBe(false)) // biome-ignore format: words
})
