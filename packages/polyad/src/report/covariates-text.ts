import type { Coefficient, CovariateCurve, CovariateEffects, ShownEffect } from '@polyad/core'
import { TEST, testCells } from './distal-text.ts'
import { count, DASH, digits, fixed, percent, pValue } from './numbers.ts'
import { type Page, textTable } from './text-table.ts'
import { type WithNulls, withNulls } from './with-nulls.ts'

/** How class membership is explained, for --json: what is not defined is null. */
export interface CovariateFigures
  extends Omit<CovariateEffects, 'coefficients' | 'tests' | 'curves' | 'referenceCategories' | 'units'>,
    Partial<Pick<CovariateEffects, 'referenceCategories' | 'units'>> {
  readonly coefficients: readonly (WithNulls<Omit<Coefficient, 'shown'>> & {
    readonly shown?: WithNulls<ShownEffect>
  })[]
  /** Absent from models that an older version has written. */
  readonly tests?: WithNulls<CovariateEffects['tests']>
  readonly curves: readonly (Omit<CovariateCurve, 'numeric'> & Partial<Pick<CovariateCurve, 'numeric'>>)[]
}

export const covariateFigures = (effects: CovariateEffects): CovariateFigures => withNulls(effects)

/** The coefficients as they are shown: each per unit of its term, which its name states. Older models have none but 1. */
export const shownCoefficients = ({ coefficients, terms = [], units = [] }: CovariateFigures) =>
  coefficients.map(({ shown, ...each }) => {
    const own = terms.find(({ name }) => name === each.term)?.factors ?? []
    const factors = own.flatMap(({ covariate, label }) =>
      label === undefined ? units.filter(unit => unit.covariate === covariate && unit.by !== 'one') : [],
    )
    const per = factors.map(({ unit, by }) => (by === 'deviation' ? 's.d.' : unitText(unit))).join(' × ')
    return { ...each, ...shown, term: per === '' ? each.term : `${each.term}, per ${per}` }
  })

/** Odds of e¹⁰ to 1 that the data does not determine are on their way to infinity. */
const RUN_OFF = 10

/** Where a coefficient runs off to that has no finite estimate: ∞ or −∞; undefined if it has one. */
export const runsOff = ({
  estimate,
  standardError,
}: {
  readonly estimate: number | null
  readonly standardError?: number | null
}): '∞' | '−∞' | undefined =>
  standardError === null && estimate !== null && Math.abs(estimate) >= RUN_OFF ? (estimate > 0 ? '∞' : '−∞') : undefined

/** What the coefficients are compared with, and what standard deviations and units are. */
export const referenceLines = ({ referenceCategories = {}, units = [] }: CovariateFigures): string[] => {
  const categories = Object.entries(referenceCategories).map(([name, label]) => `${name} = ${label}`)
  const deviations = units.filter(({ by }) => by === 'deviation' || by === 'automatic')
  return [
    ...(categories.length === 0
      ? []
      : [`reference ${categories.length === 1 ? 'category' : 'categories'}: ${categories.join(', ')}`]),
    ...(deviations.length === 0
      ? []
      : [
          `s.d.: ${deviations.map(({ covariate, deviation }) => `${covariate} ${deviationText(deviation)}`).join(', ')}`,
        ]),
  ]
}

/** 10,000 or 0.001; a unit is never cut to 0. */
const unitText = (unit: number): string =>
  unit >= 1e-4 && unit < 1e15 ? unit.toLocaleString('en-US', { maximumSignificantDigits: 15 }) : unit.toExponential()

/** Four digits are enough of a standard deviation. */
const deviationText = (value: number): string => unitText(Number(value.toPrecision(4)))

/** The coefficients, and how membership changes with each covariate. */
export const covariatesText = (figures: CovariateFigures, page: Page): string[] => {
  const { reference, confidence = 0.95, coefficients, tests = [], curves } = figures
  const all = shownCoefficients(figures)
  const off = all.map(runsOff)
  const rows = all.map(({ class: k, term, pValue: p, ...shown }, i) => [
    String(k),
    term,
    off[i] === undefined ? digits(shown.estimate) : `→ ${off[i]}`,
    digits(shown.standardError),
    pValue(p),
    off[i] === undefined ? fixed(shown.oddsRatio, 3) : off[i] === '∞' ? '→ ∞' : '→ 0',
    shown.interval === null ? DASH : `${fixed(shown.interval[0], 3)} to ${fixed(shown.interval[1], 3)}`,
  ])
  const columns = [
    { title: 'class', align: 'right', repeated: true },
    { title: 'term', repeated: true },
    { title: 'estimate', align: 'right' },
    { title: 's.e.', align: 'right' },
    { title: 'p', align: 'right' },
    { title: 'odds ratio', align: 'right' },
    { title: percent(confidence).replace('.0 ', ' '), align: 'right' },
  ] as const
  const lacking = coefficients.some(({ standardError }) => standardError === null)
  return [
    page.style('bold', `membership, against class ${reference}`),
    ...textTable(columns, rows, page),
    ...referenceLines(figures).map(line => page.style('dim', `  ${line}`)),
    ...(lacking
      ? [
          off.some(each => each !== undefined)
            ? `  →: no finite estimate: the likelihood rises as the coefficient grows, for example if a category has no members in a class`
            : `  ${DASH}: not determined by the data: a coefficient is infinite if a category has no members in a class`,
        ]
      : []),
    '',
    ...testsText(tests, page),
    ...curves.flatMap(({ covariate, numeric = true, points }) => [
      page.style('bold', `P[class] by ${covariate}`),
      ...textTable(
        [
          { title: covariate, most: 32, repeated: true },
          ...points[0].probabilities.map((_, k) => ({ title: `class ${k + 1}`, align: 'right' as const })),
        ],
        points.map(({ value, probabilities }) => [
          typeof value === 'number' && numeric ? count(value) : String(value),
          ...probabilities.map(share => percent(share)),
        ]),
        page,
      ),
      '',
    ]),
  ]
}

const testsText = (tests: NonNullable<CovariateFigures['tests']>, page: Page): string[] =>
  tests.length === 0
    ? []
    : [
        page.style('bold', 'tests of the covariates') + page.style('dim', '   Wald tests over all classes'),
        ...textTable(
          [{ title: 'covariate', most: 32, repeated: true }, ...TEST],
          tests.map(({ covariate, test }) => [covariate, ...testCells(test)]),
          page,
        ),
        '',
      ]
