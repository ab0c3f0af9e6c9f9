import { OptionError, type StandardErrorKind, type StandardErrorOptions } from '@polyad/core'
import { DEFAULT_STANDARD_ERRORS, STANDARD_ERROR_KINDS } from '@polyad/core/stats'
import { InvalidArgumentError } from 'commander'
import type { Structure } from '../../analysis/request.ts'
import { intervalProgress, type ProgressLine } from '../terminal/progress-line.ts'
import type { CommandOption, Field, OptionGroup } from './definition.ts'
import { number } from './option-values.ts'

/** Statistics of a fit that are made when they are asked for, as the command line gives them. */
export interface StatisticsCommandOptions {
  /** True where no kind was named. */
  readonly se?: true | StandardErrorKind
  readonly level?: number
}

const level = (text: string): number => {
  const value = number(0)(text)
  if (value > 0 && value < 1) return value
  throw new InvalidArgumentError('It must be a number between 0 and 1, such as 0.95.')
}

export const LEVEL: CommandOption = {
  flags: '--level <x>',
  text: 'the level of intervals (default: 0.95)',
  parse: level,
}

export const STATISTICS: OptionGroup = {
  title: 'Statistics',
  options: [
    {
      flags: '--se [kind]',
      text: `standard errors and intervals, by the scores (empirical), the curvature (observed) or both (sandwich). Without a kind: ${DEFAULT_STANDARD_ERRORS}, and empirical with --covariates`,
      choices: STANDARD_ERROR_KINDS,
      library: ['kind'],
    },
    LEVEL,
  ],
}

export const STATISTICS_FIELDS: readonly Field[] = [
  [
    'standardErrors',
    'with --se: kind, level, reason (why there are none, or null), shares, factors (by mode, class and label), intervals (the same, of low and high), boundary (what is at 0 or 1: mode, label, class, value, interval; its standard error is null), profile (intervals by profile likelihood: computed, left, and the reason for those left out), free (how many are), shortfall (nats below the maximum); of a sample with weights or clusters design: clusters and strata (also those whose rows all have weight zero), degreesOfFreedom, effects (the variance of every share and probability over that of a simple sample)',
  ],
]

/** What standard errors were asked for, as the library takes it, to be shown and stopped as the call says; undefined where none were. */
export const standardErrorOptions = (
  { se, level }: StatisticsCommandOptions,
  { covariates, constraints }: Pick<Structure, 'covariates' | 'constraints'>,
  { line, interrupt }: { readonly line: ProgressLine; readonly interrupt: { readonly signal: AbortSignal } },
): StandardErrorOptions | undefined => {
  if (se !== undefined && se !== true && se !== 'empirical' && covariates !== undefined)
    throw new OptionError(
      `--se must be empirical with --covariates, as the errors of their coefficients are (got ${se})`,
    )
  if (se !== undefined && constraints !== undefined)
    throw new OptionError('--se cannot be combined with --constraints: these errors are of free probabilities')
  if (se === undefined && covariates === undefined && level !== undefined)
    throw new OptionError('--level needs --se: it is of their intervals')
  if (se === undefined) return undefined
  return {
    ...(se !== true && { kind: se }),
    ...(level !== undefined && { level }),
    signal: interrupt.signal,
    onInterval: intervalProgress(line),
  }
}
