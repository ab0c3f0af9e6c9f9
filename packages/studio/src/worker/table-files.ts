import { type TableKind, tableOf, tableText, tsvTable } from 'polyad/report'
import { openModel } from './models.ts'
import type { ModelHandle, TableFileFormat } from './protocol.ts'

/** A table for a paper, in several formats at once. This module is loaded when one is asked for. */
export const tableFiles = (
  kind: TableKind,
  handles: readonly ModelHandle[],
  formats: readonly TableFileFormat[],
  names?: readonly string[],
): Promise<(string | Uint8Array)[]> => {
  const table = tableOf(
    kind,
    { models: handles.map(openModel) },
    names === undefined || kind === 'fit' ? {} : { names },
  )
  return Promise.all(formats.map(format => (format === 'tsv' ? tsvTable(table) : tableText(table, format))))
}
