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
