import { OptionError } from '@polyad/core'
import { defined, REPLICATE_ERROR_OPTIONS } from '@polyad/core/options'
import { REPLICATE_KINDS, type ReplicateErrorOptions, type ReplicateKind } from '@polyad/core/stats'
import { designColumns } from '../../table/columns/sample-design.ts'
import type { TableOptions } from '../../table/reading/read-view.ts'
import type { CommandOption, Field, OptionGroup } from './definition.ts'
import { moreNames, optionsOf } from './option-values.ts'

const option = optionsOf(REPLICATE_ERROR_OPTIONS)

/** How the rows came into the data, as the command line gives it. */
export interface SampleOptions {
  readonly weights?: string
  readonly weightsAsTotals?: boolean
  readonly rescaleWeights?: boolean
  readonly cluster?: string
  readonly strata?: string
  readonly complete?: boolean
}

/** Replicate weights, as the command line gives them. */
export interface ReplicateOptions {
  readonly replicateWeights?: readonly string[]
  readonly replicateKind?: ReplicateKind
  readonly fay?: number
  readonly replicateScale?: readonly number[]
}

const CLUSTER: CommandOption = {
  flags: '--cluster <name>',
  text: 'column of clusters that were sampled as a whole (schools, households); not a variable of the model; implies sandwich standard errors',
}
const STRATA: CommandOption = {
  flags: '--strata <name>',
  text: 'with --cluster: column of strata within which clusters were drawn',
}
export const TOTALS: CommandOption = {
  flags: '--weights-as-totals',
  text: 'with --weights: show class sizes in the population, whose size is the sum of the weights',
}
const COMPLETE: CommandOption = { flags: '--complete', text: 'leave out rows with missing values' }

/** The design of a sample, for every command that reads data. */
export const SAMPLE: OptionGroup = {
  title: 'Sample',
  options: [
    {
      flags: '--weights <name>',
      text: 'column of sampling weights: how many people in the population a row represents; divided by their mean',
    },
    TOTALS,
    // What it asked for is always done.
    { flags: '--rescale-weights', text: 'divide the weights by their mean', hidden: true },
    CLUSTER,
    STRATA,
    COMPLETE,
  ],
}

/** The same with replicate weights, for standard errors. */
export const SAMPLE_WITH_REPLICATES: OptionGroup = {
  ...SAMPLE,
  options: [
    ...SAMPLE.options,
    {
      flags: '--replicate-weights <names>',
      text: 'with --weights: columns of replicate weights, as names or patterns such as "rw*" (comma-separated); implies standard errors by refitting to each',
      parse: moreNames,
    },
    {
      flags: '--replicate-kind <kind>',
      text: "how the replicate weights were made: balanced half-samples (brr), with Fay's factor (fay), jackknife (jk1, jkn) or bootstrap",
      choices: REPLICATE_KINDS,
      library: [],
    },
    option('fay', "Fay's factor of --replicate-kind fay", {}),
    {
      flags: '--replicate-scale <numbers>',
      text: 'factor of the squared deviations: one, or one for each replicate (comma-separated); required for jkn, as in 0.5 for pairs',
      parse: (text: string) => text.split(',').map(Number),
      library: ['scales'],
    },
  ],
}

/** How the replicate weights were made, as the library takes it; refuses what says nothing, or too little. */
export const replicatesOf = (
  { replicateWeights, replicateKind: kind, fay, replicateScale: scales }: ReplicateOptions,
  { weights, cluster }: SampleOptions,
): Pick<ReplicateErrorOptions, 'kind' | 'fay' | 'scales'> | undefined => {
  if (replicateWeights === undefined) {
    const flag = kind !== undefined ? '--replicate-kind' : fay !== undefined ? '--fay' : scales && '--replicate-scale'
    if (flag !== undefined) throw new OptionError(`${flag} needs --replicate-weights, the columns they are in`)
    return undefined
  }
  if (weights === undefined)
    throw new OptionError('--replicate-weights needs --weights, the weights of the whole sample')
  if (cluster !== undefined)
    throw new OptionError('--replicate-weights cannot be combined with --cluster: they already describe the clusters')
  if (kind === undefined)
    throw new OptionError(`--replicate-weights needs --replicate-kind, one of ${REPLICATE_KINDS.join(', ')}`)
  if (kind === 'jkn' && scales === undefined)
    throw new OptionError(
      '--replicate-kind jkn needs --replicate-scale: (n − 1)/n for the stratum of every replicate, such as 0.5',
    )
  return {
    kind,
    ...defined({ fay }),
    ...(scales !== undefined && { scales: scales.length === 1 ? scales[0] : scales }),
  }
}

export const MODEL_WEIGHTS: CommandOption = {
  flags: '--weights <name>',
  text: 'column of sampling weights (default: as for the data of the model; none: no weights)',
}

/** The same for commands that read data for a model: what the model's own data had is the default. */
export const MODEL_SAMPLE: OptionGroup = {
  title: 'Sample',
  options: [
    MODEL_WEIGHTS,
    {
      ...CLUSTER,
      text: 'column of clusters that were sampled as a whole (default: as in the data of the model; none: no clusters)',
    },
    { ...STRATA, text: 'column of strata within which clusters were drawn (default: as in the data of the model)' },
    COMPLETE,
  ],
}

/** A test corrected for the design. */
const CORRECTED =
  '{ statistic: number, pValue: number, f: { statistic: number, degreesOfFreedom: number[], pValue: number } }'

export const DESIGN_TEST_FIELD: Field = [
  'designTest',
  'with weights or clusters, if the table has at most 1,000 cells and nothing is missing: designEffect (mean generalized), degreesOfFreedom, and for gSquared and chiSquared: statistic and pValue (first-order Rao–Scott correction), f (second-order: statistic, degreesOfFreedom, pValue)',
  `{ designEffect: number, degreesOfFreedom: integer, gSquared: ${CORRECTED}, chiSquared: ${CORRECTED} }?`,
]

/** What the options of a sample add to the object of --json. */
export const SAMPLE_FIELDS: readonly Field[] = [
  ['left', 'with --complete: observations that were left out', 'number?'],
  [
    'population',
    'with --weights-as-totals: total (the sum of the weights) and sizes (of the classes in the population)',
    '{ total: number, sizes: number[] }?',
  ],
]

/** How the sample was drawn, as the reader takes it. Refuses what cannot be combined before any data is read. */
export const sampleOf = (
  { weights, weightsAsTotals, rescaleWeights, cluster, strata }: SampleOptions,
  { se, variables = [] }: { readonly se?: unknown; readonly variables?: readonly string[] } = {},
): Pick<TableOptions, 'weights' | 'design'> => {
  if (strata !== undefined && cluster === undefined)
    throw new OptionError('--strata needs --cluster: if rows were drawn one by one, name a column that numbers them')
  if (rescaleWeights === true && weights === undefined)
    throw new OptionError('--rescale-weights needs --weights, the column they are in')
  if (weightsAsTotals === true && weights === undefined)
    throw new OptionError('--weights-as-totals needs --weights, the column they are in')
  const flag = cluster !== undefined ? '--cluster' : weights !== undefined ? '--weights' : undefined
  if (flag !== undefined) {
    if (se !== undefined && se !== true && se !== 'sandwich')
      throw new OptionError(`--se must be sandwich with ${flag} (got ${se})`)
  }
  const design = cluster === undefined ? undefined : { cluster, ...defined({ stratum: strata }) }
  const both = designColumns(design).find(name => variables.some(each => each.toLowerCase() === name.toLowerCase()))
  if (both !== undefined)
    throw new OptionError(
      `column ${JSON.stringify(both)} cannot be both a variable and part of the sample design: leave it out of --variables`,
    )
  if (cluster !== undefined && cluster === strata)
    throw new OptionError('--cluster and --strata name the same column: name two different ones')
  return { ...defined({ weights, design }) }
}
