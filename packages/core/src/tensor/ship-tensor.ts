import { type Label, Mode } from './mode.ts'
import type { Tensor } from './tensor.ts'

/** A tensor as plain data that can be sent to a thread. */
export interface ShippedTensor extends Omit<Tensor, 'modes'> {
  readonly modes: readonly {
    readonly name: string
    readonly labels: readonly Label[] | number
    readonly ordered: boolean
  }[]
}

/** Makes a tensor ready to be sent; with shared memory its cells are copied once, for all threads together. */
export const shipTensor = (tensor: Tensor, sharedMemory: boolean): ShippedTensor => ({
  ...tensor,
  modes: tensor.modes.map(({ name, labels, size, ordered }) => ({ name, labels: labels ?? size, ordered })),
  indices: sharedMemory ? tensor.indices.map(index => shareInts(index)) : tensor.indices,
  values: sharedMemory ? shareReals(tensor.values) : tensor.values,
})

/** The tensor again, at the other end. */
export const unshipTensor = (shipped: ShippedTensor): Tensor => ({
  ...shipped,
  modes: shipped.modes.map(({ name, labels, ordered }) => new Mode(name, labels, ordered)),
})

const shareInts = (array: Int32Array): Int32Array => {
  const shared = new Int32Array(new SharedArrayBuffer(array.byteLength))
  shared.set(array)
  return shared
}

const shareReals = (array: Float64Array): Float64Array => {
  const shared = new Float64Array(new SharedArrayBuffer(array.byteLength))
  shared.set(array)
  return shared
}
