import { DataError, MISSING, type Model, OptionError, type Tensor, tensorFromColumns } from '@polyad/core'
import { modePositions } from '@polyad/core/model'
import type { Tables } from '../duckdb/client.ts'
import { NEVER_SEEN } from '../duckdb/messages.ts'
import { explained } from '../source/relation/faults.ts'
import type { ModelTable } from './model-table.ts'

/** Data seen through a model: a tensor of the model's modes. */
export interface ModelData {
  readonly tensor: Tensor
  /** For each mode, how much of the data has a label that the model has never seen: it counts as missing. */
  readonly unseen: readonly number[]
}

/** Counts the rows of a table by the codes that the model has for them; of a model with covariates, those that have them all. */
export const modelTensor = async (tables: Tables, table: ModelTable, model: Model): Promise<ModelData> => {
  if (table.absent.length > 0)
    throw new OptionError(`the data has no column ${table.absent.join(', ')}, of which the model speaks`)
  const names = table.codes.map((_, n) => `c${n}`).join(', ')
  const codes = table.codes.map((code, n) => `CAST(${code} AS INTEGER) AS c${n}`).join(', ')
  const known = table.predictors.length === 0 ? '' : ` WHERE NOT isnan(${table.predictors[0]})`
  const pieces: Int32Array[][] = []
  const weights: Float64Array[] = []
  await explained(table.relation, () =>
    // Equal weights are counted together, and the library adds them up in a fixed order: sums of fractions depend on it.
    tables.columns(
      `SELECT ${names}, weight * count(*)::DOUBLE FROM (SELECT ${codes}, ${table.weight} AS weight FROM ${table.relation.from}${known}) ` +
        `WHERE weight > 0 AND greatest(${names}) > ${MISSING} GROUP BY ${names}, weight ORDER BY ${names}, weight`,
      piece => {
        pieces.push(piece.slice(0, -1) as Int32Array[])
        weights.push(Float64Array.from(piece[piece.length - 1]))
      },
    ),
  )
  const values = joined(weights, length => new Float64Array(length))
  if (values.length === 0) throw new DataError(`${table.relation.name} has no row with a label that the model knows`)
  const unseen = model.modes.map(() => 0)
  const indices = model.modes.map((_, n) => {
    const column = joined(pieces.map(piece => piece[n]), length => new Int32Array(length)) // biome-ignore format: one call
    for (let cell = 0; cell < column.length; cell++) {
      if (column[cell] !== NEVER_SEEN) continue
      unseen[n] += values[cell]
      column[cell] = MISSING
    }
    return column
  })
  return { tensor: inModesOf(model, indices, values), unseen }
}

const joined = <T extends Int32Array | Float64Array>(pieces: readonly T[], make: (length: number) => T): T => {
  const whole = make(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

const inModesOf = ({ modes }: Model, indices: readonly Int32Array[], values: Float64Array): Tensor =>
  tensorFromColumns(indices, values, {
    shape: modes.map(({ size }) => size),
    modes: modes.map(({ name, labels, ordered }) => (labels === undefined ? name : { name, labels, ordered })),
  })

/** Data as a comparison of known groups uses it: what has a group and an answer besides. */
export const groupedData = ({ tensor, unseen }: ModelData, model: Model, groups: string): ModelData => {
  const { indices } = tensor
  const group = model.modes.findIndex(({ name }) => name === groups)
  const used = (cell: number) =>
    indices[group][cell] !== MISSING && indices.some((column, n) => n !== group && column[cell] !== MISSING)
  return { tensor: inModesOf(model, indices, tensor.values.map((value, cell) => (used(cell) ? value : 0))), unseen } // biome-ignore format: one call
}

/** A tensor that was read by itself, with the modes of a model: its labels are found by what they are called. */
export const tensorForModel = (tensor: Tensor, model: Model): ModelData => {
  const [own, given] = [model.modes, tensor.modes]
  if (own.length !== given.length)
    throw new OptionError(
      `the model has ${own.length} modes, and the data has ${given.length}: it is not of this model`,
    )
  // An array without names has its modes in the order of the model's.
  const nameless = given.every(({ name }, n) => name === `mode${n + 1}`)
  const positions = nameless ? own.map((_, n) => n) : modePositions(own, given, ['the model', 'the data'])
  const unseen = own.map(() => 0)
  const indices = own.map((mode, n) => {
    const from = given[positions[n]]
    const codes = Int32Array.from({ length: from.size }, (_, j) => mode.indexOf(from.label(j)) ?? MISSING)
    return tensor.indices[positions[n]].map((index, cell) => {
      if (index === MISSING) return MISSING
      if (codes[index] === MISSING) unseen[n] += tensor.values[cell]
      return codes[index]
    })
  })
  if (unseen.some(total => total === tensor.total))
    throw new OptionError(
      `no label of ${own[unseen.indexOf(tensor.total)].name} is known to the model: the data is not of this model`,
    )
  return { tensor: inModesOf(model, indices, tensor.values), unseen }
}
