import type { DataFile } from '../../worker/protocol.ts'
import { say, share, waitFor, waitLong } from '../messages.ts'
import { projects } from '../project/keeper.ts'
import { openFile, openKept } from '../project/switching.ts'
import { readData } from '../reading/reading.ts'
import { DEFAULTS } from '../settings.ts'
import { file, fits, screen, settings } from '../store.ts'
import { type Example, fetchExample } from './examples.ts'
import { bytesOf } from './file-bytes.ts'
import { isServed, pageLimit, type ServerFile, serverFiles, uploadFile } from './server-files.ts'

/** A file that was dropped or chosen. */
export const openBrowserFile = async (file: File): Promise<void> => {
  const onProgress = (done: number) => {
    share.value = done
  }
  if (file.size > pageLimit.peek() && isServed.peek()) {
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
export const openText = async (text: string): Promise<void> => void (await openFile(pastedFile(text)))

export const openExample = async (example: Example): Promise<void> => {
  const bytes = await waitFor(`loading ${example.title}`, () => fetchExample(example))
  if (bytes === undefined) return
  const opened = await openFile({ from: 'bytes', name: example.file, bytes })
  if (opened === undefined) return
  const { fit, ...rest } = example.settings
  settings.reset({ ...DEFAULTS, ...rest, fit: { ...DEFAULTS.fit, ...fit } })
  await readData()
}

/** A file that was named on the command line: read here where it is small enough, else by the server. */
export const openServerFile = async (file: ServerFile): Promise<void> => {
  if (file.size > pageLimit.peek()) {
    await openFile({ from: 'server', name: file.name, id: file.id })
    return
  }
  const bytes = await waitFor(`reading ${file.name}`, async () => {
    const answer = await fetch(`./api/files/${file.id}`)
    if (!answer.ok) throw new Error(`${file.name} could not be loaded (${answer.status})`)
    return new Uint8Array(await answer.arrayBuffer())
  })
  if (bytes !== undefined) await openFile({ from: 'bytes', name: file.name, bytes })
}

/** The one file that was named on the command line: what somebody wants to see, unless they come back to another project. */
export const openNamed = async (): Promise<void> => {
  const [named, another] = serverFiles.peek()
  if (named === undefined || another !== undefined || file.peek() !== null || fits.peek() !== null) return
  // Whoever starts the studio with the same file again goes on with what they did.
  const kept = projects.peek()?.find(({ data, dataBytes }) => data === named.name && dataBytes === named.size)
  if (kept === undefined) await openServerFile(named)
  else await openKept(kept.id, kept.title ?? named.name)
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
    else say('Drop a file on Data to open it, or on Classify to classify its rows.')
  })
}
