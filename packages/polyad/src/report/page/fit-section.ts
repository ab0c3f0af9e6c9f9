import { isNumber } from '@polyad/core/model'
import { testName, testsOf } from '../figures/fit-tests.ts'
import { statisticPairs, whyNoTest } from '../figures/shown-statistics.ts'
import { isReliableIfSparse } from '../figures/statistics.ts'
import { type Html, html, inText } from '../html.ts'
import { count, counted, simulatedP, whole } from '../numbers.ts'
import { capital } from '../prose.ts'
import type { Report } from '../record/report.ts'
import { figureOf } from './charts.ts'
import { paperHtml, tableHtml } from './tables.ts'

/** How many classes, how well they fit, and how certain they are. */

/** What was seen in simulated data that follow the model: 2 to 4 classes of 4 to 12 variables with 2 to 4 categories each. */
const RESIDUALS =
  'For every two variables, X² of their table divided by its degrees of freedom. If the model holds, most are far below 1: in simulated data they averaged 0.2 to 0.6, and 95% were below 2.5.'
const NUMBERS_LEFT =
  'With a number, it is the association that is left within classes: the correlation of two numbers, or the differences of a mean between categories; it is about 1 if the model holds.'

const residualsCaption = ({ modes }: Report): string =>
  modes.some(({ item }) => item !== undefined && isNumber(item)) ? `${RESIDUALS} ${NUMBERS_LEFT}` : RESIDUALS

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
${figureOf(document, 'residuals', charts.residuals, { title: 'What the classes leave unexplained', caption: residualsCaption(report), room: 'beside' })}
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
  const { statistics, data, modes } = report
  if (statistics === null) return null
  const figures = { ...statistics, total: data.fitted, items: modes.flatMap(({ item }) => item ?? []) }
  // A sum of weights is no number of observations.
  const isTested = data.weights === null && data.whole !== false && statistics.pValue !== null
  const entries: (readonly [string, string])[] = [
    [data.weights === null ? 'observations' : 'observations (weighted)', count(data.total)],
    ...(data.cells === null ? [] : [['distinct combinations', whole(data.cells)] as const]),
    ...statisticPairs(figures, 'report', isTested ? [] : ['pValue']),
    ...bootstrapEntries(report),
  ]
  const isExplained = report.covariates !== null && data.missing?.length === 0
  const absent = whyNoTest(figures, isExplained ? 'covariates explain the classes' : undefined)
  return html`${tableHtml({ caption: 'Fit statistics', columns: ['figure', 'value'], rows: entries })}
${absent === undefined ? null : html`<p class="aside">${absent}</p>`}`
}

const bootstrapEntries = ({ bootstrap, statistics }: Report): (readonly [string, string])[] => {
  if (bootstrap === null) return []
  const { replicates } = bootstrap
  const isDoubtful = statistics?.sparse === true && bootstrap.chiSquared !== undefined
  return testsOf({ ...bootstrap, gSquared: bootstrap }).map(([key, test]) => [
    `p of ${testName(key)} by the bootstrap (${counted(replicates, 'replicate')})`,
    `${simulatedP({ ...test, replicates })}${isDoubtful && !isReliableIfSparse(key) ? ' (unreliable in a sparse table)' : ''}`,
  ])
}
