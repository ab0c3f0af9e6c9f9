import {
  bivariateResiduals,
  type Evaluation,
  evaluate,
  type Model,
  type StandardErrors,
  type Tensor,
} from '@polyad/core'
import { checkAligned, isLinked, logLikelihoodOf } from '@polyad/core/model'
import { defined } from '@polyad/core/options'
import { CRITERIA, classMarks, isLinkedData, type LinkedData, type ModelData, oneClass } from '@polyad/core/stats'
import { recordedLabels } from '../../table/values/codebook.ts'
import { recordedFit } from '../../table/view/recorded-fit.ts'
import { tensorDigest } from '../../table/view/tensor-digest.ts'
import { checkNames, classNamesOf } from '../figures/class-names.ts'
import { criteriaOf } from '../figures/fit-figures.ts'
import { type FitStatistics, statisticFigures } from '../figures/statistics.ts'
import { type ModelRecord, modelRecordOf } from '../record/model-record.ts'
import { linkedFiguresFor } from '../record/read-linked.ts'
import type { DataFacts, RankFacts, ReportFacts } from '../record/report.ts'

export interface ReportOptions {
  /** Default: the files that the model was fitted to. */
  readonly title?: string
  /** What the classes are called, in descending size. Default: the model's own names, else Class 1, Class 2 and so on. */
  readonly names?: readonly string[]
  /** How the model came about, as its file has it. */
  readonly run?: Readonly<Record<string, unknown>>
  /** The data, with the modes of the model. */
  readonly data?: Tensor
  /** The same rows in the form of the model, if it has covariates, groups or known classes, or if rows belong together. */
  readonly placed?: ModelData | LinkedData | undefined
  /** The digest of that data: if it is that of the model's record, the record's figures are taken. Default: computed. */
  readonly digest?: string
  /** For each mode, how much of the data has a label that the model has never seen. */
  readonly unseen?: readonly number[]
  /** Standard errors, whose intervals the charts show. */
  readonly errors?: StandardErrors
  /** Modes whose labels are in order, whether or not the model says so. */
  readonly ordered?: readonly string[]
}

/** Marks that are kept of a class. */
const MARKS = 8
/** A probability as near to 0 is at it. */
const AT_BOUNDARY = 1e-6
/** Up to this many cells, times pairs of modes, the tables of all pairs are made. */
const PAIRS = 1e8

/** Whether the tables of all pairs are made: there may be too many combinations. */
export const hasPairs = ({ cells, shape: { length: modes } }: Tensor): boolean =>
  (cells * modes * (modes - 1)) / 2 <= PAIRS

/** A normal distribution whose standard deviation is at most this part of the step has half of its mass in one interval: 1 / (2 · 0.6745). */
const COARSE = 0.7413

/** The numbers of which one interval holds half of a class or more, and in which classes. */
const coarseNumbers = (model: Model): ReportFacts['coarse'] =>
  model.modes.flatMap(({ name }, n) => {
    const item = model.items[n]
    const own = item?.spec.kind === 'normal' ? model.itemModel(n) : undefined
    if (item?.spec.kind !== 'normal' || own === undefined) return []
    const { step } = item.spec
    const classes = model.shares.flatMap((_, k) => (own.moments(item.theta, k).sd <= COARSE * step ? [k] : []))
    return classes.length === 0 ? [] : [{ mode: name, step, classes }]
  })

/**
 * The texts of a report as plain values: from the model, the record in its file and, if given, the data.
 * @example
 * const facts = await reportFacts(model, { data: answers })
 * facts.statistics?.identification.verdict // 'identified'
 */
export const reportFacts = async (model: Model, options: ReportOptions = {}): Promise<ReportFacts> => {
  const { run = {}, data, placed, errors } = options
  if (data !== undefined) checkAligned(model, data.modes)
  const record = modelRecordOf(run, model.rank)
  const names = options.names === undefined ? classNamesOf(model) : checkNames(options.names, model.rank)
  const facts = dataFacts(model, record, options)
  // Pairs of answers are of one row, whatever it belongs to.
  const rows = isLinkedData(placed) ? data : (placed ?? (record.covariates === null ? data : undefined))
  const isPaired = data !== undefined && rows !== undefined && data.shape.length > 1 && hasPairs(data)
  return {
    title: options.title ?? (record.origin.files.map(path => path.replace(/^.*[/\\]/, '')).join(', ') || 'A model'),
    classes: model.shares.map((share, k) => ({ name: names[k], share, marks: classMarks(model, k, MARKS) })),
    modes: model.modes.map(({ name, size }, n) => ({ name, size, ...defined({ item: model.items[n]?.spec }) })),
    labels: recordedLabels(run) ?? {},
    coarse: coarseNumbers(model),
    variables: model.modes.length - record.moreModes,
    structure: record.structure,
    updates: record.updates,
    data: facts,
    omissions: record.omissions,
    design: record.design,
    errorKind: errors?.kind ?? record.errors?.kind ?? null,
    groups: record.groups,
    linked: linkedFiguresFor(model, record.linked, record.updates, errors),
    joined: record.joined,
    effects: record.effects,
    known: record.known,
    statistics: await statisticsOf(model, record, facts, options),
    bootstrap: facts.same === false ? null : record.bootstrap,
    comparison: record.comparison,
    search: record.search,
    ranks: ranksOf(record, model.rank),
    covariates: record.covariates,
    boundary: atBoundary(model),
    pairs: isPaired ? bivariateResiduals(rows, model) : null,
    oneClass: oneClassOf(model, record, facts, options),
    origin: { ...record.origin, digest: record.origin.digest ?? digestOf(options) ?? null },
  }
}

/** That of the record where it is of this data; made anew if the model has nothing besides its classes. */
const oneClassOf = (
  model: Model,
  record: ModelRecord,
  { same }: DataFacts,
  { data, run }: ReportOptions,
): ReportFacts['oneClass'] => {
  if (data === undefined || same === true) return same === false ? null : record.oneClass
  const { covariates, groups, known, effects, joined } = record
  const { constraints } = recordedFit(run ?? {})
  const isPlain =
    !isLinked(model.structure) &&
    covariates === null &&
    groups === null &&
    known === null &&
    effects.length === 0 &&
    joined.length === 0 &&
    model.items.every(item => item === undefined)
  return isPlain && constraints === undefined ? oneClass(data) : null
}

const dataFacts = (model: Model, record: ModelRecord, { data, unseen = [], ...options }: ReportOptions): DataFacts => {
  const { origin, weights, omissions } = record
  const known = data !== undefined && origin.digest !== null && origin.command !== 'train'
  const same = known ? digestOf({ data, ...options }) === origin.digest || isSameButRounding(model, record, data) : null
  const recorded = record.total ?? model.total
  return {
    given: data !== undefined,
    cells: data?.cells ?? record.cells,
    total: data?.total ?? recorded,
    fitted: same === false ? recorded : (data?.total ?? recorded),
    left: omissions.reduce((sum, { total }) => sum + total, 0),
    missing: data === undefined ? record.missing : data.modes.flatMap(({ name }, n) => (data.missing[n] ? [name] : [])),
    weights,
    whole: data === undefined ? null : data.values.every(Number.isInteger),
    same,
    unseen: model.modes.flatMap(({ name }, n) => (unseen[n] > 0 ? [{ mode: name, total: unseen[n] }] : [])),
  }
}

const digestOf = ({ data, digest }: ReportOptions): string | undefined => digest ?? (data && tensorDigest(data))

/** Version 1.0 did not round sampling weights: the same data had another digest, but it has the same log-likelihood. */
const isSameButRounding = (
  model: Model,
  { weights, statistics, covariates, cells }: ModelRecord,
  data: Tensor,
): boolean => {
  if (weights === null || statistics === null || covariates !== null || cells !== data.cells) return false
  const { logLikelihood } = statistics
  return Math.abs(logLikelihoodOf(data, model.parameters) - logLikelihood) <= 1e-9 * Math.abs(logLikelihood)
}

/** The figures of the record where they are of this data, or there is no data; else they are made anew. */
const statisticsOf = async (
  model: Model,
  { statistics, covariates }: ModelRecord,
  { same }: DataFacts,
  { data, placed, run }: ReportOptions,
): Promise<FitStatistics | null> => {
  if (data === undefined || same === true || covariates !== null) return same === false ? null : statistics
  if (isLinked(model.structure) && !isLinkedData(placed)) return null
  const { constraints } = recordedFit(run ?? {})
  const found = await evaluate(isLinkedData(placed) ? placed : data, model, defined({ constraints }))
  return statisticFigures({ ...found, criteria: recordedCriteria(found) })
}

/** A number that is not finite is null. */
const recordedCriteria = (found: Evaluation): FitStatistics['criteria'] =>
  Object.fromEntries(
    Object.entries(criteriaOf(found)).map(([key, value]) => [key, Number.isFinite(value) ? value : null]),
  )

/** What every criterion prefers among the ranks, where all of them have it. */
const ranksOf = ({ choice }: ModelRecord, own: number): RankFacts | null => {
  if (choice === null || choice.fits.length < 2) return null
  const preferred = CRITERIA.flatMap(({ key, name }) => {
    const values = choice.fits.map(({ criteria }) => criteria[key])
    if (!values.every(value => typeof value === 'number')) return []
    const by = values.map(value => (key === 'heldOut' ? -value : value))
    return [{ name, rank: choice.fits[by.indexOf(Math.min(...by))].rank }]
  })
  const { recommended, reason } = choice
  const tests = choice.fits.flatMap(({ test }) => (test && [test.rank, test.against].includes(own) ? [test] : []))
  return { ranks: choice.fits.map(({ rank }) => rank), recommended, reason, preferred, tests }
}

const atBoundary = ({ parameters, modes, items }: Model): ReportFacts['boundary'] => {
  let [at, of] = [0, 0]
  parameters.factors.forEach((factor, n) => {
    if (items[n] !== undefined) return
    of += factor.length - factor.length / modes[n].size
    for (const value of factor) if (value <= AT_BOUNDARY) at++
  })
  return { at, of }
}
