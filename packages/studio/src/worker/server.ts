import { DataError } from '@polyad/core'
import type { Sentence } from '@polyad/core/options'
import { defined } from '@polyad/core/options'
import { decodeRead } from 'polyad/studio-wire'
import type { ReadResult } from 'polyad/table'
import { hexOf } from './hex.ts'
import { pageWords } from './page-naming.ts'
import type { OpenOptions, ReadOptions, TableSummary } from './protocol.ts'

type Options = ReadOptions & OpenOptions

/** Tables that are read by the server of the studio, since a page could not hold them. The worker asks, beside its own address. */
const ask = async (
  what: 'inspect' | 'read',
  file: string,
  options: Options,
  signal?: AbortSignal,
  watch?: string,
): Promise<Response> => {
  const answer = await fetch(new URL(`../api/${what}`, globalThis.location.href), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ file, options, watch }),
    ...defined({ signal }),
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

/** Between two questions of how far the server is, in milliseconds. */
const MOMENT = 500

/** @param onProgress is told how far the server is, from 0 to 1, or that this is not known */
export const readOnServer = async (
  file: string,
  options: Options,
  signal: AbortSignal,
  onProgress: (share: number | null) => void,
): Promise<ReadResult> => {
  const watch = hexOf(crypto.getRandomValues(new Uint8Array(16)))
  let isReading = true
  const timer = setInterval(async () => {
    const percent = await percentOf(watch).catch(() => null)
    if (isReading) onProgress(percent === null ? null : percent / 100)
  }, MOMENT)
  try {
    const answer = await ask('read', file, options, signal, watch)
    isReading = false
    onProgress(null)
    return decodeRead(new Uint8Array(await answer.arrayBuffer()))
  } finally {
    isReading = false
    clearInterval(timer)
  }
}

const percentOf = async (watch: string): Promise<number | null> => {
  const answer = await fetch(new URL(`../api/readings/${watch}`, globalThis.location.href))
  return answer.ok ? ((await answer.json()) as { readonly percent: number | null }).percent : null
}

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
