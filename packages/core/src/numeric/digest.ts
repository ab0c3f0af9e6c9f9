/**
 * A digest of bytes, 32 hexadecimal digits: MurmurHash3 (x86, 128 bits). It tells contents apart and finds damage; it is no protection against
 * somebody who looks for two contents with the same one.
 */
export const digestOf = (...parts: readonly Uint8Array[]): string => {
  const digest = new Digest()
  for (const part of parts) digest.add(part)
  return digest.end()
}

const [C1, C2, C3, C4] = [0x239b961b, 0xab0e9789, 0x38b34ae5, 0xa1e38b93]

const rotate = (x: number, by: number): number => (x << by) | (x >>> (32 - by))

const mix = (h: number): number => {
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}

/** A digest that is made piece by piece. Every piece counts as it is: the same bytes in other pieces have another digest. */
export class Digest {
  #h1 = 0
  #h2 = 0
  #h3 = 0
  #h4 = 0

  add(bytes: Uint8Array): this {
    const { length } = bytes
    const whole = length & ~15
    // Words are read where they lie, if they lie at multiples of four.
    const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice()
    this.#blocks(new Uint32Array(aligned.buffer, aligned.byteOffset, whole / 4))
    if (whole < length) {
      const rest = new Uint8Array(16)
      rest.set(bytes.subarray(whole))
      this.#blocks(new Uint32Array(rest.buffer))
    }
    ;[this.#h1, this.#h2, this.#h3, this.#h4] = finished(this.#h1, this.#h2, this.#h3, this.#h4, length)
    return this
  }

  #blocks(words: Uint32Array): void {
    let [h1, h2, h3, h4] = [this.#h1, this.#h2, this.#h3, this.#h4]
    for (let i = 0; i < words.length; i += 4) {
      h1 ^= Math.imul(rotate(Math.imul(words[i], C1), 15), C2)
      h1 = (Math.imul((rotate(h1, 19) + h2) | 0, 5) + 0x561ccd1b) | 0
      h2 ^= Math.imul(rotate(Math.imul(words[i + 1], C2), 16), C3)
      h2 = (Math.imul((rotate(h2, 17) + h3) | 0, 5) + 0x0bcaa747) | 0
      h3 ^= Math.imul(rotate(Math.imul(words[i + 2], C3), 17), C4)
      h3 = (Math.imul((rotate(h3, 15) + h4) | 0, 5) + 0x96cd1c35) | 0
      h4 ^= Math.imul(rotate(Math.imul(words[i + 3], C4), 18), C1)
      h4 = (Math.imul((rotate(h4, 13) + h1) | 0, 5) + 0x32ac3b17) | 0
    }
    ;[this.#h1, this.#h2, this.#h3, this.#h4] = [h1, h2, h3, h4]
  }

  end(): string {
    return [this.#h1, this.#h2, this.#h3, this.#h4].map(h => (h >>> 0).toString(16).padStart(8, '0')).join('')
  }
}

const finished = (h1: number, h2: number, h3: number, h4: number, length: number): [number, number, number, number] => {
  let [a, b, c, d] = [h1 ^ length, h2 ^ length, h3 ^ length, h4 ^ length]
  const spread = () => {
    a = (a + b + c + d) | 0
    b = (b + a) | 0
    c = (c + a) | 0
    d = (d + a) | 0
  }
  spread()
  ;[a, b, c, d] = [mix(a), mix(b), mix(c), mix(d)]
  spread()
  return [a, b, c, d]
}
