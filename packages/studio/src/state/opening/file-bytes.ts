/** The bytes of a file that a person chose, block by block. */
export const bytesOf = async (
  file: File,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<Uint8Array> => {
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
