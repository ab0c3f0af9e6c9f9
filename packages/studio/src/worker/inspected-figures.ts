import { defined } from '@polyad/core/options'
import { type ColumnFigures, dictionaryOf, type Inspected, orderRule } from 'polyad/table'

/** What is known of the distribution of columns where only the first rows were looked at: their most frequent values. */
export const figuresOf = ({ columns, rows }: Pick<Inspected, 'columns' | 'rows'>): readonly ColumnFigures[] =>
  columns.map(({ name, kind, distinct, missing, values, smallest, largest, order }) => {
    const total = rows - missing
    const bars = values.map(({ text, count }) => ({ label: text, count }))
    const column = { name, ...defined({ order }) }
    const texts = bars.map(({ label }) => label)
    const isInOrder = kind === 'text' && texts.length > 0 && texts.length === distinct
    if (isInOrder) {
      const { positions } = dictionaryOf({ column, binning: undefined }, texts)
      const places = new Map(texts.map((text, i) => [text, positions[i]]))
      bars.sort((a, b) => (places.get(a.label) ?? 0) - (places.get(b.label) ?? 0))
    }
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
      ...(isInOrder && { rule: orderRule(column, texts) }),
      more: distinct - bars.length,
      rest,
    }
  })
