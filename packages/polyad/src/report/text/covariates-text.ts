import { type CovariateFigures, referenceLines, runsOff, shownCoefficients } from '../figures/covariate-figures.ts'
import { count, DASH, digits, fixed, levelText, percent, pValue } from '../numbers.ts'
import { TEST, testCells } from './distal-text.ts'
import { type Page, textTable } from './text-table.ts'

/** The coefficients, and how membership changes with each covariate. */
export const covariatesText = (figures: CovariateFigures, page: Page): string[] => {
  const { reference, confidence = 0.95, coefficients, tests = [], curves } = figures
  const all = shownCoefficients(figures)
  const off = all.map(runsOff)
  const rows = all.map(({ class: k, term, pValue: p, ...shown }, i) => [
    String(k),
    term,
    off[i] === undefined ? digits(shown.estimate) : off[i] === DASH ? DASH : `→ ${off[i]}`,
    digits(shown.standardError),
    pValue(p),
    off[i] === undefined ? fixed(shown.oddsRatio, 3) : ODDS[off[i]],
    shown.interval === null ? DASH : `${fixed(shown.interval[0], 3)} to ${fixed(shown.interval[1], 3)}`,
  ])
  const columns = [
    { title: 'class', align: 'right', repeated: true },
    { title: 'term', repeated: true },
    { title: 'estimate', align: 'right' },
    { title: 's.e.', align: 'right' },
    { title: 'p', align: 'right' },
    { title: 'odds ratio', align: 'right' },
    { title: levelText(confidence), align: 'right' },
  ] as const
  const lacking = coefficients.some(({ standardError }) => standardError === null)
  return [
    page.style('bold', 'class membership') + page.style('dim', `   multinomial logit; reference: class ${reference}`),
    ...textTable(columns, rows, page),
    ...referenceLines(figures).map(line => page.style('dim', `  ${line}`)),
    ...(off.some(each => each === '∞' || each === '−∞')
      ? [
          '  →: no finite estimate: the likelihood rises as the coefficient grows, for example if a category has no members in a class',
        ]
      : []),
    ...(off.includes(DASH)
      ? [
          `  ${DASH} as an estimate: the data does not determine it, for example because it is the difference of two infinite ones`,
        ]
      : lacking && off.every(each => each === undefined)
        ? [`  ${DASH}: not determined by the data: a coefficient is infinite if a category has no members in a class`]
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

/** Which tests leave out coefficients that are infinite. */
export const partlyTested = (tests: NonNullable<CovariateFigures['tests']>): string[] =>
  tests.flatMap(({ covariate, test, untested = 0 }) =>
    test === null || untested === 0
      ? []
      : [
          `${covariate}: the test covers ${count(test.degreesOfFreedom)} of ${count(test.degreesOfFreedom + untested)} contrasts; the others have no finite estimate`,
        ],
  )

const ODDS = { '∞': '→ ∞', '−∞': '→ 0', [DASH]: DASH } as const

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
        ...partlyTested(tests).map(line => `  ${line}`),
        '',
      ]
