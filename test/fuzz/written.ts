import { closeSync, constants, ftruncateSync, openSync, writeSync } from 'node:fs'

/**
 * Puts other bytes into a file, which is made if need be. It is cut to its length afterwards and never emptied: on many disks a file
 * that was emptied and written again waits for the disk, which takes longer than reading it.
 */
export const overwrite = (path: string, bytes: Uint8Array): void => {
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT)
  try {
    writeSync(file, bytes, 0, bytes.length, 0)
    ftruncateSync(file, bytes.length)
  } finally {
    closeSync(file)
  }
}

/** Reads bytes that must lie in a file. */
export const written =
  (ending: string, read: (path: string) => unknown) =>
  (bytes: Uint8Array, scratch: string): unknown => {
    const path = scratch + ending
    overwrite(path, bytes)
    return read(path)
  }
