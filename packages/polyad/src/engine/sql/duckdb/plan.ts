import { OptionError } from '@polyad/core'
import { advise, defined, words } from '@polyad/core/options'
import type { Tables } from '../../../duckdb/client.ts'
import { badValues, keySql, spellings } from '../../../source/cells/keyed-rows.ts'
import { countSource, duckView, modeSources } from '../../../source/duck-view.ts'
import { badValueError } from '../../../source/relation/bad-value.ts'
import { rewordErrors } from '../../../source/relation/faults.ts'
import type { Relation } from '../../../source/relation/relation.ts'
import { dateNotes, planReading, recipeOf, type TableOptions, usedRows } from '../../../table/reading/read-view.ts'
import { dictionaryOf } from '../../../table/values/dictionary.ts'
import { orderedOf, type PlannedMode, type TablePlan } from '../table-plan.ts'

/** The plan of whatever DuckDB can select from: by the same rules as files are read. */
export const planDuckdb = (tables: Tables, whole: Relation, options: TableOptions): Promise<TablePlan> => {
  if (options.weights !== undefined)
    throw new OptionError(
      'weights',
      words`cannot be used by the SQL engine: standard errors would need their squares; if sums are enough, ${advise('name the column with', 'count')}`,
    )
  if (options.design !== undefined)
    throw new OptionError('design', 'cannot be used by the SQL engine: read the data into memory, with readTensor')
  return rewordErrors(whole, async () => {
    const view = await usedRows(await duckView(tables, whole), options)
    const { relation } = view
    const { reading, count, chosen, modes } = await planReading(view, options)
    const sources = modeSources(relation, modes, reading)
    const bad = sources.flatMap(badValues)
    if (bad.length > 0) {
      const any = bad.map(({ condition }) => condition).join(' OR ')
      const [found] = await tables.rows(`SELECT 1 FROM ${relation.from} WHERE ${any} LIMIT 1`)
      if (found !== undefined) throw await badValueError(tables, relation, bad)
    }
    const planned = sources.map((mode): PlannedMode => {
      const { column, binning, top } = mode
      return {
        name: column.name,
        key: keySql(mode),
        order: async texts => {
          const { labels, positions } = dictionaryOf(mode, texts)
          return { labels: await spellings(tables, relation, mode, labels), positions }
        },
        ...orderedOf(column, binning !== undefined),
        ...defined({ recode: column.recode }),
        top,
      }
    })
    return {
      from: relation.from,
      name: relation.name,
      modes: planned,
      weight: count.column === undefined ? undefined : countSource(relation, count, reading).weight,
      count: count.column?.name,
      ...(view.filter !== undefined && { where: view.filter.where, rowsBefore: view.filter.rows }),
      notes: [
        ...view.notes,
        ...count.notes,
        ...chosen.notes,
        ...dateNotes(
          modes.map(({ column, binning }) => [column, binning]),
          reading,
        ),
      ],
      recipe: merged => recipeOf(modes, reading, merged),
    }
  })
}
