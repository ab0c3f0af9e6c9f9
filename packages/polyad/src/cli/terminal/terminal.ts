import { styleText } from 'node:util'
import { plain, type Style } from '../../report/text-table.ts'

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
  /** The answer: lines for a person, or the object with --json. */
  readonly answer: (lines: () => readonly string[], object: () => unknown) => void
  readonly note: (text: string) => void
  /** Told even with --quiet: what makes the answer other than expected. */
  readonly warn: (text: string) => void
}

const hasColour = (stream: NodeJS.WriteStream): boolean =>
  stream.isTTY === true && (process.env.NO_COLOR ?? '') === '' && process.env.TERM !== 'dumb'

const styleFor = (stream: NodeJS.WriteStream): Style =>
  hasColour(stream) ? (kind, text) => styleText(kind, text) : plain

export const openTerminal = ({ json = false, quiet = false }: OutputOptions): Terminal => {
  const aside = styleFor(process.stderr)
  return {
    json,
    quiet,
    style: styleFor(process.stdout),
    answer: (lines, object) => {
      process.stdout.write(json ? `${JSON.stringify(object(), null, 2)}\n` : `${lines().join('\n')}\n`)
    },
    note: text => {
      if (!quiet) process.stderr.write(`${aside('dim', text)}\n`)
    },
    warn: text => {
      process.stderr.write(`${aside('yellow', `polyad: ${text}`)}\n`)
    },
  }
}
