import type { CovariateDesign } from '../../fit/covariates/design.ts'

/** A category of so many observations may have no effect that can be estimated. */
const RARE = 5

/**
 * What to do about coefficients that are not determined: names the rarest category of the covariates, if it is rare.
 * @param counts of every combination of the covariates
 */
export const rareCategoryAdvice = (
  { covariates }: Pick<CovariateDesign, 'covariates'>,
  counts: Float64Array,
): string => {
  const categories = covariates
    .filter(({ numeric }) => !numeric)
    .flatMap(({ mode, indices }) => {
      const totals = new Float64Array(mode.size)
      counts.forEach((count, z) => {
        totals[indices[z]] += count
      })
      return Array.from(totals, (total, j) => ({ name: `${mode.name} = ${mode.label(j)}`, total }))
    })
    .filter(({ total }) => total > 0 && total < RARE)
    .sort((a, b) => a.total - b.total)
  if (categories.length === 0) return 'use fewer covariates or classes'
  const [{ name, total }] = categories
  const shown = Number(total.toPrecision(3))
  return `${name} has only ${shown} observation${shown === 1 ? '' : 's'}: merge it with another category, leave it out, or use fewer covariates`
}
