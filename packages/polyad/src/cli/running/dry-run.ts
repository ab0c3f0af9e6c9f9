import { availableParallelism } from 'node:os'
import type { Counts, Item } from '@polyad/core'
import { type AnalysisPlan, type PlanRequest, plan } from '../../analysis/plan.ts'
import type { Prepared } from '../../analysis/prepare.ts'
import { redacted } from '../../engine/sql/address.ts'
import type { StoredModel } from '../../output/model-store.ts'
import { withNulls } from '../../report/with-nulls.ts'
import { labelsIn, recordedLabels } from '../../table/values/codebook.ts'
import type { Call } from '../framework/define-command.ts'
import type { CommandOption, Field } from '../options/definition.ts'
import { type LabelsOptions, shownLabels } from '../options/labels-option.ts'
import type { EngineOptions, Source } from '../reading/open-source.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { planText } from './plan-text.ts'

export const DRY_RUN: CommandOption = {
  flags: '--dry-run',
  text: 'read the data and show what would be done: variables, models, passes, memory and files; fit and write nothing',
  library: [],
}

export interface DryRunOptions {
  readonly dryRun?: boolean
}

/** What a command is going to do: what `--dry-run` shows is what the run then takes its models, memory, threads and files from. */
export interface WorkPlan extends AnalysisPlan {
  readonly command: string
  /** Files that are written. */
  readonly writes: readonly string[]
}

type Columns = Pick<Source, 'source' | 'recipe' | 'engine'>

/** The plan of an analysis. */
export const planWork = (
  command: string,
  { writes }: Pick<Call, 'writes'>,
  prepared: Pick<Prepared, 'tensor' | 'session'>,
  { recipe, engine }: Columns,
  request: Pick<PlanRequest, 'rank' | 'fit' | 'structure' | 'bootstrap'>,
  options: EngineOptions & { readonly threads?: number },
): WorkPlan => ({
  command,
  ...plan(prepared, {
    ...request,
    threads: options.threads ?? availableParallelism(),
    engine:
      engine?.name ?? (options.engine === 'sql' || prepared.session?.traits.reproducible === false ? 'sql' : 'wasm'),
    recipe,
  }),
  writes: writes.map(redacted),
})

/** Answers with a plan. */
export const answerPlan = (
  terminal: Terminal,
  { command, writes, ...planned }: WorkPlan,
  { source, recipe }: Columns,
  options: LabelsOptions,
): void =>
  terminal.answerAs(
    'plan',
    () => ['', ...planText(planned, writes, { ...terminal, labels: shownLabels(options, recipe.labels) })],
    () => ({ command, ...(withNulls(planned) as AnalysisPlan), writes, source }),
  )

/** The same of rows that a model classifies, wherever they are: it says itself what its variables are. */
export const answerRowsPlan = (
  { terminal, writes: files }: Pick<Call, 'terminal' | 'writes'>,
  command: string,
  { model, run }: StoredModel,
  { tensor, engine }: { readonly tensor: Counts; readonly engine?: string },
  paths: readonly string[],
): void => {
  const items = model.items.flatMap((item, n) =>
    item === undefined ? [] : [{ column: model.modes[n].name, item: item.spec as Item }],
  )
  const planned = plan({ tensor, session: undefined }, { rank: [], structure: { items } })
  const place = engine === undefined ? planned : { ...planned, engine, cellsIn: 'elsewhere' as const }
  const labels = labelsIn(recordedLabels(run))
  const writes = files.map(redacted)
  terminal.answerAs(
    'plan',
    () => ['', ...planText(place, writes, { ...terminal, labels })],
    () => ({ command, ...(withNulls(place) as AnalysisPlan), writes, source: { files: paths.map(redacted) } }),
  )
}

/** The fields of a plan. */
export const PLAN_FIELDS: readonly Field[] = [
  ['command', 'the command that was planned', 'string'],
  [
    'variables',
    'name, label (if it has one), role, kind, categories, and whether values are missing',
    "{ name: string, label?: string, role: 'variable' | 'covariate' | 'groups' | 'known classes' | 'person' | 'time' | 'within', kind: 'categorical' | 'ordinal' | 'normal' | 'count' | 'multivariate-normal', categories: integer, missing: boolean }[]",
  ],
  ['cells, total', 'distinct combinations of values, and observations', 'integer, number'],
  ['engine, cellsIn', 'where passes are made, and where the cells are', "string, 'memory' | 'elsewhere'"],
  [
    'fits',
    'for each number of classes: rank, parameters, search, starts (least, most), passes (at most), secondsPerPass (on one thread), seconds (at most), memory in bytes (usual, least); null if it is not known beforehand',
    "{ rank: integer, search: 'closed form' | 'given model' | 'one run' | 'random starts' | 'thorough' | 'economical', starts: { least: integer, most: integer }, passes: integer | null, secondsPerPass: number, memory: { usual: number, least: number }, parameters: integer | null, seconds: number | null }[]",
  ],
  ['seconds, threads', 'of all passes at most, on so many threads', 'number | null, integer'],
  ['replicates', 'of the bootstrap, at most', 'integer | null'],
  ['writes', 'files that would be written', 'string[]'],
]
