/** How much of the pass's inner loop (cells × modes × classes) may run before the event loop gets its turn. */
const TURN = 4_000_000

/** Lets timers, signals and input have their turn. */
export const eventLoopTurn = (): Promise<void> =>
  new Promise(resolve => {
    const { setImmediate } = globalThis as { setImmediate?: (call: () => void) => unknown }
    if (setImmediate !== undefined) {
      setImmediate(resolve)
      return
    }
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(undefined)
  })

/**
 * A counter of work: `due` is true once in a while, by the work done and never by a clock, so that long work reports
 * its progress and can be stopped, and short work is not slowed.
 */
export const pacer = (workPerPass: number): { readonly due: () => boolean } => {
  let work = 0
  return {
    due: () => {
      work += workPerPass
      if (work < TURN) return false
      work = 0
      return true
    },
  }
}
