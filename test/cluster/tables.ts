import type { Tensor } from '@polyad/core'
import { random } from '@polyad/core/numeric'

/** Rows of labels for tables of a test: two kinds of rows, entries missing here and there, counts. */
export interface Rows {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | null)[])[]
  readonly counts: readonly number[]
}

export const twoKinds = (count: number, columns: readonly string[], labels: readonly string[], seed = 1): Rows => {
  const { uniform, below } = random(seed, 'data')
  const rows = Array.from({ length: count }, () => {
    const kind = uniform() < 0.4 ? 0 : 1
    return columns.map(() => {
      if (uniform() < 0.05) return null
      return uniform() < 0.75 ? labels[kind] : labels[below(labels.length)]
    })
  })
  return { columns, rows, counts: rows.map(() => 1 + below(3)) }
}

const quoted = (text: string | null): string => (text === null ? 'NULL' : `'${text.replace(/[\\']/g, '\\$&')}'`)
const named = (name: string): string => `\`${name.replace(/[\\`]/g, '\\$&')}\``

/** Statements that make a table of the rows. */
export const tableOf = (table: string, { columns, rows, counts }: Rows): string[] => [
  `CREATE TABLE ${table} (${columns.map(name => `${named(name)} Nullable(String)`).join(', ')}, n Float64) ENGINE = MergeTree ORDER BY tuple()`,
  ...(rows.length === 0
    ? []
    : [
        `INSERT INTO ${table} VALUES ${rows.map((row, i) => `(${row.map(quoted).join(', ')}, ${counts[i]})`).join(', ')}`,
      ]),
]

/** The rows as CSV, for the same data read from a file. */
export const csvRows = ({ columns, rows, counts }: Rows): string => {
  const field = (text: string | null) => (text === null ? '' : `"${text.replaceAll('"', '""')}"`)
  return `${[...columns.map(field), 'n'].join(',')}\n${rows.map((row, i) => [...row.map(field), counts[i]].join(',')).join('\n')}\n`
}

/** Every so manieth row. */
export const partOf = ({ columns, rows, counts }: Rows, part: number, of: number): Rows => ({
  columns,
  rows: rows.filter((_, i) => i % of === part),
  counts: counts.filter((_, i) => i % of === part),
})

export type { Tensor }
