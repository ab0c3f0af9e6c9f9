import { type ChartClass, criteriaData, lossesData } from '@polyad/charts'
import { type Criteria, evaluate, type Model, type StandardErrors, type Tensor } from '@polyad/core'
import { checkAligned } from '@polyad/core/model'
import { CRITERIA, classMarks } from '@polyad/core/stats'
import { checkNames, classNamesOf } from '../class-names.ts'
import { type ModelRecord, modelRecordOf } from '../model-record.ts'
import { orderedModes } from '../ordered-modes.ts'
import { intervalsFor } from '../recorded-structure.ts'
import type { DataFacts, FitStatistics, RankFacts, Report, ReportCharts } from '../report.ts'
import { type DataStatistics, dataStatistics } from './data-statistics.ts'
import { crossedModes, FEW_LABELS, itemLines, lineMode, panelMode, topMode, wholeMode } from './mode-data.ts'
import { reportTables } from './report-tables.ts'

export interface ReportOptions {
  /** Default: the files that the model was fitted to. */
  readonly title?: string
  /** What the classes are called, in descending size. Default: the model's own names, else Class 1, Class 2 and so on. */
  readonly names?: readonly string[]
  /** How the model came about, as its file has it. */
  readonly run?: Readonly<Record<string, unknown>>
  /** The data, with the modes of the model. */
  readonly data?: Tensor
  /** The digest of that data: where it is that of the model's record, the record's figures are taken. */
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
/** Passes of the run that was kept, and optima, that are drawn. */
const DRAWN = { passes: 2000, optima: 30, attempts: 500 }
/** A probability as near to 0 or 1 is at it. */
const AT_BOUNDARY = 1e-6

/**
 * All that a report shows of a model, as plain values: from the model alone, from the record in its file, and from the data where it
 * is given.
 * @example
 * const report = await makeReport(model, { data: answers, names: ['engaged', 'distant'] })
 * report.classes[0].name // 'engaged'
 * report.statistics?.identification.verdict // 'identified'
 */
export const makeReport = async (model: Model, options: ReportOptions = {}): Promise<Report> => {
  const { run = {}, data, errors } = options
  if (data !== undefined) checkAligned(model, data.modes)
  const ordered = orderedModes(model.modes, options.ordered)
  const record = modelRecordOf(run, model.rank)
  const marks = model.shares.map((_, k) => classMarks(model, k, MARKS))
  const names = options.names === undefined ? classNamesOf(model) : checkNames(options.names, model.rank)
  const classes: ChartClass[] = model.shares.map((share, k) => ({ name: names[k], share }))
  const facts = dataFacts(model, record, options)
  const explained = record.covariates !== null
  const statistics = await statisticsOf(model, record, facts, options)
  const found: Partial<DataStatistics> =
    data === undefined || explained ? {} : dataStatistics(data, model, names, statistics?.averagePosteriors ?? null)
  const intervals = errors === undefined ? intervalsFor(model, record.errors) : errors.intervals
  // A group is no variable: its class sizes are in a table.
  const variables = model.modes.flatMap(({ name }, n) => (name === record.groups?.mode ? [] : [n]))
  const many = variables.filter(n => model.modes[n].size > FEW_LABELS)
  const modes = variables.map(n => panelMode(model, n, ordered.has(n), intervals?.factors))
  const charts: ReportCharts = {
    shares: { classes: classes.map((each, k) => ({ ...each, ...(intervals && { interval: intervals.shares[k] }) })) },
    lines: itemLines(classes, modes),
    profiles: modes.length === 0 ? null : { classes, modes },
    top: many.length === 0 ? null : { classes, modes: many.map(n => topMode(model, n)) },
    time: many.flatMap(n => (ordered.has(n) ? [{ classes, ...lineMode(wholeMode(model, n, true)) }] : [])),
    pairs: crossedModes(model, classes),
    posteriors: found.posteriors ?? null,
    certainty: found.certainty ?? null,
    residuals: found.residuals ?? null,
    anomalies: found.anomalies ?? null,
    ...searchCharts(record),
    curves: record.covariates === null ? null : { classes, curves: record.covariates.curves },
  }
  return {
    title: options.title ?? (record.origin.files.map(path => path.replace(/^.*[/\\]/, '')).join(', ') || 'A model'),
    classes: classes.map((each, k) => ({ ...each, marks: marks[k] })),
    modes: model.modes.map(({ name, size }) => ({ name, size })),
    variables: model.modes.length - record.moreModes,
    structure: record.structure,
    updates: record.updates,
    data: facts,
    omissions: record.omissions,
    design: record.design,
    errorKind: errors?.kind ?? record.errors?.kind ?? null,
    groups: record.groups,
    joined: record.joined,
    effects: record.effects,
    known: record.known,
    statistics,
    bootstrap: facts.same === false ? null : record.bootstrap,
    comparison: record.comparison,
    search: record.search,
    ranks: ranksOf(record, model.rank),
    covariates: record.covariates,
    boundary: atBoundary(model),
    charts,
    tables: reportTables(model, record, run, errors, names),
    leftOut: [
      ...(found.leftOut ?? []),
      ...(data === undefined
        ? [
            'Residuals, posterior probabilities and the combinations that deviate most are left out, because the data was not given.',
          ]
        : explained
          ? [
              'Residuals and posterior probabilities are left out, because with covariates every observation has its own probabilities of membership.',
            ]
          : []),
    ],
    origin: { ...record.origin, digest: record.origin.digest ?? options.digest ?? null },
  }
}

const dataFacts = (model: Model, record: ModelRecord, { data, digest, unseen = [] }: ReportOptions): DataFacts => {
  const { origin, weights, omissions } = record
  const known = data !== undefined && digest !== undefined && origin.digest !== null && origin.command !== 'train'
  const same = known ? digest === origin.digest : null
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

/** The figures of the record where they are of this data, or there is no data; else they are made anew. */
const statisticsOf = async (
  model: Model,
  { statistics, covariates }: ModelRecord,
  { same }: DataFacts,
  { data, run }: ReportOptions,
): Promise<FitStatistics | null> => {
  if (data === undefined || same === true || covariates !== null) return same === false ? null : statistics
  const asked = (run?.options ?? {}) as { readonly constraints?: object }
  const found = await evaluate(data, model, asked.constraints === undefined ? {} : { constraints: asked.constraints })
  const { gSquared, chiSquared, cressieRead, pValue, entropy, relativeEntropy, averagePosteriors } = found
  return {
    logLikelihood: found.logLikelihood,
    loss: found.loss,
    parameters: found.parameters,
    degreesOfFreedom: found.degreesOfFreedom,
    identification: found.identification,
    criteria: Object.fromEntries(
      CRITERIA.flatMap(({ key }) =>
        key === 'heldOut' ? [] : [[key, Number.isFinite(found[key]) ? found[key] : null]],
      ),
    ),
    gSquared: gSquared ?? null,
    chiSquared: chiSquared ?? null,
    cressieRead: cressieRead ?? null,
    pValue: pValue ?? null,
    sparse: found.sparse,
    entropy: entropy ?? null,
    relativeEntropy: relativeEntropy ?? null,
    classificationError: found.classificationError,
    averagePosteriors: averagePosteriors.map(row => row ?? null),
  }
}

const searchCharts = ({
  search,
  attempts,
  trace,
  choice,
}: ModelRecord): Pick<ReportCharts, 'losses' | 'optima' | 'criteria'> => ({
  losses:
    trace.length < 2 && attempts.length < 2
      ? null
      : lossesData({
          trace: trace.slice(0, DRAWN.passes),
          attempts: attempts.slice(0, DRAWN.attempts),
        }),
  optima:
    search === null || search.optima.length < 2
      ? null
      : {
          optima: search.optima
            .slice(0, DRAWN.optima)
            .map(({ loss, reached, converged }) => ({ loss, reached, converged })),
        },
  criteria:
    choice === null || choice.fits.length < 2
      ? null
      : criteriaData(
          choice.fits.map(({ rank, criteria }) => ({ ...(criteria as Criteria), rank })),
          choice.recommended ?? undefined,
        ),
})

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

const atBoundary = ({ parameters, modes }: Model): Report['boundary'] => {
  let [at, of] = [0, 0]
  parameters.factors.forEach((factor, n) => {
    if (modes[n].size < 2) return
    of += factor.length
    for (const value of factor) if (value <= AT_BOUNDARY || value >= 1 - AT_BOUNDARY) at++
  })
  return { at, of }
}
