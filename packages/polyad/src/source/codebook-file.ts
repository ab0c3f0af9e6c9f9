import { readFileSync } from 'node:fs'
import { formatOfName, isSurveyFormat, readSurvey } from '../table/formats/formats.ts'
import { openTable } from '../table/memory/memory-table.ts'
import { type Codebook, codebookOf } from '../table/values/codebook.ts'
import { checkReadable } from './relation/files.ts'

/**
 * Labels of variables and values from a file: a table with the columns variable, value and label, or the dictionary of an SPSS or Stata file.
 * @example
 * const codebook = await readCodebookFile('codes.csv')
 * codebook.q1.title // 'Trust in police'
 */
export const readCodebookFile = async (path: string): Promise<Codebook> => {
  checkReadable(path)
  const bytes = readFileSync(path)
  const format = formatOfName(path)
  if (isSurveyFormat(format) && (format === 'sav' || format === 'dta')) {
    const { variables } = await readSurvey(path, bytes, format)
    return Object.fromEntries(
      variables.map(({ name, title, labels }) => [
        name,
        {
          ...(title !== '' && { title }),
          ...(labels.length > 0 && { values: Object.fromEntries(labels.map(({ code, text }) => [code, text])) }),
        },
      ]),
    )
  }
  const isText = format === 'csv' || format === 'tsv'
  const table = await openTable({ name: path, bytes }, isText ? { header: true } : {})
  return codebookOf(
    path,
    table.columns.map(({ name }) => name),
    table.preview(0, table.rows),
  )
}
