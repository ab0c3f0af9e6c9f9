/** The thread that a command runs in, started by `supervise.ts`. */
import { EventEmitter } from 'node:events'
import module from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { tellLeftovers } from '../duckdb/leftovers.ts'
import type { CommandMessage, CommandStart, OutputName, SignalMessage } from './framework/command-messages.ts'
import { OUTPUTS } from './framework/command-messages.ts'
import { gathered, type Io, PROCESS_IO } from './terminal/io.ts'
import { mannerOf } from './terminal/remark.ts'

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

/** Text is sent as messages, which leave at once: the streams of a thread wait for its next turn. */
const output = (name: OutputName): Io['stdout'] => ({
  isTTY: terminals[name],
  get columns() {
    return columns[OUTPUTS.indexOf(name)]
  },
  write: text => post({ kind: 'text', to: name, text }),
})

const [{ runProgram }, { reportFailure }, { timeUp }] = await Promise.all([
  import('./program.ts'),
  import('./terminal/failure.ts'),
  import('./terminal/time-limit.ts'),
])

let limit: number | undefined
let saved: string | undefined
let work: string | undefined
/** Whether there is an answer for that end. */
let answered = false

/** Makes what is said if the time passes now: loading the code for it later would take longer than a command may be late. */
const tellLateEnd = (): void => {
  if (limit === undefined || answered) return
  const before = saved === undefined ? 'there was a result' : `the statistics were computed (the model is in ${saved})`
  const error = timeUp(limit, work === undefined ? `before ${before}` : `while ${work}`)
  const { io, said } = gathered({ ...PROCESS_IO, stdout: output('stdout'), stderr: output('stderr') })
  const code = reportFailure(error, io, mannerOf(words))
  post({ kind: 'late', late: { ...said, code } })
}

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
    limit: seconds => {
      limit = seconds
      tellLateEnd()
      post({ kind: 'limit', seconds })
    },
    working: what => {
      work = what
      tellLateEnd()
    },
    stoppable: () => post({ kind: 'stoppable' }),
    found: () => post({ kind: 'found' }),
    kept: path => {
      saved = path
      tellLateEnd()
      post({ kind: 'kept', path })
    },
    answer: late => {
      answered = true
      post({ kind: 'late', late })
      post({ kind: 'found' })
    },
  },
})
post({ kind: 'over', code })
process.exitCode = code
