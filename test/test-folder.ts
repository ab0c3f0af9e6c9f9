import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'

/** A folder for the files of a test file, removed in the end. */
export const testFolder = () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'polyad-test-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const path = (name: string): string => join(folder, name)
  const file = (name: string, content: string | Uint8Array): string => {
    writeFileSync(path(name), content)
    return path(name)
  }
  return { path, file }
}
