import { MISSING } from '../tensor/mode.ts'
import type { Tensor } from '../tensor/tensor.ts'
import { type GivenModel, partAt, priorsOf } from './given-table.ts'
import type { PairMisfit } from './misfit.ts'

/** Which part of a variable each cell has an answer to, and the answer; −1 if it has none. */
interface Answers {
  readonly modes: readonly number[]
  readonly parts: Int32Array
  readonly labels: Int32Array
  /** Whether every cell has an answer, and all to one part. */
  readonly complete: boolean
  /** How many answers there may be. */
  readonly size: number
}

const answersTo = (tensor: Tensor, modes: readonly number[]): Answers => {
  const parts = new Int32Array(tensor.cells).fill(MISSING)
  const labels = new Int32Array(tensor.cells).fill(MISSING)
  for (let cell = 0; cell < tensor.cells; cell++) {
    const n = partAt(tensor, modes, cell)
    if (n === MISSING) continue
    parts[cell] = modes.indexOf(n)
    labels[cell] = tensor.indices[n][cell]
  }
  const complete = modes.length === 1 && !labels.includes(MISSING)
  return { modes, parts, labels, complete, size: Math.max(...modes.map(n => tensor.shape[n])) }
}

/** Pairs of more answers than this are counted in a map. */
const LARGE = 1_000_000

/** Numbers pairs of answers in the order in which they come: the place of each, −1 for a new one. */
const placesOf = (size: number) => {
  if (size > LARGE) {
    const places = new Map<number, number>()
    return {
      of: (key: number) => places.get(key) ?? -1,
      set: (key: number, place: number) => void places.set(key, place),
    }
  }
  const places = new Int32Array(size).fill(-1)
  return {
    of: (key: number) => places[key],
    set: (key: number, place: number) => {
      places[key] = place
    },
  }
}

/** How much of every class there is in all cells. */
const classSizes = ({ cells, values }: Tensor, rank: number, priors: Float64Array): Float64Array => {
  const sizes = new Float64Array(rank)
  for (let cell = 0; cell < cells; cell++)
    for (let k = 0; k < rank; k++) sizes[k] += values[cell] * priors[cell * rank + k]
  return sizes
}

/** Σ observed² / expected over the pairs of answers that occur, and Σ observed. */
const misfitOf = (
  { cells, values }: Tensor,
  { rank, factors }: GivenModel['parameters'],
  a: Answers,
  b: Answers,
  priors: Float64Array,
  all: Float64Array,
): { readonly sum: number; readonly total: number } => {
  const keys: number[] = []
  const counts: number[] = []
  const places = placesOf(a.size * b.size)
  // How much of every class there is, for each pair of parts that a row has.
  const classes: { readonly m: number; readonly n: number; readonly sizes: Float64Array }[] = []
  const listed = a.modes.map(() => b.modes.map(() => -1))
  const complete = a.complete && b.complete
  if (complete) classes.push({ m: a.modes[0], n: b.modes[0], sizes: all })
  let total = 0
  for (let cell = 0; cell < cells; cell++) {
    const [i, j] = [a.labels[cell], b.labels[cell]]
    if (i === MISSING || j === MISSING) continue
    const y = values[cell]
    total += y
    const key = i * b.size + j
    const place = places.of(key)
    if (place >= 0) counts[place] += y
    else {
      places.set(key, keys.length)
      keys.push(key)
      counts.push(y)
    }
    if (complete) continue
    const [p, q] = [a.parts[cell], b.parts[cell]]
    if (listed[p][q] < 0) {
      listed[p][q] = classes.length
      classes.push({ m: a.modes[p], n: b.modes[q], sizes: new Float64Array(rank) })
    }
    const { sizes } = classes[listed[p][q]]
    for (let k = 0; k < rank; k++) sizes[k] += y * priors[cell * rank + k]
  }
  let sum = 0
  for (const [place, key] of keys.entries()) {
    const [i, j] = [Math.floor(key / b.size), key % b.size]
    let expected = 0
    for (const { m, n, sizes } of classes)
      for (let k = 0; k < rank; k++) expected += sizes[k] * factors[m][i * rank + k] * factors[n][j * rank + k]
    sum += (counts[place] / expected) * counts[place]
  }
  return { sum, total }
}

/** X² of the table of every two variables that have more than one label each, given what is not explained. */
export const givenPairMisfits = (tensor: Tensor, model: GivenModel): PairMisfit[] => {
  const priors = priorsOf(tensor, model)
  const all = classSizes(tensor, model.parameters.rank, priors)
  const answers = model.variables.map(modes => answersTo(tensor, modes))
  const sizeOf = (v: number) => tensor.shape[model.variables[v][0]]
  return answers.flatMap((first, a) =>
    answers.slice(a + 1).flatMap((second, i): PairMisfit | [] => {
      const b = a + 1 + i
      const degreesOfFreedom = (sizeOf(a) - 1) * (sizeOf(b) - 1)
      if (degreesOfFreedom === 0) return []
      const { sum, total } = misfitOf(tensor, model.parameters, first, second, priors, all)
      return { modes: [a, b], chiSquared: total === 0 ? 0 : Math.max(0, sum - total), degreesOfFreedom }
    }),
  )
}
