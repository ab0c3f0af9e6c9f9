import type { TableSummary } from '../../worker/protocol.ts'

/** Which rows are used: a place above the columns. */
export const FilterRows = (_: { readonly opened: TableSummary }) => null
