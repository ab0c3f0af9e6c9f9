import { describe, expect, it } from 'vitest'
import { FUZZED, fuzz } from './fuzz.ts'
import { testFolder } from './test-folder.ts'

const { path } = testFolder()
/** Many more are read by `test/slow/fuzz.test.ts`. */
const FILES = 100

describe('damaged files', () => {
  it.each(FUZZED)('of $name are read, or refused with a reason', async format => {
    expect(await fuzz(format, FILES, 1, path)).toBeGreaterThan(0)
  })
})
