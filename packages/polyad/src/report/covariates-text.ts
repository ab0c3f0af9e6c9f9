import type { Coefficient, CovariateCurve, CovariateEffects } from '@polyad/core'
import { TEST, testCells } from './distal-text.ts'
import { count, DASH, fixed, percent, pValue } from './numbers.ts'
import { type Page, textTable } from './text-table.ts'
import { type WithNulls, withNulls } from './with-nulls.ts'

/** How class membership is explained, for --json: what is not defined is null. */
export interface CovariateFigures extends Omit<CovariateEffects, 'coefficients' | 'tests' | 'curves'> {
  readonly coefficients: readonly WithNulls<Coefficient>[]
  /** Absent from models that an older version has written. */
  readonly tests?: WithNulls<CovariateEffects['tests']>
  readonly curves: readonly (Omit<CovariateCurve, 'numeric'> & Partial<Pick<CovariateCurve, 'numeric'>>)[]
}

export const covariateFigures = (effects: CovariateEffects): CovariateFigures => withNulls(effects)

/** Four decimals, or the leading digits of what is smaller. */
const digits = (value: number | null): string =>
  value !== null && value !== 0 && Math.abs(value) < 0.001 ? value.toExponential(2).replace('-', '−') : fixed(value, 4)

/** The coefficients, and how membership changes with each covariate. */
export const covariatesText = (
  { reference, confidence = 0.95, coefficients, tests = [], curves }: CovariateFigures,
  page: Page,
): string[] => {
  const rows = coefficients.map(({ class: k, term, estimate, standardError, pValue: p, oddsRatio, interval }) => [
    String(k),
    term,
    digits(estimate),
    digits(standardError),
    pValue(p),
    fixed(oddsRatio, 3),
    interval === null ? DASH : `${fixed(interval[0], 3)} to ${fixed(interval[1], 3)}`,
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
    ...(lacking
      ? [`  ${DASH}: not determined by the data; a coefficient is infinite where no one of a kind is in a class`]
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
        page.style('bold', 'does membership depend on it?') + page.style('dim', "   Wald's tests over all classes"),
        ...textTable(
          [{ title: 'covariate', most: 32, repeated: true }, ...TEST],
          tests.map(({ covariate, test }) => [covariate, ...testCells(test)]),
          page,
        ),
        '',
      ]
