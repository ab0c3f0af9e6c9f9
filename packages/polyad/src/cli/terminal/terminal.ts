import { styleText } from 'node:util'
import { fold } from '../../report/fold-text.ts'
import { plain, type Style } from '../../report/text-table.ts'

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
  /** The answer: lines for a person, or the object with --json. */
  readonly answer: (lines: () => readonly string[], object: () => unknown) => void
  /** A remark; none with --quiet. */
  readonly note: (text: string) => void
  /** The same, of what makes the answer other than expected. */
  readonly warn: (text: string) => void
}

const hasColour = (stream: NodeJS.WriteStream): boolean =>
  stream.isTTY === true && (process.env.NO_COLOR ?? '') === '' && process.env.TERM !== 'dumb'

const styleFor = (stream: NodeJS.WriteStream): Style =>
  hasColour(stream) ? (kind, text) => styleText(kind, text) : plain

/** Narrower than this nothing can be set in columns. */
const NARROWEST = 40

/** The width of a terminal; undefined where the stream is not one and COLUMNS is not set. */
export const columnsOf = (stream: NodeJS.WriteStream): number | undefined => {
  const asked = Number(process.env.COLUMNS)
  const columns = Number.isInteger(asked) && asked > 0 ? asked : stream.columns
  return columns > 0 ? Math.max(NARROWEST, columns) : undefined
}

export const openTerminal = ({ json = false, quiet = false }: OutputOptions, flags: Flags): Terminal => {
  const aside = styleFor(process.stderr)
  const columns = columnsOf(process.stdout) ?? 80
  // What goes to a file or another program is not folded: it may be searched line by line.
  const say = (text: string) => {
    const width = columnsOf(process.stderr)
    const lines = text.split('\n')
    process.stderr.write(`${(width === undefined ? lines : lines.flatMap(line => fold(line, width))).join('\n')}\n`)
  }
  return {
    json,
    quiet,
    style: styleFor(process.stdout),
    columns,
    flags,
    answer: (lines, object) => {
      const text = () => lines().flatMap(line => fold(line, columns)).join('\n') // biome-ignore format: one chain
      process.stdout.write(`${json ? JSON.stringify(object(), null, 2) : text()}\n`)
    },
    note: text => {
      if (!quiet) say(aside('dim', flags(text)))
    },
    warn: text => {
      if (!quiet) say(aside('yellow', `polyad: ${flags(text)}`))
    },
  }
}
