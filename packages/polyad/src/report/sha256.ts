/** SHA-256 (FIPS 180-4) of a short text, at once: browsers have it only as a promise, and pages without https not at all. */
export const sha256 = (text: string): Uint8Array => {
  const bytes = new TextEncoder().encode(text)
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29))
  view.setUint32(padded.length - 4, bytes.length << 3)
  const state = FIRST.slice()
  const words = new Uint32Array(64)
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getUint32(block + 4 * i)
    for (let i = 16; i < 64; i++) {
      const [a, b] = [words[i - 15], words[i - 2]]
      const low = turned(a, 7) ^ turned(a, 18) ^ (a >>> 3)
      const high = turned(b, 17) ^ turned(b, 19) ^ (b >>> 10)
      words[i] = words[i - 16] + low + words[i - 7] + high
    }
    mix(state, words)
  }
  const digest = new DataView(new ArrayBuffer(32))
  state.forEach((word, i) => void digest.setUint32(4 * i, word))
  return new Uint8Array(digest.buffer)
}

const mix = (state: Uint32Array, words: Uint32Array): void => {
  let [a, b, c, d, e, f, g, h] = state
  for (let i = 0; i < 64; i++) {
    const first = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[i] + words[i]
    const second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
    ;[a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g]
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
