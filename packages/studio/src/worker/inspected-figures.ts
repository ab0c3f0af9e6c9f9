import { defined } from '@polyad/core/options'
import type { ColumnFigures, Inspected } from 'polyad/table'

/** What is known of the distribution of columns where only the first rows were looked at: their most frequent values. */
export const figuresOf = ({ columns, rows }: Pick<Inspected, 'columns' | 'rows'>): readonly ColumnFigures[] =>
  columns.map(({ name, kind, distinct, missing, values, smallest, largest }) => {
    const total = rows - missing
    const bars = values.map(({ text, count }) => ({ label: text, count }))
    const ordered = kind === 'number' || kind === 'date'
    if (kind === 'number') bars.sort((a, b) => Number(a.label) - Number(b.label))
    if (kind === 'date') bars.sort((a, b) => (a.label < b.label ? -1 : 1))
    const rest = bars.reduce((left, { count }) => left - count, total)
    const range = { ...defined({ smallest, largest }) }
    return {
      name,
      distinct,
      missing,
      ...range,
      rows,
      total,
      bars,
      cut: false,
      ordered,
      more: distinct - bars.length,
      rest,
    }
  })
