import { MISSING } from './mode.ts'
import type { Tensor } from './tensor.ts'

/** For each mode, how much of the data carries each of its labels: y⁽ⁿ⁾ of the paper. Cells without a label are left out. */
export const marginals = (tensor: Tensor): Float64Array[] =>
  tensor.indices.map((column, n) => {
    const sums = new Float64Array(tensor.shape[n])
    for (let cell = 0; cell < tensor.cells; cell++) {
      const index = column[cell]
      if (index !== MISSING) sums[index] += tensor.values[cell]
    }
    return sums
  })
