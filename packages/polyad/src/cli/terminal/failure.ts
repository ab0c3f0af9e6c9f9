import { DataError, EngineError, OptionError } from '@polyad/core'
import { CommanderError } from 'commander'
import { redacted } from '../../engine/sql/address.ts'
import { answerHead } from './answer-head.ts'
import { type Io, PROCESS_IO } from './io.ts'
import { type Manner, writeRemark } from './remark.ts'
import { TimeUp } from './time-limit.ts'

/** Exit codes: what went wrong lies with the data or the machine, or with how the command was called. */
export const FAILED = 1
export const USAGE = 2

const TEXT: Manner = { json: false, progress: 'text' }

/** Reports a failure on standard error, and as an object on standard output if one was asked for; returns the exit code. */
export const reportFailure = (error: unknown, io: Io = PROCESS_IO, { json, progress }: Manner = TEXT): number => {
  const tell = (text: string, code = codeOf(error)) => {
    writeRemark(io, progress, { kind: 'error', code, message: redacted(text) })
    if (json)
      io.stdout.write(
        `${JSON.stringify({ ...answerHead('error'), error: { code, message: redacted(text), ...partsOf(error) } }, null, 2)}\n`,
      )
  }
  if (error instanceof CommanderError) {
    const [first, ...rest] = error.message.replace(/^error: /, '').split('\n')
    tell([first, ...rest].join(' '), 'POLYAD_OPTION')
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
  tell(`an unexpected error; please report it:\n${unknown}`, 'POLYAD_BUG')
  return FAILED
}

const codeOf = (error: unknown): string =>
  error instanceof TimeUp ? 'POLYAD_TIME' : ((error as { readonly code?: string } | undefined)?.code ?? 'POLYAD_BUG')

/** The option that is wrong, or the place in the data. */
const partsOf = (error: unknown): object => {
  if (error instanceof OptionError && error.option !== undefined) return { option: error.option }
  return error instanceof DataError && Object.keys(error.place).length > 0 ? { place: error.place } : {}
}
