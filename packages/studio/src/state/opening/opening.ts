import { hexOf } from '../../worker/hex.ts'
import type { DataFile } from '../../worker/protocol.ts'
import { share, showMessage, waitFor, waitLong } from '../page/messages.ts'
import { enqueue, replaceQueued } from '../page/opening-queue.ts'
import { projects } from '../project/autosave.ts'
import { openFile, openKept } from '../project/switching.ts'
import { readData } from '../reading/reading.ts'
import { DEFAULTS } from '../store/settings.ts'
import { file, fits, screen, settings } from '../store/store.ts'
import { type Example, fetchExample } from './examples.ts'
import { isServed, pageLimit, type ServerFile, serverFiles, uploadFile } from './server-files.ts'

/** The bytes of a file that a person chose, block by block. */
const bytesOf = async (file: File, signal: AbortSignal, onProgress: (share: number) => void): Promise<Uint8Array> => {
  const bytes = allocated(file)
  const reader = file.stream().getReader()
  let at = 0
  for (;;) {
    signal.throwIfAborted()
    const { done, value } = await reader.read()
    if (done) return bytes
    bytes.set(value, at)
    at += value.length
    onProgress(at / file.size)
  }
}

const allocated = ({ name, size }: File): Uint8Array<ArrayBuffer> => {
  try {
    return new Uint8Array(size)
  } catch {
    throw new Error(
      `${name} has ${Math.round(size / 1e6)} MB, more than this browser can hold. Open it with the studio on your own machine: polyad studio ${name}`,
    )
  }
}

/** A file that was dropped or chosen. */
export const openBrowserFile = (file: File): Promise<void> => replaceQueued(() => openChosen(file))

const openChosen = async (file: File): Promise<void> => {
  const onProgress = (done: number) => {
    share.value = done
  }
  // Projects and models are opened by the page, however large.
  const isTable = !/\.(polyad-project|npz)$/i.test(file.name)
  if (isTable && file.size > pageLimit.peek() && isServed.peek()) {
    const uploaded = await waitLong(
      `sending ${file.name} to the server, because it is too large for the page`,
      signal => uploadFile(file, signal, onProgress),
    )
    if (uploaded !== undefined) await openFile({ from: 'server', name: uploaded.name, id: uploaded.id })
    return
  }
  const bytes = await waitLong(`loading ${file.name}`, signal => bytesOf(file, signal, onProgress))
  if (bytes !== undefined) await openFile({ from: 'bytes', name: file.name, bytes })
}

/** Text that was pasted, as a file. Cells copied from a spreadsheet have tabs between them. */
export const pastedFile = (text: string): DataFile => ({
  from: 'bytes',
  name: /^\s*[[{]/.test(text) ? 'pasted.json' : text.includes('\t') ? 'pasted.tsv' : 'pasted.csv',
  bytes: new TextEncoder().encode(text.trim()),
})

/** A table that was pasted. */
export const openText = (text: string): Promise<void> => replaceQueued(() => openFile(pastedFile(text)))

/** A file again that could not be opened, with more said about it. */
export const openAgain = (again: DataFile): Promise<void> => replaceQueued(() => openFile(again))

export const openExample = (example: Example): Promise<void> => replaceQueued(() => showExample(example))

const showExample = async (example: Example): Promise<void> => {
  const bytes = await waitFor(`loading ${example.title}`, () => fetchExample(example))
  if (bytes === undefined) return
  const opened = await openFile({ from: 'bytes', name: example.file, bytes })
  if (opened === undefined) return
  const { fit, ...rest } = example.settings
  settings.reset({ ...DEFAULTS, ...rest, fit: { ...DEFAULTS.fit, ...fit } })
  await readData()
}

/** A file that was named on the command line: read here where it is small enough, else by the server. */
export const openServerFile = (file: ServerFile): Promise<void> =>
  replaceQueued(async () => {
    const opened = await fetchServerFile(file)
    if (opened !== undefined) await openFile(opened)
  })

const fetchServerFile = async ({ id, name, size }: ServerFile): Promise<DataFile | undefined> => {
  if (size > pageLimit.peek()) return { from: 'server', name, id }
  const bytes = await waitFor(`reading ${name}`, async () => {
    const answer = await fetch(`./api/files/${id}`)
    if (!answer.ok) throw new Error(`${name} could not be loaded (${answer.status})`)
    return new Uint8Array(await answer.arrayBuffer())
  })
  return bytes && { from: 'bytes', name, bytes }
}

/** The one file that was named on the command line: what somebody wants to see, unless they come back to another project or open another file. */
export const openNamed = (): Promise<void> => enqueue(showNamed)

const showNamed = async (): Promise<void> => {
  const [named, another] = serverFiles.peek()
  if (named === undefined || another !== undefined || file.peek() !== null || fits.peek() !== null) return
  const opened = await fetchServerFile(named)
  if (opened === undefined) return
  // Whoever starts the studio with the same file again goes on with what they did.
  const alike = (projects.peek() ?? []).filter(each => each.data === named.name && each.dataBytes === named.size)
  const digest = alike.length > 0 && opened.from === 'bytes' ? await sha256(opened.bytes) : null
  const kept = alike.find(each => (each.digest ?? null) === digest)
  if (kept === undefined) await openFile(opened)
  else await openKept(kept.id, kept.title ?? named.name)
}

/** SHA-256 in hexadecimal; a text that is none where a page may not compute it. */
const sha256 = async (bytes: Uint8Array): Promise<string> => {
  if (globalThis.crypto.subtle === undefined) return 'unknown'
  const digest = await crypto.subtle.digest('SHA-256', bytes as BufferSource)
  return hexOf(new Uint8Array(digest))
}

/** Files that are dropped beside the places for them: without this the browser would leave the page to show them. */
export const listenForDrops = (): void => {
  addEventListener('dragover', event => event.preventDefault())
  addEventListener('drop', event => {
    if (event.defaultPrevented) return
    event.preventDefault()
    const [file] = event.dataTransfer?.files ?? []
    if (file === undefined) return
    if (screen.peek() === 'data' || fits.peek() === null) void openBrowserFile(file)
    else showMessage('Drop a file on Data to open it, or on Classify to classify its rows.')
  })
}
