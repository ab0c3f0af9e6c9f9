import {
  type CovariateDesign,
  type CovariateOptions,
  checkCollinear,
  covariateData,
  placeCovariates,
} from '../../fit/covariates/design.ts'
import type { LinkDesign } from '../../model/links/links.ts'
import type { LinkLogitTerms } from '../../model/structures/link-logit.ts'
import { buildTensor } from '../../tensor/build.ts'
import { MISSING, Mode } from '../../tensor/mode.ts'

/** What covariates explain: the class at the first wave, transitions, the class of a group, or that of a member. */
export type LinkPart = 'initial' | 'transitions' | 'groups' | 'mixes'

/** How covariates explain a part of the tables of linked rows. */
export interface LinkEffect {
  readonly part: LinkPart
  /** The distinct values of the covariates, the intercept first; numbers are standardized. */
  readonly design: CovariateDesign
  /**
   * Of every combination of the link's design, its values and which intercept it has: that of a step, or of a group class. Units or rows without a value have the
   * combination after the last, which has the means of the model.
   */
  readonly places: Int32Array
  readonly sets: Int32Array
  readonly intercepts: number
  /** Which combination every unit or row has. */
  readonly link: LinkDesign
}

/** The values of covariates, each a column with an entry for every unit or row. */
export interface CovariateColumns {
  readonly modes: readonly Mode[]
  readonly columns: readonly Int32Array[]
  readonly weights: Float64Array
}

/** The name of the mode of units; it is never shown. */
const UNIT = 'unit of a covariate'

/** The distinct values of covariates, and which of them every unit has; the one after the last if it lacks a covariate. @param known the terms of a model that is there */
const valuesOf = (
  { modes, columns, weights }: CovariateColumns,
  options: CovariateOptions,
  known: LinkLogitTerms | undefined,
): { readonly design: CovariateDesign; readonly of: Int32Array } => {
  const units = new Mode(UNIT, weights.length)
  const complete = Int32Array.from(weights, (_, i) => i).filter(i => columns.every(column => column[i] !== MISSING))
  if (complete.length === 0) {
    const none = { terms: [INTERCEPT, ...(known?.terms ?? [])], patterns: 0, covariates: [] }
    const design = { ...none, values: new Float64Array(0), counts: new Float64Array(0) }
    return { design, of: new Int32Array(weights.length) }
  }
  const tensor = buildTensor(
    [units, ...modes],
    [complete, ...columns.map(column => complete.map(i => column[i]))],
    Float64Array.from(complete, i => weights[i]),
  )
  const names = modes.map(({ name }) => name)
  const categories = options.categories?.filter(name => names.includes(name))
  const references = Object.entries(options.referenceCategories ?? {}).filter(([name]) => names.includes(name))
  const found =
    known === undefined
      ? covariateData(tensor, {
          covariates: options.covariates,
          ...(categories && { categories }),
          referenceCategories: Object.fromEntries(references),
        })
      : placeCovariates(
          tensor,
          known.given.map(({ name, numeric }) => ({ name, numeric, reference: 0 })),
          () => [INTERCEPT, ...known.terms],
          [],
        )
  const of = new Int32Array(weights.length).fill(found.design.patterns)
  found.tensor.indices[0].forEach((unit, cell) => {
    of[unit] = found.tensor.indices[1][cell]
  })
  return { design: found.design, of }
}

const INTERCEPT = { name: 'intercept', factors: [] }

/**
 * The effect of covariates on the distributions of units or rows.
 * @param setOf which intercept an entry has; below 0 if it has no distribution
 * @param sets how many intercepts there are
 */
export const linkEffect = (
  part: LinkPart,
  columns: CovariateColumns,
  options: CovariateOptions,
  { sets, setOf }: { readonly sets: number; readonly setOf: (entry: number) => number },
  known?: LinkLogitTerms,
): LinkEffect => {
  const { design, of } = valuesOf(columns, options, known)
  const values = design.patterns + 1
  const entries = Array.from(of, (value, i) => ({ key: setOf(i) * values + value, set: setOf(i) }))
  const keys = [...new Set(entries.filter(({ set }) => set >= 0).map(({ key }) => key))].sort((a, b) => a - b)
  const place = new Map(keys.map((key, at) => [key, at]))
  const link = Int32Array.from(entries, ({ key, set }) => (set < 0 ? 0 : place.get(key)!))
  const places = Int32Array.from(keys, key => key % values)
  const ofSets = Int32Array.from(keys, key => Math.floor(key / values))
  return effectOf(part, design, { places, sets: ofSets, intercepts: sets, link }, columns.weights, known !== undefined)
}

/** The same of members of groups: every combination of values has a distribution for each group class. */
export const mixEffect = (
  columns: CovariateColumns,
  options: CovariateOptions,
  groupClasses: number,
  known?: LinkLogitTerms,
): LinkEffect => {
  const { design, of } = valuesOf(columns, options, known)
  const count = (design.patterns + (of.includes(design.patterns) ? 1 : 0)) * groupClasses
  const places = Int32Array.from({ length: count }, (_, z) => Math.floor(z / groupClasses))
  const sets = Int32Array.from({ length: count }, (_, z) => z % groupClasses)
  const link = of.map(value => value * groupClasses)
  return effectOf('mixes', design, { places, sets, intercepts: groupClasses, link }, columns.weights, true)
}

const effectOf = (
  part: LinkPart,
  design: CovariateDesign,
  {
    places,
    sets,
    intercepts,
    link: of,
  }: Pick<LinkEffect, 'places' | 'sets' | 'intercepts'> & { readonly link: Int32Array },
  weights: Float64Array,
  checked: boolean,
): LinkEffect => {
  const slopes = design.terms.length - 1
  const width = intercepts + slopes
  const values = new Float64Array(places.length * width)
  places.forEach((place, z) => {
    values[z * width + sets[z]] = 1
    for (let p = 0; place < design.patterns && p < slopes; p++)
      values[z * width + intercepts + p] = design.values[place * (slopes + 1) + 1 + p]
  })
  const link = { of, patterns: places.length, width, values }
  if (!checked && intercepts > 1) {
    const counts = new Float64Array(places.length)
    of.forEach((z, i) => {
      counts[z] += weights[i]
    })
    const terms = [
      ...Array.from({ length: intercepts }, (_, s) => ({ name: `intercept of step ${s + 1}`, factors: [] })),
      ...design.terms.slice(1),
    ]
    checkCollinear({ terms, values, counts, patterns: places.length })
  }
  return { part, design, places, sets, intercepts, link }
}

/** For every unit the value of a covariate at its first row that has one. */
export const firstValues = (starts: Int32Array, valueAt: (row: number) => number): Int32Array => {
  const values = new Int32Array(starts.length - 1).fill(MISSING)
  for (let unit = 0; unit + 1 < starts.length; unit++)
    for (let row = starts[unit]; row < starts[unit + 1] && values[unit] === MISSING; row++) values[unit] = valueAt(row)
  return values
}

/** For every row the value of a covariate: where it is missing that of the row before, and at first that of the first row that has one. */
export const carriedValues = (starts: Int32Array, valueAt: (row: number) => number): Int32Array => {
  const values = new Int32Array(starts[starts.length - 1])
  const first = firstValues(starts, valueAt)
  for (let unit = 0; unit + 1 < starts.length; unit++) {
    let last = first[unit]
    for (let row = starts[unit]; row < starts[unit + 1]; row++) {
      const own = valueAt(row)
      if (own !== MISSING) last = own
      values[row] = last
    }
  }
  return values
}
