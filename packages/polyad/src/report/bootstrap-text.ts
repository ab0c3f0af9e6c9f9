import type { Bootstrap, Model } from '@polyad/core'
import { type ExplainedBootstrap, replicatesForIntervals } from '@polyad/core/stats'
import { PRINTED_NUMBERS } from './fit-figures.ts'
import { pairs } from './fit-text.ts'
import { count, counted, DASH, fixed, percent, simulatedP } from './numbers.ts'
import type { Beside } from './profile-table.ts'
import { type Page, textTable } from './text-table.ts'

/** The object of `--json`: the p-value and its interval are those of G²; the pairs are with the residuals. */
export const bootstrapFigures = (found: Bootstrap | ExplainedBootstrap, model: Model) => {
  const { gSquared, chiSquared, cressieRead, shares, profiles, pairs: _, ...rest } = found
  const listed = <T extends Bootstrap['shares'][number]>(spreads: readonly T[]) =>
    spreads.map(each => ({ ...each, interval: each.interval ?? null }))
  const numbers = model.rank * model.modes.reduce((sum, { size }) => sum + size, 0)
  return {
    ...rest,
    ...('coefficients' in found && { coefficients: listed(found.coefficients) }),
    pValue: gSquared?.pValue ?? null,
    interval: gSquared?.interval ?? null,
    chiSquared: chiSquared ?? null,
    cressieRead: cressieRead ?? null,
    shares: listed(shares),
    profiles:
      numbers > PRINTED_NUMBERS ? null : model.modes.map(({ name }, n) => ({ name, classes: profiles[n].map(listed) })),
  }
}

/** What a model file keeps of the replicates: the test of G², if there was one. */
export const bootstrapRecord = ({ gSquared, replicates, kind }: Bootstrap) =>
  gSquared === undefined
    ? {}
    : { bootstrap: { kind, replicates, pValue: gSquared.pValue, interval: gSquared.interval } }

/** What the replicates say of the fit. */
export const bootstrapText = (found: Bootstrap | ExplainedBootstrap, page: Page): string[] => {
  const { gSquared, chiSquared, cressieRead, replicates, converged, kind, confidence } = found
  const tests = Object.entries({ 'G²': gSquared, 'X²': chiSquared, 'Cressie–Read': cressieRead })
  const known = tests.flatMap(([name, test]) =>
    test === undefined ? [] : [[`p of ${name}`, simulatedP(test)] as const],
  )
  const unconverged = replicates - converged
  const fewest = replicatesForIntervals(confidence)
  const intervals = `intervals of ${percent(confidence)}`
  const only = replicates < fewest ? '' : ': intervals only'
  // Under a design, what is drawn from the model tests it alone.
  const testing = kind === 'parametric' && Number.isNaN(found.shares[0].standardError) && replicates > 1
  const enough = replicates >= fewest && !testing
  return [
    '',
    page.style('bold', 'bootstrap') +
      page.style('dim', `   ${counted(replicates, `${kind} replicate`)}${enough ? `; ${intervals}` : ''}`),
    ...(testing ? ['  tests only: for intervals, use --bootstrap-kind nonparametric'] : []),
    ...(replicates < fewest && !testing ? [`  no ${intervals}: they need ${count(fewest)} replicates`] : []),
    ...(known.length > 0 ? pairs(known, page) : []),
    ...(known.length > 0
      ? []
      : [
          kind === 'parametric'
            ? `  G² and X² are not defined if values are missing or classes are known${only}`
            : `  drawn from the observations${only}, and no test of the model`,
        ]),
    ...('coefficients' in found && found.coefficients.length > 0 ? coefficientTable(found, page) : []),
    ...(unconverged > 0 ? [`  ${counted(unconverged, 'replicate')} did not converge`] : []),
    ...(found.stopped ? ['  stopped before all replicates were drawn'] : []),
  ]
}

/** How coefficients vary over the replicates. */
const coefficientTable = ({ coefficients }: ExplainedBootstrap, page: Page): string[] =>
  textTable(
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
