import type { RowQuery } from '../../worker/protocol.ts'

/** A class as it is shown beside rows. */
export interface RowClass {
  readonly name: string
  readonly colour: string
}

export type RowOrder = Pick<RowQuery, 'by' | 'descending'>

const ORDERS: readonly (RowOrder & { readonly title: string })[] = [
  { title: 'Least likely first', by: 'probability', descending: false },
  { title: 'Most likely first', by: 'probability', descending: true },
  { title: 'Least certain first', by: 'certainty', descending: false },
  { title: 'Most certain first', by: 'certainty', descending: true },
  { title: 'By class', by: 'class', descending: false },
  { title: 'By class, last class first', by: 'class', descending: true },
  { title: 'File order', by: 'row', descending: false },
  { title: 'File order, last first', by: 'row', descending: true },
]

/** Every column by its own order, and the classes by theirs. */
export const ordersOf = (classes: readonly RowClass[]): typeof ORDERS => [
  ...ORDERS,
  ...classes.map(({ name }, k) => ({ title: `Most “${name}” first`, by: { class: k }, descending: true })),
]

export const isSameOrder = (a: RowOrder, b: RowOrder): boolean =>
  JSON.stringify([a.by, a.descending]) === JSON.stringify([b.by, b.descending])
