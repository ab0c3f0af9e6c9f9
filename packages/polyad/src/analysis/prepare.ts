import type { Counts, Evaluation, Model, Session, StandardErrorOptions, SurveyDesign, Tensor } from '@polyad/core'
import { cellsWithin, completeCells, hasCells, type RowWeights, rowsWithin, withoutModes } from '@polyad/core/model'
import { type DesignTest, designTest, prepareDesign } from '@polyad/core/stats'
import { findColumn } from '../table/columns/columns.ts'
import { designColumns } from '../table/columns/sample-design.ts'
import type { AnalysisRequest, AnalysisSource } from './request.ts'

/** Data as it is analyzed: the rows that were chosen, without the columns of the design. */
export interface Prepared {
  readonly tensor: Counts
  readonly session: Session | undefined
  /** How much of the data `complete` left out. */
  readonly left: number
  /** Whether clusters had to be told apart by their strata. */
  readonly renamed: boolean
  /** What standard errors take besides their options: the data with the columns of the design, or the squares of weights. */
  readonly sample: { readonly data?: Tensor; readonly options: Pick<StandardErrorOptions, 'design' | 'squares'> }
  /** The rows of every cell by their sampling weights. */
  readonly rowWeights?: RowWeights | undefined
  /** The values of every cell by replicate weights. */
  readonly replicates?: readonly Float64Array[] | undefined
}

/** Chooses the rows of an analysis and sets the design of the sample apart. Data of a session is taken as it is. */
export const prepare = (
  { tensor: all, session, squares, rowWeights, replicates, design: read }: AnalysisSource,
  { structure = {}, design }: Pick<AnalysisRequest, 'structure' | 'design'>,
): Prepared => {
  if (session !== undefined || !hasCells(all))
    return { tensor: all, session, left: 0, renamed: false, sample: { options: {} } }
  const chosen = (tensor: Tensor) => (structure.complete === true ? completeCells(tensor) : tensor)
  const drawn = chosen(all)
  const left = all.total - drawn.total
  const rowsOf = (tensor: Tensor) => rowWeights && rowsWithin(rowWeights, cellsWithin(tensor, all))
  if (design === undefined) {
    const options = squares === undefined ? {} : { squares: chosen(squares).values }
    return {
      ...{ tensor: drawn, session, left, renamed: false, sample: { options }, rowWeights: rowsOf(drawn) },
      replicates: replicates && summedWithin(replicates.values, drawn, all),
    }
  }
  const named = designOf(drawn, read ?? design)
  const data = prepareDesign(drawn, named)
  const c = drawn.modes.findIndex(({ name }) => name === named.cluster)
  const tensor = withoutModes(drawn, designColumns(named))
  return {
    tensor,
    rowWeights: rowsOf(tensor),
    session,
    left,
    renamed: drawn.modes[c].indexOf(data.modes[c].label(0)) === undefined,
    sample: { data, options: { design: named } },
  }
}

/** Values of all cells, by the cells of a tensor of some of them. */
const summedWithin = (lists: readonly Float64Array[], tensor: Tensor, all: Tensor): readonly Float64Array[] => {
  if (tensor === all) return lists
  const places = cellsWithin(tensor, all)
  return lists.map(values => {
    const sums = new Float64Array(tensor.cells)
    values.forEach((value, cell) => {
      if (places[cell] >= 0) sums[places[cell]] += value
    })
    return sums
  })
}

/** The test of fit that is corrected for the design; undefined without a design, and where there is no such test. */
export const testOfSample = (
  { tensor, sample }: Prepared,
  model: Model,
  evaluation: Pick<Evaluation, 'gSquared' | 'chiSquared' | 'degreesOfFreedom'>,
): DesignTest | undefined =>
  Object.keys(sample.options).length === 0 || !hasCells(tensor)
    ? undefined
    : designTest(sample.data ?? tensor, model, evaluation, sample.options)

/** The name of a column as the data has it. */
export const columnOf = ({ modes }: Counts, name: string): string => findColumn(modes, name)?.name ?? name

const designOf = (tensor: Tensor, { cluster, stratum, ...sizes }: SurveyDesign): SurveyDesign => ({
  ...sizes,
  cluster: columnOf(tensor, cluster),
  ...(stratum !== undefined && { stratum: columnOf(tensor, stratum) }),
})
