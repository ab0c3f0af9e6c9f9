import {
  DataError,
  MISSING,
  type Model,
  OptionError,
  type StandardErrorOptions,
  type Tensor,
  tensorFromColumns,
} from '@polyad/core'
import { isLinked, modePositions, scaleWeights, withoutModes } from '@polyad/core/model'
import { defined } from '@polyad/core/options'
import {
  givenMode,
  type LinkedData,
  type ModelData as PlacedData,
  type PlacingOptions,
  placeParts,
  placeRows,
  prepareDesign,
} from '@polyad/core/stats'
import type { Tables } from '../duckdb/client.ts'
import { NEVER_SEEN } from '../duckdb/messages.ts'
import { rewordErrors } from '../source/relation/faults.ts'
import { type Format, formatOfName, isTableFormat } from '../table/formats/formats.ts'
import type { ModelTable } from './model-table.ts'
import { designCodes, type TableSample } from './table-sample.ts'

/** Data seen through a model: a tensor of the model's modes. */
export interface ModelData {
  readonly tensor: Tensor
  /** The same rows with the covariates of the model, if it has some, or linked as the model links rows. */
  readonly placed?: PlacedData | LinkedData
  /** For each mode, how much of the data has a label that the model has never seen: it counts as missing. */
  readonly unseen: readonly number[]
  /** What standard errors take besides: the data with the columns of the design, or the squares of weights. */
  readonly sample?: { readonly data?: Tensor; readonly options: Pick<StandardErrorOptions, 'design' | 'squares'> }
}

/** Rows that are equal, counted together: those that have an answer and, if they explain the classes, all covariates and the group. */
export interface CountedRows {
  /** What the table is called in messages. */
  readonly name: string
  readonly absent: readonly string[]
  /** The codes of every mode, and then the numbers of cluster and stratum, if rows were drawn so. */
  readonly codes: readonly Int32Array[]
  /** Every covariate of the model: numbers, or positions of categories. */
  readonly given: readonly Float64Array[]
  /** What one of the rows weighs, and how many there are. */
  readonly weights: Float64Array
  readonly counts: Float64Array
  /** Whether there are sampling weights. */
  readonly weighed: boolean
  readonly design: readonly { readonly name: string; readonly labels: readonly string[] }[]
  /** How many clusters there are in every stratum, whatever their rows weigh and lack. */
  readonly sizes: number | Readonly<Record<string, number>>
}

/**
 * Counts the rows of a table by the codes that the model has for them. Equal weights are counted together, in a fixed order: sums of fractions depend on it.
 * @param groups the mode of known groups
 */
export const countModelRows = async (
  tables: Tables,
  table: ModelTable,
  model: Model,
  sample?: TableSample,
  groups?: string,
): Promise<CountedRows> => {
  const columns =
    sample?.cluster === undefined ? [] : [sample.cluster, ...(sample.stratum === undefined ? [] : [sample.stratum])]
  const design = columns.length === 0 ? [] : (await designCodes(tables, table, sample!)).slice(0, columns.length)
  const group = model.modes.findIndex(({ name }) => name === groups)
  const answers = table.codes.flatMap((_, n) => (n === group ? [] : [`c${n}`])).join(', ')
  const all = [...table.codes, ...design.map(({ sql }) => sql)]
  const given = table.given.map((sql, i) => `${sql} AS g${i}`)
  const names = [...all.map((_, n) => `c${n}`), ...given.map((_, i) => `g${i}`)].join(', ')
  const codes = all.map((code, n) => `CAST(${code} AS INTEGER) AS c${n}`)
  const known = table.predictors.length === 0 ? '' : ` WHERE NOT isnan(${table.predictors[0]})`
  const amounts = `${table.weight} AS counted, ${sample?.weights.raw ?? '1::DOUBLE'} AS weight`
  const present = `greatest(${answers}) > ${MISSING}${group < 0 ? '' : ` AND c${group} > ${MISSING}`}`
  const pieces: (Int32Array | Float64Array)[][] = []
  const [weights, counts]: Float64Array[][] = [[], []]
  await rewordErrors(table.relation, () =>
    tables.columns(
      `SELECT ${names}, weight, counted * count(*)::DOUBLE FROM (SELECT ${[...codes, ...given].join(', ')}, ${amounts} FROM ${table.relation.from}${known}) ` +
        `WHERE counted * weight > 0 AND ${present} GROUP BY ${names}, weight, counted ORDER BY ${names}, weight, counted`,
      piece => {
        pieces.push(piece.slice(0, -2) as (Int32Array | Float64Array)[])
        weights.push(Float64Array.from(piece[piece.length - 2]))
        counts.push(Float64Array.from(piece[piece.length - 1]))
      },
    ),
  )
  return {
    name: table.relation.name,
    absent: table.absent,
    codes: codes.map((_, n) =>
      joined(
        pieces.map(piece => piece[n] as Int32Array),
        length => new Int32Array(length),
      ),
    ),
    given: given.map((_, i) =>
      joined(
        pieces.map(piece => piece[codes.length + i] as Float64Array),
        length => new Float64Array(length),
      ),
    ),
    weights: joined(weights, length => new Float64Array(length)),
    counts: joined(counts, length => new Float64Array(length)),
    weighed: sample?.weights.column !== undefined,
    design: design.map(({ labels }, i) => ({ name: columns[i].name, labels })),
    sizes: columns.length === 0 ? 0 : await clusterSizes(tables, table, sample!),
  }
}

/** Counted rows as a tensor of the model's modes. Weights are divided by their mean over these rows as in a fit, to the last bit. */
export const modelTensor = (
  model: Model,
  { name, absent, counts, weighed, design, sizes, ...rows }: CountedRows,
): ModelData => {
  if (absent.length > 0) throw new OptionError(`the data has no column ${absent.join(', ')}, which the model needs`)
  if (counts.length === 0) throw new DataError(`${name} has no row with a category of the model`)
  const each = weighed ? scaleWeights(rows.weights, counts).weights : rows.weights
  const values = counts.map((count, cell) => each[cell] * count)
  const unseen = model.modes.map(() => 0)
  const indices = rows.codes.map((codes, n) =>
    codes.map((code, cell) => {
      if (code !== NEVER_SEEN) return code
      unseen[n] += values[cell]
      return MISSING
    }),
  )
  const covariates = model.structure.given.map((column, i) => givenMode(column, rows.given[i]))
  const modes = [...modesOf(model), ...covariates.map(({ mode }) => mode), ...design]
  const columns = [
    ...indices.slice(0, model.modes.length),
    ...covariates.map(each => each.indices),
    ...indices.slice(model.modes.length),
  ]
  const shape = [
    ...model.modes.map(({ size }) => size),
    ...covariates.map(({ mode }) => mode.labels.length),
    ...design.map(({ labels }) => labels.length),
  ]
  const tensorOf = (amounts: Float64Array) => tensorFromColumns(columns, amounts, { shape, modes })
  const all = tensorOf(values)
  if (isLinked(model.structure)) {
    const placed = placeRows(all, model)
    return { tensor: placed.items, placed, unseen }
  }
  const names = design.map(column => column.name)
  const given = covariates.map(({ mode }) => mode.name)
  const answers = (of: Tensor, others: readonly string[]) => (others.length === 0 ? of : withoutModes(of, others))
  const tensor = answers(all, [...given, ...names])
  const placed = (of: Tensor, sample: PlacingOptions) =>
    given.length === 0 ? {} : { placed: placeParts(of, model, { ...sample, design: names }) }
  if (design.length === 0) {
    if (!weighed) return { tensor, unseen, ...placed(all, {}) }
    const squares = tensorOf(values.map((value, cell) => value * each[cell]))
    const sample = { options: { squares: answers(squares, given).values } }
    return { tensor, unseen, sample, ...placed(all, { squares: squares.values }) }
  }
  const [cluster, stratum] = names
  const named = { cluster, ...defined({ stratum }), sizes }
  const data = prepareDesign(all, named)
  const sample = { data: answers(data, given), options: { design: named } }
  return { tensor, unseen, sample, ...placed(data, {}) }
}

/** How many clusters there are in every stratum. */
const clusterSizes = async (
  tables: Tables,
  { whole }: ModelTable,
  { cluster, stratum }: TableSample,
): Promise<CountedRows['sizes']> => {
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

/** Cells as a comparison of known groups uses them: those that have a group and an answer besides. */
export const groupedData = ({ tensor, unseen }: ModelData, model: Model, groups: string): ModelData => {
  const { indices } = tensor
  const group = model.modes.findIndex(({ name }) => name === groups)
  const used = (cell: number) =>
    indices[group][cell] !== MISSING && indices.some((column, n) => n !== group && column[cell] !== MISSING)
  return {
    tensor: inModesOf(
      model,
      indices,
      tensor.values.map((value, cell) => (used(cell) ? value : 0)),
    ),
    unseen,
  }
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
