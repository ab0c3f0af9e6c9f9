import type { Model, StandardErrors } from '@polyad/core'
import { writeBytes } from '../../output/atomic-file.ts'
import { tensorDigest } from '../../source/cells/tensor-digest.ts'
import type { Report } from '../report.ts'
import type { ReportOptions } from './make-report.ts'

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
    ...(options.data !== undefined && { digest: tensorDigest(options.data) }),
    ...(errors !== undefined && { errors }),
  })
  await writeBytes(path, reportPage(report, { document: plainDocument() }))
  return report
}
