import type { Counts, Items } from '@polyad/core'
import { countParameters } from '@polyad/core/stats'
import { sizeText } from '../../table/values/note.ts'
import { counted } from '../numbers.ts'

type Size = Pick<Counts, 'shape' | 'cells' | 'total'>

const cellsOf = ({ shape }: Pick<Size, 'shape'>): number => shape.reduce((product, size) => product * size, 1)

/** Says before a fit that a model has more parameters than the data can determine; else undefined. */
export const sizeWarning = (
  { modes = [], shape, cells, total }: Size & { readonly modes?: readonly { readonly name: string }[] },
  rank: number,
  items: Items = {},
): string | undefined => {
  const isTable = (n: number) => [undefined, 'categorical'].includes(items[modes[n]?.name ?? '']?.kind)
  const tables = shape.filter((_, n) => isTable(n))
  // A mean and a standard deviation in each class, or about as many; a number has no table.
  const parameters = countParameters(tables, rank) + 2 * rank * (shape.length - tables.length)
  const table = tables.length < shape.length ? Number.POSITIVE_INFINITY : cellsOf({ shape })
  // More classes than cells are refused. Cells that were never seen tell something too, so it is the table that counts.
  if (rank > cells || parameters < Math.min(table, total)) return undefined
  const data = table <= total ? `a table of ${counted(table, 'cell')}` : counted(total, 'observation')
  return `${counted(parameters, 'parameter')} for ${data}: the data cannot determine them all; use fewer classes, variables or categories`
}

/** How much memory a fit takes besides the cells, in words. */
export const memoryText = ({ shape }: Pick<Size, 'shape'>, rank: number, bytes: number): string => {
  const labels = shape.reduce((sum, size) => sum + size, 0)
  return `${counted(rank, 'class', 'classes')} of ${counted(labels, 'category', 'categories')} need about ${sizeText(bytes)} of memory`
}

/**
 * With this many classes every table of this shape is fitted exactly: one for each cell that was seen, or one for each
 * combination of all modes but the largest.
 */
const mostClasses = (size: Size): number => Math.min(size.cells, cellsOf(size) / Math.max(...size.shape))

/** The last number of classes that is worth trying where a range is asked for, and why it is not the one asked for. */
export const lastRank = (
  size: Size,
  from: number,
  asked: number,
): { readonly to: number; readonly note: string | undefined } => {
  const most = mostClasses(size)
  const to = Math.max(from, Math.min(asked, from <= most ? most : size.cells))
  if (to === asked) return { to, note: undefined }
  const note =
    from <= most
      ? `${counted(most, 'class', 'classes')} fit any table of this size exactly: higher numbers are not tried`
      : `there are only ${counted(size.cells, 'cell')}: no more than ${counted(to, 'class', 'classes')} are tried`
  return { to, note }
}
