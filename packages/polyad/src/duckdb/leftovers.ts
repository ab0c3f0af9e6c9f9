import { rmSync } from 'node:fs'

/** What must not outlast this process: a file or a folder, and the process that uses it. */
export interface Leftover {
  readonly path: string
  readonly pid?: number | undefined
}

type Listener = (leftover: Leftover, there: boolean) => void

let tell: Listener = () => {}

/**
 * Has a listener told of everything that is to be removed, and when it is gone. A thread that is ended from outside removes nothing itself:
 * whoever ends it does so in its place.
 */
export const tellLeftovers = (listener: Listener): void => {
  tell = listener
}

/** Removes something when the process ends, however it ends, unless the function that is returned has been called. */
export const removedAtExit = (leftover: Leftover): (() => void) => {
  const remove = () => removeLeftover(leftover)
  process.on('exit', remove)
  tell(leftover, true)
  return () => {
    process.off('exit', remove)
    tell(leftover, false)
  }
}

/** Ends the process, if there is one, and removes the files. */
export const removeLeftover = ({ path, pid }: Leftover): void => {
  // A process that still runs may write to its folder a moment longer than it is asked to.
  if (pid !== undefined && end(pid)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  rmSync(path, { recursive: true, force: true, maxRetries: 3 })
}

const end = (pid: number): boolean => {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    // It is gone already.
    return false
  }
}
