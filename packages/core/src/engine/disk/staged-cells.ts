import { RandomFile } from '../../file/random-file.ts'

/** About how many bytes a piece has; the last of a file may have fewer. */
const PIECE_BYTES = 2 ** 21

/** Some cells in sequence: for each mode the index of every cell in it, and their values. */
export interface Piece {
  readonly indices: readonly Int32Array[]
  readonly values: Float64Array
}

/** Long work, in short turns: wherever it yields, other things may be done. */
export type Turns<T = void> = Generator<void, T>

/** What is to be read of the cells: of all modes where none are named. */
export interface Wanted {
  readonly modes?: readonly number[]
  readonly values?: boolean
}

/**
 * Cells in a temporary file, in pieces that hold first the values and then the indices mode by mode: so that what is not wanted
 * is not read.
 */
export class StagedCells {
  readonly modes: number
  #cells = 0
  readonly #file: RandomFile
  readonly #piece: number
  readonly #values: Float64Array
  readonly #indices: readonly Int32Array[]
  /** Cells that are still here. */
  #held = 0

  constructor(folder: string, modes: number, pieceBytes = PIECE_BYTES) {
    const piece = Math.ceil(pieceBytes / (8 + 4 * modes))
    this.modes = modes
    this.#file = RandomFile.temporary(folder)
    this.#piece = piece
    this.#values = new Float64Array(piece)
    this.#indices = Array.from({ length: modes }, () => new Int32Array(piece))
  }

  get cells(): number {
    return this.#cells
  }

  add({ indices, values }: Piece): void {
    for (let from = 0; from < values.length; ) {
      const size = Math.min(values.length - from, this.#piece - this.#held)
      this.#values.set(values.subarray(from, from + size), this.#held)
      for (let n = 0; n < this.modes; n++) this.#indices[n].set(indices[n].subarray(from, from + size), this.#held)
      from += size
      this.#took(size)
    }
  }

  /** Adds one cell of a piece. */
  addCell({ indices, values }: Piece, cell: number): void {
    const at = this.#held
    this.#values[at] = values[cell]
    for (let n = 0; n < this.modes; n++) this.#indices[n][at] = indices[n][cell]
    this.#took(1)
  }

  /** Reads the cells in order. A piece is valid until the next is asked for; what was not wanted in it is empty. */
  *pieces({ modes, values = true }: Wanted = {}): Generator<Piece> {
    this.#flush()
    const wanted = Array.from({ length: this.modes }, (_, n) => modes?.includes(n) ?? true)
    const columns = wanted.map(each => new Int32Array(each ? this.#piece : 0))
    const reals = new Float64Array(values ? this.#piece : 0)
    for (let from = 0; from < this.#cells; from += this.#piece) {
      const size = Math.min(this.#piece, this.#cells - from)
      const piece = { indices: columns.map(column => column.subarray(0, size)), values: reals.subarray(0, size) }
      if (values) this.#file.read(this.#placeOf(from, size, -1), piece.values)
      wanted.forEach((each, n) => {
        if (each) this.#file.read(this.#placeOf(from, size, n), piece.indices[n])
      })
      yield piece
    }
  }

  /** All cells at once. */
  all(): Piece {
    const indices = this.#indices.map(() => new Int32Array(this.#cells))
    const values = new Float64Array(this.#cells)
    let from = 0
    for (const piece of this.pieces()) {
      values.set(piece.values, from)
      piece.indices.forEach((column, n) => void indices[n].set(column, from))
      from += piece.values.length
    }
    return { indices, values }
  }

  release(): void {
    this.#file.close()
  }

  #took(size: number): void {
    this.#held += size
    this.#cells += size
    if (this.#held === this.#piece) this.#flush()
  }

  #flush(): void {
    if (this.#held === 0) return
    const [size, from] = [this.#held, this.#cells - this.#held]
    this.#file.write(this.#placeOf(from, size, -1), this.#values.subarray(0, size))
    this.#indices.forEach((column, n) => void this.#file.write(this.#placeOf(from, size, n), column.subarray(0, size)))
    // What is not a whole piece is the last, or written again once it is.
    if (size === this.#piece) this.#held = 0
  }

  /** Where the indices of a mode lie in the piece from a cell on; the values at −1. */
  #placeOf(from: number, size: number, mode: number): number {
    return from * (8 + 4 * this.modes) + (mode < 0 ? 0 : size * (8 + 4 * mode))
  }
}
