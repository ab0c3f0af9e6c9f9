import { OptionError } from '@polyad/core'
import { defined, reader } from '@polyad/core/options'
import { checkNames, numberedName } from '../figures/class-names.ts'
import { type CovariateFigures, referenceLines, runsOff, shownCoefficients } from '../figures/covariate-figures.ts'
import { levelText, percent } from '../numbers.ts'
import { capital } from '../prose.ts'
import { modelRecordOf } from '../record/model-record.ts'
import { covariatesOf, omissionsOf, textOf } from '../record/read-structure.ts'
import { CORRECTIONS, MEASUREMENT_TEXT } from '../text/measurement-text.ts'
import { ERROR_KINDS, sampleSentences } from '../text/sample-text.ts'
import { fixedCell, type PaperRow, type PaperTable, pCell, wholeCell } from './formats/paper-table.ts'
import { classTitles, type PaperTableOptions } from './options.ts'
import type { ModelSource } from './profiles.ts'

/** The term that has no odds ratio. */
const CONSTANT = 'intercept'

/** The odds ratios of covariates, class by class against the reference, and Wald's tests over all classes. */
export const oddsTable = (
  { model, run = {} }: ModelSource,
  options: PaperTableOptions,
  titles = classTitles(model, options),
): PaperTable => {
  const record = modelRecordOf(run, model.rank)
  const { covariates } = record
  if (covariates === null)
    throw new OptionError(
      'odds ratios need a model with covariates (polyad fit --covariates … -o model.npz) or what polyad regress --json printed',
    )
  return oddsOf(covariates, titles, options, [
    `The reference class is ${titles[covariates.reference - 1]} (${percent(model.shares[covariates.reference - 1])}).`,
    ...(record.errors === null ? [] : [`Standard errors are ${ERROR_KINDS[record.errors.kind]}.`]),
    ...sampleSentences(record, record.total ?? model.total),
  ])
}

/** The same of covariates in three steps, from what `polyad regress --json` printed. */
export const regressTable = (result: unknown, options: PaperTableOptions): PaperTable => {
  const { classification, classNames, measurement, weights, ...rest } = reader.fieldsOf(result)
  const observations = reader.tried(reader.finite, rest.observations)
  const covariates = Array.isArray(classification) ? covariatesOf(rest.covariates, classification.length) : null
  if (covariates === null || observations === null) throw new OptionError('this JSON is not from polyad regress --json')
  const rank = (classification as unknown[]).length
  const own =
    reader.tried(reader.vector(rank, reader.text()), classNames) ??
    Array.from({ length: rank }, (_, k) => numberedName(k))
  const titles = options.names === undefined ? own : checkNames(options.names, rank)
  const how = CORRECTIONS[rest.method as keyof typeof CORRECTIONS]
  const errors = MEASUREMENT_TEXT[measurement as keyof typeof MEASUREMENT_TEXT]
  return oddsOf(covariates, titles, options, [
    `The reference class is ${titles[covariates.reference - 1]}.`,
    ...(how === undefined ? [] : [`Membership was regressed in three steps, ${how}.`]),
    ...(errors === undefined ? [] : [`${capital(errors)}.`]),
    ...sampleSentences(
      { weights: textOf(weights), omissions: omissionsOf({ covariates }), missing: null, design: null },
      observations,
    ),
  ])
}

const oddsOf = (
  covariates: CovariateFigures,
  titles: readonly string[],
  options: PaperTableOptions,
  notes: readonly string[],
): PaperTable => {
  const digits = options.decimals ?? 2
  const { reference, confidence = 0.95, tests = [] } = covariates
  const coefficients = shownCoefficients(covariates)
  const rows: PaperRow[] = titles.flatMap((_, k) => {
    const own = coefficients.filter(each => each.class === k + 1)
    if (own.length === 0) return []
    return [
      { head: `${titles[k]} vs. ${titles[reference - 1]}`, cells: [] },
      ...own.map(each => {
        const { term, estimate, standardError, oddsRatio, interval, z, pValue } = each
        const constant = term === CONSTANT
        const off = runsOff(each)
        return {
          head: term,
          indented: true,
          cells: [
            off ?? fixedCell(estimate, options.decimals ?? 3),
            fixedCell(standardError, options.decimals ?? 3),
            ...(constant
              ? ['', '', '']
              : [
                  off === undefined ? fixedCell(oddsRatio, digits) : off === '−∞' ? '0' : off,
                  fixedCell(interval?.[0], digits),
                  fixedCell(interval?.[1], digits),
                ]),
            fixedCell(z, digits),
            pCell(pValue),
          ],
        }
      }),
    ]
  })
  const bounds = `${levelText(confidence)} CI`
  const odds = {
    stub: 'Term',
    columns: [
      { title: 'B' },
      { title: 'SE' },
      { title: 'OR' },
      { title: 'LL', group: bounds },
      { title: 'UL', group: bounds },
      { title: 'z' },
      { title: 'p' },
    ],
    rows,
  }
  const all = {
    stub: 'Covariate',
    columns: [{ title: 'χ²' }, { title: 'df' }, { title: 'p' }],
    rows: tests.map(({ covariate, test }) => ({
      head: covariate,
      cells: [fixedCell(test?.statistic, digits), wholeCell(test?.degreesOfFreedom), pCell(test?.pValue)],
    })),
  }
  const lacking = coefficients.some(({ standardError }) => standardError === null)
  return {
    title: options.title ?? 'Class membership by covariates: odds ratios of a multinomial logit',
    ...defined({ number: options.number }),
    parts:
      tests.length === 0
        ? [odds]
        : [
            { ...odds, caption: 'Coefficients and odds ratios' },
            { ...all, caption: 'Wald tests over all classes' },
          ],
    notes: [
      'B = coefficient of the logit; SE = standard error; OR = odds ratio; CI = confidence interval of the odds ratio; LL = lower limit; UL = upper limit.',
      ...referenceLines(covariates).map(line => `${capital(line)}.`),
      ...(lacking
        ? ['A dash marks what the data does not determine, for example because a category has no members in the class.']
        : []),
      ...notes,
    ],
  }
}
