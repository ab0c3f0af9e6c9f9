import { styleText } from 'node:util'
import { fold } from '../../report/fold-text.ts'
import { plain, type Style } from '../../report/text-table.ts'
import { columnsOf, hasColour, type Io, type Output } from './io.ts'

/** A message of the library, with its options named as the command line names them. */
export type Flags = (message: string) => string

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
  /** A message of the library with its options named as flags. */
  readonly flags: Flags
  /** Text as it is, on standard output. */
  readonly print: (text: string) => void
  /** The answer: lines for a person, or the object with --json. */
  readonly answer: (lines: () => readonly string[], object: () => unknown) => void
  /** A remark; none with --quiet. */
  readonly note: (text: string) => void
  /** The same, of what makes the answer other than expected. */
  readonly warn: (text: string) => void
}

const styleFor = (output: Output, io: Io): Style =>
  hasColour(output, io) ? (kind, text) => styleText(kind, text) : plain

export const openTerminal = ({ json = false, quiet = false }: OutputOptions, flags: Flags, io: Io): Terminal => {
  const aside = styleFor(io.stderr, io)
  const columns = columnsOf(io.stdout, io) ?? 80
  // What goes to a file or another program is not folded: it may be searched line by line.
  const say = (text: string) => {
    const width = columnsOf(io.stderr, io)
    const lines = text.split('\n')
    io.stderr.write(`${(width === undefined ? lines : lines.flatMap(line => fold(line, width))).join('\n')}\n`)
  }
  return {
    json,
    quiet,
    style: styleFor(io.stdout, io),
    columns,
    flags,
    print: text => void io.stdout.write(text),
    answer: (lines, object) => {
      const text = () => lines().flatMap(line => fold(line, columns)).join('\n') // biome-ignore format: one chain
      io.stdout.write(`${json ? JSON.stringify(object(), null, 2) : text()}\n`)
    },
    note: text => {
      if (!quiet) say(aside('dim', flags(text)))
    },
    warn: text => {
      if (!quiet) say(aside('yellow', `polyad: ${flags(text)}`))
    },
  }
}
