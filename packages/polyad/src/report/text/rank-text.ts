import type { Criterion } from '@polyad/core'
import { CRITERIA, criterionValue, MIN_OBSERVATIONS_PER_CELL } from '@polyad/core/stats'
import type { FitFigures } from '../figures/fit-figures.ts'
import { isDoubtful, statisticsOn } from '../figures/statistics.ts'
import { bar, counted, DASH, fixed, simulatedValue, whole } from '../numbers.ts'
import { type Page, padEnd, padStart, type TableColumn, textTable } from './text-table.ts'

/** What a choice of the rank came to. */
export interface Recommendation {
  readonly by: Criterion
  readonly recommended: number | undefined
  readonly recommendedGroupClasses?: number | undefined
  readonly reason: string
}

/** The criteria of every rank, the best of each set off; a chart of the one that decides; the recommendation. */
export const rankText = (
  fits: readonly FitFigures[],
  { by, recommended, recommendedGroupClasses, reason }: Recommendation,
  page: Page,
  { details = false }: { readonly details?: boolean } = {},
): string[] => {
  const { style } = page
  const compares = fits.some(({ test }) => test !== undefined)
  const shown = statisticsOn('ranks').filter(
    ({ key, value, detail }) =>
      (details || detail !== true || key === by) && fits.some(fit => (value(fit) ?? null) !== null),
  )
  // The test between ranks comes after those of fit, before certainty.
  const tests = shown.filter(({ group }) => group !== 'certainty').length
  const placed = (cells: readonly string[], test: string) =>
    compares ? [...cells.slice(0, tests), test, ...cells.slice(tests)] : cells
  const hasGroups = fits.some(({ numberOfGroupClasses }) => numberOfGroupClasses !== undefined)
  const isRecommended = (fit: FitFigures) =>
    fit.rank === recommended && fit.numberOfGroupClasses === recommendedGroupClasses
  const titles = [
    'classes',
    ...(hasGroups ? ['group classes'] : []),
    ...placed(
      shown.map(({ title }) => title),
      'p vs next',
    ),
    'best in',
  ]
  const columns: TableColumn[] = titles.map((title, c) => ({ title, align: 'right', repeated: c === 0 }))
  const rows = fits.map(fit => [
    `${fit.rank}`,
    ...(hasGroups ? [`${fit.numberOfGroupClasses ?? DASH}`] : []),
    ...placed(
      shown.map(({ key, text }) =>
        key === 'parameters' ? parametersText(fit) : `${text(fit)}${isDoubtful(key, fit) ? ' *' : ''}`,
      ),
      fit.test === undefined ? DASH : simulatedValue(fit.test),
    ),
    fit.rank === 1
      ? 'exact'
      : `${fit.brief === true ? '~ ' : fit.converged || fit.reason === 'settled' ? '' : '! '}${fit.verdict.reached}/${fit.verdict.attempts}`,
  ])
  const best = shown.map(({ key }) => (isCriterion(key) ? bestOf(fits, key) : undefined))
  const head =
    recommended === undefined
      ? `No recommendation: ${reason}`
      : `${style('bold', `Recommended: ${recommended} ${recommended === 1 ? 'class' : 'classes'}${recommendedGroupClasses === undefined ? '' : `, and ${counted(recommendedGroupClasses, 'class', 'classes')} of groups`}.`)} ${sentence(reason)}`
  return [
    head,
    '',
    ...textTable(columns, rows, page, (row, column) =>
      best[column - (hasGroups ? 2 : 1)] === row
        ? 'green'
        : column === 0 && isRecommended(fits[row])
          ? 'bold'
          : undefined,
    ),
    style('dim', '  best in: runs that reached the best solution / all runs (! = not converged)'),
    ...(fits.some(({ brief }) => brief === true)
      ? [style('dim', '  ~ searched briefly, since no better solution would be recommended; --thorough searches all')]
      : []),
    ...(fits.some(isPartial)
      ? [style('dim', '  parameters: those that the data determines, of all; criteria count only these')]
      : []),
    ...(fits.some(fit => isDoubtful('pValue', fit))
      ? [
          style(
            'dim',
            `  * unreliable: the table averages fewer than ${MIN_OBSERVATIONS_PER_CELL} observations per cell`,
          ),
        ]
      : []),
    ...(compares
      ? [
          style(
            'dim',
            '  p vs next: bootstrap test of this number of classes against one more; if small, one more is needed',
          ),
        ]
      : []),
    '',
    ...chart(fits, by, isRecommended, page),
  ]
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

const isPartial = ({ identification, parameters }: FitFigures): boolean => identification.rank < parameters

const parametersText = (fit: FitFigures): string =>
  isPartial(fit) ? `${whole(fit.identification.rank)} of ${whole(fit.parameters)}` : whole(fit.parameters)

const isCriterion = (key: string): key is Criterion => CRITERIA.some(each => each.key === key)

/** The row in which a criterion is best. */
const bestOf = (fits: readonly FitFigures[], by: Criterion): number =>
  fits.reduce(
    (best, fit, i) => (criterionValue(fit.criteria, by) < criterionValue(fits[best].criteria, by) ? i : best),
    0,
  )

const WIDEST_BAR = 40

/** How far each rank is from the best by the criterion that decides. */
const chart = (
  fits: readonly FitFigures[],
  by: Criterion,
  isRecommended: (fit: FitFigures) => boolean,
  page: Page,
): string[] => {
  const { style } = page
  const values = fits.map(fit => criterionValue(fit.criteria, by))
  const known = values.filter(Number.isFinite)
  if (known.length === 0) return []
  const low = Math.min(...known)
  // One class is often so far away that all else would look alike: its bar then leaves the chart.
  const several = values.filter((value, i) => Number.isFinite(value) && (fits[i].rank > 1 || fits.length < 3))
  const high = Math.max(...(several.length > 1 ? several : known))
  const heldOut = by === 'heldOut'
  const away = (value: number) => {
    if (!Number.isFinite(value)) return DASH
    if (value === low) return heldOut ? 'highest' : 'lowest'
    return heldOut ? `−${fixed(value - low, 4)}` : `+${fixed(value - low, 1)}`
  }
  const texts = values.map(away)
  const names = fits.map(({ rank, numberOfGroupClasses: groups }) =>
    groups === undefined ? `${rank}` : `${rank} × ${groups}`,
  )
  const name = Math.max(...names.map(({ length }) => length))
  const room = page.columns - name - 6 - Math.max(...texts.map(text => text.length))
  const size = Math.max(4, Math.min(WIDEST_BAR, room))
  const title = CRITERIA.find(({ key }) => key === by)?.title
  return [
    style('dim', heldOut ? '  held-out log-likelihood below the highest' : `  ${title} above the lowest`),
    ...fits.map((fit, i) => {
      const share = high === low || !Number.isFinite(values[i]) ? 0 : (values[i] - low) / (high - low)
      const drawn = padEnd(share > 1 ? `${bar(1, size - 1)}▶` : bar(share, size) || '▏', size)
      const line = `  ${padStart(names[i], name)}  ${style(isRecommended(fit) ? 'green' : 'cyan', drawn)}  ${texts[i]}`
      return isRecommended(fit) ? style('bold', line) : line
    }),
  ]
}
