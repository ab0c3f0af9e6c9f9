import type { Workbook } from 'hucre'
import { type Codebook, codebookOf } from '../values/codebook.ts'
import { cellText } from './sheet-texts.ts'

/** The sheet of a workbook that has the labels of its variables and values, as a codebook has them. */
export const LABELS_SHEET = 'Labels'

/** Whether a sheet is called so. */
export const isLabelsSheet = (name: string): boolean => /^(labels|codebook)$/i.test(name.trim())

/** The labels in a sheet of that name; none if it has something else. */
export const labelsOfSheet = (name: string, { rows }: Pick<Workbook['sheets'][number], 'rows'>): Codebook => {
  const [head = [], ...body] = rows.map(row => row.map(cell => cellText(cell) ?? null))
  try {
    return codebookOf(
      name,
      head.map(text => text ?? ''),
      body,
    )
  } catch {
    return {}
  }
}
