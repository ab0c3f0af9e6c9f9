import { count, counted } from '../numbers.ts'
import { type Page, textTable } from './text-table.ts'

/** How many values are missing in each variable, and in all. @param done what became of them */
export const missingText = (
  missing: Readonly<Record<string, number>>,
  rows: number,
  done: string,
  page: Page,
): readonly string[] => [
  '',
  ...textTable(
    [
      { title: 'variable', most: 60 },
      { title: 'missing', align: 'right' },
    ],
    Object.entries(missing).map(([name, value]) => [name, count(value)]),
    page,
  ),
  '',
  `${counted(totalOf(missing), 'missing value')} in ${counted(rows, 'row')}${done}`,
]

export const totalOf = (missing: Readonly<Record<string, number>>): number =>
  Object.values(missing).reduce((sum, value) => sum + value, 0)
