import type { Model, StandardErrors } from '@polyad/core'
import { writeBytes } from '../../output/atomic-file.ts'
import { tensorDigest } from '../../output/tensor-digest.ts'
import type { ReportOptions } from '../../report/page/make-report.ts'
import type { Report } from '../../report/report.ts'

type Options = Omit<ReportOptions, 'digest' | 'errors'> & { readonly errors?: StandardErrors | undefined }

/** Makes the report of a model and writes its page. Charts are heavy: they are loaded when they are needed. */
export const writeReport = async (path: string, model: Model, { errors, ...options }: Options): Promise<Report> => {
  const { makeReport } = await import('../../report/page/make-report.ts')
  const { reportPage } = await import('../../report/page/page.ts')
  const { serverDocument } = await import('../../report/server-document.ts')
  const report = await makeReport(model, {
    ...options,
    ...(options.data !== undefined && { digest: tensorDigest(options.data) }),
    ...(errors !== undefined && { errors }),
  })
  await writeBytes(path, reportPage(report, { document: serverDocument() }))
  return report
}
