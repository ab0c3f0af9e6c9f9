import { describe, expect, it } from 'vitest'
import { fuzz } from './fuzz/fuzz.ts'
import { FUZZED } from './fuzz/readers.ts'
import { testFolder } from './test-folder.ts'

const { path } = testFolder()
/** Files of a reader. Many more are read by `test/slow/fuzz.test.ts`. */
const FILES = 300

describe('damaged files', () => {
  it.each(FUZZED)('of $name are read, or refused with a reason', async reader => {
    expect(await fuzz(reader, reader.usual ?? FILES, 1, path)).toBeGreaterThan(0)
  })
})
