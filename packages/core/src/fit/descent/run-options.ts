import type { StopSignal } from '../../errors.ts'
import type { ItemSetting } from '../../model/items/item.ts'
import type { LinkSetting } from '../../model/links/links.ts'
import type { RunPart } from '../checkpoint/run-parts.ts'
import type { LogitDesign } from '../covariates/logit.ts'
import type { ConstraintProjector } from './constraint-projector.ts'
import type { keptDescentOf } from './kept-descent.ts'
import type { MStep } from './m-step.ts'
import type { Stopping } from './stopping.ts'

/** 'em' is the paper's algorithm; 'accelerated' goes to the same optima in far fewer passes. */
export type Algorithm = 'accelerated' | 'em'

export const ALGORITHMS: readonly Algorithm[] = ['accelerated', 'em']

/** 'auto' begins in single precision if the data is large; 'single' always, if the engine has it; 'double' never. */
export type Precision = 'auto' | 'double' | 'single'

export const PRECISIONS: readonly Precision[] = ['auto', 'double', 'single']

export interface RunOptions {
  readonly stopping: Stopping
  readonly algorithm: Algorithm
  /** One for each mode of the model. */
  readonly steps: readonly MStep[]
  /** What explains the membership of the classes: the last mode of the data is then its combinations, and not a mode of the model. */
  readonly explained?: LogitDesign | undefined
  /** For every mode of the model what its item is, if its probabilities follow from parameters of their own. */
  readonly items?: readonly (ItemSetting | undefined)[] | undefined
  /** What links the rows of the data, if anything does: a session then has one mode more, the tables of the links. */
  readonly links?: LinkSetting | undefined
  /** What keeps every model of the run within its constraints. */
  readonly projector?: ConstraintProjector | undefined
  /** Passes of plain EM before acceleration. Default 20. */
  readonly warmUp?: number | undefined
  /** How many steps acceleration remembers at most. */
  readonly pairs?: number | undefined
  /** An objective that must be beaten: a run that will not get there is abandoned. */
  readonly target?: number
  /** Whether the session is in single precision: the run ends when that tells no more, and leaves zeros and equal classes to another. */
  readonly rough?: boolean
  /** The objectives of the run that led to the start, if it slowed down: they count for how much is still to come. */
  readonly before?: readonly number[]
  /** Whether the pass of the start is made even if the run is stopped: the model is worth it. */
  readonly whole?: boolean | undefined
  /** The descents of the task that the run is a part of, for a checkpoint. */
  readonly parts?: { next(): RunPart<unknown>; readonly kept: typeof keptDescentOf } | undefined
  /** Looked at between passes, and within those that take long. */
  readonly signal?: StopSignal | undefined
  /** Called after every pass; may return a promise to wait for. */
  readonly onPass?: ((pass: number, loss: number) => void | Promise<void>) | undefined
}
