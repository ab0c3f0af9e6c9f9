import type { SurprisingRow } from '../../scoring/explain-table.ts'
import { count, fixed } from '../numbers.ts'
import { type Page, textTable } from './text-table.ts'

/** Answers that are named for each row. */
const NAMED = 2

/** The rows that surprise a model most, with the answers that make them so. */
export const surprisesText = (rows: readonly SurprisingRow[], counted: boolean, page: Page): string[] => [
  '',
  page.style('bold', 'most surprising rows'),
  ...textTable(
    [
      { title: 'row', align: 'right', repeated: true },
      ...(counted ? [{ title: 'count', align: 'right' as const }] : []),
      { title: 'score', align: 'right' },
      { title: 'bits', align: 'right' },
      { title: 'expected', align: 'right' },
      { title: 'class', align: 'right' },
      { title: 'because of (bits)', most: 80 },
    ],
    rows.map(each => [
      count(each.row),
      ...(counted ? [count(each.count)] : []),
      fixed(each.score, 2),
      fixed(each.surprise, 1),
      fixed(each.expected, 1),
      each.class,
      each.contributions.slice(0, NAMED).map(reason).join(', '),
    ]),
    page,
  ),
  page.style(
    'dim',
    '  score: standard deviations above what is expected of rows that answered the same variables; bits of an answer: −log₂ of its probability given the others',
  ),
]

const reason = ({ mode, label, bits, unseen }: SurprisingRow['contributions'][number]): string =>
  `${mode} = ${label}${unseen ? ', never seen' : ''} (${fixed(bits, 1)})`
