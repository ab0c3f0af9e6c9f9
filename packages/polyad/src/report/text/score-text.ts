import type { ImputationScore } from '@polyad/core'
import type { HiddenScore } from '@polyad/core/stats'
import { count, counted, fixed, percent } from '../numbers.ts'
import { type Page, textTable } from './text-table.ts'

/** How well hidden values were told. */
export const scoreText = (score: ImputationScore, page: Page): string[] => {
  const line = (name: string, { hidden, logScore, accuracy, baseline }: HiddenScore): string[] => [
    ...[name, count(hidden), fixed(logScore, 4), fixed(baseline.logScore, 4)],
    ...[percent(accuracy), percent(baseline.accuracy)],
  ]
  return [
    '',
    page.style('bold', `${counted(score.hidden, 'value')} hidden`) +
      page.style(
        'dim',
        '   and predicted from the rest of their rows; alone: from the marginal probabilities of the model',
      ),
    ...textTable(
      [
        { title: 'variable', most: 40, repeated: true },
        ...['hidden', 'log score', 'alone', 'right', 'alone'].map(title => ({ title, align: 'right' as const })),
      ],
      [...score.modes.map(each => line(each.mode, each)), line('all', score)],
      page,
    ),
    page.style('dim', '  on the data of the fit this is too optimistic'),
  ]
}
