import type {
  DistalBootstrap,
  DistalClass,
  DistalEstimate,
  DistalResult,
  Normality,
  OutcomeRegression,
  WaldTest,
} from '@polyad/core'
import { count, counted, DASH, digits, fixed, levelText, percent, pValue } from '../numbers.ts'
import type { WithNulls } from '../with-nulls.ts'
import { MEASUREMENT_TEXT } from './measurement-text.ts'
import { type ComparedError, stepBootstrapText } from './step-bootstrap-text.ts'
import { type Page, textTable } from './text-table.ts'

/** An outcome by class, as the object of --json has it: classes by their names. */
export interface DistalFigures extends WithNulls<Omit<DistalResult, 'classes' | 'pairs'>> {
  readonly model: string
  readonly outcome: string
  /** The columns of counts and of weights; null where there is none. */
  readonly count: string | null
  readonly weights: string | null
  readonly classes: readonly (WithNulls<Omit<DistalClass, 'class'>> & { readonly class: string | number })[]
  readonly pairs: readonly (WithNulls<Omit<DistalResult['pairs'][number], 'classes'>> & {
    readonly classes: readonly (string | number)[]
  })[]
  /** With covariates. */
  readonly adjusted?: WithNulls<OutcomeRegression['adjusted']>
  readonly bootstrap?: WithNulls<DistalBootstrap>
  readonly output?: string
}

/** Both standard errors of every estimate, if there is a bootstrap. */
export const distalErrors = ({ bootstrap, classes, adjusted }: DistalFigures): ComparedError[] =>
  bootstrap === undefined
    ? []
    : [
        ...classes.flatMap(({ class: name, mean, probabilities }, t): ComparedError[] => {
          const own = bootstrap.classes[t]
          return own.probabilities === undefined
            ? [{ name: `class ${name}`, standardError: mean?.standardError, bootstrap: own.mean! }]
            : own.probabilities.map((each, j) => ({
                name: `class ${name}, ${each.label}`,
                standardError: probabilities![j].standardError,
                bootstrap: each,
              }))
        }),
        ...(bootstrap.coefficients ?? []).map((each, i) => ({
          name: `${each.label === undefined ? '' : `${each.label}, `}${each.term}`,
          standardError: adjusted!.coefficients[i].standardError,
          bootstrap: each,
        })),
      ]

const METHODS = {
  bch: 'BCH-corrected',
  ml: 'corrected by maximum likelihood',
  none: 'not corrected: differences between classes are underestimated',
} as const

const interval = ({ interval: own }: WithNulls<DistalEstimate>, digits: number): string =>
  own === null ? DASH : `${fixed(own[0], digits)} to ${fixed(own[1], digits)}`

/** Of a Wald test, as columns of a table. */
export const testCells = (test: WaldTest | null): string[] =>
  test === null ? [DASH, DASH, DASH] : [fixed(test.statistic, 3), count(test.degreesOfFreedom), pValue(test.pValue)]

export const TEST = ['χ²', 'df', 'p'].map(title => ({ title, align: 'right' as const }))

/** What to do if an outcome is not normal, and ml takes it to be. */
export const normalityWarning = (outcome: string, { skewness, kurtosis }: Normality): string =>
  `${outcome} is not normal within the classes (skewness ${fixed(skewness, 2)}, excess kurtosis ${fixed(kurtosis, 2)}): --method ml then finds differences that do not exist. Use --method bch`

export const distalText = (found: DistalFigures, page: Page): string[] => {
  const { outcome, method, confidence, classes, pairs, overall, classification } = found
  const bounds = levelText(confidence)
  const right = classification.map((row, t) => row[t])
  return [
    '',
    page.style(
      'bold',
      `${outcome} by class${found.adjusted === undefined ? '' : `, adjusted for ${found.adjusted.names.join(', ')}`}`,
    ) + page.style('dim', `   ${METHODS[method]}`),
    ...(found.kind === 'number' ? meansTable(classes, bounds, page) : categoriesTable(classes, bounds, page)),
    '',
    page.style('bold', 'tests of equality') + page.style('dim', '   Wald tests'),
    ...textTable(
      [
        { title: 'classes', most: 40, repeated: true },
        ...(found.kind === 'number' ? [{ title: 'difference', align: 'right' as const }] : []),
        ...TEST,
      ],
      [
        ['all', ...(found.kind === 'number' ? [''] : []), ...testCells(overall)],
        ...pairs.map(({ classes: both, difference, test }) => [
          both.join(' and '),
          ...(typeof difference === 'number' ? [fixed(difference, 4)] : []),
          ...testCells(test),
        ]),
      ],
      page,
    ),
    ...(overall === null || pairs.some(({ test }) => test === null)
      ? [`  ${DASH}: no such test, because a probability is 0 or 1 in one of the classes`]
      : []),
    ...(found.adjusted === undefined ? [] : adjustedText(found.adjusted, bounds, page)),
    '',
    ...(found.bootstrap === undefined ? [] : stepBootstrapText(found.bootstrap, distalErrors(found), page)),
    `  ${counted(found.rows, found.adjusted === undefined ? 'row' : 'observation')}${found.missing === 0 ? '' : `; left out: ${count(found.missing)} without ${outcome}${found.adjusted === undefined ? '' : ', a covariate'} or any answer`}`,
    `  members of a class who are assigned to it: ${right.map(each => percent(each)).join(', ')}`,
    page.style('dim', `  ${MEASUREMENT_TEXT[found.measurement]}`),
    ...(found.design === undefined
      ? []
      : [
          page.style(
            'dim',
            `  they account for ${counted(found.design.clusters, 'cluster')}${found.design.strata > 1 ? ` in ${counted(found.design.strata, 'stratum', 'strata')}` : ''}, ${found.design.degreesOfFreedom} degrees of freedom`,
          ),
        ]),
    ...(found.output === undefined || found.output === '-' ? [] : ['', `Wrote ${found.output}`]),
  ]
}

const meansTable = (classes: DistalFigures['classes'], bounds: string, page: Page): string[] => {
  // Adjusted means have none.
  const deviates = classes.some(({ mean }) => typeof mean?.deviation === 'number')
  const titles = ['size', 'mean', 's.e.', bounds, ...(deviates ? ['SD'] : [])]
  return textTable(
    [{ title: 'class', most: 40, repeated: true }, ...titles.map(title => ({ title, align: 'right' as const }))],
    classes.map(({ class: name, share, mean }) => [
      ...[`${name}`, percent(share), fixed(mean!.estimate, 4), fixed(mean!.standardError, 4)],
      ...[interval(mean!, 3), ...(deviates ? [fixed(mean!.deviation, 3)] : [])],
    ]),
    page,
  )
}

const categoriesTable = (classes: DistalFigures['classes'], bounds: string, page: Page): string[] =>
  textTable(
    [
      { title: 'class', most: 40, repeated: true },
      { title: 'size', align: 'right' },
      { title: '', most: 28, repeated: true },
      ...['probability', 's.e.', bounds].map(title => ({ title, align: 'right' as const })),
    ],
    classes.flatMap(({ class: name, share, probabilities }) =>
      probabilities!.map((each, j) => [
        ...(j === 0 ? [`${name}`, percent(share)] : ['', '']),
        ...[`${each.label}`, fixed(each.estimate, 4), fixed(each.standardError, 4), interval(each, 3)],
      ]),
    ),
    page,
  )

/** The effects of covariates on the outcome, the class held. */
const adjustedText = (
  { coefficients, tests, referenceCategories }: NonNullable<DistalFigures['adjusted']>,
  bounds: string,
  page: Page,
): string[] => {
  const labelled = coefficients.some(({ label }) => label !== undefined)
  const categories = Object.entries(referenceCategories).map(([name, label]) => `${name} = ${label}`)
  return [
    '',
    page.style('bold', 'effects of the covariates') +
      page.style('dim', `   within classes${labelled ? ', on the logit against the first category' : ''}`),
    ...textTable(
      [
        ...(labelled ? [{ title: 'category', most: 24, repeated: true }] : []),
        { title: 'term', repeated: true },
        ...['estimate', 's.e.', bounds, 'p'].map(title => ({ title, align: 'right' as const })),
      ],
      coefficients.map(({ label, term, estimate, standardError, interval: [low, high], pValue: p }) => [
        ...(labelled ? [String(label)] : []),
        ...[term, digits(estimate), digits(standardError), `${digits(low)} to ${digits(high)}`, pValue(p)],
      ]),
      page,
    ),
    ...(categories.length === 0
      ? []
      : [
          page.style(
            'dim',
            `  reference ${categories.length === 1 ? 'category' : 'categories'}: ${categories.join(', ')}`,
          ),
        ]),
    '',
    ...textTable(
      [{ title: 'covariate', most: 32, repeated: true }, ...TEST],
      tests.map(({ covariate, test }) => [covariate, ...testCells(test)]),
      page,
    ),
  ]
}
