import { orStopped } from '../../errors.ts'
import type { FitResult } from '../../fit/fit-session.ts'
import { wholeNumber } from '../../options.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import type { StandardErrors } from '../errors/error-results.ts'
import { linkedErrors } from '../errors/linked-errors.ts'
import type { StandardErrorKind } from '../errors/sandwich.ts'
import type { Evaluation } from '../fit-statistics/evaluation.ts'
import { evaluateLinked } from '../fit-statistics/linked-evaluation.ts'
import { type LinkedData, nestedData, type PanelOptions, panelData } from '../model-data/linked-data.ts'
import { placeLinks } from '../model-data/placed-links.ts'
import { type LinkedSearchOptions, searchLinked } from './linked-search.ts'

/** What links the rows of a table: the waves of persons, or groups that have classes too. */
export interface LinkOptions extends Partial<PanelOptions> {
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
  { person, time, transitions, within, groupClasses }: LinkOptions,
): LinkedData =>
  within === undefined
    ? panelData(tensor, { person: person!, time: time!, ...(transitions !== undefined && { transitions }) })
    : nestedData(tensor, { within, groupClasses: wholeNumber('groupClasses', groupClasses, 1) })

/** Fits a model of linked rows. @param kind of standard errors @param sampled whether values are sums of sampling weights */
export const fitLinked = async (
  tensor: Tensor,
  links: LinkOptions,
  {
    kind,
    confidence,
    sampled,
  }: { readonly kind: StandardErrorKind; readonly confidence: number; readonly sampled: boolean },
  options: LinkedSearchOptions,
): Promise<LinkedResult> => {
  const found = await searchLinked(linkedDataOf(tensor, links), options)
  const { result, data, plain } = found
  const { signal } = options
  const placed = placeLinks(result.model, data)
  // The evaluation is one pass, the errors many.
  const evaluation = await evaluateLinked(placed)
  const errors = signal?.aborted
    ? undefined
    : await orStopped(linkedErrors(placed, result.model, { kind, confidence, signal }, sampled))
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
