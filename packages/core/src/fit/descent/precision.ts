import { defined } from '../../defined.ts'
import type { Session } from '../../engine/engine.ts'
import { EngineError } from '../../errors.ts'
import type { ModelParameters } from '../../model/parameters.ts'
import { notBegun, type Run, run } from './run.ts'
import type { RunOptions } from './run-options.ts'

/** Passes of plain EM before acceleration in double precision: the run is already near an optimum. */
const WARM_UP = 3
/** Runs of fewer passes that are not preliminary are in double precision: there is nothing to gain. */
const FEW = 8
/** Passes that are left for double precision. */
const RESERVE = 4

/**
 * Runs in single precision, if there is a session for it, as far as that can tell, and goes on in double from there to the end. The loss, the trace and the reason are those
 * in double; the passes are counted together. A preliminary run stays in single precision, and says so (`rough`). If single precision fails,
 * the run goes on in double from the last model that it gave, or from the start.
 */
export const runByPrecision = async (
  session: Session,
  single: Session | undefined,
  start: ModelParameters,
  options: RunOptions,
): Promise<Run> => {
  const { stopping, onPass } = options
  if (single === undefined || single.suits?.(start.rank) === false || !isSuited(options))
    return run(session, start, options)
  const preliminary = stopping.preliminary === true
  const rough = await roughRun(session, single, start, {
    ...options,
    stopping: { ...stopping, maxPasses: stopping.maxPasses - (preliminary ? 0 : RESERVE) },
  })
  const { passes } = rough
  const fallback = rough.failure?.message
  const begun = Number.isFinite(rough.objective)
  if (preliminary && begun && fallback === undefined) return { ...rough, rough: single.traits.precision }
  const rest = { ...stopping, maxPasses: Math.max(2, stopping.maxPasses - passes) }
  const further = {
    ...options,
    stopping: rest,
    ...(onPass && { onPass: (pass: number, loss: number) => onPass(passes + pass, loss) }),
  }
  const end = await run(session, begun ? rough.parameters : start, {
    ...further,
    ...(begun && { warmUp: Math.min(WARM_UP, options.warmUp ?? WARM_UP), whole: true }),
    // A run that did not slow down, but only came to where rounding hides what it gains, says nothing of what is to come.
    ...(rough.reason === 'settled' && { before: rough.trace }),
  })
  return { ...end, passes: passes + end.passes, ...defined({ fallback }) }
}

/** Where a run does more with its models than sums over the cells, every step is in double. */
const isSuited = ({
  projector,
  explained,
  items,
  links,
  steps,
  stopping: { maxPasses, preliminary },
}: RunOptions): boolean =>
  projector === undefined &&
  explained === undefined &&
  items === undefined &&
  links === undefined &&
  steps.every(step => step.descends) &&
  (preliminary === true || maxPasses >= FEW)

const roughRun = async (
  session: Session,
  single: Session,
  start: ModelParameters,
  options: RunOptions,
): Promise<Run> => {
  let passes = 0
  const onPass = (pass: number, loss: number) => {
    passes = pass
    return options.onPass?.(pass, loss)
  }
  // Priors look at every parameter, wherever the session keeps them.
  const own = options.steps.every(step => step.plain) ? single.sweeps : undefined
  try {
    return await run(single, start, { ...options, onPass, rough: true }, own ?? session.sweeps)
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return { ...notBegun(start, passes, 'failed'), failure: error }
  }
}
