/**
 * A wrong argument: the message names the option, the rule and the value that broke it.
 * @example
 * await fit(answers, { rank: 0 }).catch(error => error.message) // 'rank must be a whole number ≥ 1 (got 0)'
 */
export class OptionError extends Error {
  override readonly name = 'OptionError'
}

/** Where in the data a fault was found. Rows, cells and lines count from 1, as people do. */
export interface Place {
  readonly row?: number
  readonly cell?: number
  readonly line?: number
  readonly column?: string
}

/**
 * Data that cannot be used: the message says what is wrong and where.
 * @example
 * try {
 *   tensorFromRows([{ vote: 'yes', n: -1 }], { count: 'n' })
 * } catch (error) {
 *   if (error instanceof DataError) error.place // { row: 1, column: 'n' }
 * }
 */
export class DataError extends Error {
  override readonly name = 'DataError'
  readonly place: Place

  constructor(message: string, place: Place = {}, options?: ErrorOptions) {
    super(message, options)
    this.place = place
  }
}

/**
 * An engine that failed while working: the message says what happened, `cause` holds the error beneath.
 * @example
 * const session = await wasmEngine().open(answers)
 * await session.close()
 * await session.pass(model.parameters).catch(error => error instanceof EngineError) // true
 */
export class EngineError extends Error {
  override readonly name = 'EngineError'
}

/** Text of a value for an error message: short, and unmistakable about its type. */
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
): Promise<T | undefined> => {
  try {
    return await work()
  } catch (error) {
    warnings.push(`${what} could not be computed: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}
