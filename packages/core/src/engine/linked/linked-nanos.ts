import type { LinkSetting } from '../../model/links/links.ts'

/** Roughly how long a pass over linked rows takes, in nanoseconds: most of it is by row, for each class and each class that it may come from. */
export const linkedNanos = ({ rows }: LinkSetting, rank: number): number => rows.cells.length * rank * rank
