/** So many rows must differ from the most frequent value of a column: fewer say nothing about what determines it. */
const FEWEST_OTHERS = 30

/** A column is nearly determined if at most this share of these rows are exceptions, such as typing errors. */
const EXCEPTIONS = 0.02

/** A column as codes of its values in the first rows. */
export interface CodedColumn {
  /** Whole numbers from 0, below `values`; −1 if the value is missing. */
  readonly codes: Int32Array
  readonly values: number
  /** Rows whose value is not the most frequent one. */
  readonly others: number
}

/** A column with its codes counted. */
export const codedColumn = (codes: Int32Array): CodedColumn => {
  const values = codes.reduce((most, code) => Math.max(most, code + 1), 0)
  const counts = new Int32Array(values)
  for (const code of codes) if (code >= 0) counts[code]++
  return { codes, values, others: othersOf(counts) }
}

const othersOf = (counts: Int32Array): number =>
  counts.reduce((sum, n) => sum + n, 0) - counts.reduce((most, n) => Math.max(most, n), 0)

/** Whether the values of one column determine those of another, up to a few exceptions: every school is in one region. */
export const determines = (from: CodedColumn, to: CodedColumn): boolean =>
  from.values > 1 && to.others >= FEWEST_OTHERS && !changesOften(from, to) && hasFewExceptions(from, to)

/** An exception is two changes between rows of one value at most. So this ends the search early, mostly after a few hundred rows. */
const changesOften = (from: CodedColumn, to: CodedColumn): boolean => {
  const most = 2 * EXCEPTIONS * to.others
  const last = new Int32Array(from.values).fill(-1)
  let changes = 0
  for (let row = 0; row < from.codes.length; row++) {
    const [a, b] = [from.codes[row], to.codes[row]]
    if (a < 0 || b < 0) continue
    if (last[a] >= 0 && last[a] !== b) changes++
    if (changes > most) return true
    last[a] = b
  }
  return false
}

/** Counts the exceptions. Values that occur once determine everything, and are not counted. */
const hasFewExceptions = (from: CodedColumn, to: CodedColumn): boolean => {
  const groups = new Map<number, Map<number, number>>()
  from.codes.forEach((a, row) => {
    const b = to.codes[row]
    if (a < 0 || b < 0) return
    const own = groups.get(a) ?? new Map<number, number>()
    groups.set(a, own.set(b, (own.get(b) ?? 0) + 1))
  })
  const whole = new Int32Array(to.values)
  let exceptions = 0
  for (const own of groups.values()) {
    const counts = Int32Array.from(own.values())
    if (counts.length === 1 && counts[0] === 1) continue
    exceptions += othersOf(counts)
    for (const [b, n] of own) whole[b] += n
  }
  const others = othersOf(whole)
  return others >= FEWEST_OTHERS && exceptions <= EXCEPTIONS * others
}
