import { InvalidArgumentError } from 'commander'
import type { SourceOptions } from '../../source/readers.ts'
import type { Format } from '../../table/files/formats.ts'
import { FORMATS } from '../../table/files/formats.ts'
import type { CommandArgument, CommandOption, OptionGroup } from './definition.ts'
import { asWholeNumber, moreNames } from './option-values.ts'

/** Options of every command that reads data, as the command line gives them. */
export interface DataOptions {
  readonly modes?: string[]
  readonly exclude?: string[]
  readonly count?: string
  readonly bin?: string[]
  readonly top?: number
  readonly missing?: string[]
  readonly missingOnly?: string[]
  readonly missingAs?: string
  readonly trim?: boolean
  readonly ignoreCase?: boolean
  readonly timeZone?: string
  readonly sql?: string
  readonly format?: Format
  readonly delimiter?: string
  readonly header: boolean
  readonly base?: '0' | '1'
  readonly coordinates?: boolean
  readonly memory?: string
  readonly keep?: string
}

const memory = (text: string): string => {
  if (/^\d+(\.\d+)? ?[KMGT]i?B$/i.test(text)) return text
  throw new InvalidArgumentError('It must be a size such as 4GB.')
}

export const DATA_ARGUMENT: CommandArgument = {
  name: '[data...]',
  text: 'files, patterns such as "part-*.csv", - for standard input, or duckdb:///file/table',
}

export const COUNT: CommandOption = {
  flags: '-c, --count <name>',
  text: 'the column that says how often a row was seen; none: every row once',
}

export const SQL: CommandOption = {
  flags: '--sql <query>',
  text: 'a SQL query over files; the files named are its table data',
}

const formatOption = (choices: readonly string[]): CommandOption => ({
  flags: '--format <name>',
  text: 'what the file is, where its name does not say',
  choices,
})

/** How to read a table, whatever is wanted of it. */
const READING: readonly CommandOption[] = [
  {
    flags: '--delimiter <character>',
    text: 'what separates the fields of a CSV file (default: found from its header)',
  },
  { flags: '--no-header', text: 'the first line is data; columns are column1, column2, …' },
]

export const MEMORY: CommandOption = {
  flags: '--memory <size>',
  text: 'memory for reading tables before temporary files are used (default: 1GB)',
  parse: memory,
}

/** The options by which a command is told what to read, and how. */
export const DATA: OptionGroup = {
  title: 'Data',
  options: [
    {
      flags: '-m, --modes <names>',
      text: 'columns to use, with commas (default: those that look categorical)',
      parse: moreNames,
    },
    { flags: '--exclude <names>', text: 'columns to leave out', parse: moreNames, formerly: '--except' },
    COUNT,
    {
      flags: '-b, --bin <column:how>',
      text: 'cut numbers or dates: x:0.1 (width), x:q5 (quantiles), x:int, t:hour, t:weekday, …',
      parse: moreNames,
      library: ['bins', 'bin'],
    },
    {
      flags: '--top <n>',
      text: 'keep the n most frequent labels of each mode, merge the rest',
      parse: asWholeNumber(1),
    },
    {
      flags: '--missing <values>',
      text: 'extra codes to treat as missing (comma-separated); empty, NA, NULL and NaN always are',
      parse: moreNames,
    },
    {
      flags: '--missing-only <values>',
      text: 'what means missing beside empty, in place of NA, NULL and NaN',
      parse: moreNames,
    },
    { flags: '--missing-as <label>', text: 'make missing values a label of this name' },
    { flags: '--trim', text: 'take blanks off both ends of values' },
    { flags: '--ignore-case', text: 'join labels that differ only by case' },
    {
      flags: '--time-zone <name>',
      text: 'time zone for cutting times that have a UTC offset, such as Europe/Berlin (default: UTC)',
    },
    SQL,
    formatOption(FORMATS),
    ...READING,
    { flags: '--base <n>', text: 'whether the indices of a .tns file count from 0 or 1', choices: ['0', '1'] },
    { flags: '--coordinates', text: 'a two-way .npy array is a list of cells: indices and then the value' },
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
      text: 'memory to use in all: cells that need more stay on disk (default: half of what is free)',
    },
    {
      flags: '--keep <file>',
      text: 'keep the cells in a file (.polyad), to be opened again at once',
    },
  ],
}

/** How to read new data for a model, which knows itself what to read. */
export const TABLE_READING: readonly CommandOption[] = [SQL, formatOption(FORMATS.slice(0, 4)), ...READING, MEMORY]

/** The same as the source layer takes them: without the keys nobody set. */
export const sourceOptions = (options: DataOptions): SourceOptions => {
  const { bin, base, header, missingOnly, modes, exclude, count, top, missing, missingAs, trim, ignoreCase, timeZone } =
    options
  const { sql, format, delimiter, coordinates, memory } = options
  const same = {
    ...{ modes, exclude, count, top, missing, missingAs, trim, ignoreCase, timeZone },
    ...{ sql, format, delimiter, coordinates, memory },
  }
  return {
    ...(Object.fromEntries(Object.entries(same).filter(([, value]) => value !== undefined)) as SourceOptions),
    ...(bin === undefined ? {} : { bins: bin }),
    ...(base === undefined ? {} : { base: base === '0' ? 0 : 1 }),
    ...(header ? {} : { header }),
    ...(missingOnly === undefined ? {} : { missingOnly: ['', ...missingOnly] }),
  }
}
