import type { SourceOptions } from '../../source/readers.ts'
import { SOURCE_OPTIONS } from '../../source/source-options.ts'
import { FORMAT_NAMES, formatLabels, hasOption, isTableFormat } from '../../table/formats/formats.ts'
import { namesColumns } from '../../table/values/column-code.ts'
import type { CommandArgument, CommandOption, OptionGroup } from './definition.ts'
import { given, names, optionsOf } from './option-values.ts'

/** Options of every command that reads data, as the command line gives them. */
export interface DataOptions
  extends Omit<
    SourceOptions,
    'modes' | 'bins' | 'missingIn' | 'header' | 'weights' | 'design' | 'include' | 'threads' | 'signal' | 'onProgress'
  > {
  readonly variables?: readonly string[]
  readonly bin?: readonly string[]
  /** As they were written: codes of all columns, and of single ones. */
  readonly missing?: readonly string[]
  readonly header?: boolean
  readonly keep?: string
}

const option = optionsOf(SOURCE_OPTIONS)

export const DATA_ARGUMENT: CommandArgument = {
  name: '[data...]',
  text: 'files, patterns such as "part-*.csv", - for standard input, or duckdb:///file/table',
}

export const COUNT: CommandOption = option('count', 'column of frequencies (none: every row counts once)', {
  short: 'c',
})

/** Numbers that name things. */
export const CATEGORIES: CommandOption = option(
  'categories',
  'variables whose numbers are codes without an order (comma-separated; default: numbers have an order, and are quantities as covariates and outcomes)',
  { value: 'names' },
)

const ROWS = "rows to use: \"age >= 18 and country in ('DE', 'AT') and trust is not missing\""
const WHERE = option('where', `${ROWS} (default: all)`, { value: 'condition' })
const SQL = option('sql', 'SQL query; in it, the table data stands for the files', { value: 'query' })
const FORMAT = option('format', 'format of the file (default: from its name)')

const SHEETS = formatLabels(format => hasOption(format, 'sheet'), 'disjunction')

/** How to read a table, whatever is wanted of it. */
const READING: readonly CommandOption[] = [
  option('delimiter', 'separator of the fields in a CSV file (default: detected)', {
    value: 'character',
  }),
  option('encoding', 'encoding of a text file: windows-1252, latin1, … (default: UTF-8)'),
  option('sheet', `sheet or table of an ${SHEETS} file, by name or number (default: the first)`),
  option('header', 'read the first line as column names, even if it looks like data (default: detected)'),
  option('header', 'read the first line as data; columns are named column1, column2, …', { flags: '--no-header' }),
  option('skipRows', 'lines of a text file, or rows of a sheet, to skip before the column names (default: 0)'),
]

export const MEMORY: CommandOption = option(
  'memory',
  'memory limit for reading tables, beyond which temporary files are used (default: 1GB)',
  { value: 'size' },
)

/** Where a database has working tables. */
export const SCRATCH: CommandOption = {
  flags: '--scratch <database>',
  text: 'for ClickHouse: database for working tables, if you may only read that of the table (default: that of the table)',
  library: [],
}

export interface ScratchOptions {
  readonly scratch?: string
}

/** The options by which a command is told what to read, and how. */
export const DATA: OptionGroup = {
  title: 'Data',
  options: [
    WHERE,
    option(
      'modes',
      'variables to use (comma-separated; "q*" for all that begin with q; default: columns that look categorical)',
      {
        short: 'm',
        value: 'names',
        alias: '--modes',
      },
    ),
    option('exclude', 'columns to leave out (comma-separated, or a pattern)', { value: 'names', formerly: '--except' }),
    COUNT,
    option('bins', 'cut numbers or dates: x:0.1 (width), x:q5 (quantiles), x:int, t:hour, t:weekday, …', {
      short: 'b',
      value: 'column:how',
    }),
    option('top', 'keep the n most frequent categories of each variable and merge the rest'),
    option(
      'missing',
      'extra codes to treat as missing (comma-separated; repeatable), in every column or in some: 99, trust0:8,9, "q*:77,88"; empty, NA, NULL and NaN always are',
      {
        value: 'codes',
        parse: (text: string, before: readonly string[] = []) => [...before, text],
        library: ['missing', 'missingIn'],
      },
    ),
    option('missingOnly', 'codes to treat as missing instead of NA, NULL and NaN (comma-separated); empty always is', {
      value: 'values',
      parse: (text: string, before: readonly string[] = ['']) => [...before, ...names(text)],
    }),
    option('missingAs', 'make missing values a category of this name', { value: 'label' }),
    option(
      'recode',
      'categories to merge or rename (repeatable): q1:1,2=low,3=high, or "q*:9=other" for several columns; categories that are not named stay',
      { value: 'column:old=new', parse: (text: string, before: readonly string[] = []) => [...before, text] },
    ),
    CATEGORIES,
    option(
      'order',
      'categories of a variable in their order (repeatable): q1=low,middle,high, or "att*=…" for several (default: as the categories suggest, else alphabetical)',
      { value: 'column=categories', parse: (text: string, before: readonly string[] = []) => [...before, text] },
    ),
    option('trim', 'remove blanks at both ends of values'),
    option('ignoreCase', 'merge categories that differ only in case'),
    option('timeZone', 'time zone for cutting times that have a UTC offset, such as Europe/Berlin (default: UTC)'),
    option('decimal', 'decimal separator: , or . (default: detected for each column)', { value: 'character' }),
    option('thousands', 'thousands separator: , or .', { value: 'character' }),
    SQL,
    FORMAT,
    ...READING,
    option('base', 'first index in a .tns file: 0 or 1'),
    option('coordinates', 'read a two-way .npy array as a list of cells: indices, then the value'),
    MEMORY,
  ],
}

/** The same for commands that can leave the cells on disk. */
export const OPEN_DATA: OptionGroup = {
  title: DATA.title,
  options: [
    ...DATA.options.filter(option => option !== MEMORY),
    {
      ...MEMORY,
      text: 'memory limit for everything: cells that need more stay on disk, and a fit that needs more keeps less history and fewer models, which can change its result; Polyad then warns (default: half of the free memory, for cells)',
    },
    {
      flags: '--keep <file>',
      text: 'keep the cells in a .polyad file, which opens at once next time',
      writes: true,
    },
  ],
}

/** How to read new data for a model, which knows itself what to read. */
export const TABLE_READING: readonly CommandOption[] = [
  { ...WHERE, text: `${ROWS} (default: all, whatever rows the model was fitted to)` },
  SQL,
  { ...FORMAT, choices: FORMAT_NAMES.filter(isTableFormat) },
  ...READING,
  MEMORY,
]

const NAMES = Object.keys(SOURCE_OPTIONS) as (keyof typeof SOURCE_OPTIONS)[]

/** The same as the source layer takes them: without the keys nobody set. */
export const sourceOptions = ({
  variables: modes,
  bin: bins,
  header,
  missing: codes = [],
  ...options
}: DataOptions): SourceOptions => {
  const some = (texts: readonly string[]) => (texts.length === 0 ? undefined : texts)
  const missing = some(codes.filter(text => !namesColumns(text)).flatMap(names))
  const missingIn = some(codes.filter(namesColumns))
  return given({ ...options, modes, missing, missingIn, bins, header } as SourceOptions, NAMES)
}
