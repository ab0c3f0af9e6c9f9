import { type Model, OptionError } from '@polyad/core'
import { defined } from '@polyad/core/options'
import type { RankFigures } from '../figures/fit-figures.ts'
import { EMPTY_TABLE, isTableEmpty } from '../figures/meaning.ts'
import { STATISTICS, statisticsOn } from '../figures/statistics.ts'
import { counted, whole } from '../numbers.ts'
import { capital } from '../prose.ts'
import { type ModelRecord, modelRecordOf, type RecordedRank, rankFits, rankTestOf } from '../record/model-record.ts'
import type { ComparisonFacts, RankTestFacts } from '../record/report.ts'
import { APPROXIMATE } from '../text/nested-text.ts'
import { sampleSentences } from '../text/sample-text.ts'
import {
  fixedCell,
  isSymbol,
  numberCell,
  type PaperTable,
  pCell,
  simulatedCell,
  type TablePart,
  wholeCell,
} from './formats/paper-table.ts'
import type { PaperTableOptions } from './options.ts'
import type { ModelSource } from './profiles.ts'

/** What is compared: models with their records, and objects that `polyad rank --json` and `polyad test --json` printed. */
export interface FitSource {
  readonly models?: readonly ModelSource[]
  readonly results?: readonly unknown[]
}

/** One number of classes. */
type FitRow = RankFigures & Pick<RecordedRank, 'rank' | 'criteria'>

/** Numbers of classes against each other; or, for one model with known groups or joined variables, its comparisons. */
export const fitTable = ({ models = [], results = [] }: FitSource, options: PaperTableOptions): PaperTable => {
  const records = models.map(({ model, run = {} }) => ({ model, record: modelRecordOf(run, model.rank) }))
  checkSameData(records.map(({ record }) => record))
  const tests: RankTestFacts[] = []
  const rows = new Map<number, FitRow>()
  const take = ({ rank, criteria, figures, test }: RecordedRank) => {
    if (figures !== undefined && !rows.has(rank)) rows.set(rank, { ...figures, rank, criteria })
    if (test !== undefined) tests.push(test)
  }
  for (const { model, record } of records) {
    const { statistics } = record
    if (statistics !== null)
      take({
        rank: model.rank,
        criteria: statistics.criteria,
        figures: { ...statistics, identified: statistics.identification.rank },
      })
    record.choice?.fits.forEach(take)
  }
  for (const result of results) {
    const test = rankTestOf(result)
    const fits = test === null ? rankFits((result as { readonly fits?: unknown } | null)?.fits) : null
    if (test !== null) tests.push(test)
    else if (fits !== null) fits.forEach(take)
    else throw new OptionError('this JSON is neither from polyad rank --json nor from polyad test --json')
  }
  if (rows.size === 0)
    throw new OptionError(
      'the model file does not record how well the model fits: name one that polyad fit -o or polyad rank -o saved',
    )
  const ordered = [...rows.values()].sort((a, b) => a.rank - b.rank)
  const [first] = records
  if (ordered.length === 1 && first !== undefined && first.record.comparison !== null)
    return comparisonTable(first.record.comparison, first.record, first.model, options)
  const total = first === undefined ? null : (first.record.total ?? first.model.total)
  return {
    title: options.title ?? 'Model fit by number of classes',
    ...defined({ number: options.number }),
    parts: [ranksPart(ordered, tests, options.decimals ?? 2, total)],
    notes: [
      ...ranksNotes(ordered, tests, total),
      ...(first === undefined || total === null ? [] : sampleSentences(first.record, total)),
    ],
  }
}

/** Models with known groups or joined variables, and the tests between them. */
export const comparisonTable = (
  comparison: ComparisonFacts,
  record: ModelRecord,
  model: Model,
  options: PaperTableOptions,
): PaperTable => ({
  title: options.title ?? comparison.title,
  ...defined({ number: options.number }),
  parts: comparisonParts(comparison, options.decimals ?? 2),
  notes: [...comparisonNotes(comparison), ...sampleSentences(record, record.total ?? model.total)],
})

const checkSameData = (records: readonly ModelRecord[]): void => {
  const digests = new Set(records.flatMap(({ origin }) => (origin.digest === null ? [] : [origin.digest])))
  if (digests.size > 1)
    throw new OptionError(
      'these models were fitted to different data: criteria compare models of the same data. Fit them to the same rows and variables',
    )
}

const ranksPart = (
  rows: readonly FitRow[],
  tests: readonly RankTestFacts[],
  digits: number,
  total: number | null,
): TablePart => {
  const absolute = rows.some(({ gSquared }) => gSquared !== null) && !isEmpty(rows, total)
  const printed = statisticsOn('paper').filter(({ key, needs, value }) =>
    needs === 'table' || needs === 'G²'
      ? absolute
      : key in STATISTICS || rows.some(row => typeof value(row) === 'number'),
  )
  // A row has the test of one class fewer against it, as is usual.
  const testOf = (rank: number) => tests.find(({ against, rank: fewer }) => against === rank && fewer === rank - 1)
  return {
    stub: 'Classes',
    columns: [
      ...printed.map(({ title }) => ({ title: isSymbol(title) || /[A-Z]/.test(title) ? title : capital(title) })),
      ...(tests.length === 0 ? [] : [{ title: 'BLRT p' }]),
    ],
    rows: rows.map(row => ({
      head: row.rank,
      cells: [
        ...printed.map(({ format, needs, value }) =>
          needs === 'classes' && row.rank === 1
            ? ''
            : numberCell(value({ ...row, parameters: row.identified }), typeof format === 'number' ? digits : format),
        ),
        ...(tests.length === 0 ? [] : [row.rank === 1 ? '' : simulatedCell(testOf(row.rank))]),
      ],
    })),
  }
}

const isEmpty = (rows: readonly FitRow[], total: number | null): boolean =>
  total !== null && rows.some(({ degreesOfFreedom }) => isTableEmpty(degreesOfFreedom, total))

const ranksNotes = (rows: readonly FitRow[], tests: readonly RankTestFacts[], total: number | null): string[] => {
  const replicates = tests.map(test => test.replicates)
  const [least, most] = [Math.min(...replicates), Math.max(...replicates)]
  const apart = rows.filter(({ identified, parameters }) => identified < parameters)
  const criteria = rows.some(row => Object.values(row.criteria).some(value => typeof value === 'number'))
  return [
    `LL = log-likelihood; ${criteria ? 'AIC = Akaike information criterion; BIC = Bayesian information criterion; aBIC = sample-size adjusted BIC; ' : ''}Entropy = relative entropy (1 = classes are certain).`,
    ...(tests.length === 0
      ? []
      : [
          `BLRT = bootstrap likelihood-ratio test of one class fewer against the number in the row (${least === most ? counted(least, 'replicate') : `${whole(least)} to ${counted(most, 'replicate')}`}).`,
        ]),
    ...(rows.some(({ gSquared }) => gSquared !== null) && isEmpty(rows, total) ? [EMPTY_TABLE] : []),
    ...apart.map(
      ({ rank, parameters, identified }) =>
        `With ${counted(rank, 'class', 'classes')} the model is not identified: ${whole(identified)} of ${whole(parameters)} parameters can be told apart, and are counted.`,
    ),
  ]
}

const comparisonParts = ({ models, tests }: ComparisonFacts, digits: number): TablePart[] => [
  {
    caption: 'Models',
    stub: 'Model',
    columns: [{ title: 'LL' }, { title: 'Parameters' }, { title: 'AIC' }, { title: 'BIC' }],
    rows: models.map(({ name, logLikelihood, parameters, aic, bic }) => ({
      head: name,
      cells: [fixedCell(logLikelihood, digits), wholeCell(parameters), fixedCell(aic, digits), fixedCell(bic, digits)],
    })),
  },
  testsPart(tests, digits),
]

const isScaled = (tests: ComparisonFacts['tests']): boolean => tests.some(({ scaled }) => scaled !== undefined)

/** Of weighted rows or clusters, the ratios before and after they were scaled. */
const testsPart = (tests: ComparisonFacts['tests'], digits: number): TablePart => {
  const scales = isScaled(tests)
  return {
    caption: scales ? 'Scaled likelihood-ratio tests' : 'Likelihood-ratio tests',
    stub: 'Models',
    columns: [
      ...(scales ? [{ title: 'Likelihood ratio' }, { title: 'Scaling' }] : []),
      { title: scales ? 'Scaled χ²' : 'χ²' },
      { title: 'df' },
      { title: 'p' },
    ],
    rows: tests.map(({ model, within, statistic, scaling, scaled, degreesOfFreedom, pValue }) => ({
      head: `${model} vs. ${within}`,
      cells: [
        ...(scales ? [fixedCell(statistic, digits), fixedCell(scaling, 3)] : []),
        fixedCell(scales ? scaled : statistic, digits),
        wholeCell(degreesOfFreedom),
        pCell(pValue),
      ],
    })),
  }
}

const comparisonNotes = ({ approximate, tests }: ComparisonFacts): string[] => [
  'LL = log-likelihood; AIC = Akaike information criterion; BIC = Bayesian information criterion. Each test is of the first model against the second, which contains it.',
  ...(isScaled(tests)
    ? [
        'Likelihood ratios are divided by a scaling factor, which allows for the design of the sample (Satorra & Bentler, 2001).',
      ]
    : []),
  ...tests.flatMap(({ model, within, reason }) =>
    reason === undefined ? [] : [`${model} vs. ${within} has no p-value: ${reason}.`],
  ),
  ...(approximate ? [APPROXIMATE] : []),
]
