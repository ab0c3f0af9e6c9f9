import type { Report } from 'polyad/report'
import type { ReportReply } from './report-worker.ts'

/** A report as one page of HTML, made in a worker that is started for it: this thread draws nothing, and goes on. */
export const pageOfReport = (report: Report): Promise<string> => {
  const worker = new Worker(new URL('./report-worker.ts', import.meta.url), { type: 'module', name: 'polyad report' })
  const page = new Promise<string>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<ReportReply>) =>
      'page' in data ? resolve(data.page) : reject(new Error(data.failure))
    worker.onerror = event => {
      event.preventDefault()
      reject(new Error(event.message || 'the worker that draws the report could not be started'))
    }
  })
  worker.postMessage(report)
  return page.finally(() => worker.terminate())
}
