/** Ctrl-C and SIGTERM: once asks for an end at the next pass, twice ends at once. */
export interface Interrupt {
  readonly signal: AbortSignal
  /** From here on a first signal is answered with the best so far; before, there is nothing to save and it ends at once. */
  readonly graceful: (onFirst: () => void) => void
  /** The exit code of a command that was interrupted; undefined where none was. */
  readonly exitCode: () => number | undefined
  readonly release: () => void
}

/** As shells count: 128 and the number of the signal. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const

export const catchInterrupt = (): Interrupt => {
  const controller = new AbortController()
  let onFirst: (() => void) | undefined
  let code: number | undefined
  const caught = (signal: NodeJS.Signals) => {
    code = EXIT_CODES[signal as keyof typeof EXIT_CODES]
    if (onFirst === undefined || controller.signal.aborted) process.exit(code)
    controller.abort()
    onFirst()
  }
  process.on('SIGINT', caught)
  process.on('SIGTERM', caught)
  return {
    signal: controller.signal,
    graceful: call => {
      onFirst = call
    },
    exitCode: () => code,
    release: () => {
      process.off('SIGINT', caught)
      process.off('SIGTERM', caught)
    },
  }
}
