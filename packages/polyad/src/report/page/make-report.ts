import {
  type ChartClass,
  type ChartMode,
  changeData,
  criteriaData,
  lossesData,
  mixesData,
  numberOf,
} from '@polyad/charts'
import type { Criteria, Model } from '@polyad/core'
import { isLinked } from '@polyad/core/model'
import { labelsIn } from '../../table/values/codebook.ts'
import { orderedModes } from '../figures/ordered-modes.ts'
import { type ModelRecord, modelRecordOf } from '../record/model-record.ts'
import { intervalsFor } from '../record/read-structure.ts'
import type { Report, ReportCharts } from '../record/report.ts'
import { type DataStatistics, dataStatistics } from './data-statistics.ts'
import {
  crossedModes,
  FEW_LABELS,
  itemLines,
  labelledModes,
  lineMode,
  panelModes,
  topMode,
  wholeMode,
} from './mode-data.ts'
import { type ReportOptions, reportFacts } from './report-facts.ts'
import { reportTables } from './report-tables.ts'

/** Passes of the run that was kept, and optima, that are drawn. */
const DRAWN = { passes: 2000, optima: 30, attempts: 500 }

/**
 * Makes a report as plain values: from the model, the record in its file and, if given, the data.
 * @example
 * const report = await makeReport(model, { data: answers, names: ['engaged', 'distant'] })
 * report.classes[0].name // 'engaged'
 * report.statistics?.identification.verdict // 'identified'
 */
export const makeReport = async (model: Model, options: ReportOptions = {}): Promise<Report> => {
  const { run = {}, data, placed, errors } = options
  const facts = await reportFacts(model, options)
  const ordered = orderedModes(model.modes, options.ordered)
  const record = modelRecordOf(run, model.rank)
  const names = facts.classes.map(({ name }) => name)
  const classes: ChartClass[] = model.shares.map((share, k) => ({ name: names[k], share }))
  const isOfRows = record.covariates !== null || isLinked(model.structure)
  const explained = isOfRows && placed === undefined
  const rows = placed ?? (explained ? undefined : data)
  const found: Partial<DataStatistics> = rows === undefined ? {} : dataStatistics(rows, model, names, facts)
  const intervals = errors === undefined ? intervalsFor(model, record.errors) : errors.intervals
  // A group is no variable: its class sizes are in a table.
  const variables = model.modes.flatMap(({ name }, n) => (name === record.groups?.mode ? [] : [n]))
  const many = variables.filter(n => model.modes[n].size > FEW_LABELS && numberOf(model, n) === undefined)
  const labels = labelsIn(facts.labels)
  const modes = labelledModes(
    variables.flatMap(n => panelModes(model, n, ordered.has(n), intervals?.factors)),
    labels,
  )
  const labelled = (mode: ChartMode): ChartMode => labelledModes([mode], labels)[0]
  const charts: ReportCharts = {
    shares: { classes: classes.map((each, k) => ({ ...each, ...(intervals && { interval: intervals.shares[k] }) })) },
    lines: itemLines(classes, modes),
    profiles: modes.length === 0 ? null : { classes, modes },
    top: many.length === 0 ? null : { classes, modes: many.map(n => labelled(topMode(model, n))) },
    time: many.flatMap(n => (ordered.has(n) ? [{ classes, ...lineMode(wholeMode(model, n, true)) }] : [])),
    pairs: crossedModes(model, classes),
    posteriors: found.posteriors ?? null,
    certainty: found.certainty ?? null,
    residuals: found.residuals ?? null,
    anomalies: found.anomalies ?? null,
    ...searchCharts(record),
    curves: record.covariates === null ? null : { classes, curves: record.covariates.curves },
    flows: changeData(model, names) ?? null,
    transitions: changeData(model, names) ?? null,
    mixes: mixesData(model, names) ?? null,
  }
  return {
    ...facts,
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
              isLinked(model.structure)
                ? 'Posterior probabilities are left out, because the data does not say which rows belong together.'
                : 'Residuals and posterior probabilities are left out, because they need the covariates of every observation, and the data has none.',
            ]
          : []),
    ],
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
