import { OptionError, type StepBootstrapOptions } from '@polyad/core'
import { defined } from '@polyad/core/options'
import { orStopped } from '@polyad/core/stats'
import type { StoredModel } from '../../output/model-store.ts'
import { recordedFit } from '../../table/view/recorded-fit.ts'
import type { Call } from '../framework/define-command.ts'
import type { StepBootstrapCommandOptions } from '../options/step-bootstrap-options.ts'

/** Replicates fit the classes again by maximum likelihood, without anything else that the model was fitted with. */
const NOT_AGAIN = ['known', 'pseudoCounts', 'smoothing'] as const

const checkFittedAgain = ({ model, run }: StoredModel): void => {
  const { options } = recordedFit(run)
  const what = model.structure.kind === 'shares' ? NOT_AGAIN.find(name => options[name] !== undefined) : 'covariates'
  if (what !== undefined)
    throw new OptionError(
      `--bootstrap fits the classes again, which is not supported for a model with ${WORDS[what]}: leave --bootstrap out`,
    )
}

const WORDS = {
  covariates: 'covariates',
  known: 'known classes',
  pseudoCounts: 'pseudo-counts',
  smoothing: 'smoothing',
} as const

/** Replicates of three steps, and how they ended. */
export interface StepReplicatesMade<T> {
  /** Undefined if there are too few. */
  readonly bootstrap: T | undefined
  /** What `--json` says if a time limit or a signal ended them. */
  readonly stopped: { readonly stopped?: true; readonly notComputed?: readonly ['bootstrap'] }
}

export type StepCall = Pick<Call, 'line' | 'interrupt' | 'stoppable' | 'found'>

/** Replicates of three steps, if they are asked for, with a line of progress. A time limit or a signal ends them: the other figures are there. */
export const stepBootstrap = async <T>(
  { line, interrupt, stoppable, found }: StepCall,
  stored: StoredModel,
  { bootstrap: replicates, seed }: StepBootstrapCommandOptions,
  work: (running: StepBootstrapOptions) => Promise<T>,
): Promise<StepReplicatesMade<T>> => {
  if (replicates === undefined) return { bootstrap: undefined, stopped: {} }
  checkFittedAgain(stored)
  stoppable()
  found()
  const { signal } = interrupt
  const running = {
    replicates,
    signal,
    ...defined({ seed }),
    onReplicate: ({ done }: { readonly done: number }) => line.show([`bootstrap replicate ${done} of ${replicates}`]),
  }
  const bootstrap = await orStopped(work(running))
  if (!signal.aborted) return { bootstrap, stopped: {} }
  return { bootstrap, stopped: { stopped: true, ...(bootstrap === undefined && { notComputed: ['bootstrap'] }) } }
}

/** Says that replicates were ended, once all else is said. */
export const endStepBootstrap = (
  { terminal, interrupt, ends }: Pick<Call, 'terminal' | 'interrupt' | 'ends'>,
  { stopped, notComputed }: StepReplicatesMade<unknown>['stopped'],
): void => {
  if (stopped === undefined) return
  terminal.warn(
    'stopped',
    `stopped early: ${notComputed === undefined ? 'these are the bootstrap replicates so far' : 'not computed: bootstrap'}`,
  )
  ends(interrupt.exitCode())
}
