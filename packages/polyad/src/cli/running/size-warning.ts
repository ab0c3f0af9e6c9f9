import { type Counts, countParameters } from '@polyad/core'
import { counted } from '../../report/numbers.ts'

/** Says before a fit that a model has more parameters than the data can determine; else undefined. */
export const sizeWarning = ({ shape, cells, total }: Counts, rank: number): string | undefined => {
  const parameters = countParameters(shape, rank)
  const table = shape.reduce((product, size) => product * size, 1)
  // More classes than cells are refused. Cells that were never seen tell something too, so it is the table that counts.
  if (rank > cells || parameters < Math.min(table, total)) return undefined
  const data = table <= total ? `a table of ${counted(table, 'cell')}` : counted(total, 'observation')
  return `${counted(parameters, 'parameter')} for ${data}: the data cannot determine them all; take fewer classes, modes or labels`
}
