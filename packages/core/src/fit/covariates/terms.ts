import type { Term, TermFactor } from '../../model/structures/logit.ts'
import type { Label, Mode } from '../../tensor/mode.ts'

/** Where a covariate that is a number has its zero and its unit within the fit; 0 and 1 for categories. */
export interface Standard {
  readonly center: number
  readonly scale: number
}

export interface DesignCovariate extends Standard {
  readonly mode: Mode
  readonly numeric: boolean
  /** The position of the reference category; of a number nothing depends on it. */
  readonly reference: number
  /** Of every combination. */
  readonly indices: Int32Array
}

type Known = Pick<DesignCovariate, 'mode' | 'numeric' | 'reference'>

/** The intercept, the terms of every covariate, and the products of those that interact. */
export const termsOf = (covariates: readonly Known[], products: readonly (readonly string[])[]): Term[] => {
  const own = (name: string): TermFactor[] => {
    const { mode, numeric, reference } = covariates.find(each => each.mode.name === name) as Known
    if (numeric) return [{ covariate: name }]
    const others = Array.from({ length: mode.size }, (_, j) => j).filter(j => j !== reference)
    return others.map(j => ({ covariate: name, label: mode.label(j) }))
  }
  const place = (name: string) => covariates.findIndex(each => each.mode.name === name)
  const terms = new Map<string, TermFactor[]>([['intercept', []]])
  const add = (factors: TermFactor[]) => terms.set(factors.map(factorName).join(' × '), factors)
  for (const name of products.flat()) for (const factor of own(name)) add([factor])
  for (const names of products) {
    // All interactions among the names: of two at a time, of three, …
    for (let chosen = 1; chosen < 2 ** names.length; chosen++) {
      const some = names.filter((_, i) => (chosen >> i) & 1).sort((a, b) => place(a) - place(b))
      if (some.length < 2) continue
      let factors: TermFactor[][] = [[]]
      for (const name of some) factors = factors.flatMap(before => own(name).map(factor => [...before, factor]))
      factors.forEach(add)
    }
  }
  return [...terms].map(([name, factors]) => ({ name, factors }))
}

const factorName = ({ covariate, label }: TermFactor): string =>
  label === undefined ? covariate : `${covariate} = ${label}`

/** The value of a factor for one label of its covariate, in the units of the fit. */
export const factorValue = ({ label }: TermFactor, own: Label, { center, scale }: Standard): number =>
  label === undefined ? (Number(own) - center) / scale : String(own) === String(label) ? 1 : 0

/** The value of every term in every combination, in the units of the fit. */
export const termValues = (
  terms: readonly Term[],
  covariates: readonly DesignCovariate[],
  patterns: number,
): Float64Array => {
  const named = new Map(covariates.map(covariate => [covariate.mode.name, covariate]))
  const values = new Float64Array(patterns * terms.length).fill(1)
  terms.forEach(({ factors }, p) => {
    for (const factor of factors) {
      const covariate = named.get(factor.covariate) as DesignCovariate
      const { mode, indices } = covariate
      const by = Float64Array.from({ length: mode.size }, (_, j) => factorValue(factor, mode.label(j), covariate))
      for (let z = 0; z < patterns; z++) values[z * terms.length + p] *= by[indices[z]]
    }
  })
  return values
}

/**
 * The mean of a number and its standard deviation, by the counts. Fits and tests are computed in these units, so that nothing depends on
 * those of the data: whether a term follows from others, whether a slope is flat, and how long a step is.
 */
export const standardOf = (mode: Mode, indices: Int32Array, counts: Float64Array): Standard => {
  const numbers = Float64Array.from(indices, index => Number(mode.label(index)))
  const total = counts.reduce((sum, weight) => sum + weight, 0)
  // Distances from one of the numbers, so that the sum loses no digits to what they have in common.
  const from = numbers[0]
  const offset = numbers.reduce((sum, each, z) => sum + (counts[z] / total) * (each - from), 0)
  const center = from + offset
  const reach = numbers.reduce((most, each) => Math.max(most, Math.abs(each - center)), 0)
  if (!(reach > 0 && reach < Number.POSITIVE_INFINITY)) return { center, scale: 1 }
  // As parts of the longest distance: squares of what is huge or tiny are no numbers.
  const square = numbers.reduce((sum, each, z) => sum + (counts[z] / total) * ((each - center) / reach) ** 2, 0)
  return { center, scale: reach * Math.sqrt(square) }
}

/**
 * The matrix that takes coefficients of standardized terms to those of the terms as they are named, row by row. A product of
 * (x − center)/scale is a sum of products of fewer numbers, all of which are terms too.
 */
export const unstandardize = (terms: readonly Term[], covariates: readonly DesignCovariate[]): Float64Array => {
  const width = terms.length
  const named = new Map(covariates.map(covariate => [covariate.mode.name, covariate]))
  const keyOf = (factors: Term['factors']) => JSON.stringify(factors.map(({ covariate, label }) => [covariate, label]))
  const position = new Map(terms.map(({ factors }, p) => [keyOf(factors), p]))
  const matrix = new Float64Array(width * width)
  terms.forEach(({ factors }, q) => {
    const numbers = factors.filter(({ label }) => label === undefined)
    for (let chosen = 0; chosen < 2 ** numbers.length; chosen++) {
      const constant = new Set(numbers.filter((_, i) => (chosen >> i) & 1))
      let entry = 1
      for (const factor of numbers) {
        const { center, scale } = named.get(factor.covariate) as DesignCovariate
        entry *= (constant.has(factor) ? -center : 1) / scale
      }
      const p = position.get(keyOf(factors.filter(factor => !constant.has(factor)))) as number
      matrix[p * width + q] += entry
    }
  })
  return matrix
}

/** The coefficients of the terms as they are named, one list for each class, from those of standardized terms. */
export const namedCoefficients = (
  terms: readonly Term[],
  covariates: readonly DesignCovariate[],
  standardized: Float64Array,
): number[][] => {
  const width = terms.length
  const matrix = unstandardize(terms, covariates)
  return Array.from({ length: standardized.length / width }, (_, k) =>
    terms.map((_, p) =>
      terms.reduce((sum, _, q) => {
        const times = matrix[p * width + q]
        return times === 0 ? sum : sum + times * standardized[k * width + q]
      }, 0),
    ),
  )
}

/** The terms that are not zero in a combination: of categories there are few. */
export const usedTerms = (values: Float64Array, width: number, z: number): number[] => {
  const used: number[] = []
  for (let p = 0; p < width; p++) if (values[z * width + p] !== 0) used.push(p)
  return used
}
