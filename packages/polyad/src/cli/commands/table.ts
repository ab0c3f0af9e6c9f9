import { DataError, OptionError, type StandardErrors } from '@polyad/core'
import { omit, reader } from '@polyad/core/options'
import { isModelFile, loadModel } from '../../output/model-store.ts'
import { checkOutput } from '../../output/overwriting.ts'
import { STANDARD_OUTPUT } from '../../output/write-table.ts'
import { type PaperTableOptions, TABLE_OPTIONS } from '../../report/tables/options.ts'
import {
  TABLE_FORMATS,
  TABLE_KINDS,
  type TableFormat,
  type TableKind,
  type TableSource,
  tableOf,
  tableText,
} from '../../report/tables/table-of.ts'
import { formatOfTable, writeTableFile } from '../../report/tables/write-table-file.ts'
import { checkReadable, readBytes } from '../../source/relation/files.ts'
import { type Call, defineCommand } from '../framework/define-command.ts'
import { DATA_ARGUMENT } from '../options/data-options.ts'
import { LABELS, type LabelsOptions, labelledModel } from '../options/labels-option.ts'
import { MODEL_COUNTS, type ModelDataOptions } from '../options/model-options.ts'
import { given, names, optionsOf } from '../options/option-values.ts'
import { TIMED_OUTPUT } from '../options/output-options.ts'
import { MODEL_SAMPLE, type SampleOptions } from '../options/sample-options.ts'
import { STATISTICS, type StatisticsCommandOptions, standardErrorOptions } from '../options/statistics-options.ts'
import { SUMMARIES } from '../options/summaries.ts'
import { modelErrors, readForModel } from '../reading/read-for-model.ts'
import type { OutputOptions } from '../terminal/terminal.ts'

interface Options
  extends Omit<ModelDataOptions, 'format'>,
    SampleOptions,
    StatisticsCommandOptions,
    PaperTableOptions,
    LabelsOptions,
    OutputOptions {
  readonly kind: TableKind
  readonly output?: string
  readonly format?: TableFormat
}

const option = optionsOf(TABLE_OPTIONS)
const OWN = Object.keys(TABLE_OPTIONS) as (keyof typeof TABLE_OPTIONS)[]

export const table = defineCommand({
  name: 'table',
  summary: SUMMARIES.table,
  examples: [
    ['polyad table model.npz -o profiles.docx', 'class profiles, with standard errors if polyad fit --se saved them'],
    ['polyad table 2.npz 3.npz 4.npz --kind fit -o fit.tex', 'fit statistics for 2, 3 and 4 classes'],
    ['polyad table model.npz --kind odds --names engaged,distant', 'odds ratios of the covariates, as Markdown'],
  ],
  arguments: [
    {
      name: '<model>',
      text: 'a model (.npz or .json), or the --json output of rank or test (--kind fit), regress (odds) or distal (distal)',
    },
    {
      ...DATA_ARGUMENT,
      text: 'profiles, transitions and mixes: the data, for standard errors; fit and distal: more models or results',
    },
  ],
  options: [
    {
      title: 'Options',
      options: [
        { flags: '--kind <name>', text: 'what the table shows', choices: TABLE_KINDS, default: 'profiles' },
        {
          flags: '-o, --output <file>',
          text: `file to write: ${TABLE_FORMATS.map(each => `.${each}`).join(', ')} (default: standard output, as Markdown)`,
        },
        { flags: '--format <name>', text: 'format (default: from the name of the file)', choices: TABLE_FORMATS },
        option('title', 'title of the table (default: what it shows)', { value: 'text' }),
        option('number', 'number of the table in the paper'),
        option('names', 'names of the classes, in descending size (comma-separated)', { value: 'names', parse: names }),
        option(
          'decimals',
          'digits after the decimal point (default: 3 for probabilities, 1 for percentages, 2 for others)',
        ),
        option('percent', 'show percentages instead of probabilities'),
        option('variables', 'for profiles: variables to show (comma-separated; default: all)', { value: 'names' }),
        option('category', 'for profiles: show only this category of the variables that have it'),
        LABELS,
      ],
    },
    { ...MODEL_COUNTS, options: MODEL_COUNTS.options.filter(({ flags }) => !flags.startsWith('--format')) },
    MODEL_SAMPLE,
    STATISTICS,
    TIMED_OUTPUT,
  ],
  fields: [
    ['kind, output', 'what the table shows, and the file written (null: none)', 'string, string | null'],
    ['title, number', 'above the table', 'string, unknown?'],
    [
      'parts',
      'parts of the table, one below the other: caption, stub (title of the first column), columns (title, group), rows (head, indented, cells: a text, or value, text, format and digits; a row without cells is a heading)',
      '{ caption?: unknown, stub: string, columns: unknown[], rows: unknown[] }[]',
    ],
    ['notes', 'below the table, in sentences', 'string[]'],
  ],
  run: async (call, options: Options, first: string, more: string[]) => {
    const { terminal } = call
    const { kind, output } = options
    const toFile = output !== undefined && output !== STANDARD_OUTPUT
    const format = options.format ?? (toFile ? formatOfTable(output) : 'md')
    if (!toFile && (format === 'docx' || format === 'xlsx') && !terminal.json)
      throw new OptionError(`--format ${format} is not text: write it to a file, as in -o ${kind}.${format}`)
    if (terminal.json && output === STANDARD_OUTPUT)
      throw new OptionError(
        '-o - and --json both write to standard output: write the table to a file, or leave --json out',
      )
    if (toFile) checkOutput(output, { paths: [first, ...more], sql: options.sql })
    const source = await sourceOf(call, options, first, more)
    const made = tableOf(kind, source, given(options as PaperTableOptions, OWN) as PaperTableOptions)
    if (toFile) await writeTableFile(output, made, format)
    if (!toFile && !terminal.json) return terminal.print(tableText(made, format) as string)
    terminal.answer(
      () => ['', made.title, `Wrote ${output}`],
      () => ({ kind, output: output ?? null, ...made }),
    )
  },
})

/** What the table is made from: for comparisons all files are models or results; else the first is the model, and the others its data. */
const sourceOf = async (call: Call, options: Options, first: string, more: readonly string[]): Promise<TableSource> => {
  const { kind } = options
  const wanted = standardErrorOptions(options, {}, call)
  const isModel = (path: string) => isModelFile(path) || /\.npz$/i.test(path)
  if (kind === 'fit' || kind === 'distal' || (kind === 'odds' && !isModel(first))) {
    refuseData(kind, wanted !== undefined || options.sql !== undefined)
    const paths = [first, ...more]
    return {
      models: paths.filter(isModel).map(loadModel),
      results: paths.filter(path => !isModel(path)).map(resultOf),
    }
  }
  const stored = await labelledModel(loadModel(first), options)
  const hasData = more.length > 0 || options.sql !== undefined
  if (!['profiles', 'transitions', 'mixes'].includes(kind)) refuseData(kind, hasData || wanted !== undefined)
  if (wanted !== undefined && !hasData) throw new OptionError('--se needs the data that the model was fitted to')
  if (!hasData) return { models: [stored] }
  const read = await readForModel(call, stored, more, omit(options, 'format'))
  const errors: StandardErrors = await modelErrors(stored, read, wanted ?? { signal: call.interrupt.signal })
  if (errors.reason !== undefined) call.terminal.warn('statistics', `no standard errors: ${errors.reason}`)
  return { models: [stored], errors }
}

const refuseData = (kind: TableKind, isGiven: boolean): void => {
  if (isGiven) throw new OptionError(`--kind ${kind} uses models and results only: leave the data and --se out`)
}

/** What a command printed with --json. */
const resultOf = (path: string): object => {
  checkReadable(path)
  try {
    return reader.object(reader.json(readBytes(path)), '')
  } catch (error) {
    const reason = (error as Error).message
    throw new DataError(`${path} is neither a model nor JSON that a command printed: ${reason}`, {}, { cause: error })
  }
}
