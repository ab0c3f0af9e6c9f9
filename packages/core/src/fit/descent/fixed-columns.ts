export interface FixedEntry {
  readonly mode: number
  readonly class: number
  readonly label: number
  readonly value: number
}

/** The fixed entries of every column that has some. */
export const byColumn = (fixed: readonly FixedEntry[]): FixedEntry[][] => {
  const columns = new Map<string, FixedEntry[]>()
  for (const entry of fixed) {
    const key = `${entry.mode} ${entry.class}`
    columns.set(key, [...(columns.get(key) ?? []), entry])
  }
  return [...columns.values()]
}

/** How much of a column is fixed. */
export const sumOf = (entries: readonly FixedEntry[]): number => entries.reduce((sum, { value }) => sum + value, 0)
