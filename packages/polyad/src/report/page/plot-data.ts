import {
  anomaliesData,
  type ChartDataByKind,
  type ChartKind,
  type ClassifiedData,
  categoriesOf,
  certaintyData,
  changeData,
  classesOf,
  criteriaData,
  driftData,
  linesData,
  lossesData,
  mixesData,
  numberOf,
  pairsData,
  posteriorsData,
  profilesData,
  residualsData,
  timeData,
} from '@polyad/charts'
import { type Criteria, type Model, modelDrift, OptionError, type StandardErrors, type Tensor } from '@polyad/core'
import { advise, defined, words } from '@polyad/core/options'
import { isLinkedData, isModelData, type LinkedData, type ModelData } from '@polyad/core/stats'
import { type Labels, labelsIn, recordedLabels } from '../../table/values/codebook.ts'
import { noOrder } from '../figures/ordered-modes.ts'
import { type ModelRecord, modelRecordOf } from '../record/model-record.ts'
import { labelledModes } from './mode-data.ts'

/** What a chart of a model is made from. */
export interface PlotSource {
  readonly model: Model
  /** How the model came about, as its file has it. */
  readonly run: Readonly<Record<string, unknown>>
  readonly data?: Tensor | ModelData | LinkedData | undefined
  readonly names?: readonly string[] | undefined
  readonly errors?: StandardErrors | undefined
  /** Of `lines`: the label to count wherever a mode has it. */
  readonly label?: string | undefined
  /** Of `time` one mode, of `pairs` two; of `profiles`, `lines` and `top` those to show. */
  readonly modes?: readonly string[] | undefined
  /** Of `drift`: the earlier model. */
  readonly before?: Model | undefined
}

/** The kinds that need the data itself. */
export const DATA_KINDS: readonly ChartKind[] = ['posteriors', 'certainty', 'residuals', 'anomalies']

/** The data of a kind of chart; refused, with what to do, where the model's file cannot tell. */
export const plotData = <K extends ChartKind>(kind: K, source: PlotSource): ChartDataByKind[K] => {
  if (source.modes !== undefined && !CHOOSING.includes(kind))
    throw new OptionError('modes', `must not be given with ${kind}: they are chosen for ${CHOOSING.join(', ')}`)
  if (source.label !== undefined && kind !== 'lines')
    throw new OptionError('label', `must not be given with ${kind}: it is for lines`)
  if (source.before !== undefined && kind !== 'drift')
    throw new OptionError('before', `must not be given with ${kind}: it is for drift`)
  return BUILDERS[kind](source)
}

const CHOOSING: readonly ChartKind[] = ['profiles', 'lines', 'top', 'time', 'pairs']

const BUILDERS: { readonly [K in ChartKind]: (source: PlotSource) => ChartDataByKind[K] } = {
  profiles: source => labelled(source, chosen(source)),
  top: source => labelled(source, ofCategories('top', chosen(source))),
  lines: source => {
    if (
      source.label !== undefined &&
      !source.model.modes.some(mode => mode.indexOf(source.label as string) !== undefined)
    )
      throw new OptionError('label', `must be one of the model's (no variable has ${JSON.stringify(source.label)})`)
    const data = chosen(source)
    ofCategories('lines', data)
    const labels = labelsOf(source)
    const lines = linesData(data, source.label)
    const items = lines.items.map(item => ({
      ...item,
      name: labels.name(item.name),
      of: labels.value(item.name, item.of),
    }))
    return { ...lines, items }
  },
  time: ({ modes, ...source }) => {
    const [name, ...more] = checkModes(source.model, modes) ?? []
    if (more.length > 0) throw new OptionError('modes', 'must name one for a chart over time')
    if (name !== undefined) checkCategories(source.model, [name])
    const data = timeData(all(source), name)
    if (data !== undefined) return { ...data, mode: labelledModes([data.mode], labelsOf(source))[0] }
    return refuse(
      name === undefined
        ? words`no variable of the model is ordered, and none has dates or numbers as categories: ${advise('name one with', 'modes')}`
        : noOrder(name),
    )
  },
  pairs: ({ modes, ...source }) => {
    if (modes !== undefined && modes.length !== 2) throw new OptionError('modes', 'must name two for a chart of pairs')
    checkCategories(source.model, modes ?? [])
    const data = pairsData(all(source), checkModes(source.model, modes))
    if (data === undefined || data === null) return refuse('pairs need a model of two variables or more')
    const [a, b] = labelledModes(data.modes, labelsOf(source))
    return { ...data, modes: [a, b] }
  },
  shares: ({ model, names, errors }) => ({
    classes: classesOf(model, names).map((each, k) => ({
      ...each,
      ...(errors?.intervals && { interval: errors.intervals.shares[k] }),
    })),
  }),
  posteriors: source => posteriorsData(source.model, cellsOf('posteriors', source), source.names),
  certainty: source => certaintyData(source.model, cellsOf('certainty', source), source.names),
  residuals: source => residualsData(source.model, singleRows(cellsOf('residuals', source))),
  anomalies: source => {
    if (source.model.modes.some((_, n) => numberOf(source.model, n) !== undefined))
      refuse('anomalies need a model of categories: of numbers, hardly any combination is observed twice')
    return anomaliesData(source.model, singleRows(cellsOf('anomalies', source)))
  },
  losses: source => {
    const { attempts, trace } = recordOf(source)
    return attempts.length + trace.length === 0 ? unrecorded('losses') : lossesData({ attempts, trace })
  },
  optima: source => recordOf(source).search ?? unrecorded('optima'),
  criteria: source => {
    const { choice } = recordOf(source)
    if (choice === null)
      refuse('criteria need a model that polyad rank -o saved: it stores the results for all numbers of classes')
    return criteriaData(
      choice.fits.map(({ rank, criteria }) => ({ ...(criteria as Criteria), rank })),
      choice.recommended ?? undefined,
    )
  },
  drift: ({ model, names, before }) => {
    if (before === undefined) refuse(words`drift needs two models: ${advise('name the earlier one with', 'before')}`)
    return driftData(modelDrift(before, model), { before: before.classNames, after: names ?? model.classNames })
  },
  flows: source => changeOf('flows', source),
  transitions: source => changeOf('transitions', source),
  mixes: ({ model, names }) =>
    mixesData(model, names) ?? refuse('mixes need a model with classes of groups: polyad fit --within --group-classes'),
  curves: source => {
    const { covariates } = recordOf(source)
    if (covariates === null) refuse('curves need a model with covariates: polyad fit --covariates')
    return { classes: classesOf(source.model, source.names), curves: covariates.curves }
  },
}

function refuse(...parts: ConstructorParameters<typeof OptionError>): never {
  throw new OptionError(...parts)
}

const changeOf = (kind: ChartKind, { model, names }: PlotSource): ChartDataByKind['flows'] =>
  changeData(model, names) ??
  refuse(`${kind} need a model of classes that change over time: polyad fit --person --time`)

const unrecorded = (kind: ChartKind): never =>
  refuse(`${kind} need a model that polyad fit -o or polyad rank -o saved: this file does not record how it was found`)

/** What is left for a chart of categories; refused if all variables are numbers. */
const ofCategories = (kind: ChartKind, data: ChartDataByKind['profiles']): ChartDataByKind['profiles'] => {
  const left = categoriesOf(data)
  return left.modes.length > 0 ? left : refuse(`${kind} need categories, and the variables are numbers: draw profiles`)
}

const checkCategories = (model: Model, names: readonly string[]): void => {
  for (const name of checkModes(model, names) ?? [])
    if (
      numberOf(
        model,
        model.modes.findIndex(mode => mode.name === name),
      ) !== undefined
    )
      refuse('modes', 'must have categories, not numbers, for this chart: draw profiles', name)
}

const recordOf = ({ run, model }: PlotSource): ModelRecord => modelRecordOf(run, model.rank)

const all = ({ model, names, errors }: PlotSource): ChartDataByKind['profiles'] =>
  profilesData(model, {
    ...defined({ names }),
    ...(errors?.intervals && { intervals: errors.intervals.factors }),
  })

const labelsOf = ({ run }: PlotSource): Labels => labelsIn(recordedLabels(run))

const labelled = (
  source: PlotSource,
  { classes, modes }: ChartDataByKind['profiles'],
): ChartDataByKind['profiles'] => ({
  classes,
  modes: labelledModes(modes, labelsOf(source)),
})

const chosen = (source: PlotSource): ChartDataByKind['profiles'] => {
  const modes = checkModes(source.model, source.modes)
  const { classes, modes: every } = all(source)
  const shown = modes === undefined ? every : modes.flatMap(name => every.filter(mode => mode.name === name))
  return { classes, modes: shown }
}

/** The names of modes as the model has them, whatever their case. */
const checkModes = (model: Model, names: readonly string[] | undefined): string[] | undefined =>
  names?.map(
    name =>
      model.modes.find(mode => mode.name === name)?.name ??
      model.modes.find(mode => mode.name.toLowerCase() === name.toLowerCase())?.name ??
      refuse('modes', `must be of the model: ${model.modes.map(mode => mode.name).join(', ')}`, name),
  )

/** Combinations of answers are of one row, whatever it belongs to. */
const singleRows = (data: ClassifiedData): Tensor | ModelData => (isLinkedData(data) ? data.items : data)

const cellsOf = (kind: ChartKind, { data, run, model }: PlotSource): ClassifiedData => {
  if (data === undefined) refuse(`${kind} need the data: name it after the model`)
  if (modelRecordOf(run, model.rank).covariates !== null && !isLinkedData(data) && !isModelData(data))
    refuse(`${kind} need the covariates of every observation, and cells have none: name the table with the rows`)
  return data
}
