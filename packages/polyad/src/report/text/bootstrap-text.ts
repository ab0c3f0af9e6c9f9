import type { Bootstrap, Model, MonteCarloTest } from '@polyad/core'
import { replicatesForIntervals } from '@polyad/core/stats'
import { PRINTED_NUMBERS } from '../figures/fit-figures.ts'
import { otherTests, pairsTested, SPARSE_TESTS, testName, testsOf } from '../figures/fit-tests.ts'
import { isReliableIfSparse } from '../figures/statistics.ts'
import { count, counted, DASH, fixed, levelText, simulatedP } from '../numbers.ts'
import { pairs } from './fit-text.ts'
import type { Beside } from './profile-table.ts'
import { type Page, textTable } from './text-table.ts'

/** The object of `--json`: the p-value and its interval are those of G². */
export const bootstrapFigures = (found: Bootstrap, model: Model) => {
  const { gSquared, shares, profiles, pairs: tested, linked, ...rest } = found
  const listed = <T extends Bootstrap['shares'][number]>(spreads: readonly T[]) =>
    spreads.map(each => ({ ...each, interval: each.interval ?? null }))
  const numbers = model.rank * model.modes.reduce((sum, { size }) => sum + size, 0)
  return {
    ...rest,
    ...(linked?.kind === 'chain' && {
      initial: listed(linked.initial),
      transitions: linked.transitions.map(step => step.map(listed)),
    }),
    ...(linked?.kind === 'nested' && { groupSizes: listed(linked.groupSizes), mixes: linked.mixes.map(listed) }),
    ...(found.coefficients !== undefined && { coefficients: listed(found.coefficients) }),
    pValue: gSquared?.pValue ?? null,
    interval: gSquared?.interval ?? null,
    ...otherTests(key => found[key] ?? null),
    pairs: tested.map(({ modes, residual, pValue, interval }) => ({ modes, residual, pValue, interval })),
    shares: listed(shares),
    profiles:
      numbers > PRINTED_NUMBERS ? null : model.modes.map(({ name }, n) => ({ name, classes: profiles[n].map(listed) })),
  }
}

/** What a model file keeps of the replicates: the tests of the model, if there are any. */
export const bootstrapRecord = (found: Bootstrap) => {
  const { gSquared, replicates, kind } = found
  if (gSquared === undefined) return {}
  const { pValue, interval } = gSquared
  return { bootstrap: { kind, replicates, pValue, interval, ...otherTests(key => found[key]) } }
}

/** Pairs that are listed if only they can be tested; the rest is with the residuals. */
const PAIRS_SHOWN = 3

/**
 * What the replicates say of the fit: X² and the pairs come first, which keep their level in sparse tables too. What they cannot say is said
 * once, with the reason. @param sparse whether the table is sparse
 */
export const bootstrapText = (found: Bootstrap, page: Page, sparse = false): string[] => {
  const { gSquared, chiSquared, replicates, converged, kind, confidence } = found
  const entries = (isReliable: boolean) =>
    testsOf<MonteCarloTest>(found).flatMap(([key, test]) =>
      isReliableIfSparse(key) === isReliable
        ? [[`p of ${testName(key)}`, simulatedP({ ...test, replicates })] as const]
        : [],
    )
  const ofPairs = pairsTested(found)
  const first = [...entries(true), ...(ofPairs === undefined ? [] : [['pairs', ofPairs] as const])]
  const others = entries(false)
  const shown = [...first, ...others, ...(others.length > 0 ? [] : pairTests(found))]
  const unconverged = replicates - converged
  const fewest = replicatesForIntervals(confidence)
  const intervals = `intervals of ${levelText(confidence)}`
  // Under a design, what is drawn from the model tests it alone.
  const testing = kind === 'parametric' && Number.isNaN(found.shares[0].standardError) && replicates > 1
  const enough = replicates >= fewest && !testing
  return [
    '',
    page.style('bold', 'bootstrap') +
      page.style('dim', `   ${counted(replicates, `${kind} replicate`)}${enough ? `; ${intervals}` : ''}`),
    ...(shown.length > 0 ? pairs(shown, page) : []),
    ...(sparse && gSquared !== undefined && chiSquared !== undefined
      ? [page.style('yellow', `  ${SPARSE_TESTS}`)]
      : []),
    ...(others.length > 0
      ? []
      : [
          kind === 'parametric'
            ? '  no test of G² and X²: they are not defined if values are missing, classes are known or variables are numbers'
            : '  no test of the model: replicates are drawn from the observations',
        ]),
    ...(testing
      ? [
          '  no intervals: replicates of a weighted or clustered sample that are drawn from the model only test it. Use --bootstrap-kind nonparametric for intervals.',
        ]
      : []),
    ...(replicates < fewest && !testing ? [`  no ${intervals}: they need ${count(fewest)} replicates`] : []),
    ...coefficientTable(found, page),
    ...(unconverged > 0 ? [`  ${counted(unconverged, 'replicate')} did not converge`] : []),
    ...(found.stopped ? ['  stopped before all replicates were drawn'] : []),
  ]
}

/** The tests of the pairs that are most associated within classes: they are defined if values are missing, too. */
const pairTests = ({ pairs: tested, replicates }: Bootstrap): (readonly [string, string])[] =>
  tested
    .slice(0, PAIRS_SHOWN)
    .map(({ modes, ...test }) => [`p of ${modes.join(' and ')}`, simulatedP({ ...test, replicates })] as const)

/** How coefficients vary over the replicates. */
const coefficientTable = ({ coefficients = [] }: Bootstrap, page: Page): string[] =>
  coefficients.length === 0
    ? []
    : textTable(
        [
          { title: 'class', align: 'right', repeated: true },
          { title: 'coefficient of', repeated: true },
          { title: 's.e.', align: 'right' },
          { title: 'interval', align: 'right' },
        ],
        coefficients.map(({ class: k, term, standardError, interval }) => [
          String(k),
          term,
          fixed(standardError, 4),
          interval === undefined ? DASH : interval.map(each => fixed(each, 4)).join(' to '),
        ]),
        page,
      )

/** The intervals beside the profiles, where there are enough replicates for them. */
export const intervalsBeside = ({ shares, profiles }: Bootstrap): Beside | undefined => {
  const text = ({ interval }: Bootstrap['shares'][number], digits: number, unit = 1) =>
    `(${interval?.map(each => fixed(unit * each, digits)).join('–')})`
  if (shares[0].interval === undefined) return undefined
  return { share: k => text(shares[k], 1, 100), label: (n, k, j) => text(profiles[n][k][j], 3) }
}
