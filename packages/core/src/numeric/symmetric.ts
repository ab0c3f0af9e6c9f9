/**
 * Small dense symmetric matrices: Cholesky's factor, what is solved with it, and eigenvalues. A matrix of n rows is one array
 * of n², row by row; all of it is given, and nothing given is changed. Only what IEEE 754 fixes is used, in a fixed order.
 */

import { atOnce, type Interruptible } from './interruptible.ts'

/** A pivot below this part of its diagonal entry is rounding: a column that the earlier ones explain to eleven digits. */
const PIVOT = 1e-11

/**
 * The lower triangular L with A = L·Lᵀ, zeros above its diagonal; undefined where A is not positive definite: a pivot is not
 * above `tolerance` times the diagonal entry it is left of.
 */
export const cholesky = (matrix: Float64Array, n: number, tolerance = PIVOT): Float64Array | undefined =>
  atOnce(choleskySteps(matrix, n, tolerance))

/** The same in steps, one for each row. A product and its sum take about a nanosecond. */
export function* choleskySteps(
  matrix: Float64Array,
  n: number,
  tolerance = PIVOT,
): Interruptible<Float64Array | undefined> {
  const factor = new Float64Array(n * n)
  for (let i = 0; i < n; i++) {
    if (!factorRow(matrix, n, i, tolerance, factor)) return undefined
    yield (i * i) / 2
  }
  return factor
}

/** One row of the factor, by those before it; false if its pivot is too small. */
const factorRow = (matrix: Float64Array, n: number, i: number, tolerance: number, factor: Float64Array): boolean => {
  for (let j = 0; j <= i; j++) {
    let rest = matrix[i * n + j]
    for (let k = 0; k < j; k++) rest -= factor[i * n + k] * factor[j * n + k]
    if (i > j) factor[i * n + j] = rest / factor[j * n + j]
    // Not a number fails too.
    else if (rest > tolerance * matrix[i * n + i]) factor[i * n + i] = Math.sqrt(rest)
    else return false
  }
  return true
}

/** The x with A·x = b, by Cholesky's factor of A. */
export const solve = (factor: Float64Array, n: number, right: ArrayLike<number>): Float64Array => {
  const x = Float64Array.from(right)
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) x[i] -= factor[i * n + k] * x[k]
    x[i] /= factor[i * n + i]
  }
  for (let i = n - 1; i >= 0; i--) {
    x[i] /= factor[i * n + i]
    for (let k = 0; k < i; k++) x[k] -= factor[i * n + k] * x[i]
  }
  return x
}

/** xᵀ·A·x by Cholesky's factor of A. */
export const quadraticForm = (factor: Float64Array, n: number, x: ArrayLike<number>): number => {
  let sum = 0
  for (let j = 0; j < n; j++) {
    let along = 0
    for (let i = j; i < n; i++) along += factor[i * n + j] * x[i]
    sum += along * along
  }
  return sum
}

/** A⁻¹ by Cholesky's factor of A: symmetric to the last bit. */
export const inverse = (factor: Float64Array, n: number): Float64Array => atOnce(inverseSteps(factor, n))

/** The same in steps, two for each row. */
export function* inverseSteps(factor: Float64Array, n: number): Interruptible<Float64Array> {
  // The columns of L⁻¹, as rows: A⁻¹ = L⁻ᵀ·L⁻¹ is made of their products.
  const columns = new Float64Array(n * n)
  for (let j = 0; j < n; j++) {
    inverseColumn(factor, n, j, columns.subarray(j * n, (j + 1) * n))
    yield (n - j) ** 2 / 2
  }
  const result = new Float64Array(n * n)
  for (let i = 0; i < n; i++) {
    inverseRow(columns, n, i, result)
    yield i * (n - i)
  }
  return result
}

/** Column j of L⁻¹. */
const inverseColumn = (factor: Float64Array, n: number, j: number, x: Float64Array): void => {
  x[j] = 1 / factor[j * n + j]
  for (let i = j + 1; i < n; i++) {
    let rest = 0
    for (let k = j; k < i; k++) rest -= factor[i * n + k] * x[k]
    x[i] = rest / factor[i * n + i]
  }
}

/** Row i of A⁻¹ up to its diagonal, and the same as a column. */
const inverseRow = (columns: Float64Array, n: number, i: number, result: Float64Array): void => {
  for (let j = 0; j <= i; j++) {
    let sum = 0
    for (let k = i; k < n; k++) sum += columns[i * n + k] * columns[j * n + k]
    result[i * n + j] = sum
    result[j * n + i] = sum
  }
}

/** B·A·Bᵀ of a symmetric A of n rows and a B of `rows` rows, mostly zeros: how a covariance goes through a linear map. */
export const congruence = (map: Float64Array, rows: number, matrix: Float64Array, n: number): Float64Array =>
  atOnce(congruenceSteps(map, rows, matrix, n))

/** The same in steps, one for each row of B. */
export function* congruenceSteps(
  map: Float64Array,
  rows: number,
  matrix: Float64Array,
  n: number,
): Interruptible<Float64Array> {
  const used = Array.from({ length: rows }, (_, i) => nonzeros(map.subarray(i * n, (i + 1) * n)))
  yield rows * n
  const result = new Float64Array(rows * rows)
  const half = new Float64Array(n)
  let products = 0
  for (let i = 0; i < rows; i++) {
    const { places, entries } = used[i]
    half.fill(0)
    places.forEach((k, at) => void addRow(entries[at], matrix.subarray(k * n, (k + 1) * n), half))
    congruenceRow(used, half, i, result)
    products += places.length
    yield places.length * n + products
  }
  return result
}

/** Where a row has other entries than zero, and what they are: side by side in memory, which is much faster than a row of mostly zeros. */
interface Nonzeros {
  readonly places: Int32Array
  readonly entries: Float64Array
}

const nonzeros = (row: Float64Array): Nonzeros => {
  const found = new Int32Array(row.length)
  let count = 0
  for (let k = 0; k < row.length; k++) if (row[k] !== 0) found[count++] = k
  const places = found.slice(0, count)
  return { places, entries: Float64Array.from(places, k => row[k]) }
}

const addRow = (factor: number, row: Float64Array, into: Float64Array): void => {
  for (let j = 0; j < into.length; j++) into[j] += factor * row[j]
}

/** Row i of B·A·Bᵀ up to its diagonal, and the same as a column, from row i of B·A. */
const congruenceRow = (used: readonly Nonzeros[], half: Float64Array, i: number, result: Float64Array): void => {
  for (let j = 0; j <= i; j++) {
    const { places, entries } = used[j]
    let sum = 0
    for (let at = 0; at < places.length; at++) sum += half[places[at]] * entries[at]
    result[i * used.length + j] = sum
    result[j * used.length + i] = sum
  }
}

/** The eigenvalues of a symmetric matrix, the largest first, and their vectors of length 1, one per row. */
export interface Eigen {
  readonly values: Float64Array
  readonly vectors: Float64Array
}

/** An eigenvalue takes two or three steps on average, one of a cluster more; a matrix with NaN or infinite entries never ends. */
const MOST_STEPS = 300

/** By reflections to three diagonals, and rotations to one. An eigenvalue is as exact as rounding of the largest one allows. */
export const eigen = (matrix: Float64Array, n: number): Eigen => decompose(matrix, n, n)

/** The eigenvalues alone, the largest first, in a fraction of the time. */
export const eigenvalues = (matrix: Float64Array, n: number): Float64Array => decompose(matrix, n, 0).values

/** With the first `width` entries of every vector: all or none. */
const decompose = (matrix: Float64Array, n: number, width: number): Eigen => {
  const scale = matrix.reduce((most, entry) => Math.max(most, Math.abs(entry)), 0) || 1
  const { diagonal, beside, vectors } = tridiagonal(matrix, n, scale, width)
  const rounding = Number.EPSILON * largestRow(diagonal, beside)
  for (let first = 0; first < n; first++) {
    for (let steps = 0; ; steps++) {
      if (steps > MOST_STEPS)
        throw new RangeError('the matrix must hold finite numbers: its eigenvalues were not found')
      // The block that begins here ends where an entry beside the diagonal is rounding.
      let last = first
      while (last < n - 1 && !(Math.abs(beside[last]) <= rounding)) last++
      if (last === first) break
      rotateBlock(diagonal, beside, vectors, width, first, last)
    }
  }
  const order = Array.from({ length: n }, (_, i) => i).sort((a, b) => diagonal[b] - diagonal[a] || a - b)
  const sorted = new Float64Array(n * width)
  order.forEach((from, to) => {
    sorted.set(vectors.subarray(from * width, (from + 1) * width), to * width)
  })
  return { values: Float64Array.from(order, i => diagonal[i] * scale), vectors: sorted }
}

/**
 * The largest sum of absolute values in a row of the three diagonals. Entries are rounded relative to it: in a matrix of low rank, whole
 * blocks are nothing but rounding, and comparing an entry there with its neighbours would never end.
 */
const largestRow = (diagonal: Float64Array, beside: Float64Array): number =>
  diagonal.reduce((most, entry, i) => {
    return Math.max(most, Math.abs(beside[i - 1] ?? 0) + Math.abs(entry) + Math.abs(beside[i]))
  }, 0)

/** One sweep of rotations from the last row of a block to its first, by Wilkinson's shift: A − σ = Q·L becomes L·Q + σ. */
const rotateBlock = (
  diagonal: Float64Array,
  beside: Float64Array,
  vectors: Float64Array,
  width: number,
  first: number,
  last: number,
): void => {
  // The eigenvalue of the two leading rows that is nearer to the first of them.
  const half = (diagonal[first + 1] - diagonal[first]) / 2
  const root = Math.sqrt(half * half + beside[first] * beside[first])
  const shift = diagonal[first] - (beside[first] * beside[first]) / (half + (half < 0 ? -root : root))
  let bulge = beside[last - 1]
  let lead = diagonal[last] - shift
  for (let i = last - 1; i >= first; i--) {
    const length = Math.sqrt(lead * lead + bulge * bulge)
    const [cos, sin] = length === 0 ? [1, 0] : [lead / length, bulge / length]
    const [a, b, e] = [diagonal[i], diagonal[i + 1], beside[i]]
    if (i < last - 1) beside[i + 1] = length
    diagonal[i] = cos * cos * a - 2 * cos * sin * e + sin * sin * b
    diagonal[i + 1] = sin * sin * a + 2 * cos * sin * e + cos * cos * b
    beside[i] = (cos * cos - sin * sin) * e + cos * sin * (a - b)
    if (i > first) {
      lead = beside[i]
      bulge = sin * beside[i - 1]
      beside[i - 1] *= cos
    }
    for (let k = 0; k < width; k++) {
      const [x, y] = [vectors[i * width + k], vectors[(i + 1) * width + k]]
      vectors[i * width + k] = cos * x - sin * y
      vectors[(i + 1) * width + k] = sin * x + cos * y
    }
  }
}

/** Far below rounding, and its square far above the smallest double. */
const TINY = 1e-100

/** A/scale = Vᵀ·T·V with T of three diagonals and the rows of V orthonormal, by Householder's reflections. */
const tridiagonal = (matrix: Float64Array, n: number, scale: number, width: number) => {
  const a = matrix.map(entry => entry / scale)
  const vectors = new Float64Array(n * width)
  for (let i = 0; i < width; i++) vectors[i * width + i] = 1
  const beside = new Float64Array(n)
  for (let column = 0; column < n - 1; column++) {
    const v = new Float64Array(n)
    let square = 0
    for (let i = column + 1; i < n; i++) {
      // The square of what is smaller would not be a number of full precision; beside entries of 1 it is nothing.
      v[i] = Math.abs(a[i * n + column]) < TINY ? 0 : a[i * n + column]
      square += v[i] * v[i]
    }
    const length = v[column + 1] > 0 ? -Math.sqrt(square) : Math.sqrt(square)
    beside[column] = column === n - 2 ? v[n - 1] : length
    if (column === n - 2 || square === 0) continue
    // I − β·v·vᵀ takes the column to (length, 0, …, 0).
    const beta = 1 / (square - length * v[column + 1])
    v[column + 1] -= length
    reflect(a, vectors, v, beta, n, width, column + 1)
  }
  return { diagonal: Float64Array.from({ length: n }, (_, i) => a[i * n + i]), beside, vectors }
}

/** A becomes H·A·H and V becomes H·V, with H = I − β·v·vᵀ and v zero before `from`. */
const reflect = (
  a: Float64Array,
  vectors: Float64Array,
  v: Float64Array,
  beta: number,
  n: number,
  width: number,
  from: number,
): void => {
  const product = new Float64Array(n)
  let along = 0
  for (let i = from; i < n; i++) {
    for (let j = from; j < n; j++) product[i] += a[i * n + j] * v[j]
    product[i] *= beta
    along += product[i] * v[i]
  }
  for (let i = from; i < n; i++) product[i] -= (beta / 2) * along * v[i]
  for (let i = from; i < n; i++) {
    for (let j = from; j < n; j++) a[i * n + j] -= v[i] * product[j] + product[i] * v[j]
  }
  const row = new Float64Array(width)
  for (let i = from; i < n; i++) for (let k = 0; k < width; k++) row[k] += v[i] * vectors[i * width + k]
  for (let i = from; i < n; i++) for (let k = 0; k < width; k++) vectors[i * width + k] -= beta * v[i] * row[k]
}
