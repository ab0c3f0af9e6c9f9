import type { FitFigures } from './fit-figures.ts'
import { bar, fixed, pValue, whole } from './numbers.ts'
import { padEnd, padStart, type Style, type TableColumn, textTable } from './text-table.ts'

/** Criteria of which the best is set off, by the title of their column; for all but the last, lower is better. */
const COMPARED = {
  AIC: 'aic',
  BIC: 'bic',
  'adj. BIC': 'sabic',
  CAIC: 'caic',
  ICL: 'icl',
  'held-out': 'heldOut',
} as const

/** The criteria of every rank, the best of each set off; a chart of BIC; the recommendation. */
export const rankText = (
  fits: readonly FitFigures[],
  recommended: number | undefined,
  reason: string,
  style: Style,
): string[] => {
  const heldOut = fits.some(({ criteria }) => criteria.heldOut !== undefined)
  const tested = fits.some(({ pValue }) => pValue !== null)
  const compared = (Object.keys(COMPARED) as (keyof typeof COMPARED)[]).filter(title => heldOut || title !== 'held-out')
  const titles = [
    'classes',
    'log-likelihood',
    'parameters',
    ...compared,
    ...(tested ? ['p of G²'] : []),
    'entropy',
    'optimum',
  ]
  const columns: TableColumn[] = titles.map(title => ({ title, align: 'right' }))
  const rows = fits.map(fit => [
    `${fit.rank}`,
    fixed(fit.logLikelihood, 3),
    whole(fit.parameters),
    ...compared.map(title => fixed(fit.criteria[COMPARED[title]], title === 'held-out' ? 4 : 2)),
    ...(tested ? [pValue(fit.pValue)] : []),
    fixed(fit.relativeEntropy, 3),
    fit.rank === 1 ? 'exact' : `${fit.converged ? '' : '! '}${fit.verdict.reached}/${fit.verdict.attempts}`,
  ])
  const best = compared.map(title => bestOf(fits, COMPARED[title]))
  return [
    ...textTable(columns, rows, style, (row, column) =>
      best[column - 3] === row ? 'green' : column === 0 && fits[row].rank === recommended ? 'bold' : undefined,
    ),
    style('dim', '  optimum: how many attempts reached the best; ! where it did not converge'),
    '',
    ...bicChart(fits, recommended, style),
    '',
    recommended === undefined
      ? reason
      : `${style('bold', `${recommended} ${recommended === 1 ? 'class' : 'classes'}`)}: ${reason}`,
  ]
}

/** The row in which a criterion is best. */
const bestOf = (fits: readonly FitFigures[], name: (typeof COMPARED)[keyof typeof COMPARED]): number => {
  const standing = ({ criteria }: FitFigures) =>
    name === 'heldOut' ? -(criteria.heldOut ?? Number.NEGATIVE_INFINITY) : criteria[name]
  return fits.reduce((best, fit, i) => (standing(fit) < standing(fits[best]) ? i : best), 0)
}

const CHART = 40

/** How far the BIC of each rank is above the lowest. */
const bicChart = (fits: readonly FitFigures[], recommended: number | undefined, style: Style): string[] => {
  const values = fits.map(({ criteria }) => criteria.bic)
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const name = Math.max(...fits.map(({ rank }) => `${rank}`.length))
  const above = (value: number) => (value === low ? 'lowest' : `+${fixed(value - low, 1)}`)
  return [
    style('dim', '  BIC above the lowest'),
    ...fits.map(({ rank }, i) => {
      const drawn = padEnd(bar(high === low ? 0 : (values[i] - low) / (high - low), CHART) || '▏', CHART)
      const line = `  ${padStart(`${rank}`, name)}  ${style(rank === recommended ? 'green' : 'cyan', drawn)}  ${above(values[i])}`
      return rank === recommended ? style('bold', line) : line
    }),
  ]
}
