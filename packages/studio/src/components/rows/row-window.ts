/** Which rows of a long list are in view: only these are made. */

/** The height that a list may have, in pixels: browsers draw nothing beyond some 17 million. */
const MOST_HEIGHT = 12_000_000
/** Rows that are made above and below those in view, so that scrolling a little shows no gap. */
const SPARE = 8

export interface ListSize {
  readonly rows: number
  /** Of a row and of the part of the list that is seen, in pixels. */
  readonly rowHeight: number
  readonly viewHeight: number
}

/** The height of the whole list, in pixels. A longer one is pressed together: a pixel of its scroll bar is then more than one. */
const heightOf = ({ rows, rowHeight }: ListSize): number => Math.min(rows * rowHeight, MOST_HEIGHT)

export const isPressed = ({ rows, rowHeight }: ListSize): boolean => rows * rowHeight > MOST_HEIGHT

/** The largest first row in view, with its fraction. */
const lastTop = ({ rows, rowHeight, viewHeight }: ListSize): number => Math.max(0, rows - viewHeight / rowHeight)

const lastScroll = (size: ListSize): number => Math.max(0, heightOf(size) - size.viewHeight)

/** The row at the upper edge of the view, with its fraction, of a list that is scrolled so far. */
export const topOf = (size: ListSize, scrolled: number): number => {
  const most = lastScroll(size)
  return most === 0 ? 0 : Math.min(1, Math.max(0, scrolled / most)) * lastTop(size)
}

/** How far a list is scrolled that has this row at its upper edge. */
export const scrollOf = (size: ListSize, top: number): number => {
  const most = lastTop(size)
  return most === 0 ? 0 : Math.min(1, Math.max(0, top / most)) * lastScroll(size)
}

export interface RowWindow {
  /** The first row that is made, and that after the last one. */
  readonly from: number
  readonly to: number
  /** The room above and below them, in pixels. */
  readonly before: number
  readonly after: number
}

/** The rows to make if the list is scrolled so far and this row is at the upper edge. */
export const windowOf = (size: ListSize, scrolled: number, top: number): RowWindow => {
  const { rows, rowHeight, viewHeight } = size
  const height = heightOf(size)
  // Of a list that is pressed together there is not room for them at its ends.
  const [above, below] = [scrolled, height - scrolled].map(room => room / rowHeight + 1e-6)
  const from = Math.max(0, Math.floor(top) - SPARE, Math.ceil(top - above))
  const to = Math.min(rows, Math.ceil(top + viewHeight / rowHeight) + SPARE, Math.floor(top + below))
  const before = Math.max(0, scrolled - (top - from) * rowHeight)
  return { from, to, before, after: Math.max(0, height - (to - from) * rowHeight - before) }
}

/** The row at the upper edge after a key; undefined for keys that do not scroll. */
export const topAfterKey = (size: ListSize, top: number, key: string): number | undefined => {
  const page = Math.max(1, Math.floor(size.viewHeight / size.rowHeight) - 1)
  const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page }
  const most = lastTop(size)
  if (key === 'Home') return 0
  if (key === 'End') return most
  const step = steps[key]
  if (step === undefined) return undefined
  const next = step > 0 ? Math.floor(top + 1e-6) + step : Math.ceil(top - 1e-6) + step
  return Math.min(most, Math.max(0, next))
}
