/** A digest that bytes are added to, one after the other. */
export interface Hash {
  update(bytes: Uint8Array): void
  /** In hexadecimal. Nothing can be added after it. */
  hex(): string
}

/** SHA-256 (FIPS 180-4), at once and of parts: browsers have it only as a promise of the whole, and pages without https not at all. */
export class Sha256 implements Hash {
  readonly #state = FIRST.slice()
  readonly #words = new Uint32Array(64)
  /** What does not fill a block yet. */
  readonly #rest = new Uint8Array(BLOCK)
  #length = 0

  update(bytes: Uint8Array): void {
    let at = 0
    const begun = this.#length % BLOCK
    this.#length += bytes.length
    if (begun > 0) {
      at = Math.min(BLOCK - begun, bytes.length)
      this.#rest.set(bytes.subarray(0, at), begun)
      if (begun + at < BLOCK) return
      this.#mix(this.#rest, 0)
    }
    for (; at + BLOCK <= bytes.length; at += BLOCK) this.#mix(bytes, at)
    this.#rest.set(bytes.subarray(at))
  }

  /** The 32 bytes. */
  bytes(): Uint8Array {
    const length = this.#length
    const end = new Uint8Array(BLOCK * Math.ceil(((length % BLOCK) + 9) / BLOCK) - (length % BLOCK))
    end[0] = 0x80
    const view = new DataView(end.buffer)
    view.setUint32(end.length - 8, Math.floor(length / 2 ** 29))
    view.setUint32(end.length - 4, length << 3)
    this.update(end)
    const digest = new DataView(new ArrayBuffer(32))
    this.#state.forEach((word, i) => void digest.setUint32(4 * i, word))
    return new Uint8Array(digest.buffer)
  }

  hex(): string {
    return Array.from(this.bytes(), byte => byte.toString(16).padStart(2, '0')).join('')
  }

  #mix(bytes: Uint8Array, from: number): void {
    const words = this.#words
    for (let i = 0, at = from; i < 16; i++, at += 4)
      words[i] = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]
    for (let i = 16; i < 64; i++) {
      const [a, b] = [words[i - 15], words[i - 2]]
      const low = turned(a, 7) ^ turned(a, 18) ^ (a >>> 3)
      const high = turned(b, 17) ^ turned(b, 19) ^ (b >>> 10)
      words[i] = words[i - 16] + low + words[i - 7] + high
    }
    mix(this.#state, words)
  }
}

/** SHA-256 of a short text. */
export const sha256 = (text: string): Uint8Array => {
  const hash = new Sha256()
  hash.update(new TextEncoder().encode(text))
  return hash.bytes()
}

const BLOCK = 64

const mix = (state: Uint32Array, words: Uint32Array): void => {
  let [a, b, c, d, e, f, g, h] = state
  for (let i = 0; i < 64; i++) {
    const first = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[i] + words[i]
    const second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  ;[a, b, c, d, e, f, g, h].forEach((word, i) => {
    state[i] += word
  })
}

const turned = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits))

const PRIMES = Array.from({ length: 312 }, (_, n) => n).filter(
  n => n > 1 && Array.from({ length: n }, (_, d) => d).every(d => d < 2 || n % d !== 0),
)

/** The first 32 bits of the fraction. */
const fraction = (value: number): number => (value - Math.floor(value)) * 2 ** 32
const FIRST = Uint32Array.from(PRIMES.slice(0, 8), prime => fraction(Math.sqrt(prime)))
const ROUNDS = Uint32Array.from(PRIMES.slice(0, 64), prime => fraction(Math.cbrt(prime)))
