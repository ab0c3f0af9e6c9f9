import { listed } from './note.ts'

/** The name nearest to one that does not exist, or undefined where none is near enough to be what was meant. */
export const nearest = (name: string, known: readonly string[]): string | undefined => {
  const lower = name.toLowerCase()
  let best: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    const other = candidate.toLowerCase()
    const begins = other !== lower && other.startsWith(lower) && lower.length > 2
    const distance = begins ? 1 : edits(lower, other)
    if (distance < least) [best, least] = [candidate, distance]
  }
  // More than half of a short name is not near.
  return least <= Math.max(2, Math.floor(name.length / 3)) && 2 * least <= name.length ? best : undefined
}

/** How many letters must be put in, taken out, exchanged or swapped with their neighbour. */
const edits = (a: string, b: string): number => {
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = above[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)
      row[j] = Math.min(change, above[j] + 1, row[j - 1] + 1)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1)
    }
    before = above
    above = row
  }
  return above[b.length]
}

/** " (did you mean x?)", or the names there are. */
export const suggestion = (name: string, known: readonly string[]): string => {
  const near = nearest(name, known)
  if (near !== undefined) return `; did you mean ${JSON.stringify(near)}?`
  return known.length > NAMED ? `; there are ${known.length}: ${someNames(known)}` : `; there are ${someNames(known)}`
}

/** How many names a message lists. */
const NAMED = 12

/** Names in a list; one that has a comma or a quote itself is quoted. */
export const someNames = (names: readonly string[]): string =>
  [...names.slice(0, NAMED).map(listed), ...(names.length > NAMED ? ['…'] : [])].join(', ')
