import { OptionError, show } from '../../errors.ts'
import type { DesignCovariate } from '../../fit/covariates/terms.ts'
import type { Term } from '../../model/structures/logit.ts'
import { is, type OptionTable } from '../../options.ts'

/** Units of the effects of numeric covariates. Coefficients are always per 1. */
export interface UnitOptions {
  /** The unit of a covariate, by its mode: with `{ income: 10_000 }` the odds ratio is per 10,000. Default: a power of ten if 1 is far from its spread. */
  readonly per?: Readonly<Record<string, number>>
  /** Show every number per standard deviation, unless `per` names it. Default false. */
  readonly standardize?: boolean
}

/** The options of units, where effects of covariates are shown. */
export const UNIT_OPTIONS = {
  per: { check: is.thing('an object of units by covariate', value => typeof value === 'object') },
  standardize: { check: is.flag, default: false },
} as const satisfies OptionTable<UnitOptions>

/** The unit of the effect of a numeric covariate. */
export interface CovariateUnit {
  readonly covariate: string
  readonly unit: number
  /** 'one': it is 1. 'given': it was asked for. 'deviation': the standard deviation. 'automatic': a power of ten near it. */
  readonly by: 'one' | 'given' | 'deviation' | 'automatic'
  /** The standard deviation of the covariate. */
  readonly deviation: number
}

/**
 * Numbers that spread over more or less than this have another unit than 1: per 1, an odds ratio of a usual effect would read 1.000, or
 * 1e40. A year of age, with a deviation of about 17, stays the unit that everyone uses.
 */
const USUAL = { least: 0.02, most: 100 }

/** The units of all covariates that are numbers. */
export const unitsOf = (
  covariates: readonly DesignCovariate[],
  { per = {}, standardize = false }: UnitOptions,
): readonly CovariateUnit[] => {
  for (const [name, unit] of Object.entries(per)) {
    const covariate = covariates.find(({ mode }) => mode.name === name)
    if (covariate === undefined) throw new OptionError('per', `has ${show(name)}, which is not a covariate`)
    if (!covariate.numeric)
      throw new OptionError('per', `has ${show(name)}, which enters as categories: they have no unit`)
    if (!(unit > 0 && unit < Number.POSITIVE_INFINITY))
      throw new OptionError('per', `must be a number > 0 for ${show(name)}`, unit)
  }
  return covariates.flatMap(({ mode: { name: covariate }, numeric, scale: deviation }): CovariateUnit[] => {
    if (!numeric) return []
    if (Object.hasOwn(per, covariate)) return [{ covariate, unit: per[covariate], by: 'given', deviation }]
    if (standardize) return [{ covariate, unit: deviation, by: 'deviation', deviation }]
    const usual = deviation >= USUAL.least && deviation <= USUAL.most
    return [{ covariate, unit: usual ? 1 : powerBelow(deviation), by: usual ? 'one' : 'automatic', deviation }]
  })
}

/** The largest power of ten that is not above a number. */
const powerBelow = (value: number): number => {
  const exponent = Math.floor(Math.log10(value))
  const power = Number(`1e${exponent}`)
  // Logarithms are rounded: of 1000 it may be a little below 3.
  return Number(`1e${exponent + 1}`) <= value ? Number(`1e${exponent + 1}`) : power
}

/** The unit of a term: the product of those of its numbers. */
export const unitOfTerm = ({ factors }: Term, units: readonly CovariateUnit[]): number =>
  factors.reduce((product, { covariate, label }) => {
    const own = label === undefined ? units.find(each => each.covariate === covariate) : undefined
    return product * (own?.unit ?? 1)
  }, 1)
