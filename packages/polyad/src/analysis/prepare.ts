import type { Counts, Evaluation, Model, Session, StandardErrorOptions, SurveyDesign, Tensor } from '@polyad/core'
import { cellsWithin, hasCells, rowsWithin, withoutModes } from '@polyad/core/model'
import { type DesignTest, designTest, prepareDesign } from '@polyad/core/stats'
import { designColumns } from '../table/columns/sample-design.ts'
import { columnOf } from './named-columns.ts'
import type { AnalysisRequest, AnalysisSource } from './request.ts'
import { type UsedRows, usedRows } from './used-rows.ts'

/** Data as it is analyzed: the rows that are used, without the columns of the design. */
export interface Prepared
  extends Pick<UsedRows, 'rowWeights' | 'population' | 'replicates' | 'left' | 'unusable' | 'partial'> {
  readonly tensor: Counts
  readonly session: Session | undefined
  /** Whether clusters had to be told apart by their strata. */
  readonly renamed: boolean
  /** What standard errors take besides their options: the data with the columns of the design, or the squares of weights. */
  readonly sample: { readonly data?: Tensor; readonly options: Pick<StandardErrorOptions, 'design' | 'squares'> }
}

/** Chooses the rows of an analysis and sets the design of the sample apart. Data of a session is taken as it is. */
export const prepare = (
  { tensor: all, session, design: read, population, ...source }: AnalysisSource,
  { structure = {}, design }: Pick<AnalysisRequest, 'structure' | 'design'>,
): Prepared => {
  const none = { left: 0, unusable: 0, partial: 0, renamed: false }
  if (session !== undefined || !hasCells(all))
    return { tensor: all, session, ...none, sample: { options: {} }, population }
  const named = design && designOf(all, read ?? design)
  const {
    tensor: drawn,
    squares,
    ...used
  } = usedRows({ ...source, tensor: all, population }, structure, designColumns(named))
  if (named === undefined) {
    const options = squares === undefined ? {} : { squares }
    return { ...none, ...used, tensor: drawn, session, sample: { options } }
  }
  const data = prepareDesign(drawn, named)
  const c = drawn.modes.findIndex(({ name }) => name === named.cluster)
  const tensor = withoutModes(drawn, designColumns(named))
  return {
    ...none,
    ...used,
    tensor,
    session,
    rowWeights: used.rowWeights && rowsWithin(used.rowWeights, cellsWithin(tensor, drawn)),
    renamed: drawn.modes[c].indexOf(data.modes[c].label(0)) === undefined,
    sample: { data, options: { design: named } },
  }
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

const designOf = (tensor: Tensor, { cluster, stratum, ...sizes }: SurveyDesign): SurveyDesign => ({
  ...sizes,
  cluster: columnOf(tensor, cluster),
  ...(stratum !== undefined && { stratum: columnOf(tensor, stratum) }),
})
