import { type Criterion, type Model, OptionError } from '@polyad/core'
import { CRITERIA } from '@polyad/core/stats'
import type { RankFigures } from '../fit-figures.ts'
import { EMPTY_TABLE, isTableEmpty } from '../meaning.ts'
import { type ModelRecord, modelRecordOf, type RecordedRank, rankFits, rankTestOf } from '../model-record.ts'
import { APPROXIMATE } from '../nested-text.ts'
import { counted, whole } from '../numbers.ts'
import { fixedCell, type PaperTable, pCell, percentCell, type TablePart, wholeCell } from '../paper-table.ts'
import type { ComparisonFacts, RankTestFacts } from '../report.ts'
import { sampleSentences } from '../sample-text.ts'
import type { PaperTableOptions } from './options.ts'
import type { ModelSource } from './profiles.ts'

/** What is compared: models with their records, and objects that `polyad rank --json` and `polyad test --json` printed. */
export interface FitSource {
  readonly models?: readonly ModelSource[]
  readonly results?: readonly unknown[]
}

/** One number of classes. */
type FitRow = RankFigures & Pick<RecordedRank, 'rank' | 'criteria'>

/** The criteria that journals print. */
const PRINTED = ['aic', 'bic', 'sabic'] as const

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
        figures: {
          ...statistics,
          smallestClass: Math.min(...model.shares),
          identified: statistics.identification.rank,
        },
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
    ...(options.number !== undefined && { number: options.number }),
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
  ...(options.number !== undefined && { number: options.number }),
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

const hasAny = (rows: readonly FitRow[], key: Criterion): boolean =>
  rows.some(({ criteria }) => typeof criteria[key] === 'number')

const ranksPart = (
  rows: readonly FitRow[],
  tests: readonly RankTestFacts[],
  digits: number,
  total: number | null,
): TablePart => {
  const printed = PRINTED.filter(key => hasAny(rows, key))
  const absolute = rows.some(({ gSquared }) => gSquared !== null) && !isEmpty(rows, total)
  const lmr = tests.some(({ loMendellRubin }) => typeof loMendellRubin?.pValue === 'number')
  // A row has the test of one class fewer against it, as is usual.
  const testOf = (rank: number) => tests.find(({ against, rank: fewer }) => against === rank && fewer === rank - 1)
  const titles = { aic: 'AIC', bic: 'BIC', sabic: 'aBIC' }
  return {
    stub: 'Classes',
    columns: [
      { title: 'LL' },
      { title: 'Parameters' },
      ...printed.map(key => ({ title: titles[key] })),
      ...(absolute ? [{ title: 'G²' }, { title: 'df' }] : []),
      { title: 'Entropy' },
      { title: 'Smallest class' },
      ...(tests.length === 0 ? [] : [{ title: 'BLRT p' }]),
      ...(lmr ? [{ title: 'LMR p' }] : []),
    ],
    rows: rows.map(row => ({
      head: row.rank,
      cells: [
        fixedCell(row.logLikelihood, digits),
        wholeCell(row.identified),
        ...printed.map(key => fixedCell(row.criteria[key], digits)),
        ...(absolute ? [fixedCell(row.gSquared, digits), wholeCell(row.degreesOfFreedom)] : []),
        row.rank === 1 ? '' : fixedCell(row.relativeEntropy, 3),
        percentCell(row.smallestClass, 1),
        ...(tests.length === 0 ? [] : [row.rank === 1 ? '' : pCell(testOf(row.rank)?.pValue)]),
        ...(lmr ? [row.rank === 1 ? '' : pCell(testOf(row.rank)?.loMendellRubin?.pValue)] : []),
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
  const criteria = CRITERIA.some(({ key }) => hasAny(rows, key))
  return [
    `LL = log-likelihood; ${criteria ? 'AIC = Akaike information criterion; BIC = Bayesian information criterion; aBIC = sample-size adjusted BIC; ' : ''}Entropy = relative entropy (1 = classes are certain).`,
    ...(tests.length === 0
      ? []
      : [
          `BLRT = bootstrap likelihood-ratio test of one class fewer against the number in the row (${least === most ? counted(least, 'replicate') : `${whole(least)} to ${counted(most, 'replicate')}`}).`,
          ...(tests.some(({ loMendellRubin }) => typeof loMendellRubin?.pValue === 'number')
            ? [
                'LMR = adjusted Lo–Mendell–Rubin test; it is printed for comparison with other programs, because χ² is not its distribution.',
              ]
            : []),
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
  {
    caption: 'Likelihood-ratio tests',
    stub: 'Models',
    columns: [{ title: 'χ²' }, { title: 'df' }, { title: 'p' }],
    rows: tests.map(({ model, within, statistic, degreesOfFreedom, pValue }) => ({
      head: `${model} vs. ${within}`,
      cells: [fixedCell(statistic, digits), wholeCell(degreesOfFreedom), pCell(pValue)],
    })),
  },
]

const comparisonNotes = ({ approximate }: ComparisonFacts): string[] => [
  'LL = log-likelihood; AIC = Akaike information criterion; BIC = Bayesian information criterion. Each test is of the first model against the second, which contains it.',
  ...(approximate ? [APPROXIMATE] : []),
]
