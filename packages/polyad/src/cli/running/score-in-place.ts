import { OptionError } from '@polyad/core'
import { openDatabaseOf } from '../../engine/open-sql-table.ts'
import { isAddress, parseAddress, redacted } from '../../engine/sql/address.ts'
import type { OpenDatabase } from '../../engine/sql/database-kind.ts'
import { openFiles } from '../../engine/sql/duckdb/database.ts'
import { checkPlain } from '../../engine/sql/model-view.ts'
import {
  classifyInDatabase,
  countInDatabase,
  imputeInDatabase,
  sampleInDatabase,
} from '../../engine/sql/score-in-database.ts'
import { loadModel, type StoredModel } from '../../output/model-store.ts'
import { counted } from '../../report/numbers.ts'
import { classificationText } from '../../report/text/classification.ts'
import { missingText, totalOf } from '../../report/text/missing-text.ts'
import { hasNumbers } from '../../scoring/new-labels.ts'
import { classifiedRows } from '../../table/values/score-summary.ts'
import type { Call } from '../framework/define-command.ts'
import { type ScratchOptions, sourceOptions } from '../options/data-options.ts'
import type { ModelDataOptions } from '../options/model-options.ts'
import { given } from '../options/option-values.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { answerRowsPlan, type DryRunOptions } from './dry-run.ts'

/** Opens the rows for a model where they are, does the work, and closes what was opened. No row comes out. */
const withRows = async <T>(
  { line }: Pick<Call, 'line'>,
  model: string,
  paths: readonly string[],
  { output, dryRun, ...options }: ModelDataOptions & ScratchOptions & DryRunOptions & { readonly output?: string },
  work: (database: OpenDatabase, stored: StoredModel) => Promise<T>,
): Promise<T> => {
  const stored = loadModel(model)
  const address = paths.find(isAddress)
  if (address !== undefined && paths.length > 1)
    throw new OptionError('a table of a database cannot be read together with other data: name it alone')
  if (output !== undefined && !isAddress(output))
    throw new OptionError(
      `rows do not leave their database: give -o the address of a table in it (got ${JSON.stringify(output)})`,
    )
  if (options.where !== undefined)
    throw new OptionError(
      '--where needs the rows, which stay in their database: make a view of the rows that you want, and name it',
    )
  const reading = { ...sourceOptions(options), ...given(options, ['scratch']) }
  line.show([`working in ${paths.map(redacted).join(', ')}`])
  // A database that is to be made is not opened for a plan.
  const made = dryRun === true ? undefined : output
  const database =
    address === undefined
      ? await openFiles(paths, reading, made === undefined ? undefined : parseAddress(made))
      : await openDatabaseOf(address, reading, made)
  try {
    return await work(database, stored)
  } finally {
    line.clear()
    await database.connection.close()
  }
}

const shownOutput = (output: string | undefined) => (output === undefined ? {} : { output: redacted(output) })

const warnAbsent = (terminal: Terminal, absent: readonly string[]): void => {
  if (absent.length > 0)
    terminal.warn('columns-absent', `the data has no column ${absent.join(', ')}: missing in every row`)
}

/** `polyad classify` inside a database. */
export const classifyInPlace = async (
  call: Call,
  options: ModelDataOptions &
    ScratchOptions &
    DryRunOptions & {
      readonly output?: string
      readonly posterior?: boolean
      readonly anomalies?: number
      readonly explain?: true | number
      readonly weights?: string
      readonly cluster?: string
      readonly complete?: boolean
    },
  model: string,
  paths: readonly string[],
): Promise<void> => {
  const { terminal } = call
  if (options.anomalies !== undefined)
    throw new OptionError(
      '--anomalies shows rows, and rows do not leave their database: write the scores with -o and sort them by log_likelihood',
    )
  if (options.explain !== undefined)
    throw new OptionError('--explain shows rows, and rows do not leave their database: read them from a file')
  if (options.weights !== undefined && options.weights !== 'none')
    throw new OptionError('--weights needs the rows, which stay in their database: read them from a file')
  for (const name of ['cluster', 'complete'] as const)
    if (options[name] !== undefined)
      throw new OptionError(`--${name} needs the rows, which stay in their database: read them from a file`)
  const countOf = (stored: StoredModel) => {
    const asked = options.count ?? stored.count
    return asked === 'none' ? undefined : asked
  }
  if (options.dryRun === true)
    return withRows(call, model, paths, options, async (database, stored) => {
      const tensor = await countInDatabase(database, stored, await database.look(stored), { count: countOf(stored) })
      call.line.clear()
      answerRowsPlan(call, 'classify', stored, { tensor, engine: `sql (${database.dialect.name})` }, paths)
    })
  const found = await withRows(call, model, paths, options, async (database, stored) => {
    if (stored.weights !== undefined && options.weights === undefined)
      terminal.warn(
        'weights-ignored',
        `class sizes are not weighted by ${stored.weights}, the weights of the model's own data: to weight them, read the rows from a file`,
      )
    const by = countOf(stored)
    const { absent, ...summary } = await classifyInDatabase(database, stored, {
      count: by,
      posterior: options.posterior === true,
    })
    return {
      model,
      ...classifiedRows(summary, stored.model, { count: by, absent }),
      weights: null,
      design: null,
      anomalyColumns: [],
      anomalies: [],
      surprises: [],
      ...shownOutput(options.output),
    }
  })
  warnAbsent(terminal, found.absent)
  terminal.answer(
    () => classificationText(found, terminal),
    () => found,
  )
}

/** `polyad impute` inside a database. */
export const imputeInPlace = async (
  call: Call,
  options: ModelDataOptions &
    ScratchOptions & {
      readonly output?: string
      readonly distribution?: boolean
      readonly draws?: number
      readonly score?: true | number
    },
  model: string,
  paths: readonly string[],
): Promise<void> => {
  const { terminal } = call
  const { output } = options
  for (const name of ['distribution', 'draws', 'score'] as const)
    if (options[name] !== undefined)
      throw new OptionError(`--${name} needs the rows, which stay in their database: read them from a file`)
  if (output === undefined) throw new OptionError('no output table was given: give -o its address in the database')
  const found = await withRows(call, model, paths, options, async (database, stored) => {
    const { missing, rows, absent } = await imputeInDatabase(database, stored)
    return {
      rows,
      absent,
      missing: Object.fromEntries(stored.model.modes.map(({ name }, n) => [name, missing[n]])),
    }
  })
  warnAbsent(terminal, found.absent)
  const { rows, missing } = found
  terminal.answer(
    () => missingText(missing, rows, `, filled in ${redacted(output)}`, terminal),
    () => ({ model, rows, missing, total: totalOf(missing), ...shownOutput(output) }),
  )
}

/** `polyad sample` into a table of a database. */
export const sampleInPlace = async (
  terminal: Terminal,
  options: ScratchOptions & { readonly rows: number; readonly seed: number; readonly class?: boolean },
  stored: StoredModel,
  output: string,
): Promise<void> => {
  checkPlain(stored)
  const { model, path } = stored
  if (hasNumbers(model))
    throw new OptionError(
      'a model with variables that are numbers or counts cannot be sampled inside a database: write the rows to a file',
    )
  const database = await openDatabaseOf(output, given(options, ['scratch']), output)
  try {
    await sampleInDatabase(database, model, { rows: options.rows, seed: options.seed, class: options.class === true })
  } finally {
    await database.connection.close()
  }
  terminal.answer(
    () => [`${counted(options.rows, 'row')} in ${redacted(output)}`],
    () => ({ model: path, seed: options.seed, drawn: options.rows, output: redacted(output) }),
  )
}
