import { expect, it } from 'vitest'
import { looked } from '../../../../../test/looked-at.ts'
import { meaningNotes } from './meaning-notes.ts'

it('what a file says of values is said, of six columns at most', () => {
  const order = ['low', 'high']
  expect(meaningNotes([looked('a')])).toEqual([])
  expect(
    meaningNotes([
      looked('a', { order }),
      looked('b, c', { order, declaredMissing: '8, 9' }),
      looked('d', { someLabels: '98 = refused' }),
    ]).map(({ kind, text }) => `${kind}: ${text}`),
  ).toEqual([
    'choice: categories are value labels, in the order of their codes: a, "b, c"',
    'choice: missing, as the file declares: "b, c" (8, 9)',
    'choice: codes are kept, because not all values have labels: d (98 = refused)',
  ])
  const many = 'abcdefgh'.split('').map(name => looked(name, { order, declaredMissing: '9' }))
  expect(meaningNotes(many).map(({ text }) => text.replace(/^.*: /, ''))).toEqual([
    'a, b, c, d, e, f and 2 more',
    'a (9), b (9), c (9), d (9), e (9), f (9) and 2 more',
  ])
})
