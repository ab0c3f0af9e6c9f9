import type { BivariateResidual, CellResidual, MonteCarloTest } from '@polyad/core'
import { count, counted, DASH, fixed, simulatedValue, whole } from '../numbers.ts'
import { type Page, textTable } from './text-table.ts'

/** Two modes and their residual; with a p-value where replicates were drawn. */
export type PairResidual = BivariateResidual & Partial<Pick<MonteCarloTest, 'pValue' | 'interval'>>

/** What a model leaves unexplained: the object of `--json`, and what the tables print. */
export interface ResidualFigures {
  readonly cells: readonly CellResidual[]
  readonly pairs: readonly PairResidual[]
}

const isTested = (pair: PairResidual): pair is BivariateResidual & MonteCarloTest =>
  pair.pValue !== undefined && pair.interval !== undefined

/** Pairs that are shown: with more, the rest is for --json. */
const PAIRS_SHOWN = 10
/** Modes of the cells that deviate most: with more, a cell is for --json. */
const MODES_SHOWN = 12

/** The pairs and the cells that deviate most. @param replicates how many the p-values are of */
export const residualsText = (
  { cells, pairs }: ResidualFigures,
  modes: readonly string[],
  page: Page,
  replicates?: number,
): string[] => [
  ...(pairs.length === 0 ? [] : ['', ...pairsTable(pairs, page, replicates)]),
  // Numbers have no table of counts.
  ...(cells.length === 0 ? [] : ['', ...cellsTable(cells, modes, page)]),
]

const pairsTable = (pairs: readonly PairResidual[], page: Page, replicates: number | undefined): string[] => {
  const { style } = page
  const tested = pairs.some(isTested)
  const left = pairs.length - PAIRS_SHOWN
  return [
    style('bold', 'pairs of variables') + style('dim', '   residual: X² divided by its degrees of freedom'),
    ...textTable(
      [
        { title: '', most: 24 },
        { title: '', most: 24 },
        { title: 'X²', align: 'right' },
        { title: 'df', align: 'right' },
        { title: 'residual', align: 'right' },
        ...(tested ? [{ title: 'p', align: 'right' as const }] : []),
      ],
      pairs
        .slice(0, PAIRS_SHOWN)
        .map(pair => [
          ...pair.modes,
          fixed(pair.chiSquared, 4),
          whole(pair.degreesOfFreedom),
          fixed(pair.residual, 4),
          ...(tested ? [isTested(pair) ? simulatedValue({ ...pair, replicates }) : DASH] : []),
        ]),
      page,
    ),
    ...(left > 0 ? [style('dim', `  … ${counted(left, 'more pair')}`)] : []),
  ]
}

/** The cells that deviate most. */
export const cellsTable = (cells: readonly CellResidual[], modes: readonly string[], page: Page): string[] => {
  const { style } = page
  return [
    style('bold', 'combinations that deviate most') + style('dim', '   residual: (observed − expected) / √expected'),
    ...textTable(
      [
        ...modes.slice(0, MODES_SHOWN).map(title => ({ title, most: 24 })),
        { title: 'observed', align: 'right' as const },
        { title: 'expected', align: 'right' as const },
        { title: 'residual', align: 'right' as const, repeated: true },
      ],
      cells.map(({ labels, observed, expected, residual }) => [
        ...labels.slice(0, MODES_SHOWN).map(String),
        count(observed),
        expected > 0 && expected < 0.005 ? '< 0.01' : fixed(expected, 2),
        `${residual > 0 ? '+' : ''}${fixed(residual, 2)}`,
      ]),
      page,
    ),
    ...(modes.length > MODES_SHOWN
      ? [style('dim', `  … ${counted(modes.length - MODES_SHOWN, 'more variable')}`)]
      : []),
  ]
}
