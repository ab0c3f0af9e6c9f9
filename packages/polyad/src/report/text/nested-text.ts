import type { ComparedModel, DirectComparison, GroupComparison, JoinedComparison, NestedTest } from '@polyad/core'
import { count, counted, fixed, percent, pText, whole } from '../numbers.ts'
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
  const isScaled = models.some(({ scaling }) => scaling !== undefined)
  const columns = [
    { title: 'model', repeated: true },
    { title: 'log-likelihood', align: 'right' },
    { title: 'parameters', align: 'right' },
    { title: 'AIC', align: 'right' },
    { title: 'BIC', align: 'right' },
    ...(isScaled ? [{ title: 'scaling', align: 'right' as const }] : []),
  ] as const
  const rows = models.map(({ name, logLikelihood, parameters, aic, bic, scaling }) => [
    name,
    fixed(logLikelihood, 4),
    whole(parameters),
    fixed(aic, 2),
    `${bic === best ? '* ' : ''}${fixed(bic, 2)}`,
    ...(isScaled ? [fixed(scaling, 3)] : []),
  ])
  return textTable(columns, rows, page)
}

const testLines = (test: TestFigures): string[] => {
  const { model, within, statistic, degreesOfFreedom, scaling, scaled, pValue: p, reason } = test
  const of = (text: string) => `  ${model} within ${within}: ${text}, ${counted(degreesOfFreedom, 'degree')} of freedom`
  if (reason !== undefined) return [`${of(`likelihood ratio ${fixed(statistic, 3)}`)}`, `  no p-value: ${reason}`]
  return scaled === undefined
    ? [`${of(`χ² = ${fixed(statistic, 3)}`)}, ${pText(p)}`]
    : [`${of(`scaled χ² = ${fixed(scaled, 3)} (${fixed(statistic, 3)} / ${fixed(scaling, 3)})`)}, ${pText(p)}`]
}

/** How likelihood ratios allow for the sample. */
const scalingNote = (tests: readonly TestFigures[], page: Page): string[] =>
  tests.some(({ scaled }) => scaled !== undefined)
    ? [page.style('dim', '  scaled by the design of the sample (Satorra–Bentler)')]
    : []

/** If the answers alone do not identify the classes. */
export const APPROXIMATE =
  'The answers alone do not identify the classes: p of the pooled model is approximate, and may be too small.'

export const groupsText = ({ mode, models, tests, shares, identified }: GroupFigures, page: Page): string[] => [
  page.style('bold', `groups: ${mode}`),
  ...modelsTable(models, page),
  ...tests.flatMap(testLines),
  ...(identified ? [] : [`  ${APPROXIMATE}`]),
  ...scalingNote(tests, page),
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
  ...testLines(test),
  ...scalingNote([test], page),
  '',
]

export const directText = ({ models, test, effects }: DirectFigures, page: Page): string[] => [
  page.style(
    'bold',
    `direct effects: ${effects.map(({ covariate, mode, class: of }) => `${covariate} on ${mode}${of === undefined ? '' : ` in class ${of}`}`).join('; ')}`,
  ),
  ...modelsTable(models, page),
  ...testLines(test),
  ...scalingNote([test], page),
  '',
]
