import type { PlatformSignal } from './platform-types.ts'
import { inWords, mention, messageOf, type Naming, type Sentence, type Wording, words } from './wording.ts'

/** An error whose message may mention options. */
class WordedError extends Error {
  /** The message in parts, in which options can be given other names; undefined if it mentions none. */
  declare readonly wording: Wording | undefined

  constructor(text: Sentence, options?: ErrorOptions) {
    super(inWords(text), options)
    const isPlain = typeof text === 'string' || text.every(part => typeof part === 'string')
    // Not enumerable: Node prints the fields of an error that a program does not catch.
    Object.defineProperty(this, 'wording', { value: isPlain ? undefined : text, writable: true })
  }
}

/**
 * An invalid argument. The message has the option, the rule and the value. Programs with other names for options can build a message from the parts.
 * @example
 * await fit(answers, { rank: 0 }).catch(error => error.message) // 'rank must be a whole number ≥ 1 (got 0)'
 */
export class OptionError extends WordedError {
  override readonly name = 'OptionError'
  readonly code = 'POLYAD_OPTION'
  /** The option that is wrong; undefined if no single one is. */
  readonly option: string | undefined
  /** What is wrong with it, as it follows its name: `must be a whole number ≥ 1`. */
  readonly rule: Sentence
  /** What was given. */
  readonly value: unknown

  /** From the option, the rule and what was given; or from a whole sentence, if no single option is wrong. */
  constructor(...[text, rule, ...value]: [text: Sentence, rule?: Sentence, ...value: readonly unknown[]]) {
    const got = value.length === 0 ? '' : ` (got ${show(value[0])})`
    super(rule === undefined ? text : words`${mention(text as string)} ${rule}${got}`)
    this.option = rule === undefined ? undefined : (text as string)
    this.rule = rule ?? text
    this.value = value[0]
  }
}

/** The place of an error in the data. Rows, cells and lines count from 1. */
export interface Place {
  readonly row?: number
  readonly cell?: number
  readonly line?: number
  readonly column?: string
}

/**
 * Invalid data. The message has the problem and its place.
 * @example
 * try {
 *   tensorFromRows([{ vote: 'yes', n: -1 }], { count: 'n' })
 * } catch (error) {
 *   if (error instanceof DataError) error.place // { row: 1, column: 'n' }
 * }
 */
export class DataError extends WordedError {
  override readonly name = 'DataError'
  readonly code = 'POLYAD_DATA'
  readonly place: Place

  constructor(text: Sentence, place: Place = {}, options?: ErrorOptions) {
    super(text, options)
    this.place = place
  }
}

/**
 * An engine failure. `cause` is the original error, and `partial` the result until then, if there is one: the best model of `fit`, the finished ranks of
 * `chooseRank`.
 * @example
 * const session = await wasmEngine().open(answers)
 * await session.close()
 * await session.pass(model.parameters).catch(error => error instanceof EngineError) // true
 */
export class EngineError<Finished = unknown> extends WordedError {
  override readonly name = 'EngineError'
  readonly code = 'POLYAD_ENGINE'
  readonly partial: Finished | undefined

  constructor(text: Sentence, { partial, ...options }: ErrorOptions & { readonly partial?: Finished } = {}) {
    super(text, options)
    this.partial = partial
  }

  /** The same failure, with what was finished before it. */
  with<Other>(partial: Other): EngineError<Other> {
    return new EngineError(this.wording ?? this.message, { cause: this.cause ?? this, partial })
  }
}

/** What long work looks at to find out whether to stop: an `AbortSignal`, or as much of one as there is on a thread. */
export type StopSignal = Pick<PlatformSignal, 'aborted'> &
  Partial<Pick<PlatformSignal, 'reason' | 'addEventListener' | 'removeEventListener'>>

/**
 * Work stopped by a signal or a time limit before it had a result; `cause` is the reason of the signal. If there is a partial result, the promise resolves
 * with it instead, with `stopped: true`.
 * @example
 * const signal = AbortSignal.abort('enough')
 * await fit(answers, { rank: 2, signal }).catch(error => error.name) // 'AbortError'
 */
export class AbortError extends Error {
  override readonly name = 'AbortError'
  readonly code = 'POLYAD_ABORT'

  /** @param signal the one that stopped the work @param message what it was stopped before */
  constructor(signal?: StopSignal, message = 'stopped before there was a result') {
    super(message, signal?.reason === undefined ? undefined : { cause: signal.reason })
  }
}

/**
 * The result of some work; undefined if it was stopped before there was one.
 * @example
 * const found = await orStopped(fit(answers, { rank: 2, signal: AbortSignal.abort() }))
 * found // undefined
 */
export const orStopped = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    if (error instanceof AbortError) return undefined
    throw error
  })

/**
 * Throws an `AbortError` if the signal asks for an end.
 * @example
 * const { signal } = new AbortController()
 * throwIfStopped(signal) // what an engine does now and then within a long pass
 */
export const throwIfStopped = (signal: StopSignal | undefined, message?: string): void => {
  if (signal?.aborted) throw new AbortError(signal, message)
}

/**
 * Text of a value for an error message: short, and unmistakable about its type.
 * @example
 * show([1, 2]) // 'an array of 2'
 */
export const show = (value: unknown): string => {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (ArrayBuffer.isView(value)) return `a ${value.constructor.name}`
  if (typeof value === 'object' && value !== null) return 'an object'
  if (typeof value === 'function') return 'a function'
  return String(value)
}

/**
 * The result of some work on top of a finished one; if it fails, undefined, and the reason among the warnings. Nothing that is there
 * already is lost by it.
 * @example
 * const warnings: string[] = []
 * const bic = await attempt('BIC', warnings, async () => (await evaluate(answers, model)).bic)
 * warnings.length // 0
 */
export const attempt = async <T>(
  what: string,
  warnings: string[],
  work: () => T | Promise<T>,
  naming?: Naming,
): Promise<T | undefined> => {
  try {
    return await work()
  } catch (error) {
    const why =
      error instanceof AbortError
        ? 'left out: the run was stopped first'
        : `could not be computed: ${messageOf(error, naming)}`
    warnings.push(`${what} ${why}`)
    return undefined
  }
}

/**
 * What some work found, also if an engine failed before its end: then with the failure. Without anything found, it fails.
 * @example
 * const { found, failure } = await salvaged<FitResult>(fit(answers, { rank: 2, starts: 3 }))
 * failure // undefined
 */
export const salvaged = async <T>(
  work: Promise<T>,
): Promise<{ readonly found: T; readonly failure: EngineError | undefined }> => {
  try {
    return { found: await work, failure: undefined }
  } catch (error) {
    if (!(error instanceof EngineError) || error.partial === undefined) throw error
    return { found: error.partial as T, failure: error }
  }
}
