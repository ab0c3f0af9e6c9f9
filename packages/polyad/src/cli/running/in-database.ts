import { type Counts, EngineError, evaluate, type FitResult, fit, OptionError, standardErrors } from '@polyad/core'
import { openSqlTable, type SqlTable } from '../../engine/open-sql-table.ts'
import { isAddress, redacted } from '../../engine/sql/address.ts'
import { checkModelPath, saveModel } from '../../output/model-store.ts'
import { errorFigures } from '../../report/error-table.ts'
import { fitFigures, profiles } from '../../report/fit-figures.ts'
import { fitText, tensorLine } from '../../report/fit-text.ts'
import { sizeWarning } from '../../report/model-size.ts'
import type { BootstrapCommandOptions } from '../options/bootstrap-options.ts'
import { type DataOptions, sourceOptions } from '../options/data-options.ts'
import type { CommandOption } from '../options/definition.ts'
import { type FitCommandOptions, fitOptions } from '../options/fit-options.ts'
import { adviceInFlags } from '../options/flags.ts'
import type { ReportCommandOptions } from '../options/report-options.ts'
import type { SampleOptions } from '../options/sample-options.ts'
import { type StatisticsCommandOptions, standardErrorOptions } from '../options/statistics-options.ts'
import { type StructureOptions, structureOf } from '../options/structure-options.ts'
import { fitProgress } from '../terminal/progress-line.ts'
import { timeLimit } from '../terminal/time-limit.ts'
import type { Call } from './define-command.ts'
import { checkNamed } from './reading.ts'
import { modelRecord } from './record.ts'

/** How a command is told to leave files where they are. */
export const ENGINE: CommandOption = {
  flags: '--engine <name>',
  text: 'sql: leave the data where it is, every pass is a statement in DuckDB; wasm: read it into memory (the default for files)',
  choices: ['wasm', 'sql'],
  library: [],
}

export interface EngineOptions {
  readonly engine?: 'wasm' | 'sql'
}

/** Whether data is worked on where it is: tables of databases always, files where that is asked for. */
export const staysInPlace = (paths: readonly string[], { engine }: EngineOptions): boolean => {
  const address = paths.find(isAddress)
  if (address !== undefined && engine === 'wasm')
    throw new OptionError(`${redacted(address)} is worked on by the sql engine only: leave --engine out`)
  return address !== undefined || engine === 'sql'
}

/** What needs the cells themselves, which stay where they are: names of options, and their flags. */
const NEEDS_CELLS = {
  covariates: '--covariates',
  groups: '--groups',
  join: '--join',
  complete: '--complete',
  weights: '--weights',
  cluster: '--cluster',
  strata: '--strata',
  bootstrap: '--bootstrap',
  residuals: '--residuals',
  report: '--report',
  test: '--test',
} as const

/** Refuses what cannot be done without the cells. */
export const refuseCells = (options: object): void => {
  for (const [name, flag] of Object.entries(NEEDS_CELLS))
    if ((options as Record<string, unknown>)[name] !== undefined)
      throw new OptionError(`${flag} needs the cells in memory, and this data stays where it is: leave it out`)
}

/** Opens data where it is, with a line of progress, and passes on what there is to say of it. */
export const openInPlace = async (
  { terminal, line }: Pick<Call, 'terminal' | 'line'>,
  paths: readonly string[],
  options: DataOptions & FitCommandOptions,
): Promise<SqlTable> => {
  if (!paths.some(isAddress)) checkNamed(paths, options.sql)
  if (paths.includes('-')) throw new OptionError('- (standard input) is read once: it cannot stay where it is')
  const name = paths.map(redacted).join(', ') || 'the query'
  line.show([`counting ${name} where it is`])
  try {
    const table = await openSqlTable(paths, {
      ...sourceOptions(options),
      ...(options.threads === undefined ? {} : { threads: options.threads }),
    })
    line.clear()
    for (const { kind, text } of table.notes) kind === 'warning' ? terminal.warn(text) : terminal.note(text)
    terminal.note(`${tensorLine(table.session.data, table.rows)}; every pass is a statement (${table.source.engine})`)
    return table
  } finally {
    line.clear()
  }
}

type FitInPlaceOptions = DataOptions &
  FitCommandOptions &
  StructureOptions &
  SampleOptions &
  StatisticsCommandOptions &
  BootstrapCommandOptions &
  ReportCommandOptions & { readonly rank?: number; readonly output?: string }

/** `polyad fit` on data that stays where it is. */
export const fitInPlace = async (call: Call, options: FitInPlaceOptions, rank: number, paths: string[]) => {
  const { terminal, line, interrupt } = call
  const { output } = options
  refuseCells(options)
  if (output !== undefined) checkModelPath(output)
  const { threads: _, ...settings } = fitOptions(options)
  if (settings.smoothing === 'auto') throw new OptionError('--smoothing auto needs the cells in memory: give a width')
  const structure = structureOf(options, settings)
  const wanted = standardErrorOptions(options, structure, call)
  const limit = timeLimit(options.maxSeconds)
  const { session, ...table } = await openInPlace(call, paths, options)
  try {
    const { data } = session
    const warning = sizeWarning(data, rank)
    if (warning !== undefined) terminal.warn(warning)
    interrupt.after(limit.left())
    interrupt.graceful(note => {
      line.clear()
      terminal.note(note)
    })
    const began = performance.now()
    const { constraints } = structure
    const known = constraints === undefined ? {} : { constraints }
    const result = await fit(session, {
      rank,
      ...settings,
      ...known,
      signal: interrupt.signal,
      onProgress: fitProgress(line, data.cells, limit.left),
    })
    const seconds = (performance.now() - began) / 1000
    line.clear()
    const asked = { rank, ...settings, ...known, maxSeconds: options.maxSeconds }
    if (result.failure !== undefined) throw await kept(result, output, { ...table, tensor: data }, asked)
    const evaluation = await evaluate(session, result.model, known)
    const errors = wanted === undefined ? undefined : await standardErrors(session, result.model, wanted)
    const figures = adviceInFlags(fitFigures(data, result, seconds, evaluation), terminal.flags)
    if (output !== undefined) {
      const { trace, attempts } = result
      const record = modelRecord('fit', { ...table, tensor: data }, asked, { ...figures, trace, attempts })
      await saveModel(output, result.model, record)
    }
    terminal.answer(
      () => [
        '',
        ...fitText(result.model, figures, terminal, { errors }),
        ...(output === undefined ? [] : ['', `The model is in ${output}`]),
      ],
      () => ({
        ...figures,
        ...known,
        profiles: profiles(result.model),
        ...(errors === undefined ? {} : { standardErrors: errorFigures(errors) }),
        ...(output === undefined ? {} : { output }),
        source: table.source,
      }),
    )
    if (interrupt.signal.aborted) {
      terminal.warn('stopped early: this is the best so far')
      process.exitCode = interrupt.exitCode()
    }
  } finally {
    await session.close().catch(error => {
      if (!(error instanceof EngineError)) throw error
      terminal.warn(`what was made in the database is still there (${error.message}): remove it with polyad clean`)
    })
  }
}

/** The error of an engine that failed, after the best until then was saved where a model was asked for. */
const kept = async (
  { failure, model, loss, trace, attempts }: FitResult,
  output: string | undefined,
  table: Omit<SqlTable, 'session'> & { readonly tensor: Counts },
  options: Readonly<Record<string, unknown>>,
): Promise<EngineError> => {
  const best = `the best until then has the loss ${loss.toPrecision(8)}`
  if (output === undefined)
    return new EngineError(`${failure?.message}; ${best}, and would have been saved with -o`, { cause: failure })
  const run = modelRecord('fit', table, options, { loss, reason: 'failed', trace, attempts })
  await saveModel(output, model, run)
  return new EngineError(`${failure?.message}; ${best} and is in ${output}`, { cause: failure })
}
