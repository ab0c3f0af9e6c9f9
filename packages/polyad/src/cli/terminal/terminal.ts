import { styleText } from 'node:util'
import { defined, inWords, type Naming, type Sentence } from '@polyad/core/options'
import { fold, safeLine } from '../../report/text/fold-text.ts'
import { plain, type Style } from '../../report/text/text-table.ts'
import type { Note } from '../../table/values/note.ts'
import type { WarningCode } from '../../table/values/warning-codes.ts'
import { answerHead } from './answer-head.ts'
import { columnsOf, hasColour, type Io, type Output } from './io.ts'
import { type RemarkFormat, writeRemark } from './remark.ts'

/** Options every command has. */
export interface OutputOptions {
  readonly json?: boolean
  readonly quiet?: boolean
  /** How progress, notes and warnings are written. */
  readonly progress?: RemarkFormat
}

/** Where a command speaks: the answer goes to standard output, everything else to standard error. */
export interface Terminal {
  readonly json: boolean
  readonly quiet: boolean
  readonly progress: RemarkFormat
  readonly style: Style
  /** How many columns the answer may take. */
  readonly columns: number
  /** How the command names options of the library. */
  readonly naming: Naming
  /** Text as it is, on standard output. */
  readonly print: (text: string) => void
  /** The answer: lines for a person, or the object with --json. */
  readonly answer: (lines: () => readonly string[], object: () => object) => void
  /** The same, of which another schema says what is in the object. */
  readonly answerAs: (schema: string, lines: () => readonly string[], object: () => object) => void
  /** A remark; none with --quiet. */
  readonly note: (text: Sentence) => void
  /** The same, of what makes the answer other than expected. */
  readonly warn: (code: WarningCode, text: Sentence) => void
  /** What the reader of the data has to say. */
  readonly printNotes: (notes: readonly Note[]) => void
}

const styleFor = (output: Output, io: Io): Style =>
  hasColour(output, io) ? (kind, text) => styleText(kind, text) : plain

/** @param command whose answer is printed */
export const openTerminal = (
  command: string,
  { json = false, quiet = false, progress = 'text' }: OutputOptions,
  naming: Naming,
  io: Io,
): Terminal => {
  const columns = columnsOf(io.stdout, io) ?? 80
  const remark = (kind: 'note' | 'warning', text: Sentence, code?: WarningCode) => {
    if (!quiet) writeRemark(io, progress, { kind, ...defined({ code }), message: inWords(text, naming) })
  }
  const note = (text: Sentence) => remark('note', text)
  const warn = (code: WarningCode, text: Sentence) => remark('warning', text, code)
  const answerAs: Terminal['answerAs'] = (schema, lines, object) => {
    const text = () =>
      lines()
        .flatMap(line => fold(safeLine(line), columns))
        .join('\n')
    io.stdout.write(`${json ? JSON.stringify({ ...answerHead(schema), ...object() }, null, 2) : text()}\n`)
  }
  return {
    json,
    quiet,
    progress,
    columns,
    naming,
    note,
    warn,
    style: styleFor(io.stdout, io),
    print: text => void io.stdout.write(text),
    answer: (lines, object) => answerAs(command, lines, object),
    answerAs,
    printNotes: notes => {
      for (const { kind, text, code, wording = text } of notes)
        remark(kind === 'warning' ? 'warning' : 'note', wording, code)
    },
  }
}
