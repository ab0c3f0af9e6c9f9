import type { ClassifiedRow, RowPage, RowQuery } from './protocol.ts'
import { type Scored, textOf } from './scored-rows.ts'

/** Rows in the order that is asked for, a slice at a time: the page has only the rows in view. */

/** The order that was asked for last of each table, so that its other slices need no second sort. */
const listings = new WeakMap<Scored, { readonly key: string; readonly order: Uint32Array }>()

/** The rows of a query from one place on. */
export const sliceOf = (scored: Scored, { from, count, ...asked }: RowQuery): RowPage => {
  const order = orderOf(scored, asked)
  return {
    columns: scored.columns,
    rows: Array.from(order.subarray(from, from + count), row => rowOf(scored, row)),
    found: order.length,
  }
}

const orderOf = (scored: Scored, asked: Omit<RowQuery, 'from' | 'count'>): Uint32Array => {
  const key = JSON.stringify([asked.by, asked.descending, asked.class, asked.containing])
  const known = listings.get(scored)
  if (known?.key === key) return known.order
  const order = sorted(scored, matching(scored, asked), asked)
  listings.set(scored, { key, order })
  return order
}

/** The rows of a class, or of all, that contain a text, in the order of the file. */
const matching = (
  scored: Scored,
  { class: only, containing }: Pick<RowQuery, 'class' | 'containing'>,
): Uint32Array<ArrayBuffer> => {
  const { used, classes, written } = scored
  const wanted = containing?.toLowerCase()
  // Texts are looked at once, however many rows have them.
  const hits = wanted ? written.map(({ texts }) => texts.map(text => text.toLowerCase().includes(wanted))) : []
  const found = new Uint32Array(used.length)
  let length = 0
  for (const row of used) {
    if (only !== undefined && classes[row] !== only) continue
    if (wanted && !hits.some((hit, c) => hit[written[c].codes[row]] === true)) continue
    found[length++] = row
  }
  return found.slice(0, length)
}

const sorted = (
  { posteriors, classes, probabilities, logLikelihoods, model: { rank } }: Scored,
  rows: Uint32Array<ArrayBuffer>,
  { by, descending }: Pick<RowQuery, 'by' | 'descending'>,
): Uint32Array => {
  if (by === 'row') return descending ? rows.reverse() : rows
  const key =
    by === 'class'
      ? (row: number) => classes[row]
      : by === 'probability'
        ? (row: number) => logLikelihoods[row]
        : by === 'certainty'
          ? (row: number) => probabilities[row]
          : (row: number) => posteriors[row * rank + by.class]
  const keys = new Float64Array(classes.length)
  for (const row of rows) keys[row] = key(row)
  const sign = descending ? -1 : 1
  return rows.sort((a, b) => {
    if (keys[a] !== keys[b]) return keys[a] < keys[b] ? -sign : sign
    // Within a class, the most certain first.
    return (by === 'class' ? probabilities[b] - probabilities[a] : 0) || a - b
  })
}

const rowOf = (
  { written, posteriors, classes, logLikelihoods, model: { rank } }: Scored,
  row: number,
): ClassifiedRow => ({
  row,
  values: written.map(column => textOf(column, row)),
  posterior: [...posteriors.subarray(row * rank, (row + 1) * rank)],
  class: classes[row],
  logLikelihood: Number.isFinite(logLikelihoods[row]) ? logLikelihoods[row] : null,
})
