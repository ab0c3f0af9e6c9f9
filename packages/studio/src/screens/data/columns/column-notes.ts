import type { ColumnFigures, InspectedColumn } from 'polyad/table'
import { count } from '../../../components/numbers.ts'
import { binOf, itemOf, roleOf } from '../../../state/reading/columns.ts'
import type { Settings } from '../../../state/store/settings.ts'

/** A share of the rows, so that nothing that is there reads as nothing. */
export const share = (part: number, whole: number): string => {
  const percent = (100 * part) / Math.max(whole, 1)
  if (part > 0 && percent < 1) return '< 1%'
  return `${percent > 99 && part < whole ? '> 99' : percent.toFixed(0)}%`
}

/** Codes that look as if they meant missing, and are not taken so. */
export const openCodes = ({ name, missingCodes }: InspectedColumn, { missing, columns }: Settings): readonly string[] =>
  missingCodes.filter(code => !missing.includes(code) && !columns[name]?.missing?.includes(code))

/** What is to be known of a column at a glance. */
export const columnNotes = (
  column: InspectedColumn,
  figures: ColumnFigures | undefined,
  now: Settings,
): { readonly facts: readonly string[]; readonly warning?: string } => {
  const { kind } = column
  if (kind === 'nested') return { facts: ['cannot be used'] }
  if (kind === 'empty') return { facts: ['no values'] }
  const [role, bin] = [roleOf(column, now), binOf(column, now)]
  const { distinct, missing, rows } = figures ?? { distinct: column.distinct, missing: column.missing, rows: undefined }
  const isCategory =
    role === 'mode' && bin === undefined && !['normal', 'count'].includes(itemOf(column, now)?.kind ?? '')
  const facts = [
    // Figures come a moment after the settings: only they know whether their bars are bins.
    figures?.cut === true && figures.bars.length > 0
      ? `${count(figures.bars.length)} ${figures.bars.length === 1 ? 'bin' : 'bins'}`
      : `${count(distinct)} ${distinct === 1 ? 'value' : isCategory ? 'categories' : 'values'}`,
    ...(missing > 0 ? [rows === undefined ? `${count(missing)} missing` : `${share(missing, rows)} missing`] : []),
  ]
  const codes = openCodes(column, now)
  if (codes.length > 0)
    return { facts, warning: `${codes.slice(0, 3).join(', ')}${codes.length > 3 ? ' …' : ''}: missing?` }
  if (distinct === 1 && role === 'mode') return { facts, warning: 'constant' }
  return { facts }
}
