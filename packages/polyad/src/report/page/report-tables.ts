import { numberOf } from '@polyad/charts'
import type { Model, StandardErrors } from '@polyad/core'
import type { ModelRecord } from '../record/model-record.ts'
import type { ReportTables } from '../record/report.ts'
import { comparisonTable, fitTable } from '../tables/fit.ts'
import { mixesTable, transitionsTable } from '../tables/linked.ts'
import { oddsTable } from '../tables/odds.ts'
import { profilesTable } from '../tables/profiles.ts'

/** More rows than this are behind the charts, and in the files of `polyad table`. */
const PRINTED_ROWS = 300
/** Of a number, its mean and its standard deviation. */
const NUMBER_ROWS = 2

/** The tables that papers print, as far as the record and the standard errors tell. */
export const reportTables = (
  model: Model,
  record: ModelRecord,
  run: Readonly<Record<string, unknown>>,
  errors: StandardErrors | undefined,
  names: readonly string[],
): ReportTables => {
  const source = { model, run }
  const { linked } = record
  const rows = model.modes.reduce(
    (sum, { size }, n) => sum + (numberOf(model, n) === undefined ? size : NUMBER_ROWS) + 1,
    0,
  )
  const isExplained = record.covariates !== null || (linked?.effects ?? errors?.effects ?? []).length > 0
  const several = (record.choice?.fits ?? []).filter(({ figures }) => figures !== undefined).length > 1
  return {
    profiles: rows > PRINTED_ROWS ? null : profilesTable(source, errors, {}, names),
    fit: several ? fitTable({ models: [source] }, {}) : null,
    transitions: model.structure.kind === 'chain' ? transitionsTable(source, errors, {}, names) : null,
    mixes: model.structure.kind === 'nested' ? mixesTable(source, errors, {}, names) : null,
    odds: isExplained ? oddsTable(source, errors, {}, names) : null,
    comparison: record.comparison === null ? null : comparisonTable(record.comparison, record, model, {}),
  }
}
