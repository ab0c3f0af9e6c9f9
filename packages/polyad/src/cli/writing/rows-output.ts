import { OptionError } from '@polyad/core'
import { STANDARD_OUTPUT } from '../../output/write-table.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** Rows and an object cannot both go to standard output. */
export const refuseJson = (output: string | undefined, { json }: Terminal): void => {
  if (json && output === STANDARD_OUTPUT)
    throw new OptionError(
      '-o - and --json both write to standard output: write the rows to a file, or leave --json out',
    )
}

/** The answer of a command that may have written rows to standard output: it then goes where remarks go. */
export const answerAside = (
  output: string | undefined,
  terminal: Terminal,
  lines: () => readonly string[],
  object: () => object,
): void => {
  if (output === STANDARD_OUTPUT)
    terminal.note(
      lines()
        .filter(line => line !== '')
        .join('\n'),
    )
  else terminal.answer(lines, object)
}
