import { STEP_BOOTSTRAP_OPTIONS } from '@polyad/core/options'
import type { Field, OptionGroup } from './definition.ts'
import { ANY_NUMBER, CLASS, INTERVAL, LABEL } from './field-types.ts'
import type { ModelDataOptions } from './model-options.ts'
import { optionsOf } from './option-values.ts'
import type { SampleOptions } from './sample-options.ts'

/** Replicates of all three steps, as the command line gives them. */
export interface StepBootstrapCommandOptions {
  readonly bootstrap?: number
  readonly seed?: number
}

/** What the commands of three steps have in common. */
export interface ThreeStepOptions
  extends ModelDataOptions,
    Omit<SampleOptions, 'weightsAsTotals'>,
    StepBootstrapCommandOptions {
  readonly confidence?: number
  readonly measurement?: 'estimated' | 'known'
}

const option = optionsOf(STEP_BOOTSTRAP_OPTIONS)

export const STEP_BOOTSTRAP: OptionGroup = {
  title: 'Bootstrap',
  options: [
    option(
      'replicates',
      'number of bootstrap replicates of all three steps: draw rows (with --cluster: whole clusters within strata), fit the model again, and repeat the analysis (200 or more)',
      { flags: '--bootstrap <n>', default: undefined },
    ),
    option('seed', 'random seed of the draws'),
  ],
}

/** How an estimate varies over the replicates. */
const REPLICATED = `standardError: ${ANY_NUMBER}, interval: ${INTERVAL}, finite?: integer`

export const STEP_BOOTSTRAP_FIELD: Field = [
  'bootstrap',
  'with --bootstrap: replicates, failed (without a solution, left out), stopped, seed, and standardError, interval and finite (in how many replicates the estimate is finite) of every coefficient (coefficients: class, term; or label, term) or class (classes: class, mean or probabilities)',
  `{ replicates: integer, failed: integer, stopped: boolean, seed: integer, coefficients?: { class?: integer, label?: ${LABEL}, term: string, ${REPLICATED} }[], classes?: { class: ${CLASS}, mean?: { ${REPLICATED} }, probabilities?: { label: ${LABEL}, ${REPLICATED} }[] }[] }?`,
]
