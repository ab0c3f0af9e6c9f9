import type { Coefficient, CovariateCurve, CovariateEffects, CovariateTest, ShownEffect } from '@polyad/core'
import { DASH } from '../numbers.ts'
import { type WithNulls, withNulls } from '../with-nulls.ts'

/** How class membership is explained, for --json: what is not defined is null. */
export interface CovariateFigures
  extends Omit<CovariateEffects, 'coefficients' | 'tests' | 'curves' | 'referenceCategories' | 'units'>,
    Partial<Pick<CovariateEffects, 'referenceCategories' | 'units'>> {
  /** Models that an older version has written lack what is optional. */
  readonly coefficients: readonly (WithNulls<Omit<Coefficient, 'shown' | 'limit'>> & {
    readonly shown?: WithNulls<ShownEffect>
    readonly limit?: WithNulls<Coefficient['limit']>
  })[]
  readonly tests?: readonly (WithNulls<Omit<CovariateTest, 'untested'>> & Partial<Pick<CovariateTest, 'untested'>>)[]
  readonly curves: readonly (Omit<CovariateCurve, 'numeric'> & Partial<Pick<CovariateCurve, 'numeric'>>)[]
}

export const covariateFigures = (effects: CovariateEffects): CovariateFigures => withNulls(effects)

/** The coefficients as they are shown: each per unit of its term, which its name states. Older models have none but 1. */
export const shownCoefficients = ({ coefficients, terms = [], units = [] }: CovariateFigures) =>
  coefficients.map(({ shown, ...each }) => {
    const own = terms.find(({ name }) => name === each.term)?.factors ?? []
    const factors = own.flatMap(({ covariate, label }) =>
      label === undefined ? units.filter(unit => unit.covariate === covariate && unit.by !== 'one') : [],
    )
    const per = factors.map(({ unit, by }) => (by === 'deviation' ? 's.d.' : unitText(unit))).join(' × ')
    return { ...each, ...shown, term: per === '' ? each.term : `${each.term}, per ${per}` }
  })

/** Odds of e¹⁰ to 1 that the data does not determine are on their way to infinity. */
const RUN_OFF = 10

/** Where a coefficient runs off to that has no finite estimate: ∞ or −∞; a dash if it is not determined; undefined if it is finite. */
export const runsOff = ({ limit, estimate, standardError }: Limited): '∞' | '−∞' | typeof DASH | undefined => {
  if (limit === 'finite' || limit === null) return undefined
  if (limit !== undefined) return ({ infinity: '∞', '-infinity': '−∞', undetermined: DASH } as const)[limit]
  // Of models that an older version has written.
  if (standardError !== null || estimate === null || Math.abs(estimate) < RUN_OFF) return undefined
  return estimate > 0 ? '∞' : '−∞'
}

/** A coefficient that may have no finite estimate. */
export interface Limited {
  readonly limit?: Coefficient['limit'] | null
  readonly estimate: number | null
  readonly standardError?: number | null
}

/** What the coefficients are compared with, and what standard deviations and units are. */
export const referenceLines = ({ referenceCategories = {}, units = [] }: CovariateFigures): string[] => {
  const categories = Object.entries(referenceCategories).map(([name, label]) => `${name} = ${label}`)
  const deviations = units.filter(({ by }) => by === 'deviation' || by === 'automatic')
  return [
    ...(categories.length === 0
      ? []
      : [`reference ${categories.length === 1 ? 'category' : 'categories'}: ${categories.join(', ')}`]),
    ...(deviations.length === 0
      ? []
      : [
          `s.d.: ${deviations.map(({ covariate, deviation }) => `${covariate} ${deviationText(deviation)}`).join(', ')}`,
        ]),
  ]
}

/** 10,000 or 0.001; a unit is never cut to 0. */
const unitText = (unit: number): string =>
  unit >= 1e-4 && unit < 1e15 ? unit.toLocaleString('en-US', { maximumSignificantDigits: 15 }) : unit.toExponential()

/** Four digits are enough of a standard deviation. */
const deviationText = (value: number): string => unitText(Number(value.toPrecision(4)))
