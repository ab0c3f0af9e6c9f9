/** Ctrl-C: once asks for an end at the next pass, twice ends at once. */
export interface Interrupt {
  readonly signal: AbortSignal
  /** From here on a first Ctrl-C is answered with the best so far; before, there is nothing to save and it ends at once. */
  readonly graceful: (onFirst: () => void) => void
  readonly release: () => void
}

export const INTERRUPTED = 130

export const catchInterrupt = (): Interrupt => {
  const controller = new AbortController()
  let onFirst: (() => void) | undefined
  const caught = () => {
    if (onFirst === undefined || controller.signal.aborted) process.exit(INTERRUPTED)
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
    release: () => {
      process.off('SIGINT', caught)
      process.off('SIGTERM', caught)
    },
  }
}
