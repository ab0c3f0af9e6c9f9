import { CRITERIA, whereText } from '@polyad/core/stats'
import { referenceLines, shownCoefficients } from '../covariates-text.ts'
import { type Html, html, inText } from '../html.ts'
import { APPROXIMATE } from '../nested-text.ts'
import { count, counted, fixed, percent, pValue, simulatedP, whole } from '../numbers.ts'
import { listed } from '../prose.ts'
import type { Report } from '../report.ts'
import { figureOf } from './figures.ts'
import { tableBehind, tableHtml } from './tables.ts'

/** What speaks for the model and against it, and what it takes to make it again. */

export const evidenceSection = (
  { charts, leftOut, search, ranks, classes, statistics }: Report,
  document: Document,
): Html => {
  const best = search?.verdict
  return html`<div class="side">
${figureOf(document, 'losses', charts.losses, {
  title: 'The way down',
  caption:
    'The loss along the run that was kept, and where every attempt ended, by the passes it took. Lower is better.',
  room: 'beside',
})}
${figureOf(document, 'optima', charts.optima, {
  title: 'The landscape of optima',
  caption: `How often each optimum was reached${best === undefined ? '' : `, in ${count(best.attempts)} attempts`}. The best should be reached more than once.`,
  room: 'beside',
})}
${figureOf(document, 'criteria', charts.criteria, {
  title: 'How many classes',
  caption: `Criteria against the number of classes; lower is better.${ranks === null ? '' : ` ${sentence(ranks.reason)}`}`,
  room: 'beside',
})}
${figureOf(document, 'residuals', charts.residuals, {
  title: 'What the classes leave unexplained',
  caption:
    'For every two modes, X² of their table by its degrees of freedom: about 1 or less where the classes explain their association.',
  room: 'beside',
})}
${figureOf(document, 'certainty', charts.certainty, {
  title: 'How certain the classes are',
  caption: 'The observations by the probability of the class that they are assigned to.',
  room: 'beside',
})}
${figureOf(document, 'posteriors', charts.posteriors, {
  title: 'Posteriors',
  caption: 'How probable each class is for the observations; those that are nearly alike are put together.',
  room: 'beside',
})}
</div>
${figureOf(document, 'anomalies', charts.anomalies, {
  title: 'Cells that deviate most',
  caption: 'Combinations of labels that were seen far more often, or more rarely, than the model expects.',
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

/** A reason of the library as a sentence. */
const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

const averageTable = (names: readonly string[], rows: readonly (readonly number[] | null)[]): Html => {
  const caption = 'Average posteriors: for those assigned to a class (rows), the mean probability of each class'
  return tableHtml({
    caption,
    columns: ['assigned to', ...names.map(name => inText(name, 40))],
    rows: rows.map((row, k) => [inText(names[k], 40), ...(row ?? names.map(() => null))]),
  })
}

/** All figures in one table. */
export const figuresSection = ({
  statistics,
  structure,
  bootstrap,
  comparison,
  search,
  data,
  classes,
  covariates,
}: Report): Html | null => {
  if (statistics === null && search === null) return null
  const entries: (readonly [string, string])[] = [
    [data.weights === null ? 'observations' : 'sum of weights', count(data.total)],
    ...(data.cells === null ? [] : [['distinct combinations', whole(data.cells)] as const]),
  ]
  if (statistics !== null) {
    const { identification, criteria } = statistics
    entries.push(
      ['log-likelihood', fixed(statistics.logLikelihood, 4)],
      ['loss f', fixed(statistics.loss, 4)],
      ['free parameters', whole(statistics.parameters)],
      ['degrees of freedom', statistics.degreesOfFreedom === null ? '–' : whole(statistics.degreesOfFreedom)],
      [
        'identification',
        `${identification.verdict}${identification.atFit !== undefined && identification.atFit.classes.length > 0 ? `: ${whereText(identification.atFit)}` : ''}`,
      ],
      ...CRITERIA.flatMap(({ key, name }) =>
        criteria[key] === undefined ? [] : [[name, fixed(criteria[key], key === 'heldOut' ? 4 : 2)] as const],
      ),
      ['G²', fixed(statistics.gSquared, 4)],
      ['X²', fixed(statistics.chiSquared, 4)],
      ['Cressie–Read', fixed(statistics.cressieRead, 4)],
      // A sum of weights is no number of observations.
      ['p of G² by χ²', pValue(data.weights === null && data.whole !== false ? statistics.pValue : null)],
      ...(bootstrap === null
        ? []
        : [
            [
              'p of G² by the bootstrap',
              `${simulatedP(bootstrap)}, ${counted(bootstrap.replicates, 'replicate')}`,
            ] as const,
          ]),
      ...(classes.length === 1
        ? []
        : ([
            ['entropy of the posteriors', fixed(statistics.entropy, 4)],
            ['relative entropy', fixed(statistics.relativeEntropy, 4)],
            ['classification error', percent(statistics.classificationError)],
          ] as const)),
    )
  }
  if (search !== null)
    entries.push(
      ['stationarity (residual)', search.stationarity.toExponential(1)],
      ['passes of the run that was kept', whole(search.passes)],
      ['passes of the whole search', whole(search.totalPasses)],
      ['attempts', `${count(search.verdict.attempts)}, of which ${count(search.starts)} independent starts`],
      ['verdict', search.verdict.text],
    )
  return html`${tableHtml({ caption: 'Of the data, the model, its fit and the search', columns: ['figure', 'value'], rows: entries })}
${structure.includes('known groups') ? html`<p class="aside">These figures are of the table in which the group is one more variable. Those given the group are below.</p>` : null}
${comparison === null ? null : comparisonTables(comparison)}
${covariates === null ? null : coefficientTable(covariates)}
${covariates?.tests === undefined ? null : testTable(covariates.tests)}`
}

const comparisonTables = ({
  title,
  approximate,
  models,
  tests,
}: NonNullable<Report['comparison']>): Html => html`${tableHtml({
  caption: title,
  columns: ['model', 'log-likelihood', 'parameters', 'AIC', 'BIC'],
  rows: models.map(({ name, logLikelihood, parameters, aic, bic }) => [name, logLikelihood, parameters, aic, bic]),
})}
${tableHtml({
  caption: 'Likelihood-ratio tests between them',
  columns: ['model', 'within', 'χ²', 'df', 'p'],
  rows: tests.map(({ model, within, statistic, degreesOfFreedom, pValue: p }) => [
    model,
    within,
    statistic,
    degreesOfFreedom,
    pValue(p),
  ]),
})}
${approximate ? html`<p class="aside">${APPROXIMATE}</p>` : null}`

const coefficientTable = (covariates: NonNullable<Report['covariates']>): Html =>
  tableBehind({
    caption: [`Coefficients of membership, against class ${covariates.reference}`, ...referenceLines(covariates)].join(
      '; ',
    ),
    columns: ['class', 'term', 'estimate', 's.e.', 'p', 'odds ratio', 'low', 'high'],
    rows: shownCoefficients(covariates).map(
      ({ class: k, term, estimate, standardError, pValue: p, oddsRatio, interval }) => [
        `${k}`,
        term,
        estimate,
        standardError,
        p,
        oddsRatio,
        interval?.[0] ?? null,
        interval?.[1] ?? null,
      ],
    ),
  })

const testTable = (tests: NonNullable<NonNullable<Report['covariates']>['tests']>): Html =>
  tableBehind({
    caption: "Wald's tests of the covariates, over all classes",
    columns: ['covariate', 'χ²', 'df', 'p'],
    rows: tests.map(({ covariate, test }) => [
      covariate,
      test?.statistic ?? null,
      test?.degreesOfFreedom ?? null,
      test?.pValue ?? null,
    ]),
  })

/** The command, the version, the seed and the digest. */
export const repeatSection = ({ origin, data, search }: Report): Html => {
  const { line, command, version, seed, digest, files, options } = origin
  const entries: (readonly [string, string])[] = [
    ...(version === null ? [] : [['version', `Polyad ${version}`] as const]),
    ...(command === null || line !== null ? [] : [['command', `polyad ${command}`] as const]),
    ...(seed === null ? [] : [['seed', String(seed)] as const]),
    ...(digest === null ? [] : [['digest of the data (SHA-256)', digest] as const]),
    ...(data.same === null ? [] : [['the data of this report', data.same ? 'the same' : 'other data'] as const]),
    ...(files.length === 0 ? [] : [['files', listed(files)] as const]),
    ...options.map(({ name, value }) => [`option ${name}`, value] as const),
  ]
  const byTime = search?.reason === 'stopped' || options.some(({ name }) => name === 'maxSeconds')
  return html`${line === null ? html`<p>The command line was not recorded.</p>` : html`<pre><code>${line}</code></pre>`}
${entries.length === 0 ? null : tableHtml({ caption: 'What it was made from', columns: ['what', 'value'], rows: entries })}
<p class="aside">${byTime ? 'The search was ended by time: what it finds depends on the machine.' : 'The same data, options and seed give the same model, to the last bit, on any number of threads.'} The digest is of the counted data, not of a file: the order of rows and the format do not change it.</p>`
}
