import type { FitResult } from '../../fit/fit-session.ts'
import { decimals } from '../../numeric/decimals.ts'
import { CRITERIA, type Criteria, type Criterion, criterionValue } from '../fit-statistics/criteria.ts'
import type { Evaluation } from '../fit-statistics/evaluation.ts'
import { MIN_OBSERVATIONS_PER_CELL } from '../fit-statistics/goodness.ts'
import type { ModelData } from '../model-data/model-data.ts'
import type { RankTest } from './test-ranks.ts'

export interface RankedFit extends Evaluation {
  readonly rank: number
  readonly result: FitResult
  /** The mean log-probability of an observation left out of the fit; undefined where it was not asked for or cannot be. */
  readonly heldOut: number | undefined
  /** The test of this rank against the next, where it was asked for. */
  readonly test?: RankTest
  /** Whether it was only searched briefly: a whole search may find better models, but none that would be recommended. */
  readonly brief?: boolean
  /** The rows in the form of the model, if it has covariates or groups: what its statistics take. */
  readonly data?: ModelData
}

/** The figures of a fit that a recommendation uses. */
export interface JudgedFit
  extends Criteria,
    Pick<Evaluation, 'identification' | 'degreesOfFreedom' | 'gSquared' | 'pValue' | 'sparse'> {
  readonly rank: number
  readonly heldOut?: number | undefined
  readonly brief?: boolean
  readonly result: Pick<FitResult, 'reason' | 'converged'> & {
    readonly verdict: Pick<FitResult['verdict'], 'ambiguous' | 'reached'>
  }
}

export interface Recommendation {
  /** The rank that is recommended; undefined only where not a single fit could be judged. */
  readonly recommended: number | undefined
  /** Why, how the criteria disagree, and what to beware of. */
  readonly reason: string
}

/** A model is called rejected where its G² would be this improbable if it were true. */
const REJECTED = 0.05

const NAMES = new Map(CRITERIA.map(({ key, name }) => [key, name]))

/** Whether the data determines a model: the table can tell its parameters apart, and something is left to test it by. */
const isDetermined = ({ result, identification, degreesOfFreedom, gSquared }: JudgedFit): boolean =>
  !result.verdict.ambiguous &&
  identification.verdict !== 'not identified' &&
  (gSquared === undefined || degreesOfFreedom > 0)

const isRejected = ({ pValue, sparse }: JudgedFit): boolean => pValue !== undefined && !sparse && pValue < REJECTED

/** A lead of this part of a criterion is one by rounding only. */
const ROUNDING = 1e-9

const isLevel = (a: number, b: number): boolean => Math.abs(a - b) <= ROUNDING * Math.max(Math.abs(a), Math.abs(b))

/** The fit of the smallest rank among those that no other is ahead of. */
const bestOf = (fits: readonly JudgedFit[], by: Criterion): JudgedFit | undefined => {
  const judged = fits.filter(fit => Number.isFinite(criterionValue(fit, by))).sort((a, b) => a.rank - b.rank)
  const least = judged.reduce((low, fit) => Math.min(low, criterionValue(fit, by)), Number.POSITIVE_INFINITY)
  return judged.find(fit => isLevel(criterionValue(fit, by), least))
}

/** So many more classes are to be tried where the largest number is best. */
export const MORE_CLASSES = 2

/**
 * The rank that a criterion prefers, among the models that the data determines.
 * @example
 * const { fits } = await chooseRank(answers, { to: 3 })
 * recommend(fits, 'bic').recommended // 2
 */
export const recommend = (fits: readonly JudgedFit[], by: Criterion): Recommendation => {
  // A fit that was stopped in the middle says nothing of its rank.
  const ended = fits.filter(({ result }) => result.reason !== 'stopped')
  const finished = ended.length > 0 ? ended : fits
  const determined = finished.filter(isDetermined)
  const judged = determined.length > 0 ? determined : finished
  const best = bestOf(judged, by)
  if (best === undefined)
    return { recommended: undefined, reason: `no number of classes could be judged by ${NAMES.get(by)}` }
  const parts = [`${NAMES.get(by)} is best with ${classes(best.rank)}${lead(judged, best, by)}`]
  const left = finished.filter(fit => !judged.includes(fit))
  const stopped = fits.filter(fit => !finished.includes(fit))
  if (stopped.length > 0) parts.push(`${ranks(stopped)} not judged: the fit was stopped before it converged`)
  if (left.length > 0) parts.push(`${ranks(left)} set aside: the data does not determine the classes`)
  parts.push(...briefly(judged, best, by))
  parts.push(...disagreement(judged, best, by))
  if (fits.length > 1 && best === finished[finished.length - 1])
    parts.push(`${best.rank} is the largest number tried: try up to ${best.rank + MORE_CLASSES}`)
  else if (fits.length > 1 && best === finished[0] && best.rank > 1)
    parts.push(`${best.rank} is the smallest number tried: try fewer`)
  parts.push(...doubts(best))
  return { recommended: best.rank, reason: parts.join('; ') }
}

const classes = (rank: number): string => `${rank} ${rank === 1 ? 'class' : 'classes'}`

const ranks = (fits: readonly JudgedFit[]): string =>
  fits.length === 1 ? classes(fits[0].rank) : `${fits.map(({ rank }) => rank).join(', ')} classes`

const lead = (fits: readonly JudgedFit[], best: JudgedFit, by: Criterion): string => {
  const second = bestOf(
    fits.filter(fit => fit !== best),
    by,
  )
  if (second === undefined) return ''
  if (isLevel(criterionValue(second, by), criterionValue(best, by))) return `, equal to that of ${classes(second.rank)}`
  const ahead = Math.abs(criterionValue(second, by) - criterionValue(best, by))
  const digits = by === 'heldOut' ? 4 : 1
  return `, ${decimals(ahead, digits, digits)} ahead of ${classes(second.rank)}`
}

/** Which fits were only searched briefly, and what they lack. */
const briefly = (fits: readonly JudgedFit[], best: JudgedFit, by: Criterion): string[] => {
  const brief = fits.filter(fit => fit.brief === true && fit !== best)
  if (brief.length === 0) return []
  const least = Math.min(...brief.map(fit => criterionValue(fit, by) - criterionValue(best, by)))
  const which = brief.length === 1 ? 'its' : 'their'
  const digits = by === 'heldOut' ? 4 : 1
  return [
    `${ranks(brief)} searched briefly: ${which} ${by === 'heldOut' ? 'held-out log-likelihood' : NAMES.get(by)} would have to be at least ${decimals(least, digits, digits)} ${by === 'heldOut' ? 'higher' : 'lower'} to change this`,
  ]
}

/** What the other criteria say, where they say something else. */
const disagreement = (fits: readonly JudgedFit[], best: JudgedFit, by: Criterion): string[] => {
  const others = new Map<number, string[]>()
  for (const { key: criterion, name } of CRITERIA) {
    // A criterion that some fits lack has compared nothing.
    const complete = fits.every(fit => Number.isFinite(criterionValue(fit, criterion)))
    const choice = criterion === by || !complete ? undefined : bestOf(fits, criterion)
    if (choice !== undefined && choice !== best) {
      others.set(choice.rank, [...(others.get(choice.rank) ?? []), name])
    }
  }
  return [...others].map(([rank, names]) => `${inWords(names)} ${names.length === 1 ? 'prefers' : 'prefer'} ${rank}`)
}

const inWords = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`

const doubts = (best: JudgedFit): string[] => {
  const { result, identification } = best
  const parts: string[] = []
  if (isRejected(best))
    parts.push(
      `but G² rejects the model (p ${best.pValue! < 0.001 ? '< 0.001' : `= ${best.pValue!.toFixed(3)}`}): it misses something in the data`,
    )
  else if (best.pValue !== undefined && best.sparse) {
    parts.push(
      `G² is unreliable here: the table averages fewer than ${MIN_OBSERVATIONS_PER_CELL} observations per cell`,
    )
  }
  if (!result.converged && result.reason !== 'settled') parts.push('but the fit has not converged')
  else if (!isDetermined(best)) parts.push('but the data does not determine the classes')
  else if (best.rank > 1 && result.verdict.reached === 1)
    parts.push('but only one run reached the best solution: treat it as provisional')
  if (identification.verdict === 'not checked') parts.push('the model is too large to check whether it is identified')
  return parts
}
