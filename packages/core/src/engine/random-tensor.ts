import { random } from '../numeric/philox.ts'
import { tensorFromColumns } from '../tensor/coordinates.ts'
import { MISSING } from '../tensor/mode.ts'
import type { Tensor } from '../tensor/tensor.ts'

export interface TensorOptions {
  readonly shape: readonly number[]
  readonly cells: number
  readonly seed?: number
  /** The probability that an entry is missing. */
  readonly missing?: number
  /** Real values in place of counts. */
  readonly real?: boolean
}

/** A random tensor for tests and benchmarks: indices uniform, small counts or real values. */
export const randomTensor = ({ shape, cells, seed = 1, missing = 0, real = false }: TensorOptions): Tensor => {
  const { uniform, below } = random(seed, 'data')
  const columns = shape.map(() => new Int32Array(cells))
  const values = new Float64Array(cells)
  for (let cell = 0; cell < cells; cell++) {
    shape.forEach((size, n) => {
      const index = below(size)
      columns[n][cell] = missing > 0 && uniform() < missing ? MISSING : index
    })
    values[cell] = real ? uniform() * 10 : 1 + below(4)
  }
  return tensorFromColumns(columns, values, { shape })
}
