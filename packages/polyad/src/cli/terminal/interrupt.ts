import type { Io } from './io.ts'

/** Ctrl-C, Ctrl-\\, SIGTERM, and a terminal that is closed: once asks for an end with what there is, twice ends at once. */
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

/**
 * The signals that end a command, with their exit codes as shells count: 128 and the number of the signal. Node does not inherit
 * that SIGHUP is ignored (nohup), so catching it takes nothing away.
 */
export const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGQUIT: 131, SIGTERM: 143 } as const
export const SIGNALS = Object.keys(EXIT_CODES) as (keyof typeof EXIT_CODES)[]

export const catchInterrupt = ({ signals, leave, watch }: Pick<Io, 'signals' | 'leave' | 'watch'>): Interrupt => {
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
    onFirst(`stopping${signal === 'SIGINT' ? '; press Ctrl-C again to quit at once' : ''}`)
  }
  for (const signal of SIGNALS) signals?.on(signal, caught)
  return {
    signal: controller.signal,
    graceful: call => {
      onFirst = call
      watch?.stoppable()
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
      for (const signal of SIGNALS) signals?.off(signal, caught)
    },
  }
}
