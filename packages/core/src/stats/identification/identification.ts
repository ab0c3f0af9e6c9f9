import { constrainedParameters } from '../../fit/descent/constraints.ts'
import { wholeNumber } from '../../options.ts'
import { jacobianRank, type KnownMode, type ModelStructure } from './jacobian.ts'

/** Identification of a model: the number of parameters that the table determines. */
export interface Identification {
  /** The shares less one, and for every class its labels less one in every mode. */
  readonly parameters: number
  /**
   * The dimension of the set of tables that the model can produce: the rank of the Jacobian of the cells' probabilities at a
   * random point. It is what the model costs, in degrees of freedom and in criteria; below `parameters`, the data cannot
   * determine all of them.
   */
  readonly rank: number
  /** Cells of the table less 1, less `rank`. */
  readonly degreesOfFreedom: number
  /**
   * 'boundary': identified in general, but not at the parameters of the fit, of which some are at 0 or 1. That some are does not
   * by itself make it so: most fits with zeros are identified.
   */
  readonly verdict: 'identified' | 'not identified' | 'boundary' | 'not checked'
  /**
   * How it is known: by Kruskal's condition, by the Jacobian, or not at all, where the model is too large for the Jacobian and
   * the condition does not hold; `rank` is then the number of parameters.
   */
  readonly method: 'kruskal' | 'jacobian' | 'none'
  /** At the parameters of a fit, where there is one and they are no more than 400; `boundary` counts those at 0. */
  readonly atFit?: LocalRank & { readonly boundary: number }
}

/** Local identification: the rank of the Jacobian of the cell probabilities at one point. */
export interface LocalRank {
  /** How many directions of the parameters change the table. */
  readonly rank: number
  /**
   * How many times as large the smallest singular value that counts is as the next, or as rounding: far above 1 where the rank is
   * beyond doubt. Columns of the Jacobian are brought to the same length first.
   */
  readonly gap: number
  /** The classes, from 0, and the modes whose parameters can be changed without changing the table; empty where none can. */
  readonly classes: readonly number[]
  readonly modes: readonly string[]
}

/**
 * Free parameters: the shares less one, and for every class its labels less one in every mode.
 * @example
 * countParameters([2, 2, 3], 2) // 9: one share, and 1 + 1 + 2 probabilities in each of two classes
 */
export const countParameters = (shape: readonly number[], rank: number): number =>
  rank - 1 + rank * shape.reduce((sum, size) => sum + size - 1, 0)

/** Beyond this many columns the elimination takes more than about a second. */
const MOST_COLUMNS = 700

/**
 * Generic identifiability of a model, given the table's shape and the number of classes.
 * @example
 * identify([6, 6], 3).degreesOfFreedom // 9: a two-way table never determines more than one class
 */
export const identify = (shape: readonly number[], rank: number): Identification => {
  shape.forEach((size, n) => {
    wholeNumber(`shape[${n}]`, size, 1)
  })
  wholeNumber('rank', rank, 1)
  const parameters = countParameters(shape, rank)
  const cells = shape.reduce((product, size) => product * size, 1)
  const sizes = shape.filter(size => size > 1)
  const known = (dimension: number, method: Identification['method']) =>
    described(parameters, dimension, cells - 1, method)
  if (rank === 1 || satisfiesKruskal(sizes, rank)) return known(parameters, 'kruskal')
  if (sizes.length < 2) return known(cells - 1, 'jacobian')
  if (sizes.length === 2) return known(matrixDimension(sizes[0], sizes[1], rank), 'jacobian')
  const columns = rank * sizes.reduce((sum, size) => sum + size, 0)
  if (columns > MOST_COLUMNS) return known(Math.min(parameters, cells - 1), 'none')
  return known(jacobianRank(sizes, rank, {}, cells), 'jacobian')
}

/** The dimension of the matrices of a rank whose entries sum to 1. */
const matrixDimension = (rows: number, columns: number, rank: number): number => {
  const least = Math.min(rank, rows, columns)
  return least * (rows + columns - least) - 1
}

/**
 * Kruskal's condition, after Allman, Matias and Rhodes: where the modes can be put into three groups with a, b and c
 * combinations of labels and min(a, K) + min(b, K) + min(c, K) ≥ 2K + 2, almost all parameters are identified.
 */
const satisfiesKruskal = (sizes: readonly number[], rank: number): boolean => {
  const enough = ([a, b, c]: readonly number[]) =>
    Math.min(a, rank) + Math.min(b, rank) + Math.min(c, rank) >= 2 * rank + 2
  const descending = [...sizes].sort((x, y) => y - x)
  // Two groups are filled until they have as many combinations as classes, the third takes the rest. If any other order does it, so does the largest first.
  const filled = [1, 1, 1]
  let group = 0
  for (const size of descending) {
    if (group < 2 && filled[group] >= rank) group++
    filled[group] *= size
  }
  // Or the largest modes are dealt out in turn.
  const dealt = [1, 1, 1]
  for (const size of descending) dealt[dealt.indexOf(Math.min(...dealt))] *= size
  return enough(filled) || enough(dealt)
}

/** Beyond this many columns, or products, elimination in real numbers takes more than about a second. */
const MOST_REAL = { columns: 400, products: 1e8 }

/**
 * What a table can tell of a model with constraints, or with membership that is explained. Of the latter there is a table of answers for each
 * combination of the covariates that occurs, each with its cells less 1; combinations that do not occur say nothing. Known classes help to determine
 * parameters, but are no answer: degrees of freedom are those of the tables of answers.
 */
export const identifyStructured = (
  shape: readonly number[],
  rank: number,
  structure: ModelStructure,
): Identification => {
  const { constraints, explained, asked, known } = structure
  const { items = [] } = structure
  const tables = shape.filter((_, n) => items[n] === undefined)
  const ofItems = items.reduce((sum, item) => sum + (item?.size ?? 0), 0)
  const ofTables =
    constraints === undefined
      ? countParameters(tables, rank)
      : constrainedParameters(shape, rank, constraints) + countParameters(tables, rank) - countParameters(shape, rank)
  const own = ofTables + ofItems
  const parameters = own + (explained === undefined ? 0 : (rank - 1) * (explained.terms.length - 1))
  const patterns = explained?.patterns ?? 1
  const sizes = shape.map((size, n) => (n === known?.mode ? toldApart(known) : size))
  const all = shape.map((_, n) => n)
  const cells = Array.from({ length: patterns }, (_, z) => asked?.[z] ?? all).reduce(
    (sum, modes) => sum + modes.reduce((product, n) => product * sizes[n], 1) - 1,
    0,
  )
  if (
    explained !== undefined &&
    ofItems === 0 &&
    constraints === undefined &&
    asked === undefined &&
    known === undefined
  ) {
    // Memberships are determined for each combination, and coefficients by the memberships, since no term follows from others.
    const answers = identify(shape, rank)
    if (answers.verdict === 'identified') return described(parameters, parameters, cells, answers.method)
  }
  const products = parameters * patterns * rank * (explained?.terms.length ?? 0)
  const most = explained === undefined && ofItems === 0 ? MOST_COLUMNS : MOST_REAL.columns
  const found =
    parameters > most || products > MOST_REAL.products
      ? described(parameters, Math.min(parameters, cells), cells, 'none')
      : described(parameters, Math.min(cells, jacobianRank(shape, rank, structure, cells + 1)), cells, 'jacobian')
  // A number has no table, of which degrees of freedom would be.
  if (items.some(item => item !== undefined && item.kind !== 'ordinal'))
    return Object.freeze({ ...found, degreesOfFreedom: Number.NaN })
  if (known === undefined) return found
  const { degreesOfFreedom } = ofAnswers(shape, rank, structure, known)
  return Object.freeze({ ...found, degreesOfFreedom })
}

/** The same without the mode of known classes, which is the last. */
const ofAnswers = (
  shape: readonly number[],
  rank: number,
  { constraints, explained, asked, items }: ModelStructure,
  { mode: last }: KnownMode,
): Identification =>
  identifyStructured(shape.slice(0, last), rank, {
    explained,
    items: items?.slice(0, last),
    asked: asked?.map(modes => modes.filter(n => n !== last)),
    constraints: constraints && { ...constraints, fixed: constraints.fixed.filter(({ mode }) => mode !== last) },
  })

/** Labels that occur, and all others as one. */
const toldApart = ({ occurs }: KnownMode): number =>
  occurs.filter(each => each).length + (occurs.includes(false) ? 1 : 0)

/** @param cells as many as the table has, less those that follow from its sums */
const described = (
  parameters: number,
  dimension: number,
  cells: number,
  method: Identification['method'],
): Identification =>
  Object.freeze({
    parameters,
    rank: dimension,
    degreesOfFreedom: cells - dimension,
    verdict: method === 'none' ? 'not checked' : dimension === parameters ? 'identified' : 'not identified',
    method,
  })
