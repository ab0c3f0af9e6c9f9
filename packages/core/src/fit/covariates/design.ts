import { DataError, OptionError, show } from '../../errors.ts'
import { cholesky } from '../../numeric/symmetric.ts'
import { buildTensor } from '../../tensor/build.ts'
import { type Label, MISSING, Mode } from '../../tensor/mode.ts'
import { modeNamed, occurringLabels, selectCells, withoutModes } from '../../tensor/reshape.ts'
import type { Tensor } from '../../tensor/tensor.ts'

/** What the membership of classes may depend on: which modes, and how. */
export interface CovariateOptions {
  /**
   * Modes of the data by which membership is explained, and which are then no answers: `'age'`, or `'age*party'` for both and their
   * interaction. A mode whose labels are numbers enters as a number; any other by one term for each label but the first.
   */
  readonly covariates: readonly string[]
  /** Covariates whose labels are numbers, but are to be taken as categories. */
  readonly categories?: readonly string[]
}

/** A factor of a term: the value of a covariate, or whether it has a label. */
export interface TermFactor {
  readonly covariate: string
  readonly label?: Label
}

/** A term of the linear predictor: a product; the intercept is the empty one. */
export interface Term {
  readonly name: string
  readonly factors: readonly TermFactor[]
}

/** The distinct combinations of the covariates' values, and their terms. */
export interface Design {
  readonly terms: readonly Term[]
  /** How many combinations there are. */
  readonly patterns: number
  /** The value of every term, the terms of one combination side by side. */
  readonly values: Float64Array
  /** How much of the data has each combination. */
  readonly weights: Float64Array
  /** The covariates: their modes, and the index of each combination in them. */
  readonly covariates: readonly DesignCovariate[]
}

export interface DesignCovariate {
  readonly mode: Mode
  readonly numeric: boolean
  readonly indices: Int32Array
}

/** Data split into what is answered and what explains it. */
export interface CovariateData {
  /** The answers alone, over all values of the covariates. */
  readonly items: Tensor
  /** The answers with one more mode, the last: which combination of the covariates the cell has. */
  readonly tensor: Tensor
  readonly design: Design
  /** How much of the data was left out, since a covariate is missing. */
  readonly dropped: number
}

/** The name of the mode of combinations; it is never shown. */
const PATTERN = 'combination of the covariates'

/** A term this much explained by those before it cannot be told from them. */
const COLLINEAR = 1e-9

/** Splits a tensor, some of whose modes are covariates. */
export const covariateData = (tensor: Tensor, { covariates, categories = [] }: CovariateOptions): CovariateData => {
  if (!Array.isArray(covariates) || covariates.length === 0)
    throw new OptionError(`covariates must name at least one mode (got ${show(covariates)})`)
  const products = covariates.map(text => productOf(tensor, text))
  const alike = products.map(names => names.toSorted().join('*'))
  const twice = alike.find((each, i) => alike.indexOf(each) < i)
  if (twice !== undefined) throw new OptionError(`covariates has ${show(twice)} twice: name it once`)
  const names = [...new Set(products.flat())]
  for (const name of categories)
    if (!names.includes(name)) throw new OptionError(`categories has ${show(name)}, which is not a covariate`)
  const columns = names.map(name => tensor.indices[modeNamed(tensor, name, 'covariates')])
  const known = (cell: number) => columns.every(column => column[cell] !== MISSING)
  if (!tensor.values.some((_, cell) => known(cell)))
    throw new DataError('every row lacks a covariate: there is nothing to fit')
  const complete = selectCells(tensor, known)
  const items = withoutModes(complete, names)
  const answered = complete.modes.flatMap((mode, n) => (names.includes(mode.name) ? [] : [n]))
  const some = selectCells(complete, cell => answered.some(n => complete.indices[n][cell] !== MISSING))
  // A category that no observation has would be a term that is always zero.
  const cells = occurringLabels(some, names)
  const explaining = names.map((name): Omit<DesignCovariate, 'indices'> & { column: Int32Array } => {
    const n = modeNamed(cells, name, 'covariates')
    const mode = cells.modes[n]
    if (mode.size === 1) throw new OptionError(`covariate ${show(name)} has the same value in every row`)
    const numbers = Array.from({ length: mode.size }, (_, j) => mode.label(j)).every(each => typeof each === 'number')
    return { mode, numeric: numbers && !categories.includes(name), column: cells.indices[n] }
  })
  const { pattern, firsts } = patternsOf(explaining.map(({ mode, column }) => ({ column, size: mode.size })))
  const weights = new Float64Array(firsts.length)
  for (let cell = 0; cell < cells.cells; cell++) weights[pattern[cell]] += cells.values[cell]
  const found = explaining.map(({ mode, numeric, column }) => ({
    mode,
    numeric,
    indices: Int32Array.from(firsts, cell => column[cell]),
  }))
  const terms = termsOf(found, products)
  const design = { terms, patterns: firsts.length, weights, covariates: found, values: termValues(terms, found) }
  checkCollinear(design)
  const together = buildTensor(
    [...answered.map(n => cells.modes[n]), new Mode(PATTERN, firsts.length)],
    [...answered.map(n => cells.indices[n]), pattern],
    cells.values,
  )
  return { items, tensor: together, design, dropped: tensor.total - cells.total }
}

/** The modes of `age`, or of `age*party`; a mode whose own name has an asterisk is meant first. */
const productOf = (tensor: Tensor, text: string): string[] => {
  if (typeof text !== 'string') throw new OptionError(`covariates must be names of modes (got ${show(text)})`)
  if (tensor.modes.some(({ name }) => name === text)) return [text]
  const names = text.split('*').map(name => name.trim())
  for (const name of names) modeNamed(tensor, name, 'covariates')
  if (new Set(names).size < names.length)
    throw new OptionError(`covariates must not multiply a mode by itself: ${text}`)
  return names
}

/** Numbers the distinct combinations in the order in which they are met. */
const patternsOf = (columns: readonly { readonly column: Int32Array; readonly size: number }[]) => {
  const seen = new Map<string | number, number>()
  const packable = columns.reduce((product, { size }) => product * size, 1) < Number.MAX_SAFE_INTEGER
  const pattern = new Int32Array(columns[0].column.length)
  const firsts: number[] = []
  for (let cell = 0; cell < pattern.length; cell++) {
    const key = packable
      ? columns.reduce((code, { column, size }) => code * size + column[cell], 0)
      : columns.map(({ column }) => column[cell]).join()
    let number = seen.get(key)
    if (number === undefined) {
      number = firsts.push(cell) - 1
      seen.set(key, number)
    }
    pattern[cell] = number
  }
  return { pattern, firsts }
}

type Known = Pick<DesignCovariate, 'mode' | 'numeric'>

/** The intercept, the terms of every covariate, and the products of those that interact. */
const termsOf = (covariates: readonly Known[], products: readonly (readonly string[])[]): Term[] => {
  const own = (name: string): TermFactor[] => {
    const { mode, numeric } = covariates.find(each => each.mode.name === name) as Known
    if (numeric) return [{ covariate: name }]
    return Array.from({ length: mode.size - 1 }, (_, j) => ({ covariate: name, label: mode.label(j + 1) }))
  }
  const terms = new Map<string, TermFactor[]>([['intercept', []]])
  const add = (factors: TermFactor[]) => terms.set(factors.map(factorName).join(' × '), factors)
  for (const name of products.flat()) for (const factor of own(name)) add([factor])
  for (const names of products) {
    // All interactions among the names: of two at a time, of three, …
    for (let chosen = 1; chosen < 2 ** names.length; chosen++) {
      const some = names.filter((_, i) => (chosen >> i) & 1)
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

/** The value of a term, from the labels of the covariates. */
export const termValue = ({ factors }: Pick<Term, 'factors'>, labelOf: (covariate: string) => Label): number => {
  let product = 1
  for (const { covariate, label } of factors) {
    const own = labelOf(covariate)
    product *= label === undefined ? Number(own) : String(own) === String(label) ? 1 : 0
  }
  return product
}

/** The value of every term in every combination. */
export const termValues = (terms: readonly Term[], covariates: readonly DesignCovariate[]): Float64Array => {
  const patterns = covariates[0].indices.length
  const position = new Map(covariates.map((covariate, i) => [covariate.mode.name, i]))
  const values = new Float64Array(patterns * terms.length).fill(1)
  terms.forEach(({ factors }, p) => {
    for (const { covariate, label } of factors) {
      const { mode, indices } = covariates[position.get(covariate) as number]
      const by = Float64Array.from({ length: mode.size }, (_, j) =>
        label === undefined ? Number(mode.label(j)) : String(mode.label(j)) === String(label) ? 1 : 0,
      )
      for (let z = 0; z < patterns; z++) values[z * terms.length + p] *= by[indices[z]]
    }
  })
  return values
}

/** Refuses terms of which one is a sum of others: their coefficients cannot be told apart. */
const checkCollinear = ({ terms, values, weights, patterns }: Design): void => {
  const size = terms.length
  const gram = new Float64Array(size * size)
  for (let z = 0; z < patterns; z++) {
    for (let p = 0; p < size; p++) {
      for (let q = 0; q < size; q++) gram[p * size + q] += weights[z] * values[z * size + p] * values[z * size + q]
    }
  }
  for (let n = 1; n <= size; n++) {
    const leading = Float64Array.from({ length: n * n }, (_, i) => gram[Math.floor(i / n) * size + (i % n)])
    if (cholesky(leading, n, COLLINEAR) !== undefined) continue
    const rest = terms.slice(0, n - 1).map(({ name }) => name)
    throw new OptionError(
      `covariates must not determine each other: ${show(terms[n - 1].name)} follows from ${rest.join(', ')}`,
    )
  }
}
