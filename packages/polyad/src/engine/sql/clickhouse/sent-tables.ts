import type { Codes, SentTable } from '../connection.ts'
import type { NativeColumn } from './native.ts'

/** A table as it is made on a server for a statement. */
export interface ServerTable {
  readonly name: string
  /** The column that is looked up by `joinGet`; undefined where rows are only selected. */
  readonly key: string | undefined
  readonly parts: readonly { readonly columns: readonly NativeColumn[]; readonly rows: number }[]
}

/** The factors of all modes in one table, by place: a mode's table has a row for every code from 0, so places follow from the rows. */
const factorTable = (tables: readonly SentTable[]): ServerTable => {
  let offset = 0
  const parts = tables.map(({ columns, rows }) => {
    const first = offset
    offset += rows
    return {
      rows,
      columns: columns.map(column =>
        column.name === 'code'
          ? { name: 'code', values: Uint32Array.from(column.values as Codes, code => first + code) }
          : column,
      ),
    }
  })
  return { name: 'f', key: 'code', parts }
}

/** A shard's rows of the table of cells, every so manieth, with the codes in one array. */
const dealtCells = ({ columns, rows }: SentTable, shard: number, shards: number): ServerTable => {
  const share = Math.max(0, Math.ceil((rows - shard) / shards))
  const modes = columns.length - 1
  const codes = new Uint32Array(share * modes)
  for (let n = 0; n < modes; n++) {
    const own = columns[n].values as Codes
    for (let i = 0; i < share; i++) codes[i * modes + n] = own[shard + i * shards]
  }
  const v = columns[modes].values as Float64Array
  const values = Float64Array.from({ length: share }, (_, i) => v[shard + i * shards])
  return {
    name: 'cells',
    key: undefined,
    parts: [
      {
        rows: share,
        columns: [
          { name: 'c', values: codes, width: modes },
          { name: 'v', values },
        ],
      },
    ],
  }
}

/**
 * The tables that stand for those that were sent: factors (`f`, or `f0`, `f1`, …) in one, to look up by place; dictionaries, to look
 * up by label; cells, dealt to the shards; others as they are.
 */
export const serverTables = (sent: readonly SentTable[], shard: number, shards: number): ServerTable[] => {
  const factors = sent.filter(({ name }) => /^f\d*$/.test(name))
  return [
    ...(factors.length === 0 ? [] : [factorTable(factors)]),
    ...sent
      .filter(table => !factors.includes(table))
      .map(table => {
        if (table.name === 'cells') return dealtCells(table, shard, shards)
        const [first, second, ...more] = table.columns
        const dictionary = first.name === 'label' && second?.name === 'code' && more.length === 0
        return { name: table.name, key: dictionary ? 'label' : undefined, parts: [table] }
      }),
  ]
}
