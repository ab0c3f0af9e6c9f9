import {
  type CellResidual,
  type Evaluation,
  evaluate,
  type Model,
  residuals,
  type Session,
  type Tensor,
} from '@polyad/core'
import { hasCells } from '@polyad/core/model'
import { largest } from '@polyad/core/numeric'
import { defined, pick } from '@polyad/core/options'
import { type DesignTest, MIN_OBSERVATIONS_PER_CELL } from '@polyad/core/stats'
import { EMPTY_TABLE, isTableEmpty } from '../figures/meaning.ts'
import { statisticPairs } from '../figures/shown-statistics.ts'
import { type FitStatistics, type StatisticKey, statisticFigures, statisticsOn } from '../figures/statistics.ts'
import { counted, fixed, percent } from '../numbers.ts'
import { pairs } from './fit-text.ts'
import { cellsTable } from './residuals-text.ts'
import { labelsOn, type Page } from './text-table.ts'

/** The statistics of one class that `--json` has: those of the test, and others. */
const SHOWN = [
  'loss',
  'logLikelihood',
  'gSquared',
  'chiSquared',
  'degreesOfFreedom',
  'pValue',
  'sparse',
  'parameters',
] as const satisfies readonly StatisticKey[]

/** Those of the test of independence. */
export const INDEPENDENCE_TESTS = statisticsOn('independence').flatMap(({ key, group }) =>
  group === 'likelihood' ? [] : [key],
)

export interface IndependenceFigures extends Pick<FitStatistics, (typeof SHOWN)[number]> {
  readonly cells: number
  readonly total: number
  readonly shape: readonly number[]
  readonly modes: readonly string[]
  readonly divergence: number | null
  /** In nats per observation: the divergence of the data from independence, divided by the total; null where values are missing. */
  readonly totalCorrelation: number | null
  readonly deviations: readonly CellResidual[]
  /** G² and X² with the correction for the design of the sample. */
  readonly designTest?: DesignTest
}

/** Theorem 2 in figures: the closed-form component against the data. `model` is the principal component. */
export const independenceFigures = async (
  data: Tensor | Session,
  model: Model,
  most: number,
  corrected?: (evaluation: Evaluation) => DesignTest | undefined,
): Promise<IndependenceFigures> => {
  const found = await evaluate(data, model)
  const tensor = 'pass' in data ? data.data : data
  const designTest = corrected?.(found)
  const { divergence } = found
  return {
    ...pick(statisticFigures({ ...found, criteria: {} }), ...SHOWN),
    cells: tensor.cells,
    total: tensor.total,
    shape: tensor.shape,
    modes: tensor.modes.map(({ name }) => name),
    divergence: divergence ?? null,
    totalCorrelation: divergence === undefined ? null : divergence / tensor.total,
    ...defined({ designTest }),
    deviations: hasCells(tensor) ? residuals(tensor, model, { limit: most }) : [],
  }
}

const LABELS_SHOWN = 12

export const independenceText = (figures: IndependenceFigures, model: Model, page: Page): string[] => {
  const { style } = page
  const labels = labelsOn(page)
  const { gSquared, deviations, modes } = figures
  const p = figures.designTest?.gSquared.f.pValue ?? figures.pValue
  const dependent = p !== null && p < 0.05
  const isEmpty = isTableEmpty(figures.degreesOfFreedom, figures.total)
  return [
    style('bold', 'one class') + style('dim', '   in closed form: its profiles are the marginal distributions'),
    ...model.modes.flatMap(mode => {
      const shares = model.marginal(mode.name)
      const order = largest(mode.size, LABELS_SHOWN, j => (mode.ordered ? -j : shares[j]))
      const shown = order.map(j => `${labels.value(mode.name, mode.label(j))} ${percent(shares[j])}`)
      const rest =
        mode.size > LABELS_SHOWN ? `, … ${counted(mode.size - LABELS_SHOWN, 'more category', 'more categories')}` : ''
      return [`  ${style('bold', labels.name(mode.name))}  ${shown.join(', ')}${rest}`]
    }),
    '',
    style('bold', 'independence'),
    ...pairs(
      [
        ...statisticPairs(figures, 'independence'),
        ['generalized KL', fixed(figures.divergence, 4)],
        ...(figures.totalCorrelation === null
          ? []
          : ([
              ['total correlation', `${fixed(figures.totalCorrelation, 4)} nats`],
              ['', `${fixed(figures.totalCorrelation / Math.LN2, 4)} bits`],
            ] as const)),
      ],
      page,
    ),
    ...(figures.sparse && gSquared !== null && !isEmpty
      ? [`  G² is unreliable here: the table averages fewer than ${MIN_OBSERVATIONS_PER_CELL} observations per cell`]
      : []),
    gSquared === null
      ? '  G², X² and the divergence are not defined, because values are missing'
      : isEmpty
        ? `  ${EMPTY_TABLE}`
        : figures.sparse
          ? '  test it with polyad test -k 1, which compares 1 class with 2 by a bootstrap'
          : dependent
            ? `  ${style('yellow', 'independence is rejected')}: classes may explain why (polyad rank)`
            : `  ${style('green', 'independence is not rejected')} at the 5% level`,
    '',
    ...cellsTable(deviations, modes, page),
  ]
}
