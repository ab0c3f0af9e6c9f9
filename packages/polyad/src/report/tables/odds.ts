import { type Model, OptionError, type StandardErrors } from '@polyad/core'
import { defined, reader } from '@polyad/core/options'
import { checkNames, numberedName } from '../figures/class-names.ts'
import {
  type CovariateFigures,
  type Limited,
  referenceLines,
  runsOff,
  shownCoefficients,
} from '../figures/covariate-figures.ts'
import { effectGroups, effectTerm, effectWords } from '../figures/effect-words.ts'
import type { EffectFigures } from '../figures/linked-figures.ts'
import { levelText, percent } from '../numbers.ts'
import { capital } from '../prose.ts'
import { type ModelRecord, modelRecordOf } from '../record/model-record.ts'
import { linkedFiguresFor } from '../record/read-linked.ts'
import { covariatesOf, omissionsOf, textOf } from '../record/read-structure.ts'
import { CORRECTIONS, MEASUREMENT_TEXT } from '../text/measurement-text.ts'
import { ERROR_KINDS, sampleSentences } from '../text/sample-text.ts'
import { fixedCell, type PaperRow, type PaperTable, pCell, type TablePart, wholeCell } from './formats/paper-table.ts'
import { classTitles, type PaperTableOptions } from './options.ts'
import type { ModelSource } from './profiles.ts'

/** The term that has no odds ratio. */
const CONSTANT = 'intercept'

/** The odds ratios of covariates, class by class against the reference, and Wald's tests over all classes. */
export const oddsTable = (
  { model, run = {} }: ModelSource,
  errors: StandardErrors | undefined,
  options: PaperTableOptions,
  titles = classTitles(model, options),
): PaperTable => {
  const record = modelRecordOf(run, model.rank)
  const { covariates } = record
  const effects = linkedFiguresFor(model, record.linked, record.updates, errors)?.effects
  if (effects !== undefined) return effectsTable(effects, model, record, errors, options, titles)
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

/** The same of covariates of persons over time, or of groups and their members: a part for each thing that they have an effect on. */
const effectsTable = (
  effects: readonly EffectFigures[],
  model: Model,
  record: ModelRecord,
  errors: StandardErrors | undefined,
  options: PaperTableOptions,
  titles: readonly string[],
): PaperTable => {
  const kind = errors?.kind ?? record.errors?.kind
  const units = model.structure.kind === 'chain' ? 'persons' : 'groups'
  return {
    title: options.title ?? `Covariates of ${units}: odds ratios of multinomial logits`,
    ...defined({ number: options.number }),
    parts: effects.flatMap(effect => {
      const { title } = effectWords(effect.on)
      const groups = effectGroups(effect, titles).map(({ name, coefficients }) => ({
        head: capital(name),
        coefficients: coefficients.map(each => ({ ...each, label: effectTerm(each, effect.on) })),
      }))
      const level = errors?.confidence ?? record.errors?.confidence ?? 0.95
      return [
        { ...coefficientsPart(groups, level, options), caption: `Effects on ${title}` },
        { ...testsPart(effect.tests, options), caption: `Wald tests of effects on ${title}` },
      ]
    }),
    notes: [
      ODDS_NOTE,
      ...effects.map(({ on }) => `${capital(effectWords(on).title)}: reference is ${effectWords(on).reference}.`),
      ...(effects.some(({ coefficients }) => coefficients.some(({ standardError }) => standardError === null))
        ? [LACKING_NOTE]
        : []),
      ...(kind === undefined ? [] : [`Standard errors are ${ERROR_KINDS[kind]}; clusters are the ${units}.`]),
      ...sampleSentences(record, record.total ?? model.total),
    ],
  }
}

const ODDS_NOTE =
  'B = coefficient of the logit; SE = standard error; OR = odds ratio; CI = confidence interval of the odds ratio; LL = lower limit; UL = upper limit.'
const LACKING_NOTE =
  'A dash marks what the data does not determine, for example because a category has no members in the class.'

/** A coefficient as a table shows it. */
interface ShownCoefficient extends Limited {
  readonly term: string
  /** How the term is shown, if not by its name. */
  readonly label?: string
  readonly standardError: number | null
  readonly oddsRatio: number | null
  readonly interval: readonly (number | null)[] | null
  readonly z?: number | null
  readonly pValue: number | null
}

/** Coefficients with their odds ratios, under headings. */
const coefficientsPart = (
  groups: readonly { readonly head: string; readonly coefficients: readonly ShownCoefficient[] }[],
  confidence: number,
  options: PaperTableOptions,
): TablePart => {
  const digits = options.decimals ?? 2
  const bounds = `${levelText(confidence)} CI`
  return {
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
    rows: groups.flatMap(({ head, coefficients }): PaperRow[] => [
      { head, cells: [] },
      ...coefficients.map(each => {
        const { term, label = term, estimate, standardError, oddsRatio, interval, z, pValue } = each
        const off = runsOff(each)
        return {
          head: label,
          indented: true,
          cells: [
            off ?? fixedCell(estimate, options.decimals ?? 3),
            fixedCell(standardError, options.decimals ?? 3),
            ...(term === CONSTANT
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
    ]),
  }
}

/** Tests that all coefficients of a covariate are zero. */
const testsPart = (tests: EffectFigures['tests'], options: PaperTableOptions): TablePart => ({
  stub: 'Covariate',
  columns: [{ title: 'χ²' }, { title: 'df' }, { title: 'p' }],
  rows: tests.map(({ covariate, test }) => ({
    head: covariate,
    cells: [fixedCell(test?.statistic, options.decimals ?? 2), wholeCell(test?.degreesOfFreedom), pCell(test?.pValue)],
  })),
})

const oddsOf = (
  covariates: CovariateFigures,
  titles: readonly string[],
  options: PaperTableOptions,
  notes: readonly string[],
): PaperTable => {
  const { reference, confidence = 0.95, tests = [] } = covariates
  const coefficients = shownCoefficients(covariates)
  const groups = titles.flatMap((_, k) => {
    const own = coefficients.filter(each => each.class === k + 1)
    return own.length === 0 ? [] : [{ head: `${titles[k]} vs. ${titles[reference - 1]}`, coefficients: own }]
  })
  const odds = coefficientsPart(groups, confidence, options)
  const lacking = coefficients.some(({ standardError }) => standardError === null)
  return {
    title: options.title ?? 'Class membership by covariates: odds ratios of a multinomial logit',
    ...defined({ number: options.number }),
    parts:
      tests.length === 0
        ? [odds]
        : [
            { ...odds, caption: 'Coefficients and odds ratios' },
            { ...testsPart(tests, options), caption: 'Wald tests over all classes' },
          ],
    notes: [
      ODDS_NOTE,
      ...referenceLines(covariates).map(line => `${capital(line)}.`),
      ...(lacking ? [LACKING_NOTE] : []),
      ...notes,
    ],
  }
}
