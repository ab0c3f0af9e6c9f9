import { signal } from '@preact/signals'
import { serverWords } from '../../worker/server.ts'

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

/** More bytes than this are for the server, where there is one, and too many where there is none. */
export const pageLimit = signal(400e6)

/** Asks for the server once, when the page is opened. */
export const findServer = async (): Promise<void> => {
  try {
    const answer = await fetch('./api/studio', { headers: { accept: 'application/json' } })
    if (!answer.ok || !answer.headers.get('content-type')?.includes('json')) return
    const { files, limits } = (await answer.json()) as {
      files?: readonly ServerFile[]
      limits?: { readonly page?: number }
    }
    serverFiles.value = files ?? []
    pageLimit.value = limits?.page ?? pageLimit.value
    isServed.value = true
  } catch {
    // A static host: everything is done here.
  }
}

/** Hands a file to the server, which keeps it until the studio ends. */
export const uploadFile = async (file: File): Promise<ServerFile> => {
  const answer = await fetch(`./api/files?name=${encodeURIComponent(file.name)}`, { method: 'POST', body: file })
  if (answer.ok) return (await answer.json()) as ServerFile
  throw new Error(await serverWords(answer))
}
