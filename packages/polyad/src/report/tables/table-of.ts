import { OptionError, type StandardErrors } from '@polyad/core'
import { checkedOptions } from '@polyad/core/options'
import { distalTable } from './distal.ts'
import { type FitSource, fitTable } from './fit.ts'
import { csvTable } from './formats/csv.ts'
import { docxTable } from './formats/docx.ts'
import { htmlTable } from './formats/html.ts'
import { latexTable } from './formats/latex.ts'
import { markdownTable } from './formats/markdown.ts'
import type { PaperTable } from './formats/paper-table.ts'
import { xlsxTable } from './formats/xlsx.ts'
import { mixesTable, transitionsTable } from './linked.ts'
import { oddsTable, regressTable } from './odds.ts'
import { type PaperTableOptions, TABLE_OPTIONS } from './options.ts'
import { type ModelSource, profilesTable } from './profiles.ts'

export const TABLE_KINDS = ['profiles', 'fit', 'odds', 'distal', 'transitions', 'mixes'] as const
export type TableKind = (typeof TABLE_KINDS)[number]

export const TABLE_FORMATS = ['docx', 'xlsx', 'tex', 'md', 'csv', 'html'] as const
export type TableFormat = (typeof TABLE_FORMATS)[number]

/** What a table is made from: models with the records of their files, and objects that commands printed with `--json`. */
export interface TableSource extends FitSource {
  /** Of profiles, odds, transitions and mixes: standard errors of the model. Default: those that its file has. */
  readonly errors?: StandardErrors
}

/** Options that say something of some kinds of tables alone. */
const ONLY_OF = {
  names: ['profiles', 'odds', 'distal', 'transitions', 'mixes'],
  percent: ['profiles', 'distal', 'transitions', 'mixes'],
  variables: ['profiles'],
  category: ['profiles'],
} as const satisfies Partial<Record<keyof PaperTableOptions, readonly TableKind[]>> as Partial<
  Record<keyof PaperTableOptions, readonly string[]>
>

/**
 * A table for a paper as plain values: its title, columns, rows and notes.
 * @example
 * const table = tableOf('profiles', { models: [{ model }] }, { decimals: 2 })
 * table.parts[0].columns.length // 2
 */
export const tableOf = (kind: TableKind, source: TableSource, options: PaperTableOptions = {}): PaperTable => {
  const asked = checkedOptions('tableOf', TABLE_OPTIONS, options)
  for (const [name, kinds] of Object.entries(ONLY_OF))
    if (asked[name as keyof typeof ONLY_OF] !== undefined && !kinds.includes(kind))
      throw new OptionError(name, `is for tables of ${kinds.join(' and ')}, not of ${kind}: leave it out`)
  switch (kind) {
    case 'profiles':
      return profilesTable(oneModel(kind, source), source.errors, asked)
    case 'odds':
      return source.results?.length === 1 && (source.models ?? []).length === 0
        ? regressTable(source.results[0], asked)
        : oddsTable(oneModel(kind, source), source.errors, asked)
    case 'transitions':
      return transitionsTable(oneModel(kind, source), source.errors, asked)
    case 'mixes':
      return mixesTable(oneModel(kind, source), source.errors, asked)
    case 'fit':
      return fitTable(source, asked)
    case 'distal':
      return distalTable(source.results ?? [], asked)
    default:
      throw new OptionError('kind', `must be one of ${TABLE_KINDS.join(', ')}`, kind)
  }
}

const oneModel = (kind: TableKind, { models = [] }: TableSource): ModelSource => {
  if (models.length !== 1) throw new OptionError(`a table of ${kind} shows one model (got ${models.length})`)
  return models[0]
}

/** What a table is in a format: text, the bytes of a Word file, or a promise of those of a workbook, which a library writes. */
export type TableContent<F extends TableFormat> = F extends 'xlsx'
  ? Promise<Uint8Array>
  : F extends 'docx'
    ? Uint8Array
    : string

const WRITERS: { readonly [F in TableFormat]: (table: PaperTable) => TableContent<F> } = {
  docx: docxTable,
  xlsx: xlsxTable,
  tex: latexTable,
  md: markdownTable,
  csv: csvTable,
  html: htmlTable,
}

/**
 * A table as a file has it: text, or bytes for Word and (as a promise) Excel.
 * @example
 * const text = tableText(tableOf('profiles', { models: [{ model }] }), 'md')
 */
export const tableText = <F extends TableFormat>(table: PaperTable, format: F): TableContent<F> =>
  WRITERS[format](table)
