import { OptionError } from '@polyad/core'
import type { RelationOptions } from '../../source/relation/relation.ts'
import { planReading, recipeOf, type TableOptions } from '../../table/reading/read-view.ts'
import { dictionaryOf } from '../../table/values/dictionary.ts'
import type { OrderedLabels } from '../../table/values/labels.ts'
import type { Note } from '../../table/values/note.ts'
import type { Recode } from '../../table/values/recode.ts'
import { missingOf } from '../../table/view/reading.ts'
import type { Recipe } from '../../table/view/recipe.ts'
import type { ViewColumn } from '../../table/view/view.ts'
import { databaseView } from './database-view.ts'
import type { RetryOptions } from './retry.ts'
import type { Database } from './session.ts'

/** A mode as it is to be made from rows. */
export interface PlannedMode {
  readonly name: string
  /** SQL of what tells its labels apart, NULL where missing. */
  readonly key: string
  /** The labels in their order, from all texts that were found. */
  order(texts: readonly string[]): OrderedLabels | Promise<OrderedLabels>
  /** Whether neighbouring labels are alike; where it is not said, numbers are. */
  readonly ordered?: boolean
  /** How its categories were recoded. */
  readonly recode?: readonly Recode[]
  /** Keep this many of the most frequent labels, and merge the rest. */
  readonly top: number | undefined
}

/** How a table in a database is read. */
export interface TablePlan {
  /** The rows, as SQL after FROM, and what to call them in messages. */
  readonly from: string
  readonly name: string
  readonly modes: readonly PlannedMode[]
  /** SQL of how often a row was seen, and the name of its column; undefined where every row counts once. */
  readonly weight: string | undefined
  readonly count: string | undefined
  /** What rows had to meet, and how many there were in all. */
  readonly where?: string
  readonly rowsBefore?: number
  readonly notes: readonly Note[]
  /** The recipe for new data, given for each mode how many labels were merged. */
  recipe(merged: readonly number[]): Recipe
}

/**
 * The plan of a table in any database, by the same rules as files are read. What needs DuckDB's own functions (bins, trimming) is refused.
 */
export const planTable = async (
  database: Database,
  from: string,
  name: string,
  options: TableOptions & RetryOptions & Pick<RelationOptions, 'sql'>,
): Promise<TablePlan> => {
  const { dialect } = database
  for (const option of [
    'where',
    'recode',
    'bins',
    'weights',
    'design',
    'trim',
    'ignoreCase',
    'timeZone',
    'sql',
  ] as const)
    if (options[option] !== undefined && options[option] !== false)
      throw new OptionError(option, `cannot be used with tables of ${dialect.name}: make a view of the table`)
  const view = await databaseView(database, from, name, options)
  const { reading, count, chosen, modes } = await planReading(view, options)
  return {
    from,
    name,
    modes: modes.map(({ column, missingAs, top }): PlannedMode => {
      const key = view.text(column, missingOf(reading, column.name))
      return {
        name: column.name,
        key: missingAs === undefined ? key : `coalesce(${key}, ${dialect.literal(missingAs)})`,
        order: texts => dictionaryOf({ column, binning: undefined, missingAs }, texts),
        ...orderedOf(column, false),
        top,
      }
    }),
    weight: count.column === undefined ? undefined : dialect.number(view.text(count.column, reading.missing)),
    count: count.column?.name,
    notes: [...count.notes, ...chosen.notes],
    recipe: merged => recipeOf(modes, reading, merged),
  }
}

/** Whether the labels of a column are known to be in order, or not to be; nothing where they say so themselves. */
export const orderedOf = ({ ordered, order, nominal }: ViewColumn, isCut: boolean): { readonly ordered?: boolean } => {
  if (isCut || ordered === true) return { ordered: true }
  return order !== undefined || nominal === true ? { ordered: false } : {}
}
