/**
 * Types of the platform, where a program's own settings know them: in the types of this package nothing of a browser or of Node is
 * taken for granted, so that it can be used with `lib: ["es2022"]` alone.
 */

/** The part of an `AbortSignal` that is used. */
interface SignalShape {
  readonly aborted: boolean
  readonly reason?: unknown
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** An `AbortSignal`. */
export type PlatformSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : SignalShape

/** A `URL`. */
export type PlatformUrl = typeof globalThis extends { URL: { prototype: infer Url } } ? Url : { readonly href: string }

/** A `WebAssembly.Memory`. */
export type PlatformMemory = typeof globalThis extends { WebAssembly: { Memory: { prototype: infer Memory } } }
  ? Memory
  : { readonly buffer: ArrayBufferLike }

/** What `await using` closes: nothing, where the settings do not know of it. */
export type Closable = SymbolConstructor extends { readonly asyncDispose: infer Dispose extends symbol }
  ? { readonly [Key in Dispose]: () => Promise<void> }
  : unknown
