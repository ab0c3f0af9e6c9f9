import { OptionError, type StandardErrorKind, type StandardErrorOptions } from '@polyad/core'
import { defined, REGRESS_OPTIONS, STANDARD_ERROR_OPTIONS } from '@polyad/core/options'
import { isExplained, type Structure } from '../../analysis/request.ts'
import { intervalProgress, type ProgressLine } from '../terminal/progress-line.ts'
import type { CommandOption, Field, OptionGroup } from './definition.ts'
import { ANY_NUMBER, byFactor, COVARIATES_TYPE, INTERVAL, LABEL } from './field-types.ts'
import { optionsOf } from './option-values.ts'

/** Statistics of a fit that are made when they are asked for, as the command line gives them. */
export interface StatisticsCommandOptions {
  /** True where no kind was named. */
  readonly se?: true | StandardErrorKind
  readonly confidence?: number
}

const option = optionsOf(STANDARD_ERROR_OPTIONS)

export const CONFIDENCE: CommandOption = option('confidence', 'confidence level of the intervals', {
  formerly: '--level',
})

/** For commands of which a model's classes are the first step. */
export const MEASUREMENT: CommandOption = optionsOf(REGRESS_OPTIONS)(
  'measurement',
  'treat the model as estimated (standard errors then include its uncertainty) or as known',
)

export const MEASUREMENT_FIELDS: readonly Field[] = [
  [
    'measurement, measurementReason',
    'how standard errors treat the model: estimated here, estimated elsewhere (on other data) or known; why it is treated as known although it was estimated, or null',
    "'estimated here' | 'estimated elsewhere' | 'known', string | null",
  ],
]

export const STATISTICS: OptionGroup = {
  title: 'Statistics',
  options: [
    option(
      'kind',
      `standard errors and confidence intervals, from the scores (empirical), the observed information (observed) or both (sandwich) (default: ${STANDARD_ERROR_OPTIONS.kind.default}; empirical with --covariates)`,
      { flags: '--se [kind]', default: undefined },
    ),
    CONFIDENCE,
  ],
}

export const STATISTICS_FIELDS: readonly Field[] = [
  [
    'standardErrors',
    'with --se: kind, confidence, reason (why there are none, or null), shares, factors (by mode, class and label), intervals (the same, of low and high), boundary (parameters at 0 or 1: mode, label, class (numbered from 0), value, interval; their standard error is null), profile (intervals by profile likelihood: computed, left, and the reason for those left out), free (number of free parameters), shortfall (nats below the maximum), covariates and items (their coefficients and parameters with these errors, if there are any); with weights or clusters design: clusters and strata (also those whose rows all have weight zero), degreesOfFreedom, with replicate weights replicates (kind, count), effects (the variance of every share and probability divided by that of a simple random sample), scaling (the scaling factor of the log-likelihood)',
    `{ kind: string, confidence: number, reason: string | null, stopped: boolean, shares: (${ANY_NUMBER})[] | null, factors: ${byFactor(ANY_NUMBER)} | null, intervals: { shares: (${INTERVAL})[], factors: ${byFactor(INTERVAL)} } | null, profile: { computed: integer, left: integer, reason: string | null }, boundary: { mode: string, label: ${LABEL}, class: integer, value: number, interval: ${INTERVAL} }[], free: integer, shortfall: ${ANY_NUMBER}, items?: unknown, covariates?: ${COVARIATES_TYPE}, design?: { clusters: integer | null, strata: integer | null, replicates?: { kind: string, count: integer }, degreesOfFreedom: number | null, effects: { shares: (${ANY_NUMBER})[], factors: ${byFactor(ANY_NUMBER)} } | null, scaling?: ${ANY_NUMBER} } }?`,
  ],
]

/** What standard errors were asked for, as the library takes it, to be shown and stopped as the call says; undefined where none were. */
export const standardErrorOptions = (
  { se, confidence }: StatisticsCommandOptions,
  structure: Structure,
  { line, interrupt }: { readonly line: ProgressLine; readonly interrupt: { readonly signal: AbortSignal } },
): StandardErrorOptions | undefined => {
  if (se === undefined && !isExplained(structure) && confidence !== undefined)
    throw new OptionError('--confidence needs --se: it sets the level of the intervals')
  if (se === undefined) return undefined
  return {
    ...(se !== true && { kind: se }),
    ...defined({ confidence }),
    signal: interrupt.signal,
    onInterval: intervalProgress(line),
  }
}
