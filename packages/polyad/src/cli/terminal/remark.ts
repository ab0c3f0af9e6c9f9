import { styleText } from 'node:util'
import { fold, safeLine } from '../../report/text/fold-text.ts'
import type { WarningCode } from '../../table/values/warning-codes.ts'
import { columnsOf, hasColour, type Io } from './io.ts'

/** How progress, notes, warnings and errors are written on standard error: for a person, or as one JSON object a line. */
export const REMARK_FORMATS = ['text', 'json'] as const
export type RemarkFormat = (typeof REMARK_FORMATS)[number]

/** Something that is said besides the answer. */
export interface Remark {
  readonly kind: 'error' | 'warning' | 'note'
  readonly message: string
  readonly code?: string | WarningCode
}

/** The whole remark in a colour, or its prefix alone. */
const COLOURS = { error: 'red', warning: 'yellow', note: 'dim' } as const

/** The text of a remark as a person reads it. */
export const remarkText = ({ kind, message }: Remark): string => `${kind}: ${message}`

/** What goes to a file or another program is not folded: it may be searched line by line. */
export const writeRemark = (io: Io, format: RemarkFormat, remark: Remark): void => {
  if (format === 'json') return void io.stderr.write(`${JSON.stringify(remark)}\n`)
  const text = remarkText(remark)
  const colour = COLOURS[remark.kind]
  const prefix = `${remark.kind}:`
  const coloured = hasColour(io.stderr, io)
    ? remark.kind === 'error'
      ? `${styleText(colour, prefix)}${text.slice(prefix.length)}`
      : styleText(colour, text)
    : text
  const width = columnsOf(io.stderr, io)
  const lines = coloured.split('\n').map(safeLine)
  io.stderr.write(`${(width === undefined ? lines : lines.flatMap(line => fold(line, width))).join('\n')}\n`)
}

/** How a command line asks to be answered, if it fails before its options are understood. */
export interface Manner {
  readonly json: boolean
  readonly progress: RemarkFormat
}

export const mannerOf = (words: readonly string[]): Manner => ({
  json: words.includes('--json'),
  progress:
    words.includes('--progress=json') || words.some((word, i) => word === '--progress' && words[i + 1] === 'json')
      ? 'json'
      : 'text',
})
