import type { PackedTexts } from '@polyad/core/model'

/**
 * Numbers the texts of a column as they come. DuckDB has a text in 16 bytes, its length and up to 12 bytes of it; a longer one is asked for
 * as several such pieces. They are looked up as they lie there, four words a piece: no text becomes a string.
 */

/** Words of a piece: its length, and three of text. */
const PIECE_WORDS = 4
/** Bytes of a text in one piece. */
export const PIECE_BYTES = 12

/** The length of what is not in the table, since its last piece was longer: its second word is its place among those. */
const ELSEWHERE = 0xffffffff

const FIRST_SIZE = 1024
/** There is room at once for texts of so many words at most: estimates may be far too high. */
const MOST_WORDS = 2 ** 24
/** Slots for each text that there is room for. */
const SLOTS = 2

export class TextCodes {
  readonly #width: number
  readonly #most: number
  /** The pieces of every text, those texts' hashes, and the codes at the places that hashes point to. */
  #words: Uint32Array
  #hashes: Int32Array
  #slots: Int32Array
  #size = 0
  /** Texts whose last piece is longer than a piece, byte by byte in a string. */
  readonly #long = new Map<string, number>()

  /** @param pieces of how many pieces a text is @param most with more texts than this it throws @param expected about how many there are */
  constructor(pieces: number, most: number, expected = 0) {
    this.#width = PIECE_WORDS * pieces
    this.#most = most
    let size = FIRST_SIZE
    while (size < expected && size * this.#width < MOST_WORDS) size *= 2
    this.#words = new Uint32Array(size * this.#width)
    this.#hashes = new Int32Array(size)
    this.#slots = new Int32Array(SLOTS * size)
  }

  /** How many texts there are. */
  get size(): number {
    return this.#size
  }

  /**
   * The codes of so many texts, from 1 in the order in which they first came; 0 where `valid` has no bit.
   * @param pieces for every piece the words of all texts
   * @param longText all bytes of a text whose last piece is longer than a piece
   */
  code(
    pieces: readonly Uint32Array[],
    valid: Uint8Array | null,
    rows: number,
    into: Int32Array,
    from: number,
    longText: (row: number) => Buffer,
  ): void {
    const last = pieces[pieces.length - 1]
    const one = pieces.length === 1
    for (let row = 0; row < rows; row++) {
      if (valid !== null && ((valid[row >> 3] >> (row & 7)) & 1) === 0) into[from + row] = 0
      else if (last[PIECE_WORDS * row] > PIECE_BYTES) into[from + row] = this.#codeLong(longText(row))
      else into[from + row] = one ? this.#codePiece(last, PIECE_WORDS * row) : this.#codePieces(pieces, row)
    }
  }

  /** All texts in the order of their codes. */
  pack(): PackedTexts {
    const long = [...this.#long.keys()]
    const ends = new Float64Array(this.#size)
    let length = 0
    for (let text = 0; text < this.#size; text++) {
      const at = text * this.#width
      if (this.#words[at] === ELSEWHERE) length += long[this.#words[at + 1]].length
      else for (let w = 0; w < this.#width; w += PIECE_WORDS) length += this.#words[at + w]
      ends[text] = length
    }
    const bytes = Buffer.alloc(length)
    const own = new Uint8Array(this.#words.buffer)
    let to = 0
    for (let text = 0; text < this.#size; text++) {
      const at = text * this.#width
      if (this.#words[at] === ELSEWHERE) to += bytes.write(long[this.#words[at + 1]], to, 'latin1')
      else
        for (let w = 0; w < this.#width; w += PIECE_WORDS) {
          const first = 4 * (at + w + 1)
          const size = this.#words[at + w]
          for (let i = 0; i < size; i++) bytes[to++] = own[first + i]
        }
    }
    return { bytes, ends }
  }

  /** The code of a text of one piece: most are. */
  #codePiece(piece: Uint32Array, at: number): number {
    const a = piece[at]
    const b = piece[at + 1]
    const c = piece[at + 2]
    const d = piece[at + 3]
    const hash = mixed(a, b, c, d, 0)
    const slots = this.#slots
    const words = this.#words
    const mask = slots.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const code = slots[slot]
      if (code === 0) return this.#add([piece], at, hash)
      const own = PIECE_WORDS * (code - 1)
      if (words[own + 3] === d && words[own + 2] === c && words[own + 1] === b && words[own] === a) return code
    }
  }

  #codePieces(pieces: readonly Uint32Array[], row: number): number {
    const at = PIECE_WORDS * row
    let hash = 0
    for (const piece of pieces) hash = mixed(piece[at], piece[at + 1], piece[at + 2], piece[at + 3], hash)
    const mask = this.#slots.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const code = this.#slots[slot]
      if (code === 0) return this.#add(pieces, at, hash)
      if (this.#hashes[code - 1] === hash && this.#isEqual(code, pieces, at)) return code
    }
  }

  #isEqual(code: number, pieces: readonly Uint32Array[], at: number): boolean {
    let own = this.#width * (code - 1)
    for (const piece of pieces)
      for (let w = 0; w < PIECE_WORDS; w++) if (this.#words[own++] !== piece[at + w]) return false
    return true
  }

  #codeLong(text: Buffer): number {
    const key = text.toString('latin1')
    const known = this.#long.get(key)
    if (known !== undefined) return known
    const at = this.#next()
    this.#words[at] = ELSEWHERE
    this.#words[at + 1] = this.#long.size
    this.#long.set(key, this.#size)
    return this.#size
  }

  #add(pieces: readonly Uint32Array[], at: number, hash: number): number {
    let own = this.#next()
    for (const piece of pieces) for (let w = 0; w < PIECE_WORDS; w++) this.#words[own++] = piece[at + w]
    this.#hashes[this.#size - 1] = hash
    this.#place(this.#size)
    return this.#size
  }

  /** Room for one more text: the place of its words. */
  #next(): number {
    if (this.#size === this.#most) throw new TooManyTexts()
    if (this.#size === this.#hashes.length) this.#grow()
    return this.#width * this.#size++
  }

  #grow(): void {
    const [words, hashes] = [new Uint32Array(2 * this.#words.length), new Int32Array(2 * this.#hashes.length)]
    words.set(this.#words)
    hashes.set(this.#hashes)
    this.#words = words
    this.#hashes = hashes
    this.#slots = new Int32Array(2 * this.#slots.length)
    for (let code = 1; code <= this.#size; code++) if (words[this.#width * (code - 1)] !== ELSEWHERE) this.#place(code)
  }

  #place(code: number): void {
    const mask = this.#slots.length - 1
    let slot = this.#hashes[code - 1] & mask
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
    this.#slots[slot] = code
  }
}

/** Said where a column has more texts than it may have. */
export class TooManyTexts extends Error {
  override readonly name = 'TooManyTexts'
}

/** A hash of a piece: multiplications by odd constants, each followed by its upper bits folded into the lower (as in MurmurHash3). */
const mixed = (a: number, b: number, c: number, d: number, before: number): number => {
  let hash = Math.imul(before ^ a ^ Math.imul(b, 0x9e3779b1), 0x85ebca6b)
  hash ^= hash >>> 15
  hash = Math.imul(hash ^ c, 0xc2b2ae35)
  hash ^= hash >>> 13
  hash = Math.imul(hash ^ d, 0x27d4eb2f)
  return hash ^ (hash >>> 16)
}
