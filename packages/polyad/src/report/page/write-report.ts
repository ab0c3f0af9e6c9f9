import type { Model, StandardErrors } from '@polyad/core'
import { defined } from '@polyad/core/options'
import { writeBytes } from '../../output/atomic-file.ts'
import type { Report } from '../record/report.ts'
import type { ReportOptions } from './report-facts.ts'

type Options = Omit<ReportOptions, 'digest' | 'errors'> & { readonly errors?: StandardErrors | undefined }

/**
 * Makes the report of a model and writes its page: one HTML file. Charts are heavy: they are loaded when they are needed.
 * @example
 * const { classes } = await writeReport('report.html', model, { data: answers })
 * classes.length // 2
 */
export const writeReport = async (path: string, model: Model, { errors, ...options }: Options): Promise<Report> => {
  const { makeReport } = await import('./make-report.ts')
  const { reportPage } = await import('./page.ts')
  const { plainDocument } = await import('@polyad/charts')
  const report = await makeReport(model, {
    ...options,
    ...defined({ errors }),
  })
  await writeBytes(path, reportPage(report, { document: plainDocument() }))
  return report
}
