import { DataError, OptionError, show } from '../../errors.ts'
import type { Term } from '../../model/structures/logit.ts'
import { cholesky } from '../../numeric/symmetric.ts'
import { buildTensor } from '../../tensor/build.ts'
import { type Label, MISSING, Mode } from '../../tensor/mode.ts'
import { modeNamed, occurringLabels, selectCells, withoutModes } from '../../tensor/reshape.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { advise, words } from '../../wording.ts'
import { type DesignCovariate, standardOf, termsOf, termValues, usedTerms } from './terms.ts'

/** Covariates of class membership. */
export interface CovariateOptions {
  /**
   * Modes of the data by which membership is explained, and which are then no answers: `'age'`, or `'age*party'` for both and their
   * interaction. A mode whose labels are numbers enters as a number; any other by one term for each label but the first.
   */
  readonly covariates: readonly string[]
  /** Covariates whose labels are numbers, but are to be taken as categories. */
  readonly categories?: readonly string[]
  /** The reference category of a covariate, by its mode, as in `{ party: 'Independent' }`. Default: the first label. */
  readonly referenceCategories?: Readonly<Record<string, Label>>
}

/** The distinct combinations of the covariates' values, and their terms. */
export interface CovariateDesign {
  readonly terms: readonly Term[]
  /** How many combinations there are. */
  readonly patterns: number
  /** The value of every term, the terms of one combination side by side; numbers are standardized. */
  readonly values: Float64Array
  /** How much of the data has each combination. */
  readonly counts: Float64Array
  /** The covariates: their modes, and the index of each combination in them. */
  readonly covariates: readonly DesignCovariate[]
}

/** Data split into what is answered and what explains it. */
export interface CovariateData {
  /** The answers alone, over all values of the covariates. */
  readonly items: Tensor
  /** The answers with one more mode, the last: which combination of the covariates the cell has. */
  readonly tensor: Tensor
  /** The same with the modes of a design before the last, where there are some: they are no answers. */
  readonly drawn: Tensor
  readonly design: CovariateDesign
  /** How much of the data was left out, since a covariate is missing. */
  readonly dropped: number
}

/** The name of the mode of combinations; it is never shown. */
const PATTERN = 'combination of the covariates'

/** A term this much explained by those before it cannot be told from them. */
const COLLINEAR = 1e-9

/** A covariate of more categories is most likely a number that was read as text, or a name: no data tells so many effects apart. */
const MOST_CATEGORIES = 50
/** Of more terms and four classes, a step of the coefficients takes a second. */
const MOST_TERMS = 200

/**
 * Splits a tensor, some of whose modes are covariates; without any there is one combination, and the intercept is all that explains.
 * @param design names of modes that are neither covariates nor answers
 * @param groups the covariate that has known groups: as many as there are
 */
export const covariateData = (
  tensor: Tensor,
  { covariates, categories = [], referenceCategories = {} }: CovariateOptions,
  design: readonly string[] = [],
  groups?: string,
): CovariateData => {
  const products = covariates.map(text => productOf(tensor, text))
  const alike = products.map(names => names.toSorted().join('*'))
  const twice = alike.find((each, i) => alike.indexOf(each) < i)
  if (twice !== undefined) throw new OptionError('covariates', `has ${show(twice)} twice: name it once`)
  const names = [...new Set(products.flat())]
  for (const name of categories)
    if (!names.includes(name)) throw new OptionError('categories', `has ${show(name)}, which is not a covariate`)
  for (const name of Object.keys(referenceCategories))
    if (!names.includes(name))
      throw new OptionError('referenceCategories', `has ${show(name)}, which is not a covariate`)
  const cells = explainedCells(tensor, names, design)
  const given = names.map((name): GivenCovariate => {
    const mode = cells.modes[modeNamed(cells, name, 'covariates')]
    const labels = Array.from({ length: mode.size }, (_, j) => mode.label(j))
    if (labels.length === 1)
      throw name === groups
        ? new OptionError('groups', `must name a column with two groups or more: ${groups} has one`)
        : new OptionError(`covariate ${show(name)} has the same value in every row`)
    const numeric = labels.every(each => typeof each === 'number') && !categories.includes(name)
    if (!numeric && name !== groups) checkCategories(name, labels)
    const wanted = Object.hasOwn(referenceCategories, name) ? referenceCategories[name] : undefined
    return { name, numeric, reference: referenceOf(name, labels, numeric, wanted) }
  })
  const data = placeCovariates(cells, given, covariates => checkedTerms(termsOf(covariates, products)), design)
  checkCollinear(data.design)
  return { ...data, dropped: tensor.total - cells.total }
}

const checkedTerms = (terms: readonly Term[]): readonly Term[] => {
  if (terms.length <= MOST_TERMS) return terms
  throw new OptionError(
    'covariates',
    `make ${terms.length} terms, and at most ${MOST_TERMS} can be fitted: name fewer products, or merge rare categories`,
  )
}

/** The cells that have all covariates and an answer, with the labels of covariates that occur: any other would be a term that is always zero. */
export const explainedCells = (tensor: Tensor, names: readonly string[], design: readonly string[]): Tensor => {
  const columns = names.map(name => tensor.indices[modeNamed(tensor, name, 'covariates')])
  const known = (cell: number) => columns.every(column => column[cell] !== MISSING)
  if (!tensor.values.some((_, cell) => known(cell)))
    throw new DataError('every row lacks a covariate: there is nothing to fit')
  const complete = selectCells(tensor, known)
  const answered = answersOf(complete, names, design)
  const some = selectCells(complete, cell => answered.some(n => complete.indices[n][cell] !== MISSING))
  return occurringLabels(some, names)
}

/** The modes that are neither covariates nor of a design. */
const answersOf = ({ modes }: Tensor, names: readonly string[], design: readonly string[]): number[] =>
  modes.flatMap(({ name }, n) => (names.includes(name) || design.includes(name) ? [] : [n]))

/** How a covariate enters. */
export interface GivenCovariate {
  readonly name: string
  readonly numeric: boolean
  /** The position of the reference category among the labels that occur. */
  readonly reference: number
}

/**
 * Sets the covariates of cells apart: each cell gets the combination of covariates that it has. Every cell has all of them, and an answer.
 * @param termsOf the terms of the predictor
 */
export const placeCovariates = (
  cells: Tensor,
  given: readonly GivenCovariate[],
  termsOf: (covariates: readonly DesignCovariate[]) => readonly Term[],
  design: readonly string[],
): Omit<CovariateData, 'dropped'> => {
  const names = given.map(({ name }) => name)
  const explaining = given.map(each => {
    const n = modeNamed(cells, each.name, 'covariates')
    return { ...each, mode: cells.modes[n], column: cells.indices[n] }
  })
  const { pattern, firsts } = patternsOf(
    explaining.map(({ mode, column }) => ({ column, size: mode.size })),
    cells.cells,
  )
  const counts = new Float64Array(firsts.length)
  for (let cell = 0; cell < cells.cells; cell++) counts[pattern[cell]] += cells.values[cell]
  const covariates = explaining.map(({ mode, numeric, reference, column }): DesignCovariate => {
    const indices = Int32Array.from(firsts, cell => column[cell])
    return {
      mode,
      numeric,
      reference,
      indices,
      ...(numeric ? standardOf(mode, indices, counts) : { center: 0, scale: 1 }),
    }
  })
  const terms = termsOf(covariates)
  const patterns = firsts.length
  const kept = [...answersOf(cells, names, design), ...design.map(name => modeNamed(cells, name, 'design'))]
  const drawn = buildTensor(
    [...kept.map(n => cells.modes[n]), new Mode(PATTERN, patterns)],
    [...kept.map(n => cells.indices[n]), pattern],
    cells.values,
  )
  return {
    items: withoutModes(cells, [...names, ...design]),
    tensor: design.length === 0 ? drawn : withoutModes(drawn, design),
    drawn,
    design: { terms, patterns, counts, covariates, values: termValues(terms, covariates, patterns) },
  }
}

/** The modes of `age`, or of `age*party`; a mode whose own name has an asterisk is meant first. */
const productOf = (tensor: Tensor, text: string): string[] => {
  if (typeof text !== 'string') throw new OptionError('covariates', 'must be names of modes', text)
  if (tensor.modes.some(({ name }) => name === text)) return [text]
  const names = text.split('*').map(name => name.trim())
  for (const name of names) modeNamed(tensor, name, 'covariates')
  if (new Set(names).size < names.length)
    throw new OptionError('covariates', `must not multiply a mode by itself: ${text}`)
  return names
}

/** Numbers the distinct combinations in the order in which they are met. */
const patternsOf = (columns: readonly { readonly column: Int32Array; readonly size: number }[], cells: number) => {
  const seen = new Map<string | number, number>()
  const packable = columns.reduce((product, { size }) => product * size, 1) < Number.MAX_SAFE_INTEGER
  const pattern = new Int32Array(cells)
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

/** How a number looks where decimals have a comma: not all have decimals. */
const COMMA_NUMBER = /^\s*[-+]?\d+(,\d+)?\s*$/

const checkCategories = (name: string, labels: readonly Label[]): void => {
  if (labels.length <= MOST_CATEGORIES) return
  const numbers = labels.every(label => typeof label === 'number')
  const comma =
    labels.every(label => COMMA_NUMBER.test(String(label))) && labels.find(label => String(label).includes(','))
  throw new OptionError(
    `covariate ${show(name)} has ${labels.length} categories, and at most ${MOST_CATEGORIES} can be fitted: ${
      numbers
        ? 'let it enter as a number, or cut it into bins'
        : comma
          ? `its values look like numbers with a decimal comma (${show(comma)}); write them with a decimal point`
          : 'merge rare categories, or cut it into bins'
    }`,
  )
}

/** The position of the category that the others are compared with. */
const referenceOf = (name: string, labels: readonly Label[], numeric: boolean, wanted: Label | undefined): number => {
  if (wanted === undefined) return 0
  if (numeric)
    throw new OptionError(
      words`covariate ${show(name)} enters as a number and has no reference category: ${advise('name it in', 'categories', name)}`,
    )
  const position = labels.findIndex(label => String(label) === String(wanted))
  if (position >= 0) return position
  throw new OptionError(
    'referenceCategories',
    `has ${show(wanted)}, which is no category of ${show(name)}: ${labels.map(show).join(', ')}`,
  )
}

/** Refuses terms of which one is a sum of others: their coefficients cannot be told apart. */
export const checkCollinear = ({
  terms,
  values,
  counts,
  patterns,
}: Pick<CovariateDesign, 'terms' | 'values' | 'counts' | 'patterns'>): void => {
  const size = terms.length
  const gram = new Float64Array(size * size)
  for (let z = 0; z < patterns; z++) {
    const used = usedTerms(values, size, z)
    for (const p of used) {
      for (const q of used) gram[p * size + q] += counts[z] * values[z * size + p] * values[z * size + q]
    }
  }
  const independent = (n: number) => {
    const leading = Float64Array.from({ length: n * n }, (_, i) => gram[Math.floor(i / n) * size + (i % n)])
    return cholesky(leading, n, COLLINEAR) !== undefined
  }
  if (independent(size)) return
  // What is added to terms that determine each other does not make them independent: the first is found by halving.
  let [most, least] = [0, size]
  while (least - most > 1) {
    const middle = (most + least) >> 1
    if (independent(middle)) most = middle
    else least = middle
  }
  const rest = terms.slice(0, most).map(({ name }) => name)
  throw new OptionError(
    'covariates',
    `must not determine each other: ${show(terms[most].name)} follows from ${rest.join(', ')}`,
  )
}
