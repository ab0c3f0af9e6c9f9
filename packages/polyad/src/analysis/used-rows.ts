import { MISSING, type Tensor } from '@polyad/core'
import {
  cellsWithin,
  completeCells,
  type RowWeights,
  rowsOfCells,
  rowsWithin,
  selectCells,
  weighRows,
} from '@polyad/core/model'
import { omit } from '@polyad/core/options'
import { explainingColumns, joinedCategories, usableCells } from '@polyad/core/stats'
import { inColumns } from './named-columns.ts'
import type { AnalysisSource, Structure } from './request.ts'

/** The rows that an analysis uses: sampling weights are divided by their mean over these rows, and rows are counted as rows. */
export interface UsedRows {
  readonly tensor: Tensor
  /** Of sampling weights, the sums of their squares for every cell. */
  readonly squares?: Float64Array | undefined
  readonly rowWeights?: RowWeights | undefined
  /** What the weights of the rows sum to as they are in the data. */
  readonly population?: number | undefined
  /** The values of every cell by replicate weights. */
  readonly replicates?: readonly Float64Array[] | undefined
  /** How many rows `complete` left out. */
  readonly left: number
  /** How many of the others were left out since a covariate, the group, or every answer is missing. */
  readonly unusable: number
  /** How many rows lack some of the categories that are joined, but not all. */
  readonly partial: number
}

type Source = Pick<AnalysisSource, 'squares' | 'rowWeights' | 'population' | 'replicates'> & { readonly tensor: Tensor }

/** Chooses the rows of an analysis. @param design names of modes that are neither covariates nor answers */
export const usedRows = (source: Source, structure: Structure, design: readonly string[]): UsedRows => {
  const { tensor: all, squares, rowWeights, population, replicates } = source
  const { complete = false, ...rest } = omit(structure, 'constraints')
  const named = inColumns(all, rest)
  // A row without a known class is one whose class is to be found.
  const answers = all.modes.flatMap(({ name }) => (name === named.known ? [] : [name]))
  const chosen = complete ? completeCells(all, answers) : all
  const used = answeredRows(chosen, named, design)
  const rowsOf = (tensor: Tensor) => rowWeights && rowsWithin(rowWeights, cellsWithin(tensor, all))
  const counted = (tensor: Tensor) => (rowWeights === undefined ? tensor.total : sum(rowsOf(tensor)!.counts))
  const counts = {
    left: counted(all) - counted(chosen),
    unusable: counted(chosen) - counted(used),
    partial: partialRows(chosen, rowsOfCells(chosen, rowsOf(chosen)), joinedCategories(named.join, named.items)),
  }
  if (used === all)
    return { tensor: all, squares: squares?.values, rowWeights, population, replicates: replicates?.values, ...counts }
  const places = cellsWithin(used, all)
  const within = (values: Float64Array, factor = 1) => {
    const sums = new Float64Array(used.cells)
    values.forEach((value, cell) => {
      if (places[cell] >= 0) sums[places[cell]] += value * factor
    })
    return sums
  }
  if (rowWeights === undefined) return { tensor: used, squares: squares && within(squares.values), ...counts }
  const rows = rowsWithin(rowWeights, places)
  const weighed = weighRows(used, rows)
  // Replicate weights go with the weights of the whole sample.
  const factor = weighed.tensor.total / sum(rows.weights.map((weight, group) => weight * rows.counts[group]))
  return {
    ...weighed,
    squares: weighed.squares.values,
    ...counts,
    replicates: replicates?.values.map(values => within(values, factor)),
  }
}

const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0)

type Named = ReturnType<typeof inColumns>

/** The rows that have what explains them, and an answer. What the data cannot be asked for is refused by the fit. */
const answeredRows = (
  tensor: Tensor,
  { covariates, groups, known, join, items, person, time, waves, within, ...linked }: Named,
  design: readonly string[],
): Tensor => {
  const named = explainingColumns(tensor, { ...(covariates && { covariates }), ...(groups && { groups }) })
  // Of rows that belong together one may have what another lacks.
  const isLinked = person !== undefined || waves !== undefined || within !== undefined
  const explaining = isLinked ? [] : named
  const { transitionCovariates = [], groupCovariates = [] } = linked
  const beside = explainingColumns(tensor, { covariates: [...transitionCovariates, ...groupCovariates] })
  const linking = [known, person, time, within].flatMap(name => name ?? [])
  const others = [...new Set([...design, ...linking, ...(isLinked ? [...named, ...beside] : [])])]
  const names = tensor.modes.map(({ name }) => name)
  if (![...explaining, ...others, ...(join?.flat() ?? [])].every(name => names.includes(name))) return tensor
  const isUsable = usableCells(tensor, explaining, others, joinedCategories(join, items))
  return tensor.values.some((_, cell) => isUsable(cell)) ? selectCells(tensor, isUsable) : tensor
}

const partialRows = (tensor: Tensor, rows: Float64Array, join: readonly (readonly string[])[]): number => {
  const lists = join.map(names =>
    tensor.modes.flatMap(({ name }, n) => (names.includes(name) ? [tensor.indices[n]] : [])),
  )
  const isPartial = (cell: number) =>
    lists.some(columns => {
      const lacking = columns.filter(column => column[cell] === MISSING).length
      return lacking > 0 && lacking < columns.length
    })
  return sum(rows.filter((_, cell) => isPartial(cell)))
}
