import { DataError } from '@polyad/core'
import type { Sentence } from '@polyad/core/options'
import { decodeRead } from 'polyad/studio-wire'
import type { ReadResult } from 'polyad/table'
import { pageWords } from './page-naming.ts'
import type { OpenOptions, ReadOptions, TableSummary } from './protocol.ts'

type Options = ReadOptions & OpenOptions

/** Tables that are read by the server of the studio, since a page could not hold them. The worker asks, beside its own address. */
const ask = async (
  what: 'inspect' | 'read',
  file: string,
  options: Options,
  signal?: AbortSignal,
): Promise<Response> => {
  const answer = await fetch(new URL(`../api/${what}`, globalThis.location.href), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ file, options }),
    ...(signal !== undefined && { signal }),
  })
  if (answer.ok) return answer
  throw new DataError(await serverWords(answer))
}

export const inspectOnServer = async (file: string, options: Options, signal?: AbortSignal): Promise<TableSummary> => ({
  ...(await (await ask('inspect', file, options, signal)).json()),
  length: null,
  written: {},
  place: 'server',
})

export const readOnServer = async (file: string, options: Options, signal?: AbortSignal): Promise<ReadResult> =>
  decodeRead(new Uint8Array(await (await ask('read', file, options, signal)).arrayBuffer()))

/** What the server says is wrong. */
export const serverWords = async (answer: Response): Promise<string> => {
  try {
    const { error } = (await answer.json()) as { error?: { message?: string; wording?: Sentence } }
    if (error?.message !== undefined) return pageWords(error.wording ?? error.message)
  } catch {
    // Not in its words.
  }
  return `the server answered ${answer.status}`
}
