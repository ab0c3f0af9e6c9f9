import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Format } from '../../source/files.ts'
import { FORMATS } from '../../source/files.ts'
import type { SourceOptions } from '../../source/readers.ts'
import { moreNames, wholeNumber } from './option-values.ts'

/** Options of every command that reads data, as the command line gives them. */
export interface DataOptions {
  readonly modes?: string[]
  readonly except?: string[]
  readonly count?: string
  readonly bin?: string[]
  readonly top?: number
  readonly missing?: string[]
  readonly missingOnly?: string[]
  readonly missingAs?: string
  readonly trim?: boolean
  readonly ignoreCase?: boolean
  readonly sql?: string
  readonly format?: Format
  readonly delimiter?: string
  readonly header: boolean
  readonly base?: '0' | '1'
  readonly coordinates?: boolean
  readonly memory?: string
}

const DATA = 'Data:'

const memory = (text: string): string => {
  if (/^\d+(\.\d+)? ?[KMGT]i?B$/i.test(text)) return text
  throw new InvalidArgumentError('It must be a size such as 4GB.')
}

/** The argument and the options by which a command is told what to read. */
export const withData = (command: Command): Command =>
  withTableOptions(command.argument('[data...]', 'files, patterns such as "part-*.csv", or - for standard input'))

export const withTableOptions = (command: Command): Command =>
  command
    .optionsGroup(DATA)
    .option('-m, --modes <names>', 'columns to use, with commas (default: those that look categorical)', moreNames)
    .option('--except <names>', 'columns to leave out', moreNames)
    .option('-c, --count <name>', 'the column that says how often a row was seen; none: every row once')
    .option(
      '-b, --bin <column:how>',
      'cut numbers or dates: x:0.1 (width), x:q5 (quantiles), x:int, t:hour, t:weekday, …',
      moreNames,
    )
    .option('--top <n>', 'keep the n most frequent labels of each mode, merge the rest', wholeNumber(1))
    .option('--missing <texts>', 'what means missing beside empty, NA, NULL and NaN, with commas', moreNames)
    .option('--missing-only <texts>', 'what means missing beside empty, in place of NA, NULL and NaN', moreNames)
    .option('--missing-as <label>', 'make missing values a label of this name')
    .option('--trim', 'take blanks off both ends of values')
    .option('--ignore-case', 'join labels that differ only by case')
    .option('--sql <query>', 'a SQL query over files; the files named are its table data')
    .addOption(new Option('--format <name>', 'what the file is, where its name does not say').choices(FORMATS))
    .option('--delimiter <character>', 'what separates the fields of a CSV file (default: found from its header)')
    .option('--no-header', 'the first line is data; columns are column1, column2, …')
    .addOption(new Option('--base <n>', 'whether the indices of a .tns file count from 0 or 1').choices(['0', '1']))
    .option('--coordinates', 'a two-way .npy array is a list of cells: indices and then the value')
    .option('--memory <size>', 'memory for reading tables before temporary files are used (default: 1GB)', memory)

/** The same as the source layer takes them: without the keys nobody set. */
export const sourceOptions = (options: DataOptions): SourceOptions => {
  const { bin, base, header, missingOnly, ...same } = options
  const kept = (({
    modes,
    except,
    count,
    top,
    missing,
    missingAs,
    trim,
    ignoreCase,
    sql,
    format,
    delimiter,
    coordinates,
    memory,
  }) => ({
    modes,
    except,
    count,
    top,
    missing,
    missingAs,
    trim,
    ignoreCase,
    sql,
    format,
    delimiter,
    coordinates,
    memory,
  }))(same)
  const defined = Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined))
  return {
    ...(defined as SourceOptions),
    ...(bin === undefined ? {} : { bins: bin }),
    ...(base === undefined ? {} : { base: base === '0' ? 0 : 1 }),
    ...(header ? {} : { header }),
    ...(missingOnly === undefined ? {} : { missingOnly: ['', ...missingOnly] }),
  }
}
