/** A column of texts: every different one once, and for each row which it is, −1 where there is none. */
export interface TextColumn {
  readonly texts: readonly string[]
  readonly codes: Int32Array
}

/**
 * The different texts of a column while a file is parsed, known by where they first stand in its bytes: a field that was seen
 * before costs a comparison of bytes, and becomes no string.
 */
export class TextDictionary {
  readonly #bytes: Uint8Array
  #slots = new Int32Array(64)
  readonly #hashes: number[] = []
  /** Where each text begins and ends; whether quotes in it are doubled. */
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  readonly #escaped: boolean[] = []
  #codes = new Int32Array(1024)
  rows = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** Appends the text in a range of the bytes, whose hash is known from scanning it. */
  add(start: number, end: number, hash: number, escaped: boolean): void {
    if (this.rows === this.#codes.length) this.#codes = grown(this.#codes)
    this.#codes[this.rows++] = this.#code(start, end, hash, escaped)
  }

  /** Takes back what was appended last. */
  drop(): void {
    this.rows--
  }

  #code(start: number, end: number, hash: number, escaped: boolean): number {
    const mask = this.#slots.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const code = this.#slots[slot] - 1
      if (code < 0) {
        this.#hashes.push(hash)
        this.#starts.push(start)
        this.#ends.push(end)
        this.#escaped.push(escaped)
        this.#slots[slot] = this.#hashes.length
        if (this.#hashes.length * 2 > this.#slots.length) this.#rehash()
        return this.#hashes.length - 1
      }
      if (this.#hashes[code] === hash && this.#escaped[code] === escaped && this.#equals(code, start, end)) return code
    }
  }

  #equals(code: number, start: number, end: number): boolean {
    const from = this.#starts[code]
    if (this.#ends[code] - from !== end - start) return false
    for (let i = 0; i < end - start; i++) if (this.#bytes[from + i] !== this.#bytes[start + i]) return false
    return true
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 4)
    const mask = slots.length - 1
    this.#hashes.forEach((hash, code) => {
      let slot = hash & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = code + 1
    })
    this.#slots = slots
  }

  /** The column. `textOf` makes strings of ranges of the bytes; what is written in two ways becomes one text. */
  finish(textOf: (start: number, end: number) => string): TextColumn {
    const codes = this.#codes.subarray(0, this.rows)
    const texts = this.#starts.map((start, code) => {
      const text = textOf(start, this.#ends[code])
      // A quote in quotes stands for the character after it: "" is one.
      return this.#escaped[code] ? text.replace(/"([\s\S])/g, '$1') : text
    })
    if (!this.#escaped.includes(true)) return { texts, codes }
    const known = new Map<string, number>()
    for (const text of texts) if (!known.has(text)) known.set(text, known.size)
    const renumbered = texts.map(text => known.get(text) as number)
    return { texts: [...known.keys()], codes: codes.map(code => renumbered[code]) }
  }
}

const grown = (array: Int32Array): Int32Array<ArrayBuffer> => {
  const larger = new Int32Array(array.length * 2)
  larger.set(array)
  return larger
}

/** A column of texts that are strings already. */
export const textColumn = (values: Iterable<string | null>, rows: number): TextColumn => {
  const known = new Map<string, number>()
  const codes = new Int32Array(rows)
  let row = 0
  for (const value of values) {
    const code = value === null ? -1 : (known.get(value) ?? known.size)
    if (code === known.size) known.set(value as string, code)
    codes[row++] = code
  }
  return { texts: [...known.keys()], codes }
}
