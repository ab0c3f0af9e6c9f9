import type { Io } from './io.ts'

/** Ctrl-C and SIGTERM: once asks for an end with what there is, twice ends at once. */
export interface Interrupt {
  readonly signal: AbortSignal
  /** From here on a first signal is answered with the best so far, once the note is told; before, there is nothing to save and it ends at once. */
  readonly graceful: (onFirst: (note: string) => void) => void
  /** Asks for the same end when the time is up. */
  readonly after: (seconds: number | undefined) => void
  /** The exit code of a command that a signal has stopped; undefined where none did. */
  readonly exitCode: () => number | undefined
  readonly release: () => void
}

/** As shells count: 128 and the number of the signal. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const

export const catchInterrupt = ({ signals, leave }: Pick<Io, 'signals' | 'leave'>): Interrupt => {
  const controller = new AbortController()
  let onFirst: ((note: string) => void) | undefined
  let code: number | undefined
  let signalled = false
  let timer: NodeJS.Timeout | undefined
  const caught = (signal: NodeJS.Signals) => {
    code = EXIT_CODES[signal as keyof typeof EXIT_CODES]
    if (onFirst === undefined || signalled) return leave(code)
    signalled = true
    controller.abort()
    onFirst(`stopping${signal === 'SIGINT' ? '; Ctrl-C again to leave at once' : ''}`)
  }
  signals?.on('SIGINT', caught)
  signals?.on('SIGTERM', caught)
  return {
    signal: controller.signal,
    graceful: call => {
      onFirst = call
    },
    after: seconds => {
      if (seconds === undefined) return
      clearTimeout(timer)
      // A timer takes at most 2³¹ milliseconds.
      timer = setTimeout(() => controller.abort(), Math.min(2 ** 31 - 1, Math.max(0, seconds * 1000)))
    },
    exitCode: () => code,
    release: () => {
      clearTimeout(timer)
      signals?.off('SIGINT', caught)
      signals?.off('SIGTERM', caught)
    },
  }
}
