import { CRITERIA, whereText } from '@polyad/core/stats'
import { type Html, html, inText } from '../html.ts'
import { EMPTY_TABLE, isTableEmpty } from '../meaning.ts'
import { count, counted, fixed, percent, pValue, simulatedP, whole } from '../numbers.ts'
import { capital } from '../prose.ts'
import type { FitStatistics, Report } from '../report.ts'
import { figureOf } from './figures.ts'
import { paperHtml, tableHtml } from './tables.ts'

/** How many classes, how well they fit, and how certain they are. */

/** What was seen in simulated data that follow the model: 2 to 4 classes of 4 to 12 variables with 2 to 4 categories each. */
const RESIDUALS =
  'For every two variables, X² of their table divided by its degrees of freedom. If the model holds, most are far below 1: in simulated data they averaged 0.2 to 0.6, and 95 % were below 2.5.'

export const fitSection = (report: Report, document: Document): Html | null => {
  const { charts, leftOut, ranks, classes, statistics, tables } = report
  return html`${tables.fit === null ? null : paperHtml(tables.fit)}
${ranks === null ? null : html`<p>${capital(ranks.reason)}.</p>`}
${figuresTable(report)}
<div class="side">
${figureOf(document, 'criteria', charts.criteria, {
  title: 'How many classes',
  caption: 'Criteria against the number of classes; lower is better.',
  room: 'beside',
})}
${figureOf(document, 'residuals', charts.residuals, { title: 'What the classes leave unexplained', caption: RESIDUALS, room: 'beside' })}
${figureOf(document, 'certainty', charts.certainty, {
  title: 'How certain the classes are',
  caption: 'Observations by the probability of the class that they are assigned to.',
  room: 'beside',
})}
${figureOf(document, 'posteriors', charts.posteriors, {
  title: 'Posterior probabilities',
  caption: 'How probable each class is for the observations; similar ones are grouped.',
  room: 'beside',
})}
</div>
${figureOf(document, 'anomalies', charts.anomalies, {
  title: 'Combinations that deviate most',
  caption: 'Combinations of categories that were observed far more often, or more rarely, than the model expects.',
  room: 'wide',
})}
${
  classes.length > 1 && statistics !== null && charts.certainty === null
    ? averageTable(
        classes.map(({ name }) => name),
        statistics.averagePosteriors,
      )
    : null
}
${leftOut.map(text => html`<p class="aside">${text}</p>`)}`
}

const averageTable = (names: readonly string[], rows: readonly (readonly number[] | null)[]): Html =>
  tableHtml({
    caption:
      'Average posterior probabilities: for those assigned to a class (rows), the mean probability of each class',
    columns: ['assigned to', ...names.map(name => inText(name, 40))],
    rows: rows.map((row, k) => [inText(names[k], 40), ...(row ?? names.map(() => null))]),
  })

/** The figures of fit in one table, without those that mean nothing. */
const figuresTable = (report: Report): Html | null => {
  const { statistics, data } = report
  if (statistics === null) return null
  const isEmpty = statistics.gSquared !== null && isTableEmpty(statistics.degreesOfFreedom, data.fitted)
  const entries: (readonly [string, string])[] = [
    [data.weights === null ? 'observations' : 'sum of weights', count(data.total)],
    ...(data.cells === null ? [] : [['distinct combinations', whole(data.cells)] as const]),
    ['log-likelihood', fixed(statistics.logLikelihood, 4)],
    ['free parameters', whole(statistics.parameters)],
    ...identificationEntry(statistics),
    ...CRITERIA.flatMap(({ key, name }) =>
      typeof statistics.criteria[key] === 'number'
        ? [[name, fixed(statistics.criteria[key], key === 'heldOut' ? 4 : 2)] as const]
        : [],
    ),
    ...(isEmpty ? bootstrapEntry(report) : tableEntries(report, statistics)),
    ...(report.classes.length === 1
      ? []
      : ([
          ['relative entropy', fixed(statistics.relativeEntropy, 3)],
          ['expected classification error', percent(statistics.classificationError)],
        ] as const)),
  ]
  return html`${tableHtml({ caption: 'Fit statistics', columns: ['figure', 'value'], rows: entries })}
${isEmpty ? html`<p class="aside">${EMPTY_TABLE}</p>` : null}${statistics.gSquared === null ? html`<p class="aside">${report.covariates === null ? 'G² and X² are not defined, because values are missing.' : 'G² and X² are not defined with covariates.'}</p>` : null}`
}

const identificationEntry = ({ identification: { verdict, atFit } }: FitStatistics): (readonly [string, string])[] => [
  ['identification', `${verdict}${atFit !== undefined && atFit.classes.length > 0 ? `: ${whereText(atFit)}` : ''}`],
]

/** Of the table of counts; a sum of weights is no number of observations. */
const tableEntries = (report: Report, statistics: FitStatistics): (readonly [string, string])[] => {
  const { data } = report
  if (statistics.gSquared === null) return bootstrapEntry(report)
  return [
    ['G²', fixed(statistics.gSquared, 4)],
    ['X²', fixed(statistics.chiSquared, 4)],
    ['Cressie–Read', fixed(statistics.cressieRead, 4)],
    ['degrees of freedom', statistics.degreesOfFreedom === null ? '–' : whole(statistics.degreesOfFreedom)],
    ...(data.weights === null && data.whole !== false && statistics.pValue !== null
      ? [['p of G² by χ²', pValue(statistics.pValue)] as const]
      : []),
    ...bootstrapEntry(report),
  ]
}

const bootstrapEntry = ({ bootstrap }: Report): (readonly [string, string])[] =>
  bootstrap === null
    ? []
    : [['p of G² by the bootstrap', `${simulatedP(bootstrap)}, ${counted(bootstrap.replicates, 'replicate')}`]]
