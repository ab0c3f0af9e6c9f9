import { plainDocument } from '@polyad/charts'
import { type Report, reportPage } from 'polyad/report'

/** A worker of its own for the page of a report: its charts are heavy, and drawing them takes seconds. */

export type ReportReply = { readonly page: string } | { readonly failure: string }

globalThis.onmessage = ({ data }: MessageEvent<Report>) => {
  const answer = (reply: ReportReply) => globalThis.postMessage(reply)
  try {
    answer({ page: reportPage(data, { document: plainDocument() }) })
  } catch (error) {
    answer({ failure: error instanceof Error ? error.message : String(error) })
  }
}
