import { styleText } from 'node:util'
import { inWords, type Naming, type Sentence } from '@polyad/core/options'
import { fold, safeLine } from '../../report/text/fold-text.ts'
import { plain, type Style } from '../../report/text/text-table.ts'
import type { Note } from '../../table/values/note.ts'
import { answerHead } from './answer-head.ts'
import { columnsOf, hasColour, type Io, type Output } from './io.ts'

/** Options every command has. */
export interface OutputOptions {
  readonly json?: boolean
  readonly quiet?: boolean
}

/** Where a command speaks: the answer goes to standard output, everything else to standard error. */
export interface Terminal {
  readonly json: boolean
  readonly quiet: boolean
  readonly style: Style
  /** How many columns the answer may take. */
  readonly columns: number
  /** How the command names options of the library. */
  readonly naming: Naming
  /** Text as it is, on standard output. */
  readonly print: (text: string) => void
  /** The answer: lines for a person, or the object with --json. */
  readonly answer: (lines: () => readonly string[], object: () => object) => void
  /** A remark; none with --quiet. */
  readonly note: (text: Sentence) => void
  /** The same, of what makes the answer other than expected. */
  readonly warn: (text: Sentence) => void
  /** What the reader of the data has to say. */
  readonly printNotes: (notes: readonly Note[]) => void
}

const styleFor = (output: Output, io: Io): Style =>
  hasColour(output, io) ? (kind, text) => styleText(kind, text) : plain

/** @param command whose answer is printed */
export const openTerminal = (
  command: string,
  { json = false, quiet = false }: OutputOptions,
  naming: Naming,
  io: Io,
): Terminal => {
  const aside = styleFor(io.stderr, io)
  const columns = columnsOf(io.stdout, io) ?? 80
  // What goes to a file or another program is not folded: it may be searched line by line.
  const say = (text: string) => {
    const width = columnsOf(io.stderr, io)
    const lines = text.split('\n').map(safeLine)
    io.stderr.write(`${(width === undefined ? lines : lines.flatMap(line => fold(line, width))).join('\n')}\n`)
  }
  const note = (text: Sentence) => {
    if (!quiet) say(aside('dim', inWords(text, naming)))
  }
  const warn = (text: Sentence) => {
    if (!quiet) say(aside('yellow', `polyad: ${inWords(text, naming)}`))
  }
  return {
    json,
    quiet,
    columns,
    naming,
    note,
    warn,
    style: styleFor(io.stdout, io),
    print: text => void io.stdout.write(text),
    answer: (lines, object) => {
      const text = () =>
        lines()
          .flatMap(line => fold(safeLine(line), columns))
          .join('\n')
      io.stdout.write(`${json ? JSON.stringify({ ...answerHead(command), ...object() }, null, 2) : text()}\n`)
    },
    printNotes: notes => {
      for (const { kind, text, wording = text } of notes) (kind === 'warning' ? warn : note)(wording)
    },
  }
}
