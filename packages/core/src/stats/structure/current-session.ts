import type { Engine, Session } from '../../engine/engine.ts'
import type { StopSignal } from '../../errors.ts'
import { openSession } from '../../fit/fit.ts'
import type { Tensor } from '../../tensor/tensor.ts'

/** A session at a time: it stays open until other data is needed, so that the cells are placed once for all that follows on them. */
export interface CurrentSession {
  on(tensor: Tensor, signal?: StopSignal): Promise<Session>
}

/** Does work with the current session of an engine, and closes it. */
export const withCurrentSession = async <T>(
  { engine, threads }: { readonly engine?: Engine | undefined; readonly threads?: number | undefined },
  work: (current: CurrentSession) => Promise<T>,
): Promise<T> => {
  let open: { readonly tensor: Tensor; readonly session: Session } | undefined
  const close = async () => {
    const last = open
    open = undefined
    await last?.session.close()
  }
  const on = async (tensor: Tensor, signal?: StopSignal): Promise<Session> => {
    if (open?.tensor !== tensor) {
      await close()
      open = { tensor, session: await openSession(tensor, engine, threads, signal) }
    }
    return open.session
  }
  return work({ on }).finally(close)
}
