import type { Item } from '@polyad/core'
import { type AnalysisPlan, type PlanRequest, plan } from '../../analysis/plan.ts'
import type { Prepared } from '../../analysis/prepare.ts'
import type { StoredModel } from '../../output/model-store.ts'
import { withNulls } from '../../report/with-nulls.ts'
import type { ModelData } from '../../scoring/model-tensor.ts'
import { labelsIn, recordedLabels } from '../../table/values/codebook.ts'
import type { CommandOption, Field } from '../options/definition.ts'
import { type LabelsOptions, shownLabels } from '../options/labels-option.ts'
import type { Source } from '../reading/open-source.ts'
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

/** Options that name files. */
const FILES = ['output', 'report', 'checkpoint', 'keep'] as const

type Options = DryRunOptions &
  LabelsOptions & { readonly [K in (typeof FILES)[number]]?: string } & {
    readonly engine?: string
    readonly threads?: number
  }

/** Files that a command would write. */
export const filesToWrite = (options: Options): string[] =>
  FILES.flatMap(name => (options[name] === undefined ? [] : [options[name]]))

/** Answers with the plan of an analysis. */
export const answerPlan = (
  terminal: Terminal,
  command: string,
  prepared: Pick<Prepared, 'tensor' | 'session'>,
  { source, recipe, engine }: Pick<Source, 'source' | 'recipe' | 'engine'>,
  options: Options,
  request: Pick<PlanRequest, 'rank' | 'fit' | 'structure' | 'bootstrap'>,
  threads: number,
): void => {
  const planned = plan(prepared, {
    ...request,
    threads,
    engine: engine?.name ?? (options.engine === 'sql' ? 'sql' : 'wasm'),
    recipe,
  })
  const writes = filesToWrite(options)
  terminal.answerAs(
    'plan',
    () => ['', ...planText(planned, writes, { ...terminal, labels: shownLabels(options, recipe.labels) })],
    () => ({ command, ...(withNulls(planned) as AnalysisPlan), writes, source }),
  )
}

/** The same of rows that a model classifies: it says itself what its variables are. */
export const answerClassifyPlan = (
  terminal: Terminal,
  { model, run }: StoredModel,
  { tensor }: Pick<ModelData, 'tensor'>,
  paths: readonly string[],
  options: Pick<Options, 'output'>,
): void => {
  const items = model.items.flatMap((item, n) =>
    item === undefined ? [] : [{ column: model.modes[n].name, item: item.spec as Item }],
  )
  const planned = { ...plan({ tensor, session: undefined }, { rank: [], structure: { items } }) }
  const writes = filesToWrite(options)
  const labels = labelsIn(recordedLabels(run))
  terminal.answerAs(
    'plan',
    () => ['', ...planText(planned, writes, { ...terminal, labels })],
    () => ({ command: 'classify', ...(withNulls(planned) as AnalysisPlan), writes, source: { files: paths } }),
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
    "{ rank: integer, search: 'closed form' | 'given model' | 'random starts' | 'thorough' | 'economical', starts: { least: integer, most: integer }, passes: integer | null, secondsPerPass: number, memory: { usual: number, least: number }, parameters: integer | null, seconds: number | null }[]",
  ],
  ['seconds, threads', 'of all passes at most, on so many threads', 'number | null, integer'],
  ['replicates', 'of the bootstrap, at most', 'integer | null'],
  ['writes', 'files that would be written', 'string[]'],
]
