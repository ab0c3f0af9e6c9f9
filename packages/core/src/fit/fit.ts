import { defined } from '../defined.ts'
import type { Engine, Session } from '../engine/engine.ts'
import { wasmEngine } from '../engine/wasm/wasm-engine.ts'
import { DataError, OptionError, type StopSignal, show } from '../errors.ts'
import { loadPart } from '../load-part.ts'
import { checkedOptions } from '../options.ts'
import { type Counts, hasCells, type Tensor } from '../tensor/tensor.ts'
import { openedCheckpoint, withCheckpoint } from './checkpoint/with-checkpoint.ts'
import { withDeadline } from './deadline.ts'
import { FIT_OPTIONS, type FitOptions, type SessionFitOptions } from './fit-options.ts'
import { type FitResult, fitSession, partsOf, settingOf } from './fit-session.ts'
import { TaskRunner } from './running/task-runner.ts'

/**
 * Fits a model of the given rank: in closed form for rank 1, otherwise by a search with many runs of EM. The data is a tensor, or a session of any engine,
 * which stays open for further fits. Throws `OptionError` for invalid options, and `EngineError` if the engine fails: its
 * `partial` is the best result so far, whose model can be the `init` of another fit.
 * @example
 * const { model, verdict } = await fit(answers, { rank: 2, seed: 1 })
 * model.shares // [0.60, 0.40]
 */
export const fit = async (data: Tensor | Session, options: FitOptions): Promise<FitResult> => {
  const counts = countsOf(data)
  await partsOf(counts, options, await settingOf(counts, options))
  return withCheckpoint('fit', checkedOptions('fit', FIT_OPTIONS, options), opened =>
    withRunner(data, { ...options, ...opened }, fitWith),
  )
}

export const isSession = (data: Tensor | Session): data is Session => 'pass' in data

/** What is known of the data without its cells: a session knows it, a tensor is it. */
export const countsOf = (data: Tensor | Session): Counts => {
  const isObject = typeof data === 'object' && data !== null
  if (isObject && isSession(data)) return data.data
  if (isObject && hasCells(data)) return data
  throw new DataError(`the data must be a tensor or a session (got ${show(data)})`)
}

/** Opens a session where a tensor is given, does work on it under the limits of time, and closes what it has opened. */
export const withRunner = async <T, Options extends Partial<FitOptions>>(
  data: Tensor | Session,
  { maxSeconds, signal, engine, threads, checkpoint, ...rest }: Options,
  work: (runner: TaskRunner, options: Omit<Options, 'maxSeconds' | 'engine' | 'threads' | 'checkpoint'>) => Promise<T>,
): Promise<T> =>
  withDeadline({ maxSeconds, signal }, async limit => {
    const session = isSession(data)
      ? givenSession(data, engine, threads)
      : await openSession(data, engine, threads, limit)
    const runner = await TaskRunner.of(session, openedCheckpoint(checkpoint))
    try {
      return await work(runner, { ...rest, ...defined({ signal: limit }) } as never)
    } finally {
      await runner.close()
      if (session !== data) await session.close()
    }
  })

const givenSession = (session: Session, engine: Engine | undefined, threads: number | undefined): Session => {
  if (engine === undefined && threads === undefined) return session
  throw new OptionError(
    engine === undefined ? 'threads' : 'engine',
    'is for a tensor; a session has been opened on an engine already',
  )
}

/** A session on an engine, or on the default one. */
export const openSession = (
  tensor: Tensor,
  engine: Engine | undefined,
  threads: number | undefined,
  signal?: StopSignal,
): Promise<Session> => (engine ?? wasmEngine(threads === undefined ? {} : { threads })).open(tensor, signal)

/** A fit with an existing runner; chooses the width of smoothing where that is asked for. */
export const fitWith = async (runner: TaskRunner, options: SessionFitOptions): Promise<FitResult> => {
  if (options.smoothing !== 'auto') return fitSession(runner, options)
  await settingOf(runner.session.data, options)
  const { chooseWidth } = await loadPart(import('./width.ts'))
  const smoothing = await chooseWidth(runner, options)
  return Object.freeze({ ...(await fitSession(runner, { ...options, smoothing: smoothing.width })), smoothing })
}
