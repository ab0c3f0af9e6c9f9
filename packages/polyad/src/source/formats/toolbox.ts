import { DataError, Mode, Model, type ModeOptions, type Tensor, tensorFromArray } from '@polyad/core'
import { readBytes, readHead } from '../relation/files.ts'
import { checkLabels, readLabels } from './tns-labels.ts'

/** Text files of the Tensor Toolbox, pyttb and GenTen, whose first word says what they hold. Sparse ones (`sptensor`) are read cell by cell. */

const WORDS = ['sptensor', 'tensor', 'matrix', 'facmatrix', 'ktensor'] as const
export type ToolboxKind = (typeof WORDS)[number]

/** Comments of FROSTT begin with #, those of GenTen with //. */
const COMMENT = /(#|\/\/).*$/gm

/** Bytes in which the first word is. */
const HEAD = 1 << 16

/** What a file of the Tensor Toolbox holds, by its first word; undefined for other files. */
export const toolboxKind = (path: string): ToolboxKind | undefined => {
  const [, word] = /^\s*([a-z]+)\s/.exec(readHead(path, HEAD).toString('latin1').replace(COMMENT, '')) ?? []
  return WORDS.find(each => each === word)
}

/** Reads the words of a file one after another. */
class Words {
  readonly #path: string
  readonly #words: readonly string[]
  #at = 0

  constructor(path: string) {
    this.#path = path
    this.#words = readBytes(path).toString('utf8').replace(COMMENT, '').split(/\s+/).filter(Boolean)
  }

  word(expected: readonly string[]): void {
    const found = this.#words[this.#at++]
    if (!expected.includes(found)) throw this.fault(`${expected[0]} is expected, and there is ${found ?? 'nothing'}`)
  }

  number(what: string): number {
    const text = this.#words[this.#at++]
    if (text === undefined) throw this.fault(`it ends before ${what}: is it cut short?`)
    const value = Number(text)
    if (Number.isFinite(value)) return value
    throw this.fault(`${what} must be a number (got ${text.slice(0, 40)})`)
  }

  size(what: string): number {
    const value = this.number(what)
    if (Number.isInteger(value) && value >= 1) return value
    throw this.fault(`${what} must be a whole number ≥ 1 (got ${value})`)
  }

  sizes(): number[] {
    const modes = this.size('the number of modes')
    return Array.from({ length: modes }, (_, n) => this.size(`size ${n + 1}`))
  }

  amounts(count: number, what: string): Float64Array {
    if (count > this.#words.length - this.#at)
      throw this.fault(
        `its sizes promise ${count} values of ${what}, and there are ${this.#words.length - this.#at}: is it cut short?`,
      )
    return Float64Array.from({ length: count }, () => {
      const value = this.number(`a value of ${what}`)
      if (value >= 0) return value
      throw this.fault(`${what} has the value ${value}, and no value may be negative`)
    })
  }

  end(): void {
    if (this.#at < this.#words.length)
      throw this.fault(`it has more values than its sizes say (${this.#words[this.#at].slice(0, 40)})`)
  }

  fault(what: string): DataError {
    return new DataError(`${this.#path}: ${what}`)
  }
}

/** Names and labels: those of the file beside it, else numbers from 1. */
const modesOf = (path: string, sizes: readonly number[], names?: readonly string[]): ModeOptions[] => {
  const beside = readLabels(path)
  if (beside !== undefined) checkLabels(path, beside, sizes)
  return sizes.map((size, n) => ({
    ordered: false,
    labels: Array.from({ length: size }, (_, j) => j + 1),
    ...beside?.[n],
    name: names?.[n] ?? beside?.[n].name ?? `mode${n + 1}`,
  }))
}

/** A dense tensor, whose first index is the fastest, or a matrix, row by row. */
export const readDense = (path: string, names?: readonly string[]): Tensor => {
  const words = new Words(path)
  const isTensor = toolboxKind(path) === 'tensor'
  words.word(isTensor ? ['tensor'] : ['matrix', 'facmatrix'])
  const sizes = words.sizes()
  const count = sizes.reduce((product, size) => product * size, 1)
  const given = words.amounts(count, 'the array')
  words.end()
  const data = isTensor ? lastFastest(given, sizes) : given
  return tensorFromArray(data, { shape: sizes, modes: modesOf(path, sizes, names) })
}

/** Values in the order in which the last index is the fastest. */
const lastFastest = (values: Float64Array, sizes: readonly number[]): Float64Array => {
  const ordered = new Float64Array(values.length)
  const index = sizes.map(() => 0)
  for (const value of values) {
    ordered[index.reduce((position, j, n) => position * sizes[n] + j, 0)] = value
    for (let n = 0; n < sizes.length && ++index[n] === sizes[n]; n++) index[n] = 0
  }
  return ordered
}

/** A Kruskal tensor as a model: columns are made to sum to 1, and components are in descending size. */
export const readKtensor = (path: string): Model => {
  const words = new Words(path)
  words.word(['ktensor'])
  const sizes = words.sizes()
  const rank = words.size('the number of components')
  const weights = words.amounts(rank, 'the weights')
  const factors = sizes.map((size, n) => {
    words.word(['matrix', 'facmatrix'])
    const [rows, columns, ...more] = words.sizes()
    if (rows !== size || columns !== rank || more.length > 0)
      throw words.fault(`factor ${n + 1} must be ${size} × ${rank} (got ${[rows, columns, ...more].join(' × ')})`)
    const factor = words.amounts(size * rank, `factor ${n + 1}`)
    for (let k = 0; k < rank; k++) {
      let sum = 0
      for (let j = 0; j < size; j++) sum += factor[j * rank + k]
      if (sum === 0) throw words.fault(`component ${k + 1} is zero in factor ${n + 1}: leave it out`)
      weights[k] *= sum
      for (let j = 0; j < size; j++) factor[j * rank + k] /= sum
    }
    return factor
  })
  words.end()
  const order = [...weights.keys()].sort((a, b) => weights[b] - weights[a])
  const modes = modesOf(path, sizes).map(mode => new Mode(mode.name ?? '', mode.labels ?? [], mode.ordered))
  return new Model(modes, {
    rank,
    sizes: Float64Array.from(order, k => weights[k]),
    factors: factors.map((factor, n) =>
      Float64Array.from({ length: sizes[n] * rank }, (_, i) => factor[i - (i % rank) + order[i % rank]]),
    ),
  })
}

/** A model as a Kruskal tensor. Its numbers are read back bit for bit. */
export const ktensorText = ({ modes, rank, sizes, parameters: { factors }, structure }: Model): string => {
  if (structure.kind !== 'shares')
    throw new DataError(
      'a ktensor has weights and factors only, and the classes of this model depend on more: write .npz or .json',
    )
  const lines = ['ktensor', `${modes.length}`, modes.map(({ size }) => size).join(' '), `${rank}`, sizes.join(' ')]
  modes.forEach(({ size }, n) => {
    lines.push('matrix', '2', `${size} ${rank}`)
    for (let j = 0; j < size; j++) lines.push(Array.from(factors[n].subarray(j * rank, (j + 1) * rank)).join(' '))
  })
  return `${lines.join('\n')}\n`
}
