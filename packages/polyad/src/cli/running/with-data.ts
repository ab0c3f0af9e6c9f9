import { type Checkpoint, type FitOptions, OptionError, type Progress, type ReplicateProgress } from '@polyad/core'
import type { Engine } from '@polyad/core/engine'
import { type Naming, omit } from '@polyad/core/options'
import { wavePatterns } from '@polyad/core/stats'
import type { PlanRequest } from '../../analysis/plan.ts'
import type { Prepared } from '../../analysis/prepare.ts'
import type { AnalysisRequest } from '../../analysis/request.ts'
import { checkModelPath } from '../../output/model-store.ts'
import { checkOutput } from '../../output/overwriting.ts'
import type { Call } from '../framework/define-command.ts'
import type { DataOptions } from '../options/data-options.ts'
import { type LabelsOptions, withCodebook } from '../options/labels-option.ts'
import { checkReport, type ReportCommandOptions } from '../options/report-options.ts'
import { openCheckpointFile } from '../reading/checkpoint-file.ts'
import { fitMemory, reserveFor } from '../reading/fit-memory.ts'
import { scaleNotes, stepNotes } from '../reading/item-notes.ts'
import { type EngineOptions, openSource, type Source } from '../reading/open-source.ts'
import { prepareSource } from '../reading/prepare-source.ts'
import { openDataFor, type ReadingOptions } from '../reading/read-data.ts'
import { fitProgress, replicateProgress } from '../terminal/progress-line.ts'
import type { OutputOptions } from '../terminal/terminal.ts'
import { type TimeLimit, timeLimit } from '../terminal/time-limit.ts'
import { type Writing, writing } from '../writing/output-files.ts'
import { answerPlan, type DryRunOptions, planWork } from './dry-run.ts'

type Options = DataOptions &
  LabelsOptions &
  DryRunOptions &
  EngineOptions &
  ReportCommandOptions &
  OutputOptions &
  NonNullable<Parameters<typeof openCheckpointFile>[2]> & {
    readonly output?: string
    readonly maxSeconds?: number
    readonly memory?: string
    readonly threads?: number
  }

type Asked = Parameters<typeof fitMemory>[2]

/** What a command does with data. */
interface Plan extends Pick<AnalysisRequest, 'structure' | 'design'> {
  readonly command: string
  /** Columns that are read besides variables, and those by which the sample was drawn. */
  readonly reading: ReadingOptions
  /** The largest fit that is to come: the command can then be stopped, with the best so far as its answer. */
  readonly fit?: Asked
  /** The number of classes, if it is one. */
  readonly rank?: number
  /** What a plan shows: all numbers of classes, and the bootstrap. */
  readonly planned?: Pick<PlanRequest, 'rank' | 'bootstrap'>
  /** What needs the cells in memory; `undefined`: nothing does. Without it data may also stay where it is, as the options say. */
  readonly needsCells?: { readonly what: string | undefined }
}

/** Data that a command works on, and what it needs for that. */
export interface DataWork {
  readonly source: Source
  readonly prepared: Prepared
  readonly limit: TimeLimit
  readonly files: Writing
  /** Begins what takes long. A fit that needs more memory than there is is refused, and the checkpoint is written for the first time. */
  begin(fit: Asked): Promise<{ readonly memory: Pick<FitOptions, 'memory'>; readonly running: Running }>
  /** The last fields of --json. */
  record(): object
}

/** What runs of the library are told. */
interface Running {
  readonly signal: AbortSignal
  readonly naming: Naming
  readonly engine: Engine | undefined
  readonly checkpoint: Checkpoint | undefined
  readonly onProgress: (progress: Progress) => void
  readonly onReplicate: (progress: ReplicateProgress) => void
}

/** What is wrong with variables that patterns of waves name is wrong with these. */
const ofWaves = (error: unknown): unknown => {
  if (!(error instanceof OptionError) || error.wording === undefined) return error
  const renamed = error.wording.map(part =>
    typeof part !== 'string' && part.option === 'modes' ? { ...part, option: 'waves' } : part,
  )
  return new OptionError(renamed)
}

/**
 * Checks what a command is to write, opens its data, does the work, and ends what was begun. The work answers, and returns what is to be
 * said if it was stopped early.
 */
export const withData = async (
  call: Call,
  paths: readonly string[],
  given: Options,
  { command, reading, fit, rank, planned, needsCells, ...request }: Plan,
  work: (data: DataWork) => Promise<string | undefined>,
): Promise<void> => {
  const { terminal, interrupt } = call
  // Waves in columns say which columns are variables.
  const { waves } = request.structure ?? {}
  if (waves !== undefined) wavePatterns(waves)
  const byWaves = waves !== undefined && given.variables === undefined
  const options = byWaves ? { ...given, variables: waves } : given
  const { output } = options
  const inputs = { paths, sql: options.sql }
  checkReport(options, inputs, rank)
  if (output !== undefined) {
    checkModelPath(output)
    checkOutput(output, inputs)
  }
  const isDry = options.dryRun === true && planned !== undefined
  const checkpoint = isDry ? undefined : openCheckpointFile(call, command, options)
  const read = isDry ? omit(options, 'keep') : options
  // Commands that cannot stop early are limited as a whole.
  const limit = fit === undefined ? timeLimit(undefined) : call.limit(options.maxSeconds)
  const asked = { ...reading, limit, ...(fit !== undefined && { reserve: reserveFor(fit) }) }
  const opening: Promise<Source> =
    needsCells === undefined
      ? openSource(call, paths, read, asked)
      : openDataFor(call, paths, read, { ...asked, needsCells: needsCells.what })
  const opened = await opening.catch((error: unknown) => {
    throw byWaves ? ofWaves(error) : error
  })
  const source = await withCodebook(opened, options)
  if (fit !== undefined) call.stoppable(limit)
  const prepared = prepareSource(call, source, request)
  if (fit !== undefined) {
    const { structure = {} } = request
    for (const note of [...stepNotes(prepared.tensor, structure.items), ...scaleNotes(prepared.tensor, structure)])
      terminal.note(note)
  }
  const plan =
    planned && planWork(command, call, prepared, source, { ...planned, fit: fit ?? {}, structure: request.structure ?? {} }, options) // biome-ignore format: one line
  if (isDry && plan !== undefined) return answerPlan(terminal, plan, source, options)
  const files = writing(call.writes)
  const stopped = await work({
    source,
    prepared,
    limit,
    files,
    begin: async own => {
      const memory = fitMemory(source, options.memory, own, plan?.fits.find(each => each.rank === own.rank)?.memory)
      await checkpoint?.begin()
      return {
        memory,
        running: {
          signal: interrupt.signal,
          naming: terminal.naming,
          engine: source.engine,
          checkpoint: checkpoint?.state,
          onProgress: fitProgress(call, prepared.tensor.cells, limit.left),
          onReplicate: replicateProgress(call, limit.left),
        },
      }
    },
    record: () => ({ ...files.written(), ...checkpoint?.record(), source: source.source }),
  })
  files.end()
  await checkpoint?.end()
  if (stopped === undefined) return
  terminal.warn('stopped', stopped)
  if (interrupt.signal.aborted) call.ends(interrupt.exitCode())
}
