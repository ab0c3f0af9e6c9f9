/** The entry `polyad/report`: reports in a page, without Node. */

export type { FitFigures } from '../fit-figures.ts'
export { fitFigures } from "../fit-figures.ts"
export type { Report } from '../report.ts'
export { cautions } from './cautions.ts'
export type { ReportOptions } from './make-report.ts'
export { makeReport } from './make-report.ts'
export type { PageOptions } from './page.ts'
export { reportPage } from './page.ts'
export { summary } from './summary.ts'
export type { Making } from '../run-record.ts'
export { runRecord } from '../run-record.ts'
