import type { Bootstrap, Model, MonteCarloTest } from '@polyad/core'
import { PRINTED_NUMBERS } from './fit-figures.ts'
import { pairs } from './fit-text.ts'
import { counted, fixed, percent, pValue } from './numbers.ts'
import type { Beside } from './profile-table.ts'
import type { Page } from './text-table.ts'

/** The object of `--json`: the p-value and its interval are those of G²; the pairs are with the residuals. */
export const bootstrapFigures = (found: Bootstrap, model: Model) => {
  const { gSquared, chiSquared, cressieRead, profiles, pairs: _, ...rest } = found
  const numbers = model.rank * model.modes.reduce((sum, { size }) => sum + size, 0)
  return {
    ...rest,
    pValue: gSquared?.pValue ?? null,
    interval: gSquared?.interval ?? null,
    chiSquared: chiSquared ?? null,
    cressieRead: cressieRead ?? null,
    profiles: numbers > PRINTED_NUMBERS ? null : model.modes.map(({ name }, n) => ({ name, classes: profiles[n] })),
  }
}

/** A p-value by simulation and how far it is known: 0.0380 (0.023–0.056). */
export const simulatedP = (test: Pick<MonteCarloTest, 'pValue' | 'interval'>): string =>
  `${pValue(test.pValue)} (${test.interval.map(each => each.toFixed(3)).join('–')})`

/** What the replicates say of the fit. */
export const bootstrapText = (found: Bootstrap, page: Page): string[] => {
  const { gSquared, chiSquared, cressieRead, replicates, converged, kind } = found
  const tests = Object.entries({ 'G²': gSquared, 'X²': chiSquared, 'Cressie–Read': cressieRead })
  const known = tests.flatMap(([name, test]) =>
    test === undefined ? [] : [[`p of ${name}`, simulatedP(test)] as const],
  )
  const unconverged = replicates - converged
  return [
    '',
    page.style('bold', 'bootstrap') +
      page.style('dim', `   ${counted(replicates, `${kind} replicate`)}; intervals of ${percent(found.confidence)}`),
    ...(known.length > 0 ? pairs(known, page) : []),
    ...(known.length > 0
      ? []
      : [
          kind === 'parametric'
            ? '  G² and X² are not defined where values are missing: intervals only'
            : '  drawn from the observations: intervals only, and no test of the model',
        ]),
    ...(unconverged > 0 ? [`  ${counted(unconverged, 'replicate')} did not converge`] : []),
    ...(found.stopped ? ['  stopped before all replicates were there'] : []),
  ]
}

/** The intervals beside the profiles. */
export const intervalsBeside = ({ shares, profiles }: Bootstrap): Beside => ({
  share: k => `(${shares[k].interval.map(each => fixed(100 * each, 1)).join('–')})`,
  label: (n, k, j) => `(${profiles[n][k][j].interval.map(each => fixed(each, 3)).join('–')})`,
})
