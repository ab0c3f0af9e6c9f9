export type {
  Histogram,
  HistogramBin,
  MemoryTable,
  OpenOptions,
  ParquetColumns,
  ParquetReader,
  RowCodes,
  TableFile,
} from './memory/memory-table.ts'
export { openTable } from './memory/memory-table.ts'
export type { Inspected, InspectedColumn } from './rules/inspect-table.ts'
export { inspectTable } from './rules/inspect-table.ts'
export type { Note } from './rules/note.ts'
export type { ReadResult, TableOptions } from './rules/read-view.ts'
export { readView } from './rules/read-view.ts'
export type { ModeRecipe, Recipe } from './rules/recipe.ts'
export { checkRecipe } from './rules/recipe.ts'
export { structuredRecipe } from './rules/structured-recipe.ts'
export type { Frequency, TableView } from './rules/view.ts'
