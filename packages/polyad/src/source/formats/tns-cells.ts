import { DataError } from '@polyad/core'
import { show } from '@polyad/core/options'

const SPACE = 32
const NEWLINE = 10
const ZERO = 48
const NINE = 57
const HASH = 35
const SLASH = 47

/** Cells that there is room for at first. */
const FIRST_CELLS = 1 << 12

/** A number for every label must fit into memory: these take 1 GB. */
const LARGEST = 2 ** 27
/** What GenTen writes after `sptensor` if indices count from 1. */
const FROM_ONE = 'indices-start-at-one'
/** Numbers as people write them: no other base, no names. */
const DECIMAL = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i

/** Collects the cells of a .tns file, block by block. Digits are read where they lie: no string is made of them. */
export class TnsCells {
  readonly #path: string
  #line = 0
  #columns: Int32Array[] = []
  #values = new Float64Array(0)
  #cells = 0
  /** The fields of the line under way, and where each began. */
  readonly #fields: number[] = []
  readonly #starts: number[] = []
  #header: { modes?: number; shape?: number[]; cells?: number } | undefined
  #lowest = Number.POSITIVE_INFINITY
  #base: 1 | undefined

  constructor(path: string) {
    this.#path = path
  }

  /** Reads whole lines: `bytes` up to `end`, which is after a line's end. */
  add(bytes: Uint8Array, end: number): void {
    let at = 0
    while (at < end) {
      this.#line++
      at = this.#readLine(bytes, at)
    }
  }

  finish(): {
    columns: Int32Array[]
    values: Float64Array
    shape: number[] | undefined
    lowest: number
    /** Where indices begin, if the file says. */
    base: 1 | undefined
  } {
    if (this.#cells === 0) throw new DataError(`${this.#path} has no cells`)
    const { cells, shape } = this.#header ?? {}
    if (cells !== undefined && cells !== this.#cells) {
      throw new DataError(
        `${this.#path}: its header promises ${cells} cells and there are ${this.#cells}: is it cut short?`,
      )
    }
    return {
      columns: this.#columns.map(column => column.subarray(0, this.#cells)),
      values: this.#values.subarray(0, this.#cells),
      shape,
      lowest: this.#lowest,
      base: this.#base,
    }
  }

  #readLine(bytes: Uint8Array, from: number): number {
    let at = from
    let count = 0
    for (;;) {
      let byte = bytes[at]
      while (byte === SPACE || byte === 9 || byte === 13) byte = bytes[++at]
      if (byte === NEWLINE) break
      // Comments of FROSTT, and of GenTen.
      if (byte === HASH || (byte === SLASH && bytes[at + 1] === SLASH)) {
        at = bytes.indexOf(NEWLINE, at)
        break
      }
      this.#starts[count] = at
      let value = 0
      while (byte >= ZERO && byte <= NINE) {
        value = value * 10 + (byte - ZERO)
        byte = bytes[++at]
      }
      if (byte !== SPACE && byte !== NEWLINE && byte !== 9 && byte !== 13) {
        if (byte < SPACE) throw this.#fault(count, 'it is not text')
        // Not a plain whole number: a sign, a fraction, an exponent, or a mistake.
        while (bytes[at] > SPACE) at++
        value = this.#slowNumber(bytes, this.#starts[count], at, count)
      }
      this.#fields[count++] = value
    }
    if (count > 0) this.#take(bytes, count)
    return at + 1
  }

  #slowNumber(bytes: Uint8Array, from: number, to: number, field: number): number {
    const text = Buffer.from(bytes.subarray(from, to)).toString('utf8')
    if (this.#cells === 0 && field === 0 && this.#header === undefined && text === 'sptensor') return Number.NaN
    // GenTen counts from 0 unless it says otherwise.
    if (field === 1 && this.#header === undefined && Number.isNaN(this.#fields[0]) && text === FROM_ONE) {
      this.#base = 1
      return Number.NaN
    }
    const value = DECIMAL.test(text) ? Number(text) : Number.NaN
    if (Number.isFinite(value)) return value
    throw this.#fault(field, `${show(text)} is not a number`)
  }

  #take(bytes: Uint8Array, count: number): void {
    if (this.#cells === 0 && this.#takeHeader(count)) return
    const modes = count - 1
    if (this.#columns.length === 0) this.#begin(modes)
    if (modes !== this.#columns.length) {
      throw this.#fault(count - 1, `it has ${count} fields where ${this.#columns.length + 1} are expected`)
    }
    if (this.#cells === this.#values.length) this.#grow()
    for (let n = 0; n < modes; n++) {
      const index = this.#fields[n]
      if (!(index >= 0 && Number.isInteger(index))) {
        throw this.#fault(n, `an index must be a whole number ≥ 0 (got ${index})`)
      }
      if (index > LARGEST)
        throw this.#fault(
          n,
          `the index ${index} is too large: a mode may have up to ${LARGEST} labels; number those that occur from 1`,
        )
      if (index < this.#lowest) this.#lowest = index
      const size = this.#header?.shape?.[n]
      if (size !== undefined && index > size)
        throw this.#fault(n, `the index ${index} is beyond the size ${size} in the header`)
      this.#columns[n][this.#cells] = index
    }
    const value = this.#fields[modes]
    // Long digits may have lost their last bits above: read them again with care.
    const exact =
      value > Number.MAX_SAFE_INTEGER
        ? this.#slowNumber(bytes, this.#starts[modes], endOf(bytes, this.#starts[modes]), modes)
        : value
    if (exact < 0) throw this.#fault(modes, `a value must not be negative (got ${exact})`)
    this.#values[this.#cells++] = exact
  }

  /** The Tensor Toolbox writes `sptensor`, the number of modes, their sizes and the number of cells before the cells. */
  #takeHeader(count: number): boolean {
    const fields = this.#fields.slice(0, count)
    if (this.#header === undefined) {
      if (!Number.isNaN(fields[0])) return false
      this.#header = {}
      return true
    }
    if (this.#header.modes === undefined) this.#header.modes = fields[0]
    else if (this.#header.shape === undefined) {
      if (count !== this.#header.modes)
        throw this.#fault(count - 1, `it has ${count} sizes for ${this.#header.modes} modes`)
      const wrong = fields.findIndex(size => !(size >= 1 && size <= LARGEST && Number.isInteger(size)))
      if (wrong >= 0)
        throw this.#fault(wrong, `a size must be a whole number from 1 to ${LARGEST} (got ${fields[wrong]})`)
      this.#header.shape = fields
    } else if (this.#header.cells === undefined) this.#header.cells = fields[0]
    else return false
    return true
  }

  #begin(modes: number): void {
    if (modes < 1) throw this.#fault(0, 'a cell needs an index and a value')
    this.#columns = Array.from({ length: modes }, () => new Int32Array(FIRST_CELLS))
    this.#values = new Float64Array(FIRST_CELLS)
  }

  #grow(): void {
    const larger = this.#values.length * 2
    this.#columns = this.#columns.map(column => {
      const next = new Int32Array(larger)
      next.set(column)
      return next
    })
    const values = new Float64Array(larger)
    values.set(this.#values)
    this.#values = values
  }

  #fault(field: number, what: string): DataError {
    return new DataError(`${this.#path}, line ${this.#line}, field ${field + 1}: ${what}`, {
      line: this.#line,
      column: `field ${field + 1}`,
    })
  }
}

const endOf = (bytes: Uint8Array, from: number): number => {
  let at = from
  while (bytes[at] > SPACE) at++
  return at
}
