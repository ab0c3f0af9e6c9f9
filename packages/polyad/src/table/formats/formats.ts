// biome-ignore-all lint/suspicious/noControlCharactersInRegex: files begin with such bytes.
import { OptionError } from '@polyad/core'
import { mention, words } from '@polyad/core/options'
import type { SheetOptions } from '../survey/spreadsheet.ts'
import type { SurveyFile } from '../survey/survey-file.ts'
import { suggestion } from '../values/nearest.ts'
import { latin1 } from './foreign-formats.ts'

interface FormatDefinition {
  /** What people call it. */
  readonly label: string
  /** `text`: fields with a separator; `typed`: values with types; `survey`: read whole, by one of `READERS`; `cells`: a tensor, not a table. */
  readonly kind: 'text' | 'typed' | 'survey' | 'cells'
  /** The endings of file names, in lower case, besides .gz and .zst. */
  readonly extensions: readonly string[]
  /** The endings of files that are written. */
  readonly written?: readonly string[]
  /** The first bytes, as Latin-1, if they identify the format. The first format that matches is taken. */
  readonly begins?: RegExp
  /** The options of reading that apply to some formats only. */
  readonly options?: readonly FormatOption[]
}

const FORMAT_OPTIONS = ['encoding', 'sheet', 'delimiter', 'skipRows', 'base', 'coordinates'] as const
type FormatOption = (typeof FORMAT_OPTIONS)[number]

/** Every format that is read. Options, messages, help and the studio use this table. */
export const FORMATS = {
  csv: {
    label: 'CSV',
    kind: 'text',
    extensions: ['csv', 'txt', 'dat', 'psv'],
    written: ['csv'],
    options: ['delimiter', 'encoding', 'skipRows'],
  },
  tsv: {
    label: 'CSV',
    kind: 'text',
    extensions: ['tsv', 'tab'],
    written: ['tsv'],
    options: ['delimiter', 'encoding', 'skipRows'],
  },
  xlsx: {
    label: 'Excel',
    kind: 'survey',
    extensions: ['xlsx', 'xlsm'],
    written: ['xlsx'],
    options: ['sheet', 'skipRows'],
    begins: /^PK\x03\x04(?!.*opendocument\.spreadsheet).*(\[Content_Types\]\.xml|xl\/|_rels\/|docProps\/)/s,
  },
  ods: {
    label: 'OpenDocument',
    kind: 'survey',
    extensions: ['ods'],
    options: ['sheet', 'skipRows'],
    begins: /^PK\x03\x04.*opendocument\.spreadsheet/s,
  },
  sav: {
    label: 'SPSS',
    kind: 'survey',
    extensions: ['sav', 'zsav'],
    written: ['sav'],
    begins: /^\$FL[23]/,
    options: ['encoding'],
  },
  dta: {
    label: 'Stata',
    kind: 'survey',
    extensions: ['dta'],
    written: ['dta'],
    options: ['encoding'],
    // Before version 13, files begin with the number of their format (102 to 115), the byte order and 1.
    begins: /^(<stata_d|[\x66-\x73][\x01\x02]\x01)/,
  },
  rds: {
    label: 'R',
    kind: 'survey',
    extensions: ['rds', 'rda', 'rdata'],
    options: ['encoding', 'sheet'],
    begins: /^(RD[XAB]\d\n|X\n\0\0\0)/,
  },
  xpt: { label: 'SAS', kind: 'survey', extensions: ['xpt'], begins: /^HEADER R/, options: ['encoding', 'sheet'] },
  parquet: { label: 'Parquet', kind: 'typed', extensions: ['parquet', 'pq'], written: ['parquet'], begins: /^PAR1/ },
  json: {
    label: 'JSON',
    kind: 'typed',
    extensions: ['json', 'ndjson', 'jsonl'],
    written: ['json', 'ndjson'],
    begins: /^\s*[[{]/,
  },
  tns: {
    label: 'FROSTT',
    kind: 'cells',
    extensions: ['tns'],
    written: ['tns'],
    begins: /^(sptensor|tensor)/,
    options: ['base'],
  },
  npy: {
    label: 'NumPy',
    kind: 'cells',
    extensions: ['npy'],
    written: ['npy'],
    begins: /^\x93NUMPY/,
    options: ['coordinates'],
  },
  npz: {
    label: 'NumPy',
    kind: 'cells',
    extensions: ['npz'],
    written: ['npz'],
    begins: /^PK\x03\x04/,
    options: ['coordinates'],
  },
  polyad: { label: 'Polyad', kind: 'cells', extensions: ['polyad'], written: ['polyad'], begins: /^\x89PLAD/ },
} as const satisfies Readonly<Record<string, FormatDefinition>>

export type Format = keyof typeof FORMATS
export type SurveyFormat = { [F in Format]: (typeof FORMATS)[F]['kind'] extends 'survey' ? F : never }[Format]

/** How a file that is read whole is written, as far as it was said. */
type SurveyOptions = SheetOptions & { readonly encoding?: string }
type Reader = (name: string, bytes: Uint8Array, options: SurveyOptions) => Promise<SurveyFile>

/** What reads each format of kind `survey`. Each reader is loaded when the first of its files is read. */
const READERS: Readonly<Record<SurveyFormat, Reader>> = {
  sav: async (name, bytes, { encoding }) => (await import('../survey/sav.ts')).readSav(name, bytes, encoding),
  dta: async (name, bytes, { encoding }) => (await import('../survey/dta.ts')).readDta(name, bytes, encoding),
  xlsx: async (name, bytes, options) =>
    (await import('../survey/spreadsheet.ts')).readSpreadsheet(name, bytes, 'xlsx', options),
  ods: async (name, bytes, options) =>
    (await import('../survey/spreadsheet.ts')).readSpreadsheet(name, bytes, 'ods', options),
  rds: async (...file) => (await import('../survey/r-data.ts')).readR(...file),
  xpt: async (...file) => (await import('../survey/xpt.ts')).readXpt(...file),
}

/** Reads a file of SPSS, Stata, R or SAS, or a spreadsheet. */
export const readSurvey = (
  name: string,
  bytes: Uint8Array,
  format: SurveyFormat,
  options: SurveyOptions = {},
): Promise<SurveyFile> => READERS[format](name, bytes, options)

export const FORMAT_NAMES = Object.keys(FORMATS) as readonly Format[]

const definitionOf = (format: Format): FormatDefinition => FORMATS[format]

/** Whether files of a format are tables, and not cells already. */
export const isTableFormat = (format: Format): boolean => FORMATS[format].kind !== 'cells'

/** Whether files of a format are read here, whole and into memory. */
export const isSurveyFormat = (format: Format | undefined): format is SurveyFormat =>
  format !== undefined && FORMATS[format].kind === 'survey'

/**
 * Whether an option of reading applies to files of a format.
 * @example
 * hasOption('xlsx', 'encoding') // false
 */
export const hasOption = (format: Format, option: FormatOption): boolean =>
  definitionOf(format).options?.includes(option) === true

/** The formats that a test allows, as people call them: "CSV, SPSS and R". */
export const formatLabels = (
  allows: (format: Format) => boolean,
  type: 'conjunction' | 'disjunction' = 'conjunction',
): string => formatsList(new Set(FORMAT_NAMES.filter(allows).map(format => FORMATS[format].label)), type)

/** "a, b and c". */
export const formatsList = (names: Iterable<string>, type: 'conjunction' | 'disjunction'): string => {
  // `Intl.ListFormat` takes longer to load than everything else here.
  const all = [...names]
  const [first, last] = [all.slice(0, -1).join(', '), all.slice(-1).join('')]
  return first === '' ? last : `${first} ${type === 'conjunction' ? 'and' : 'or'} ${last}`
}

/**
 * The formats of tables, as people call them.
 * @example
 * tableLabels().startsWith('CSV, Excel,') // true
 */
export const tableLabels = (): string => formatLabels(isTableFormat, 'disjunction')

/**
 * The endings of the names of tables, each with its dot.
 * @example
 * tableExtensions().includes('.sav') // true
 */
export const tableExtensions = (): readonly string[] =>
  FORMAT_NAMES.filter(isTableFormat).flatMap(format => FORMATS[format].extensions.map(extension => `.${extension}`))

/** The endings of the names of files that are written, each with its dot: of tables, or of all formats. */
export const writtenExtensions = (allows: (format: Format) => boolean = () => true): string[] =>
  FORMAT_NAMES.filter(allows).flatMap(format => definitionOf(format).written?.map(ending => `.${ending}`) ?? [])

export const checkFormat = (format: string): Format => {
  if (Object.hasOwn(FORMATS, format)) return format as Format
  throw new OptionError(`there is no format ${JSON.stringify(format)}${suggestion(format, FORMAT_NAMES)}`)
}

/** Refuses an option that files of this format have no use for, such as a sheet of a CSV. */
export const checkFormatOptions = (path: string, format: Format, options: object): void => {
  for (const name of FORMAT_OPTIONS)
    if ((options as Readonly<Record<string, unknown>>)[name] !== undefined && !hasOption(format, name))
      throw new OptionError(
        words`${mention(name)} is for ${formatLabels(each => hasOption(each, name))} files, and ${path} is a .${format} file`,
      )
}

/**
 * The format that a file's name says, leaving .gz and .zst aside; undefined if it says nothing.
 * @example
 * formatOfName('survey.TXT.gz') // 'csv'
 */
export const formatOfName = (path: string): Format | undefined => {
  const extension = /\.([a-z0-9]+)(\.(gz|zst))?$/.exec(path.toLowerCase())?.[1] ?? ''
  return FORMAT_NAMES.find(format => definitionOf(format).extensions.includes(extension))
}

/** The format that a file's first bytes show. Text that is not JSON is read as CSV. */
export const formatOfBytes = (head: Uint8Array): Format => {
  const start = latin1(head.subarray(0, 4096))
  return FORMAT_NAMES.find(format => definitionOf(format).begins?.test(start)) ?? 'csv'
}
