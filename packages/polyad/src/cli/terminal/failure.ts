import { styleText } from 'node:util'
import { DataError, EngineError, OptionError } from '@polyad/core'
import { CommanderError } from 'commander'
import { redacted } from '../../engine/sql/address.ts'
import { fold } from '../../report/fold-text.ts'
import { columnsOf, hasColour, type Io, PROCESS_IO } from './io.ts'
import { TimeUp } from './time-limit.ts'

/** Exit codes: what went wrong lies with the data or the machine, or with how the command was called. */
export const FAILED = 1
export const USAGE = 2

/** Reports a failure on standard error and returns the exit code. */
export const reportFailure = (error: unknown, io: Io = PROCESS_IO): number => {
  const tell = (text: string) => tellOn(io, text)
  if (error instanceof CommanderError) {
    const [first, ...rest] = error.message.replace(/^error: /, '').split('\n')
    tell([first, ...rest].join(' '))
    return USAGE
  }
  if (error instanceof OptionError) {
    tell(error.message)
    return USAGE
  }
  if (error instanceof DataError || error instanceof EngineError || error instanceof TimeUp) {
    tell(error.message)
    return FAILED
  }
  // Whatever else arrives here is a mistake of ours: with its stack, so that it can be reported.
  const unknown = error instanceof Error ? (error.stack ?? error.message) : String(error)
  tell(`an unexpected error; please report it:\n${unknown}`)
  return FAILED
}

const tellOn = (io: Io, text: string): void => {
  const message = redacted(text)
  const prefix = hasColour(io.stderr, io) ? styleText('red', 'polyad:') : 'polyad:'
  const width = columnsOf(io.stderr, io)
  const lines = `${prefix} ${message}`.split('\n')
  io.stderr.write(`${(width === undefined ? lines : lines.flatMap(line => fold(line, width))).join('\n')}\n`)
}
