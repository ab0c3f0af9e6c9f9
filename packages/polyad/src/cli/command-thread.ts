/** The thread that a command runs in, started by `supervise.ts`. */
import { EventEmitter } from 'node:events'
import module from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { tellLeftovers } from '../duckdb/leftovers.ts'
import type { CommandMessage, CommandStart, OutputName, SignalMessage } from './running/command-messages.ts'
import { OUTPUTS } from './running/command-messages.ts'
import type { Io } from './terminal/io.ts'

// What was compiled is kept for the next run, in versions of Node that can.
;(module as { enableCompileCache?: () => void }).enableCompileCache?.()

const { words, began, terminals, columns } = workerData as CommandStart
const port = parentPort!
const post = (message: CommandMessage): void => port.postMessage(message)

const signals = new EventEmitter()
port.on('message', ({ signal }: SignalMessage) => void signals.emit(signal, signal))
// Whoever may send a signal does not keep the command alive.
port.unref()
tellLeftovers((leftover, there) => post({ kind: 'leftover', leftover, there }))

/** Text goes by messages, which are on their way at once: the streams of a thread wait for its next turn. */
const output = (name: OutputName): Io['stdout'] => ({
  isTTY: terminals[name],
  get columns() {
    return columns[OUTPUTS.indexOf(name)]
  },
  write: text => post({ kind: 'text', to: name, text }),
})

const { runProgram } = await import('./program.ts')
const code = await runProgram(words, {
  stdout: output('stdout'),
  stderr: output('stderr'),
  env: process.env,
  // The clock of a thread begins with the thread.
  began: performance.now() - (Date.now() - began),
  signals: signals as unknown as NonNullable<Io['signals']>,
  leave: given => {
    post({ kind: 'over', code: given })
    process.exit(given)
  },
  watch: {
    limit: seconds => post({ kind: 'limit', seconds }),
    stoppable: () => post({ kind: 'stoppable' }),
    kept: path => post({ kind: 'kept', path }),
  },
})
post({ kind: 'over', code })
process.exitCode = code
