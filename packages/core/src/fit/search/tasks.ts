import type { Session } from '../../engine/engine.ts'
import { AbortError, throwIfStopped } from '../../errors.ts'
import { loadPart } from '../../load-part.ts'
import type { ItemSetting } from '../../model/items/item.ts'
import type { LinkSetting } from '../../model/links/links.ts'
import type { ModelParameters } from '../../model/parameters.ts'
import { randomStart } from '../../model/random.ts'
import { random as drawsFrom } from '../../numeric/philox.ts'
import { runCooperatively } from '../../thread/cooperative.ts'
import { principalParameters } from '../closed-form/principal-component.ts'
import type { LogitDesign } from '../covariates/logit.ts'
import type { ConstraintSetting } from '../descent/constraints.ts'
import { type MStepSetting, mStepOf } from '../descent/m-step.ts'
import { type Run, run } from '../descent/run.ts'
import type { Algorithm, RunOptions } from '../descent/run-options.ts'
import type { Stopping } from '../descent/stopping.ts'

/** What all tasks of a fit share; plain data, so that it can be sent to a worker. */
export interface TaskSetting {
  readonly rank: number
  readonly seed: number
  readonly algorithm: Algorithm
  readonly steps: readonly MStepSetting[]
  readonly constraints?: ConstraintSetting
  /** How many steps acceleration remembers at most, if memory is limited. */
  readonly pairs?: number
  /** What explains the membership of the classes: the last mode of the data is then its combinations, and not a mode of the model. */
  readonly explained?: LogitDesign
  /** For every mode of the model what its item is, if its probabilities follow from parameters of their own. */
  readonly items?: readonly (ItemSetting | undefined)[]
  /** What links the rows, if anything does. */
  readonly links?: LinkSetting
  /** Whether runs begin in single precision, if the session has it. */
  readonly single?: boolean
}

/** The session in single precision in which runs begin, if they do. */
export const singleFor = ({ single: session }: Session, { single, rank }: TaskSetting): Session | undefined =>
  single && session?.suits?.(rank) !== false ? session : undefined

/** From a random start; where `wide` is above 1, from that many times the classes, merged down after a few passes. */
export interface StartTask {
  readonly kind: 'start'
  readonly start: number
  readonly wide: number
  readonly stopping: Stopping
}

/**
 * One piece of a search: from somewhere to a model, by a number of passes. A pure function of the data, the setting and
 * itself, so that tasks may run in any place and in any order.
 */
export type Task =
  | StartTask
  /** From a model; `whole` has its loss computed even if the task is stopped. */
  | { readonly kind: 'from'; readonly from: ModelParameters; readonly stopping: Stopping; readonly whole?: boolean }
  /** From the classes of two models together, merged down; the second may be a fresh start of its own. */
  | {
      readonly kind: 'cross'
      readonly one: ModelParameters
      readonly other: ModelParameters | { readonly start: number }
      /** A loss that must be beaten: a run that will not is abandoned. */
      readonly target: number
      readonly stopping: Stopping
    }
  /** From a child of two models, which is not finished where it will not get down to the target. */
  | {
      readonly kind: 'child'
      readonly one: ModelParameters
      readonly other: ModelParameters
      /** Which child of the search it is: chance decides by it. */
      readonly child: number
      readonly target: number
      readonly stopping: Stopping
    }

/** A run, and what it cost in passes of the rank that was asked for (a pass of twice the classes counts twice). */
export interface TaskResult {
  readonly run: Run
  readonly cost: number
}

/** What a task looks at and tells while it runs. */
export interface TaskHooks extends Pick<RunOptions, 'signal' | 'onPass' | 'parts'> {
  /** Whether any model is better than none: a task that is stopped then ends with a rough one, if there is one at all. */
  readonly salvage?: boolean | undefined
}

/** Passes with too many classes, before they are merged down. */
export const WIDE_PASSES = 16
/** Passes with the classes of two models together, before they are merged down. */
const CROSS_PASSES = 4
/** Passes of the fresh partner of a cross: enough to have found classes of its own. */
const PARTNER_PASSES = 15
/** Passes of plain EM before acceleration, where the run does not start from nothing. */
const EARLY = 5
/** How much of the average is mixed into classes that are put together: zeros of one model must not bind the other. */
const SOFTEN = 1e-4

/** How a run of a task differs from others; `pooled` says that its rows are not linked. */
type DescentOptions = Partial<Pick<RunOptions, 'warmUp' | 'target' | 'algorithm' | 'whole'>> & {
  readonly pooled?: boolean
}

/** What a cross costs beside the run at its end. */
export const CROSS_OVERHEAD = PARTNER_PASSES + 2 * CROSS_PASSES

/** A pass that takes no longer than about this, in nanoseconds by the engine's own estimate, may be made after a task was stopped. */
const LAST_PASS = 150_000_000

/** Performs a task. One that is stopped ends with the last model of the right rank, or an `AbortError` if it has none. */
export const performTask = async (
  opened: Session,
  setting: TaskSetting,
  task: Task,
  { salvage, ...hooks }: TaskHooks = {},
): Promise<TaskResult> => {
  const { signal } = hooks
  const { rank, seed, algorithm, explained, items, links } = setting
  const linking = links && (await loadPart(import('./linked-start.ts')))
  const session = linking?.linkedSession(opened, links!) ?? opened
  const shape = explained === undefined ? session.data.shape : session.data.shape.slice(0, -1)
  const slopes = explained && (await loadPart(import('../covariates/coefficients.ts')))
  const randomItems = (start: number, classes: number): ModelParameters => {
    const plain = randomStart(shape, classes, seed, start)
    return withItems?.(plain, start) ?? plain
  }
  const random = (start: number, classes: number): ModelParameters => {
    const from = randomItems(start, classes)
    if (linking !== undefined) return linking.linkedStart(from, links!, seed, start)
    // Every other start has slopes too: some optima are only found by what explains them.
    if (slopes === undefined || start % 2 === 0) return from
    const { uniform } = drawsFrom(seed, 'slopes', start)
    return { ...from, coefficients: slopes.randomCoefficients(explained!.terms.length, classes, uniform) }
  }
  const own = items && (await loadPart(import('./item-starts.ts')))
  const withItems = own?.itemStarts(items!, seed, session.data)
  const steps = setting.steps.map(mStepOf)
  const constraints = setting.constraints && (own?.amongFree(setting.constraints, items!) ?? setting.constraints)
  const projecting = constraints && (await loadPart(import('../descent/constraint-projector.ts')))
  const projector = constraints && projecting?.constraintProjector(constraints)
  const descend = async (
    from: ModelParameters,
    stopping: Stopping,
    { pooled = false, ...options }: DescentOptions = {},
  ): Promise<TaskResult> => {
    const all = {
      steps,
      projector,
      explained,
      items,
      links,
      stopping,
      algorithm,
      pairs: setting.pairs,
      ...options,
      ...hooks,
    }
    if (pooled) return costOf(await run(opened, from, { ...all, links: undefined }), from)
    const single = singleFor(session, setting)
    const rough = single && (await loadPart(import('../descent/precision.ts')))
    return costOf(await (rough?.runByPrecision(session, single, from, all) ?? run(session, from, all)), from)
  }
  const costOf = (result: Run, from: ModelParameters): TaskResult => ({
    run: result,
    cost: (result.passes * from.rank) / rank,
  })
  const brief = (from: ModelParameters, passes: number, pooled = false) =>
    descend(
      from,
      { tolerance: 0, stationarity: 0, minGain: 0, maxPasses: passes, preliminary: true },
      { algorithm: 'em', pooled },
    )

  const merging = () => loadPart(import('../closed-form/merge.ts'))

  /** The classes of a model merged down, and a run from there. */
  const narrowed = async (
    { run: wide, cost }: TaskResult,
    stopping: Stopping,
    options: DescentOptions,
    link?: (merged: ModelParameters) => ModelParameters,
  ): Promise<TaskResult> => {
    const { mergeSmallest, mergeSteps } = await merging()
    try {
      throwIfStopped(signal)
      const merged = await runCooperatively(mergeSteps(wide.parameters, rank), signal)
      const narrow = await descend(link?.(merged) ?? merged, stopping, options)
      return { run: narrow.run, cost: narrow.cost + cost }
    } catch (error) {
      if (!(error instanceof AbortError) || salvage !== true) throw error
      if (session.traits.nanosPerPass(rank) > LAST_PASS) throw error
      const once = { steps, projector, explained, items, links, algorithm, stopping: { ...stopping, maxPasses: 1 } }
      const last = await run(session, mergeSmallest(wide.parameters, rank), once)
      return { run: { ...last, reason: 'stopped' }, cost: cost + last.passes }
    }
  }

  switch (task.kind) {
    case 'from':
      // Of linked rows, what a run goes on from is known to be near an optimum.
      return descend(task.from, task.stopping, { whole: task.whole, warmUp: links && EARLY })
    case 'start': {
      if (task.wide <= 1) return descend(random(task.start, rank), task.stopping)
      // Of linked rows, what is merged away need not be linked: passes with so many classes are then cheap.
      const from = (linking ? randomItems : random)(task.start, Math.round(rank * task.wide))
      return narrowed(
        await brief(from, WIDE_PASSES, linking !== undefined),
        task.stopping,
        { warmUp: EARLY },
        linking && (merged => linking.linkedStart(merged, links!, seed, task.start)),
      )
    }
    case 'child': {
      const { one, other, child, target, stopping } = task
      const { factors } = principalParameters(session.data)
      const { offspring } = await loadPart(import('./offspring.ts'))
      const from = offspring(one, other, factors, drawsFrom(seed, 'child', child))
      return descend(from, stopping, { warmUp: EARLY, target })
    }
    case 'cross': {
      let cost = 0
      let partner = task.other as ModelParameters
      if ('start' in task.other) {
        const stopping = { ...task.stopping, maxPasses: Math.min(PARTNER_PASSES, task.stopping.maxPasses) }
        const fresh = await descend(random(task.other.start, rank), stopping, { warmUp: EARLY })
        cost += fresh.cost
        // A start that is already better than both needs no partner.
        if (fresh.run.objective < task.target) return fresh
        partner = fresh.run.parameters
      }
      const { soften, union } = await merging()
      const both = await brief(soften(union(task.one, partner), SOFTEN), CROSS_PASSES)
      return narrowed({ ...both, cost: cost + both.cost }, task.stopping, { warmUp: 3, target: task.target })
    }
  }
}
