import type { ComparedModel, DirectComparison, GroupComparison, JoinedComparison, NestedTest } from '@polyad/core'
import { count, counted, fixed, percent, pText, whole } from './numbers.ts'
import { type Page, textTable } from './text-table.ts'

type TestFigures = Omit<NestedTest, 'pValue'> & { readonly pValue: number | null }

export type GroupFigures = Omit<GroupComparison, 'tests'> & { readonly tests: readonly TestFigures[] }
export type DirectFigures = Omit<DirectComparison, 'test'> & { readonly test: TestFigures }
export type JoinFigures = Omit<JoinedComparison, 'test'> & { readonly test: TestFigures }

const testFigures = (test: NestedTest): TestFigures => ({ ...test, pValue: test.pValue ?? null })

/** A comparison of models for --json: what is not defined is null. */
export function comparisonFigures(comparison: GroupComparison): GroupFigures
export function comparisonFigures(comparison: JoinedComparison): JoinFigures
export function comparisonFigures(comparison: DirectComparison): DirectFigures
export function comparisonFigures(
  comparison: GroupComparison | JoinedComparison | DirectComparison,
): GroupFigures | JoinFigures | DirectFigures {
  return 'tests' in comparison
    ? { ...comparison, tests: comparison.tests.map(testFigures) }
    : { ...comparison, test: testFigures(comparison.test) }
}

const modelsTable = (models: readonly ComparedModel[], page: Page): string[] => {
  const best = Math.min(...models.map(({ bic }) => bic))
  const columns = [
    { title: 'model', repeated: true },
    { title: 'log-likelihood', align: 'right' },
    { title: 'parameters', align: 'right' },
    { title: 'AIC', align: 'right' },
    { title: 'BIC', align: 'right' },
  ] as const
  const rows = models.map(({ name, logLikelihood, parameters, aic, bic }) => [
    name,
    fixed(logLikelihood, 4),
    whole(parameters),
    fixed(aic, 2),
    `${bic === best ? '* ' : ''}${fixed(bic, 2)}`,
  ])
  return textTable(columns, rows, page)
}

const testLine = ({ model, within, statistic, degreesOfFreedom, pValue: p }: TestFigures): string =>
  `  ${model} within ${within}: χ² = ${fixed(statistic, 3)}, ${counted(degreesOfFreedom, 'degree')} of freedom, ${pText(p)}`

/** If the answers alone do not identify the classes. */
export const APPROXIMATE =
  'The answers alone do not identify the classes: p of the pooled model is approximate, and may be too small.'

/** If likelihood ratios have no p-value although there are degrees of freedom. */
const withoutP = (tests: readonly TestFigures[]): string[] =>
  tests.some(({ pValue, degreesOfFreedom }) => pValue === null && degreesOfFreedom > 0)
    ? ['  Likelihood ratios of weighted or clustered rows have no p-value; Wald tests of membership do.']
    : []

export const groupsText = ({ mode, models, tests, shares, identified }: GroupFigures, page: Page): string[] => [
  page.style('bold', `groups: ${mode}`),
  ...modelsTable(models, page),
  ...tests.map(testLine),
  ...(identified ? [] : [`  ${APPROXIMATE}`]),
  ...withoutP(tests),
  '',
  ...textTable(
    [
      { title: mode, most: 32, repeated: true },
      { title: 'total', align: 'right' },
      ...shares[0].shares.map((_, k) => ({ title: `class ${k + 1}`, align: 'right' as const })),
    ],
    shares.map(({ group, total, shares: own }) => [String(group), count(total), ...own.map(share => percent(share))]),
    page,
  ),
  '',
]

export const joinText = ({ models, test, joined }: JoinFigures, page: Page): string[] => [
  page.style('bold', `joined: ${joined.map(names => names.join(' and ')).join('; ')}`),
  ...modelsTable(models, page),
  testLine(test),
  ...withoutP([test]),
  '',
]

export const directText = ({ models, test, effects }: DirectFigures, page: Page): string[] => [
  page.style(
    'bold',
    `direct effects: ${effects.map(({ covariate, mode, class: of }) => `${covariate} on ${mode}${of === undefined ? '' : ` in class ${of}`}`).join('; ')}`,
  ),
  ...modelsTable(models, page),
  testLine(test),
  ...withoutP([test]),
  '',
]
