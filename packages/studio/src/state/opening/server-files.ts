import { signal } from '@preact/signals'
import { serverWords } from '../../worker/server.ts'
import { type Theme, theme } from '../page/theme.ts'

/** A file that the server of the studio has. */
export interface ServerFile {
  readonly id: string
  readonly name: string
  readonly size: number
}

/** Whether there is a server behind this page; a page of a static host has none. */
export const isServed = signal(false)
/** The files that were named on the command line. */
export const serverFiles = signal<readonly ServerFile[]>([])

/** More bytes than this are for the server, where there is one. */
export const pageLimit = signal(100e6)

let found: Promise<void> | undefined

/** Asks for the server once, when the page is opened. Whoever needs to know waits for the answer. */
export const findServer = (): Promise<void> => {
  found ??= askServer()
  return found
}

const askServer = async (): Promise<void> => {
  try {
    const answer = await fetch('./api/studio', { headers: { accept: 'application/json' } })
    if (!answer.ok || !answer.headers.get('content-type')?.includes('json')) return
    const { files, limits, preferences } = (await answer.json()) as {
      files?: readonly ServerFile[]
      preferences?: { readonly theme: Theme } | null
      limits?: { readonly page?: number }
    }
    serverFiles.value = files ?? []
    pageLimit.value = limits?.page ?? pageLimit.value
    isServed.value = true
    if (preferences) theme.value = preferences.theme
  } catch {
    // A static host: everything is done here.
  }
}

/** Another theme, here and for later starts: the server remembers it, because each start has an origin of its own. */
export const chooseTheme = (chosen: Theme): void => {
  theme.value = chosen
  if (!isServed.value) return
  const body = JSON.stringify({ theme: chosen })
  // A theme that cannot be remembered still holds in this tab.
  fetch('./api/preferences', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    keepalive: true,
  }).catch(() => {})
}

/** Hands a file to the server, which keeps it until the studio ends. */
export const uploadFile = (file: File, signal: AbortSignal, onProgress: (share: number) => void): Promise<ServerFile> =>
  new Promise((resolve, reject) => {
    // Of what is sent by fetch nothing can be told while it goes.
    const request = new XMLHttpRequest()
    request.open('POST', `./api/files?name=${encodeURIComponent(file.name)}`)
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total)
    request.onload = () => {
      const answer = new Response(request.responseText, { status: request.status })
      if (answer.ok) resolve(JSON.parse(request.responseText) as ServerFile)
      else serverWords(answer).then(words => reject(new Error(words)), reject)
    }
    request.onerror = () =>
      reject(new Error(`${file.name} could not be sent to the server: is the studio still running?`))
    request.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
