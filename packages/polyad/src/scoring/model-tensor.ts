import {
  DataError,
  MISSING,
  type Model,
  OptionError,
  type StandardErrorOptions,
  type Tensor,
  tensorFromColumns,
} from '@polyad/core'
import { modePositions, withoutModes } from '@polyad/core/model'
import { prepareDesign } from '@polyad/core/stats'
import type { Tables } from '../duckdb/client.ts'
import { NEVER_SEEN } from '../duckdb/messages.ts'
import { explained } from '../source/relation/faults.ts'
import { type Format, formatOfName, isTableFormat } from '../table/files/formats.ts'
import { scaleOf } from '../table/view/tensor-of-cells.ts'
import type { ModelTable } from './model-table.ts'
import { designCodes, type TableSample } from './table-sample.ts'

/** Data seen through a model: a tensor of the model's modes. */
export interface ModelData {
  readonly tensor: Tensor
  /** For each mode, how much of the data has a label that the model has never seen: it counts as missing. */
  readonly unseen: readonly number[]
  /** What standard errors take besides: the data with the columns of the design, or the squares of weights. */
  readonly sample?: { readonly data?: Tensor; readonly options: Pick<StandardErrorOptions, 'design' | 'squares'> }
}

/**
 * Counts the rows of a table by the codes that the model has for them; of a model with covariates, those that have them all. Weights
 * are divided by their mean as the readers of data do it, to the last bit.
 */
export const modelTensor = async (
  tables: Tables,
  table: ModelTable,
  model: Model,
  sample?: TableSample,
): Promise<ModelData> => {
  if (table.absent.length > 0)
    throw new OptionError(`the data has no column ${table.absent.join(', ')}, which the model needs`)
  const design = sample?.cluster === undefined ? [] : (await designCodes(tables, table, sample)).slice(0, sample.stratum === undefined ? 1 : 2) // biome-ignore format: one choice
  const answers = table.codes.map((_, n) => `c${n}`).join(', ')
  const names = [...table.codes, ...design].map((_, n) => `c${n}`).join(', ')
  const codes = [...table.codes, ...design.map(({ sql }) => sql)].map((code, n) => `CAST(${code} AS INTEGER) AS c${n}`)
  const known = table.predictors.length === 0 ? '' : ` WHERE NOT isnan(${table.predictors[0]})`
  const each = `${table.weight} AS counted, ${sample?.weights.raw ?? '1::DOUBLE'} AS weight`
  // What the readers of data scale by, too: all rows that have anything.
  const present = design.length > 0 ? '' : ` AND greatest(${answers}) > ${MISSING}`
  const pieces: Int32Array[][] = []
  const [weights, counts]: Float64Array[][] = [[], []]
  await explained(table.relation, () =>
    // Equal weights are counted together, and the library adds them up in a fixed order: sums of fractions depend on it.
    tables.columns(
      `SELECT ${names}, weight, counted * count(*)::DOUBLE FROM (SELECT ${codes.join(', ')}, ${each} FROM ${table.whole}${known}) ` +
        `WHERE counted * weight > 0${present} GROUP BY ${names}, weight, counted ORDER BY ${names}, weight, counted`,
      piece => {
        pieces.push(piece.slice(0, -2) as Int32Array[])
        weights.push(Float64Array.from(piece[piece.length - 2]))
        counts.push(Float64Array.from(piece[piece.length - 1]))
      },
    ),
  )
  const [weightOf, seen] = [weights, counts].map(parts => joined(parts, length => new Float64Array(length)))
  if (seen.length === 0) throw new DataError(`${table.relation.name} has no row with a category of the model`)
  const sums = seen.map((count, cell) => weightOf[cell] * count)
  const weighed = sample?.weights.column !== undefined
  const { scale } = weighed ? scaleOf(sums, seen.reduce((sum, count) => sum + count, 0)) : { scale: 1 } // biome-ignore format: one choice
  const values = scale === 1 ? sums : sums.map(value => value * scale)
  if (table.whole !== table.relation.from) leaveIncomplete(pieces, model.modes.length, values)
  const unseen = model.modes.map(() => 0)
  const indices = [...model.modes, ...design].map((_, n) => {
    const column = joined(pieces.map(piece => piece[n]), length => new Int32Array(length)) // biome-ignore format: one call
    for (let cell = 0; cell < column.length; cell++) {
      if (column[cell] !== NEVER_SEEN) continue
      unseen[n] += values[cell]
      column[cell] = MISSING
    }
    return column
  })
  if (design.length === 0) {
    const squares = inModesOf(model, indices, values.map((value, cell) => value * (weightOf[cell] * scale))) // biome-ignore format: one call
    return {
      tensor: inModesOf(model, indices, values),
      unseen,
      ...(weighed && { sample: { options: { squares: squares.values } } }),
    }
  }
  const columns = [sample!.cluster!, ...(sample!.stratum === undefined ? [] : [sample!.stratum])].map(
    ({ name }) => name,
  )
  const all = tensorFromColumns(indices, values, {
    shape: [...model.modes.map(({ size }) => size), ...design.map(({ labels }) => labels.length)],
    modes: [...modesOf(model), ...design.map(({ labels }, i) => ({ name: columns[i], labels }))],
  })
  const [cluster, stratum] = columns
  const sizes = await clusterSizes(tables, table, sample!)
  const named = { cluster, ...(stratum !== undefined && { stratum }), sizes }
  return {
    tensor: withoutModes(all, columns),
    unseen,
    sample: { data: prepareDesign(all, named), options: { design: named } },
  }
}

/** Sets the values of cells in which an answer is missing to zero. */
const leaveIncomplete = (pieces: readonly (readonly Int32Array[])[], modes: number, values: Float64Array): void => {
  let at = 0
  for (const piece of pieces) {
    for (let i = 0; i < piece[0].length; i++, at++)
      for (let n = 0; n < modes; n++) if (piece[n][i] === MISSING) values[at] = 0
  }
}

/** How many clusters there are in every stratum, whatever their rows weigh and lack. */
const clusterSizes = async (
  tables: Tables,
  { whole }: ModelTable,
  { cluster, stratum }: TableSample,
): Promise<number | Readonly<Record<string, number>>> => {
  const rows = (await tables.rows(
    `SELECT ${stratum?.sql ?? "''"}, CAST(count(DISTINCT ${cluster!.sql}) AS DOUBLE) FROM ${whole} GROUP BY 1 ORDER BY 1`,
  )) as [string, number][]
  return stratum === undefined ? rows[0][1] : Object.fromEntries(rows)
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

const modesOf = ({ modes }: Model) =>
  modes.map(({ name, labels, ordered }) => (labels === undefined ? name : { name, labels, ordered }))

const inModesOf = (model: Model, indices: readonly Int32Array[], values: Float64Array): Tensor =>
  tensorFromColumns(indices, values, { shape: model.modes.map(({ size }) => size), modes: modesOf(model) })

/** Data as a comparison of known groups uses it: what has a group and an answer besides. */
export const groupedData = ({ tensor, unseen }: ModelData, model: Model, groups: string): ModelData => {
  const { indices } = tensor
  const group = model.modes.findIndex(({ name }) => name === groups)
  const used = (cell: number) =>
    indices[group][cell] !== MISSING && indices.some((column, n) => n !== group && column[cell] !== MISSING)
  return { tensor: inModesOf(model, indices, tensor.values.map((value, cell) => (used(cell) ? value : 0))), unseen } // biome-ignore format: one call
}

/** Whether data is cells in a file, and not rows of a table. Cells cannot be filtered. */
export const isArrayFile = (
  paths: readonly string[],
  { format, sql, where }: { readonly format?: Format; readonly sql?: string; readonly where?: string },
): boolean => {
  if (sql !== undefined || paths.length !== 1 || isTableFormat(format ?? formatOfName(paths[0]) ?? 'csv')) return false
  if (where !== undefined)
    throw new OptionError('where', `needs the rows of a table, and ${paths[0]} has counted cells`)
  return true
}

/** A tensor that was read by itself, with the modes of a model: its labels are found by what they are called. */
export const tensorForModel = (tensor: Tensor, model: Model): ModelData => {
  const [own, given] = [model.modes, tensor.modes]
  if (own.length !== given.length)
    throw new OptionError(
      `the model has ${own.length} modes, and the data has ${given.length}: this is not data for this model`,
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
      `the model has no category of ${own[unseen.indexOf(tensor.total)].name} in the data: this is not data for this model`,
    )
  return { tensor: inModesOf(model, indices, tensor.values), unseen }
}
