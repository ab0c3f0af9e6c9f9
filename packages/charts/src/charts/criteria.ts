import { axisX, axisY, dot, gridY, line, ruleX } from '@observablehq/plot'
import type { ChartTable, CriteriaData } from '../data/chart-data.ts'
import { ACCENT, BACKGROUND, GRID, INK, MUTED } from '../drawing/colours.ts'
import { type ChartOptions, figure, gridOf, gridPiece, type Piece, plotPiece, textPiece } from '../drawing/figure.ts'
import { countedText, numberText } from '../drawing/label-text.ts'
import { titled } from '../drawing/legend.ts'

const LEAST_WIDTH = 180

/**
 * The criteria against the number of classes, each above its own best, which is marked; a dashed line stands at the number that
 * is recommended. Where the marks are not on it, the criteria disagree.
 * @example
 * criteriaChart({ ranks: [1, 2], criteria: [{ name: 'BIC', values: [4712.9, 4574.3] }], recommended: 2 }, { document, width: 640 })
 */
export const criteriaChart = (data: CriteriaData, options: ChartOptions): SVGSVGElement => {
  const { document, width } = options
  const { ranks, recommended } = data
  const known = data.criteria.filter(({ values }) => values.some(value => value !== null))
  const grid = gridOf(known.length, width, LEAST_WIDTH)
  const preferred = known.map(each => ({ name: each.name, rank: bestOf(each, ranks) }))
  const words = preferred.map(({ name, rank }) => `${name} ${rank}`).join(', ')
  const agree = new Set(preferred.map(({ rank }) => rank)).size === 1
  return figure(
    options,
    {
      title: `Criteria for ${ranks[0]} to ${countedText(ranks[ranks.length - 1], 'class', 'classes')}${recommended === undefined ? '' : `; ${recommended} recommended`}`,
      description: `${agree ? 'All agree' : 'They disagree'}; classes that each prefers: ${words}.`,
    },
    [
      textPiece(
        options,
        `Above its best, against the number of classes.${recommended === undefined ? '' : ` Dashed: recommended (${recommended}).`}`,
      ),
      gridPiece(
        document,
        known.map((each, i) =>
          titled(
            document,
            `${each.name}: best at ${preferred[i].rank}`,
            criterionPiece(each, data, options, grid.width),
            grid.width,
          ),
        ),
        grid,
      ),
    ],
  )
}

const bestOf = ({ values }: CriteriaData['criteria'][number], ranks: readonly number[]): number =>
  ranks[values.indexOf(Math.min(...values.flatMap(value => value ?? [])))]

const criterionPiece = (
  criterion: CriteriaData['criteria'][number],
  { ranks, recommended }: CriteriaData,
  { document }: ChartOptions,
  width: number,
): Piece => {
  const known = criterion.values.flatMap((value, i) => (value === null ? [] : [{ rank: ranks[i], value }]))
  const lowest = Math.min(...known.map(({ value }) => value))
  const points = known.map(({ rank, value }) => ({ rank, above: value - lowest }))
  const best = bestOf(criterion, ranks)
  const [first, last] = [ranks[0], ranks[ranks.length - 1]]
  return plotPiece(document, {
    width,
    height: 140,
    marginLeft: 48,
    marginRight: 14,
    marginTop: 8,
    marginBottom: 24,
    x: { type: 'linear', domain: [first - 0.3, last + 0.3] },
    y: { type: 'linear', domain: [0, Math.max(...points.map(({ above }) => above), Number.MIN_VALUE)], nice: true },
    marks: [
      gridY({ ticks: 4, stroke: GRID, strokeOpacity: 1 }),
      ...(recommended === undefined ? [] : [ruleX([recommended], { stroke: INK, strokeDasharray: '4 3' })]),
      line(points, { x: d => d.rank, y: d => d.above, stroke: ACCENT, strokeWidth: 1.8 }),
      dot(points, {
        x: d => d.rank,
        y: d => d.above,
        r: ({ rank }) => (rank === best ? 5 : 3),
        stroke: ACCENT,
        strokeWidth: 1.5,
        fill: ({ rank }) => (rank === best ? ACCENT : BACKGROUND),
      }),
      axisX(
        ranks.filter((_, i) => i % Math.ceil(ranks.length / 12) === 0),
        { tickFormat: d => String(d), tickSize: 3, label: null, fill: MUTED },
      ),
      axisY({ ticks: 4, tickFormat: numberText, tickSize: 0, label: null, fill: MUTED }),
    ],
  })
}

export const criteriaTable = ({ ranks, criteria }: CriteriaData): ChartTable => ({
  columns: ['classes', ...criteria.map(({ name }) => name)],
  rows: ranks.map((rank, i) => [rank, ...criteria.map(({ values }) => values[i])]),
})
