import { advise, words } from '@polyad/core/options'
import { missingCodes } from '../table/columns/missing-codes.ts'
import { listed, type Note, warning } from '../table/values/note.ts'
import type { RowColumn } from './model-rows.ts'

/** What is said of covariates and outcomes with values that may mean missing, such as an age of 99. */
export const missingValuesNotes = (
  columns: readonly Pick<RowColumn, 'name' | 'labels'>[],
  values: readonly Float64Array[],
): Note[] =>
  columns.flatMap(({ name, labels }, i) => {
    const codes = missingCodes(labels ?? [...new Set(values[i])].filter(value => !Number.isNaN(value)))
    if (codes.length === 0) return []
    const shown = codes.map(code => (Number.isFinite(Number(code)) ? code : `'${code.replaceAll("'", "''")}'`))
    const column = /^[A-Za-z_]\w*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`
    const condition = `${column} not in (${shown.join(', ')})`
    return [
      warning(
        'missing-values',
        words`${listed(name)} has values that may mean missing: ${shown.join(', ')}; if so, ${advise('leave those rows out with', 'where', condition)}`,
      ),
    ]
  })
