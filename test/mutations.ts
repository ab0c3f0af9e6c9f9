/** A small generator, so that a failure can be repeated. */
export const randomNumbers = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}

/** One to four bytes changed, a number overwritten with an extreme one, the end cut off, or a piece left out. */
export const mutate = (bytes: Uint8Array, random: () => number): Uint8Array<ArrayBuffer> => {
  const at = (length: number) => Math.floor(random() * length)
  // Most of what can mislead a reader stands at the beginning or at the end.
  const place = () => (random() < 0.6 ? at(Math.min(bytes.length, 2000)) : at(bytes.length))
  const kind = bytes.length < 4 ? 4 : at(5)
  if (kind === 0) return bytes.slice(0, place())
  if (kind === 1) {
    const from = place()
    return Uint8Array.from([...bytes.subarray(0, from), ...bytes.subarray(from + 1 + at(40))])
  }
  const changed = bytes.slice()
  if (kind === 2) {
    const values = [0x7fffffff, -1, -0x80000000, 0x10000000, 65_535, 0]
    const from = Math.min(place(), Math.max(0, bytes.length - 4))
    new DataView(changed.buffer).setInt32(from, values[at(values.length)], random() < 0.7)
  } else for (let n = 0; n <= at(4); n++) changed[place()] = at(256)
  return changed
}
