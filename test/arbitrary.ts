import { type Components, MISSING, Mode, Model, type Tensor, tensorFromColumns } from '@polyad/core'
import fc from 'fast-check'

/** Random tensors and models for properties: 1 to 6 modes, counts or real values, complete or with missing entries. */

export interface TensorKind {
  readonly modes?: { readonly min: number; readonly max: number }
  readonly missing?: boolean
}

const value = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.double({ min: 1e-3, max: 50, noNaN: true }))

export const tensors = ({ modes = { min: 1, max: 6 }, missing = true }: TensorKind = {}): fc.Arbitrary<Tensor> =>
  fc
    .array(fc.integer({ min: 1, max: 5 }), { minLength: modes.min, maxLength: modes.max })
    .chain(shape => {
      const index = (size: number) => {
        const present = fc.integer({ min: 0, max: size - 1 })
        return missing
          ? fc.oneof({ weight: 5, arbitrary: present }, { weight: 1, arbitrary: fc.constant(MISSING) })
          : present
      }
      const cell = fc.tuple(fc.tuple(...shape.map(index)), value)
      return fc.tuple(fc.constant(shape), fc.array(cell, { minLength: 1, maxLength: 40 }))
    })
    .map(([shape, cells]) =>
      tensorFromColumns(
        shape.map((_, n) => cells.map(([indices]) => indices[n])),
        cells.map(([, count]) => count),
        { shape },
      ),
    )

/** A model of the given shape and total with every parameter above zero. */
export const models = (shape: readonly number[], rank: number, total: number): fc.Arbitrary<Model> => {
  const positive = fc.double({ min: 0.01, max: 1, noNaN: true })
  const column = (size: number) => fc.array(positive, { minLength: size, maxLength: size }).map(normalized)
  const columns = (size: number) => fc.array(column(size), { minLength: rank, maxLength: rank })
  return fc.tuple(column(rank), fc.tuple(...shape.map(columns))).map(([shares, factors]) => {
    const components: Components = {
      rank,
      sizes: Float64Array.from(shares, share => share * total),
      factors: factors.map((each, n) =>
        Float64Array.from({ length: shape[n] * rank }, (_, i) => each[i % rank][Math.floor(i / rank)]),
      ),
    }
    return new Model(
      shape.map((size, n) => new Mode(`mode${n + 1}`, size)),
      components,
    )
  })
}

const normalized = (values: number[]): number[] => {
  const sum = values.reduce((total, each) => total + each, 0)
  return values.map(each => each / sum)
}

/** A tensor with a start of rank 1 to 4 for it. */
export const tensorsWithStart = (kind: TensorKind = {}): fc.Arbitrary<[Tensor, Model]> =>
  fc
    .tuple(tensors(kind), fc.integer({ min: 1, max: 4 }))
    .chain(([tensor, rank]) => fc.tuple(fc.constant(tensor), models(tensor.shape, rank, tensor.total)))
