import { describe, expect, it } from 'vitest'
import { fuzz } from './fuzz/fuzz.ts'
import { FUZZED } from './fuzz/readers.ts'
import { testFolder } from './test-folder.ts'

const { path } = testFolder()
/** Many more are read by `test/slow/fuzz.test.ts`. */
const FILES = 100

describe('damaged files', () => {
  it.each(FUZZED)('of $name are read, or refused with a reason', async reader => {
    expect(await fuzz(reader, FILES, 1, path)).toBeGreaterThan(0)
  })
})
