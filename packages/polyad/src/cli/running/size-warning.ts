import { countParameters, type Tensor } from '@polyad/core'
import { counted } from '../../report/numbers.ts'

/** Says before a fit that a model has more parameters than the data has cells or observations; else undefined. */
export const sizeWarning = ({ shape, cells, total }: Tensor, rank: number): string | undefined => {
  const parameters = countParameters(shape, rank)
  // More classes than cells are refused.
  if (rank > cells || parameters <= Math.min(cells, total)) return undefined
  const data = cells <= total ? counted(cells, 'cell') : counted(total, 'observation')
  return `${counted(parameters, 'parameter')} for ${data}: the data cannot determine them all; take fewer classes, modes or labels`
}
