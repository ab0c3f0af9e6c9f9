import { defined } from '../../defined.ts'
import { orStopped } from '../../errors.ts'
import type { FitResult } from '../../fit/fit-session.ts'
import { wholeNumber } from '../../options.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import type { StandardErrors } from '../errors/error-results.ts'
import { linkedErrors } from '../errors/linked-errors.ts'
import type { StandardErrorKind } from '../errors/sandwich.ts'
import type { Evaluation } from '../fit-statistics/evaluation.ts'
import { evaluateLinked } from '../fit-statistics/linked-evaluation.ts'
import type { LinkedData } from '../model-data/linked-data.ts'
import { type NestedOptions, nestedData } from '../model-data/nested-data.ts'
import { type PanelOptions, panelData, wideData } from '../model-data/panel-data.ts'
import { placeLinks } from '../model-data/placed-links.ts'
import { type LinkedSearchOptions, searchLinked } from './linked-search.ts'

/** What links the rows of a table: persons with waves, or groups with classes. */
export interface LinkOptions extends Partial<PanelOptions>, Partial<Pick<NestedOptions, 'groupCovariates'>> {
  /** Of a table with a row for each person: for each wave the pattern of its columns, as in `*_t1`. In place of `person` and `time`. */
  readonly waves?: readonly string[]
  /** The mode of groups, which have classes of their own. */
  readonly within?: string
  /** How many classes groups have. */
  readonly groupClasses?: number
}

/** The fit of a model of linked rows, with its statistics. */
export interface LinkedResult extends FitResult {
  /** Clusters are persons, or groups; undefined if it was stopped before. */
  readonly standardErrors: StandardErrors | undefined
  readonly evaluation: Evaluation
  /** The fit of all rows without links, from which this one began. */
  readonly plain: FitResult
  /** The rows in the form of the model: what `evaluate` and `standardErrors` take besides it. */
  readonly data: LinkedData
}

/** Rows in the form of a model with links. */
export const linkedDataOf = (
  tensor: Tensor,
  { person, time, waves, within, groupClasses, groupCovariates, ...chain }: LinkOptions,
  squares?: Float64Array,
): LinkedData => {
  if (within !== undefined) {
    const { covariates, categories, referenceCategories } = chain
    const explaining = defined({ covariates, categories, referenceCategories, groupCovariates })
    return nestedData(tensor, { within, groupClasses: wholeNumber('groupClasses', groupClasses, 1), ...explaining })
  }
  if (waves !== undefined) return wideData(tensor, { waves, ...chain }, { squares })
  return panelData(tensor, { person: person!, time: time!, ...chain }, { squares })
}

/** Whether the rows of a table belong together. */
export const areLinked = ({ person, waves, within }: LinkOptions): boolean =>
  person !== undefined || waves !== undefined || within !== undefined

/** Fits a model of linked rows. @param kind of standard errors @param squares of sampling weights, if values are sums of these */
export const fitLinked = async (
  tensor: Tensor,
  links: LinkOptions,
  {
    kind,
    confidence,
    squares,
  }: { readonly kind: StandardErrorKind; readonly confidence: number; readonly squares: Float64Array | undefined },
  options: LinkedSearchOptions,
): Promise<LinkedResult> => {
  const found = await searchLinked(linkedDataOf(tensor, links, squares), options)
  const { result, data, plain } = found
  const { signal } = options
  const placed = placeLinks(result.model, data)
  // The evaluation is one pass, the errors many.
  const evaluation = await evaluateLinked(placed)
  const errors = signal?.aborted
    ? undefined
    : await orStopped(linkedErrors(placed, result.model, { kind, confidence, signal }, squares !== undefined))
  // Where the information is positive definite, the data determines all parameters, at least nearby.
  const known = errors?.reason === undefined && errors !== undefined
  const identification = known
    ? { ...evaluation.identification, verdict: 'identified' as const, method: 'jacobian' as const }
    : evaluation.identification
  return Object.freeze({
    ...result,
    standardErrors: errors,
    evaluation: Object.freeze({ ...evaluation, identification }),
    plain,
    data,
  })
}
