import type { LinkSetting } from '../../model/links/links.ts'

/** What a class of a row takes in a pass, for each class that it may come from, and a label of a cell for each class, in nanoseconds. */
const NANOS = 1

/** Roughly how long a pass over linked rows takes, in nanoseconds. */
export const linkedNanos = (
  { cells, shape }: { readonly cells: number; readonly shape: readonly number[] },
  setting: LinkSetting,
  rank: number,
): number => {
  const ofRow = setting.kind === 'chain' ? rank * rank : setting.groupClasses
  return NANOS * (cells * shape.length * rank + setting.rows.cells.length * ofRow)
}
