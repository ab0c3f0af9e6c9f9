import { CellTensor } from './cell-tensor.ts'
import { Mode } from './mode.ts'
import type { Tensor } from './tensor.ts'

/** A tensor as plain data that can be posted to a thread: without labels, which no pass looks at. */
export interface PostedTensor {
  readonly modes: readonly { readonly name: string; readonly size: number; readonly ordered: boolean }[]
  readonly indices: readonly Int32Array[]
  readonly values: Float64Array
}

/** Makes a tensor ready to be posted; with shared memory its cells are copied once, for all threads together. */
export const postedTensor = ({ modes, indices, values }: Tensor, sharedMemory: boolean): PostedTensor => ({
  modes: modes.map(({ name, size, ordered }) => ({ name, size, ordered })),
  indices: sharedMemory ? indices.map(sharedInts) : indices,
  values: sharedMemory ? sharedReals(values) : values,
})

/** The tensor again, at the other end. */
export const receivedTensor = ({ modes, indices, values }: PostedTensor): Tensor =>
  new CellTensor(
    modes.map(({ name, size, ordered }) => new Mode(name, size, ordered)),
    indices,
    values,
  )

const sharedInts = (array: Int32Array): Int32Array => {
  const shared = new Int32Array(new SharedArrayBuffer(array.byteLength))
  shared.set(array)
  return shared
}

export const sharedReals = (array: Float64Array): Float64Array => {
  const shared = new Float64Array(new SharedArrayBuffer(array.byteLength))
  shared.set(array)
  return shared
}
