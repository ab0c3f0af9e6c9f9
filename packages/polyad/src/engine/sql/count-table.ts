import { type Counts, DataError, EngineError, type Mode, type Session } from '@polyad/core'
import { checkTotal, newStatistics } from '@polyad/core/engine'
import { modeWithLabels } from '@polyad/core/model'
import { defined } from '@polyad/core/options'
import { isOrdered } from '../../table/values/label-order.ts'
import { mergeRare } from '../../table/values/labels.ts'
import { many } from '../../table/values/note.ts'
import { askNumbers, checkWidth } from './ask.ts'
import type { SentTable } from './connection.ts'
import { type RetryOptions, retried } from './retry.ts'
import { type Database, openSqlSession } from './session.ts'
import type { PlannedMode, TablePlan } from './table-plan.ts'
import { makeWorkingTable } from './working-table.ts'

/** A table counted within its database. */
export interface CountedTable {
  readonly session: Session
  readonly rows: number
  /** Rows left out because every mode was missing in them. */
  readonly dropped: number
  /** For each mode how many rare labels were merged. */
  readonly merged: readonly number[]
}

/**
 * Counts the cells of a table within its database: labels are encoded there, by a dictionary for each mode, and cells are aggregated into a
 * working table. What comes out is the labels, their marginals and a few sums. The connection stays the caller's; closing the session removes
 * the working table.
 */
export const countTable = async (
  database: Database,
  plan: TablePlan,
  retry: RetryOptions = {},
): Promise<CountedTable> => {
  const { dialect, connection } = database
  const { from, name, weight } = plan
  const keys = plan.modes.map(({ key }) => key)
  const [rows, bad, dropped] = await askNumbers(connection, retry, dialect.check(from, keys, weight), 3)
  if (rows === 0) throw new DataError(`${name} has no rows`)
  if (bad > 0) {
    const column = plan.count ?? ''
    throw new DataError(
      `${name}: a count must be a number ≥ 0, and ${JSON.stringify(column)} has ${many(bad, 'row')} where it is not`,
      { column },
    )
  }
  if (rows === dropped) throw new DataError(`${name}: every variable is missing in all of its ${many(rows, 'row')}`)
  const modes: Mode[] = []
  const merged: number[] = []
  const dictionaries: SentTable[] = []
  for (const [n, mode] of plan.modes.entries()) {
    const { texts, codes, ...found } = await labelsOf(database, plan, mode, retry)
    modes.push(found.mode)
    merged.push(found.merged)
    const columns = [
      { name: 'label', values: texts },
      { name: 'code', values: codes },
    ]
    dictionaries.push({ name: `d${n}`, rows: texts.length, columns })
  }
  const cells = {
    from,
    weight,
    shape: modes.map(({ size }) => size),
    modes: plan.modes.map(({ key }, n) => ({ key, dictionary: `d${n}`, missing: 0, unseen: 0 })),
  }
  const { table, remove } = await makeWorkingTable(database, retry, async name => {
    for (const sql of dialect.createCells({ ...cells, table: name })) await connection.run(sql, dictionaries)
  })
  try {
    const data = await countsOf(database, table, modes, name, retry)
    return { session: openSqlSession(database, table, data, { ...retry, onClose: remove }), rows, dropped, merged }
  } catch (error) {
    // The first error is the one to tell of.
    await remove().catch(() => {})
    throw error
  }
}

/** The labels of a mode, and for every text in the rows its code. */
const labelsOf = async (
  { dialect, connection }: Database,
  { from, weight, name }: TablePlan,
  { key, name: column, order, ordered, recode, top }: PlannedMode,
  retry: RetryOptions,
) => {
  const texts: string[] = []
  const weights: number[] = []
  await retried(connection, retry, () => {
    texts.length = 0
    weights.length = 0
    return connection.columns(dialect.labels(from, key, weight), piece => {
      checkWidth(piece.length, 2)
      const [labels, sums] = piece
      for (let i = 0; i < labels.length; i++) {
        texts.push(labels[i] as string)
        weights.push(sums[i] as number)
      }
    })
  })
  if (texts.length === 0)
    throw new DataError(`${name}: column ${JSON.stringify(column)} is empty in every row`, { column })
  const { labels, positions } = await order(texts)
  const kept = mergeRare(positions, Float64Array.from(weights), labels, top)
  const inOrder = ordered ?? isOrdered({ column: { name: column, ...defined({ recode }) }, binning: undefined }, labels)
  return {
    texts,
    codes: kept.indices.map(index => index + 1),
    mode: modeWithLabels(column, kept.labels, inOrder),
    merged: kept.merged,
  }
}

/** What is known of the cells without looking at them: one scan with a model that says nothing gives the marginals. */
const countsOf = async (
  database: Database,
  table: () => Promise<string>,
  modes: readonly Mode[],
  name: string,
  retry: RetryOptions,
): Promise<Counts> => {
  const { dialect, connection } = database
  const [cells, total, yLogY, logFactorials] = await askNumbers(
    connection,
    retry,
    async () => dialect.constants(await table()),
    4,
  )
  if (cells === 0) throw new DataError(`${name}: all counts are zero: there is nothing to count`)
  checkTotal(total)
  const shape = modes.map(({ size }) => size)
  const nothing = shape.map(size => new Float64Array(size))
  const counts = {
    modes: Object.freeze([...modes]),
    shape: Object.freeze(shape),
    cells,
    total,
    missing: shape.map(() => false),
    marginals: nothing,
    constants: Object.freeze({ yLogY, logFactorials }),
  }
  const ones = { rank: 1, shares: Float64Array.of(1), factors: shape.map(size => new Float64Array(size).fill(1)) }
  const { factors, sizes } = await openSqlSession(database, table, counts, retry).pass(ones, newStatistics(shape, 1))
  if (!(sizes[0] > 0)) throw new EngineError(`${connection.name}: the working table of ${name} is gone`)
  const seen = factors.map(marginal => marginal.reduce((sum, value) => sum + value, 0))
  return Object.freeze({ ...counts, marginals: factors, missing: seen.map(sum => sum < total * (1 - 1e-12)) })
}
