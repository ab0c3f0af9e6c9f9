import type { Closable } from './platform-types.ts'

/** The symbol by which `await using` finds what to call; where it is not there yet, the one that compilers put in its place. */
const DISPOSE: symbol =
  (Symbol as unknown as { readonly asyncDispose?: symbol }).asyncDispose ?? Symbol.for('Symbol.asyncDispose')

/**
 * Something to be closed, for `await using` too.
 * @example
 * const session = closable({ close: async () => {} })
 * await session.close()
 */
export const closable = <T extends { close(): Promise<void> }>(value: T): T & Closable =>
  Object.assign(value, { [DISPOSE]: () => value.close() }) as T & Closable
