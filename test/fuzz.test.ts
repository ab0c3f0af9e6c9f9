import { describe, expect, it } from 'vitest'
import { type FuzzedReader, fuzz } from './fuzz/fuzz.ts'
import { FUZZED, filesOf } from './fuzz/readers.ts'
import { testFolder } from './test-folder.ts'

const { path } = testFolder()

/** Seven of eight files are made of the sample that is read the quickest. `test/slow/fuzz.test.ts` takes all alike, and many more. */
const quick = (reader: FuzzedReader): FuzzedReader => ({
  ...reader,
  samples: async place => {
    const samples = await reader.samples(place)
    return [...samples, ...Array<Uint8Array>(7 * samples.length).fill(samples[0])]
  },
})

describe('damaged files', () => {
  it.each(FUZZED)('of $name are read, or refused with a reason', async reader => {
    expect(await fuzz(quick(reader), filesOf(reader).usual, 1, path)).toBeGreaterThan(0)
  })
})
