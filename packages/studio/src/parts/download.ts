import { complain } from '../state/messages.ts'

/** Hands a file over to the person. */
export const download = (
  name: string,
  content: Uint8Array | string | Blob,
  type = 'application/octet-stream',
): void => {
  const blob = content instanceof Blob ? content : new Blob([content as BlobPart], { type })
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // The browser has to have begun reading it.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** A file that a person chose or dropped, as bytes. */
export const bytesOf = async (file: File): Promise<Uint8Array | undefined> => {
  try {
    return new Uint8Array(await file.arrayBuffer())
  } catch (error) {
    complain(`${file.name} could not be read: ${(error as Error).message}`)
    return undefined
  }
}
