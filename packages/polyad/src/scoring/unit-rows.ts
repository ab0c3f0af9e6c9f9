import { DataError } from '@polyad/core'
import { isLinked, type LinkedStructure } from '@polyad/core/model'
import type { StoredModel } from '../output/model-store.ts'
import { choice, warning } from '../table/values/note.ts'
import { type CovariateRows, covariatesAsModes, readCovariateRows, rowOf } from './covariate-rows.ts'
import { readUnitRows, unitColumn } from './linked-rows.ts'
import { sampleSmallTable } from './small-model-table.ts'
import { ownDesignNotes, sampleTable } from './table-sample.ts'
import { type ModelTableReading, withModelTable } from './with-model-table.ts'

/** Rows as numbers: of whom they are, what they weigh, and what is given of them. */
interface NumberedRows {
  readonly table: string
  /** The name of each row's person or group; undefined if it has none. */
  readonly units: readonly (string | undefined)[]
  readonly weights: ArrayLike<number>
  readonly given: readonly ArrayLike<number>[]
}

/** Reads rows with the values from which a sample takes those of its covariates: for a model of persons or groups all rows of each, else the different combinations. */
export const readSampleRows = (
  stored: StoredModel,
  paths: readonly string[],
  reading: ModelTableReading,
  weights: string | undefined,
): Promise<CovariateRows> =>
  isLinked(stored.model.structure)
    ? readUnits(stored, stored.model.structure, paths, reading, weights)
    : readCovariateRows(stored, paths, reading, weights)

const readUnits = (
  stored: StoredModel,
  structure: LinkedStructure,
  paths: readonly string[],
  { onNote = () => {}, ...reading }: ModelTableReading,
  weights: string | undefined,
): Promise<CovariateRows> => {
  const request = { weights, cluster: 'none' }
  const found = (rows: NumberedRows) => completeUnits(stored, structure, rows, onNote)
  return withModelTable(
    { model: covariatesAsModes(stored), paths, linked: true },
    { onNote, ...reading },
    {
      large: async (tables, table) => {
        const sample = await sampleTable(tables, table, stored, request)
        for (const note of ownDesignNotes(sample, request)) onNote(choice(note))
        const { columns, names } = await readUnitRows(tables, table, stored, structure, [sample.weights.raw])
        const [weighed, units, , ...given] = columns
        return found({
          table: table.relation.name,
          units: units.map(unit => names[unit - 1]),
          weights: weighed,
          given,
        })
      },
      small: async table => {
        const sample = await sampleSmallTable(table, stored, request)
        for (const note of ownDesignNotes(sample, request)) onNote(choice(note))
        const { view, seen, used, given } = table
        const { texts, codes } = view.values(unitColumn(structure, seen, view.name), stored.recipe)
        return found({
          table: view.name,
          units: Array.from(used, row => texts[codes[row]]),
          weights: Float64Array.from(used, row => sample.weights.raw[row]),
          given: given.map(column => Float64Array.from(used, row => column[row])),
        })
      },
    },
  )
}

/** The rows of persons and groups that have every covariate somewhere; of members those that have all. */
const completeUnits = (
  { model }: StoredModel,
  structure: LinkedStructure,
  { table, units, weights, given }: NumberedRows,
  onNote: NonNullable<ModelTableReading['onNote']>,
): CovariateRows => {
  const columns = structure.given
  const [unit, time] = structure.kind === 'chain' ? [structure.person, structure.time] : [structure.within, undefined]
  /** Those that a row may lack if another row of its person or group has them. */
  const shared =
    structure.kind === 'chain' ? columns.filter(({ name }) => name !== time) : (structure.grouping?.given ?? [])
  const isKnown = (i: number, row: number) => (columns[i].numeric ? Number.isFinite(given[i][row]) : given[i][row] >= 0)
  const own = columns.flatMap(({ name }, i) => (shared.some(each => each.name === name) ? [] : [i]))
  const ofUnits = columns.flatMap(({ name }, i) => (shared.some(each => each.name === name) ? [i] : []))
  const rows = Array.from(units, (_, row) => row)
  const placed = rows.filter(row => units[row] !== undefined && own.every(i => isKnown(i, row)))
  const has = ofUnits.map(i => new Set(placed.filter(row => isKnown(i, row)).map(row => units[row])))
  const used = placed.filter(row => has.every(names => names.has(units[row])) && weights[row] > 0)
  if (used.length === 0)
    throw new DataError(
      `${table} has no row with a known value of ${unit} and of every covariate (${columns.map(({ name }) => name).join(', ')})`,
    )
  if (used.length < rows.length)
    onNote(
      warning(
        'rows-left-out',
        `${rows.length - used.length} of ${rows.length} rows left out: they have no weight, or no known value of ${unit} or a covariate`,
      ),
    )
  return {
    rows: used.map(row => ({
      ...rowOf(
        model,
        given.map(column => column[row]),
      ),
      [unit]: units[row]!,
    })),
    weights: used.map(row => weights[row]),
  }
}
