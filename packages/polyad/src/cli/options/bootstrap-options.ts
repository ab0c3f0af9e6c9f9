import { type BootstrapOptions, OptionError } from '@polyad/core'
import { BOOTSTRAP_OPTIONS, checkAvailable, excludedBy, is } from '@polyad/core/options'
import type { Structure } from '../../analysis/request.ts'
import { OTHER_TESTS, TESTED } from '../../report/figures/fit-tests.ts'
import type { Field, OptionGroup } from './definition.ts'
import { ANY_NUMBER, INTERVAL, LABEL, REPLICATED_TEST } from './field-types.ts'
import { optionsOf, parser } from './option-values.ts'
import type { SampleOptions } from './sample-options.ts'

/** Options of a fit that ask how well the model fits and how exactly it is known, as the command line gives them. */
export interface BootstrapCommandOptions {
  readonly bootstrap?: number
  readonly bootstrapKind?: NonNullable<BootstrapOptions['kind']>
  /** How many cells to show, or true for the usual number. */
  readonly residuals?: number | true
}

/** Cells that are shown where no number is asked for. */
const USUAL_CELLS = 10

/** How many residuals of cells to show; undefined where none were asked for. */
export const cellsAsked = ({ residuals }: BootstrapCommandOptions): number | undefined =>
  residuals === true ? USUAL_CELLS : residuals

const option = optionsOf(BOOTSTRAP_OPTIONS)

export const BOOTSTRAP: OptionGroup = {
  title: 'Bootstrap and residuals',
  options: [
    option(
      'replicates',
      `number of bootstrap replicates: p-values of ${TESTED}, and intervals of all parameters (from 39 replicates)`,
      { flags: '--bootstrap <n>', default: undefined },
    ),
    option(
      'kind',
      'parametric: draw from the model, to test it; nonparametric: draw from the observations (with --cluster: whole clusters within strata), for intervals that do not assume the model is true',
      { flags: '--bootstrap-kind <kind>' },
    ),
    {
      flags: '--residuals [n]',
      text: `show the n cells that deviate most (default: ${USUAL_CELLS}), and the bivariate residuals`,
      parse: parser(is.whole(1)),
      library: ['limit'],
    },
  ],
}

/** How an estimate varies over the replicates. */
const SPREAD = `{ standardError: ${ANY_NUMBER}, interval: ${INTERVAL} }`

export const BOOTSTRAP_FIELDS: readonly Field[] = [
  [
    'bootstrap',
    `with --bootstrap: kind, replicates, converged, stopped, pValue and interval (of G²), ${OTHER_TESTS.join(', ')}, pairs (modes, residual, pValue, interval, largest first; empty unless parametric), confidence, shares and profiles (standardError, interval of each), coefficients (class (numbered from 1), term, standardError, interval) if covariates or groups explain the classes; with --person initial and transitions, with --within groupSizes and mixes (standardError, interval of each)`,
    `{ kind: string, replicates: integer, converged: integer, stopped: boolean, pValue: ${ANY_NUMBER}, interval: ${INTERVAL}, ${OTHER_TESTS.map(key => `${key}: ${REPLICATED_TEST} | null`).join(', ')}, pairs: { modes: string[], residual: number, pValue: number, interval: number[] }[], confidence: number, shares: ${SPREAD}[], profiles: { name: string, classes: ${SPREAD}[][] }[] | null, coefficients?: { class: integer, term: string, standardError: ${ANY_NUMBER}, interval: ${INTERVAL}, finite?: integer }[], initial?: ${SPREAD}[], transitions?: ${SPREAD}[][][], groupSizes?: ${SPREAD}[], mixes?: ${SPREAD}[][] }?`,
  ],
  [
    'residuals',
    'with --residuals: cells (labels, observed, expected, residual) and pairs (modes, chiSquared, degreesOfFreedom, residual; with --bootstrap pValue, interval), largest first',
    `{ variables?: string[], cells: { labels: ${LABEL}[], observed: number, expected: number, residual: number }[], pairs: { modes: string[], chiSquared: number, degreesOfFreedom: integer, residual: number, pValue?: number, interval?: number[] }[] }?`,
  ],
]

/** Refuses what would be ignored, and what a sample has no meaning for. */
export const checkBootstrap = (
  { bootstrap, bootstrapKind }: BootstrapCommandOptions,
  structure: Structure,
  { weights, cluster }: Pick<SampleOptions, 'weights' | 'cluster'> = {},
): void => {
  if (bootstrap === undefined && bootstrapKind !== undefined)
    throw new OptionError('--bootstrap-kind needs --bootstrap, the number of replicates, as in --bootstrap 500')
  if (bootstrap !== undefined) checkAvailable('bootstrap', 'bootstrap', structure)
  const drawn = weights !== undefined ? '--weights' : cluster !== undefined ? '--cluster' : undefined
  const by = excludedBy('bootstrap of weights', structure)
  if (bootstrap === undefined || drawn === undefined || by === undefined) return
  const { person, waves, within } = structure
  if (cluster === undefined && [person, waves, within].some(each => each !== undefined))
    throw new OptionError(`--bootstrap cannot be combined with --weights and --${by.name}: ${by.reason}`)
  if (cluster === undefined)
    throw new OptionError(
      `--bootstrap cannot be combined with --weights and --${by.name}: ${by.reason}. Name a column that numbers the rows as --cluster, and use --bootstrap-kind nonparametric`,
    )
  if (bootstrapKind !== 'nonparametric')
    throw new OptionError(
      `--bootstrap with --cluster and --${by.name} needs --bootstrap-kind nonparametric: what is drawn from a model has no clusters`,
    )
}
