import { Worker } from 'node:worker_threads'
import { type Leftover, removeLeftover } from '../duckdb/leftovers.ts'
import { packageFile } from '../package-file.ts'
import { type CommandMessage, type CommandStart, OUTPUTS, type SignalMessage } from './framework/command-messages.ts'
import { EXIT_CODES, SIGNALS } from './terminal/interrupt.ts'
import { type LateEnd, PROCESS_IO } from './terminal/io.ts'
import { mannerOf, writeRemark } from './terminal/remark.ts'
import { unfinished } from './terminal/unfinished.ts'

/** How long, in milliseconds, a command that has nothing to save may go on once it is to end. */
const AT_ONCE = 300
/** How long one may take to save and print what there is. */
const SAVING = 3000
/** How long a thread that is ended is waited for: it may be in the middle of a call of the system. */
const ENDING = 300

/**
 * The same signal within so many milliseconds is one: `timeout` of GNU sends it to the process, and to the group that the process is in. Nobody
 * presses Ctrl-C twice as fast.
 */
const ONE_SIGNAL = 150

export interface Supervised {
  /** The exit code, once the command has ended. */
  readonly ended: Promise<number>
  /** Ends the process at once; what the command would have removed is removed. */
  readonly leave: (code: number) => Promise<never>
}

/** What is known of a command under way. */
interface State {
  /** Whether the answer has been printed. */
  answered: boolean
  /** Whether it stops by itself when it is asked to. */
  stoppable: boolean
  /** Whether there is something to save, or to remove from a database. */
  found: boolean
  /** A file with a result. */
  kept: string | undefined
  /** The signal that is to end it. */
  signal: NodeJS.Signals | undefined
  /** How it ends if its time is over before it has answered. */
  late: LateEnd | undefined
  /** Its exit code, once it has said all that it had to say. */
  code: number | undefined
}

/**
 * Runs a command in a thread of its own, and ends it if it does not end itself: a signal, or the end of the time, is heard here while the
 * command computes.
 */
export const supervise = (words: readonly string[]): Supervised => {
  const began = Date.now() - performance.now()
  const worker = new Worker(packageFile('bundle/cli-thread.js'), { workerData: startOf(words, began) })
  const state: State = {
    answered: false,
    stoppable: false,
    found: false,
    kept: undefined,
    signal: undefined,
    late: undefined,
    code: undefined,
  }
  const leftovers = new Map<string, Leftover>()
  const timers = new Set<NodeJS.Timeout>()
  const after = (milliseconds: number, work: () => void) =>
    // A timer takes at most 2³¹ milliseconds.
    void timers.add(setTimeout(work, Math.min(2 ** 31 - 1, Math.max(0, milliseconds))))

  let leaving = false
  const leave: Supervised['leave'] = async code => {
    leaving = true
    await Promise.race([worker.terminate(), new Promise(done => setTimeout(done, ENDING))])
    for (const leftover of leftovers.values()) removeLeftover(leftover)
    process.exit(code)
  }
  /** Ends the command, unless it does so itself in the time that it needs to save what there is. */
  const endSoon = (tell: () => number) => {
    const end = () => void leave(state.code ?? tell())
    after(AT_ONCE, () => {
      if (state.found && state.code === undefined) after(SAVING - AT_ONCE, end)
      else end()
    })
  }

  let signalled = 0
  const caught = (signal: NodeJS.Signals) => {
    const code = EXIT_CODES[signal as keyof typeof EXIT_CODES]
    if (state.signal === signal && performance.now() - signalled < ONE_SIGNAL) return
    if (state.signal !== undefined) return void leave(code)
    state.signal = signal
    signalled = performance.now()
    worker.postMessage({ signal } satisfies SignalMessage)
    endSoon(() => {
      if (state.late?.code === 0) timeUp(state)
      else if (state.stoppable && !state.answered) {
        process.stderr.write(clearing())
        writeRemark(PROCESS_IO, mannerOf(words).progress, {
          kind: 'warning',
          code: 'stopped',
          message: stoppedText(state),
        })
      }
      return code
    })
  }
  for (const signal of SIGNALS) process.on(signal, caught)

  worker.on('message', (message: CommandMessage) => {
    switch (message.kind) {
      case 'text':
        // What was said in its place is the answer.
        if (leaving) break
        process[message.to].write(message.text)
        if (message.to === 'stdout') state.answered = true
        break
      case 'stoppable':
        state.stoppable = true
        break
      case 'found':
        state.found = true
        break
      case 'kept':
        state.found = true
        state.kept = message.path
        break
      case 'over':
        state.code = message.code
        break
      case 'late':
        state.late = message.late
        break
      case 'limit':
        after(began + message.seconds * 1000 - Date.now(), () => {
          if (state.signal === undefined) endSoon(() => timeUp(state))
        })
        break
      case 'leftover':
        if (message.there) leftovers.set(message.leftover.path, message.leftover)
        else leftovers.delete(message.leftover.path)
    }
  })
  const ended = new Promise<number>(resolve => {
    let failed: Promise<number> | undefined
    worker.on('error', error => {
      failed = failure(error, words, state)
    })
    worker.on('exit', code => {
      for (const timer of timers) clearTimeout(timer)
      for (const signal of SIGNALS) process.off(signal, caught)
      // A thread that ends by itself, and not its command: that waits for what will never come.
      if (failed === undefined && state.code === undefined && !leaving) failed = failure(unfinished(), words, state)
      if (failed === undefined) resolve(code)
      else void failed.then(leave)
    })
  })
  return { ended, leave }
}

const startOf = (words: readonly string[], began: number): CommandStart => {
  const columns = new Int32Array(new SharedArrayBuffer(8))
  const measure = () => {
    for (const [i, name] of OUTPUTS.entries()) columns[i] = process[name].columns ?? 0
  }
  measure()
  for (const name of OUTPUTS) process[name].on('resize', measure)
  const terminals = { stdout: process.stdout.isTTY === true, stderr: process.stderr.isTTY === true }
  return { words, began, terminals, columns }
}

/** What removes the line of progress, which the command can no longer do. */
const clearing = (): string => (process.stderr.isTTY ? '\r\x1b[K' : '')

const stoppedText = ({ kept }: State): string =>
  kept === undefined
    ? 'stopped before there was a result'
    : `stopped before the statistics were computed: the model is in ${kept}`

/** Says what there is, or that the time is over; returns the exit code. An answer that is there stays the only one. */
const timeUp = ({ answered, late }: State): number => {
  if (answered || late === undefined) return 0
  process.stderr.write(clearing() + late.stderr)
  process.stdout.write(late.stdout)
  return late.code
}

/** Reports what has ended the thread, which is a bug, or memory that has run out; returns the exit code. */
const failure = async (error: Error & { code?: string }, words: readonly string[], { answered }: State) => {
  const [{ reportFailure }, { EngineError }] = await Promise.all([
    import('./terminal/failure.ts'),
    import('@polyad/core'),
  ])
  process.stderr.write(clearing())
  const told =
    error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      ? new EngineError(
          'this program has reached its memory limit: use fewer categories or classes, or raise the limit with NODE_OPTIONS=--max-old-space-size=8000 (in MB)',
          { cause: error },
        )
      : error
  const manner = mannerOf(words)
  return reportFailure(told, PROCESS_IO, { ...manner, json: manner.json && !answered })
}
