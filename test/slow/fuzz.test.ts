import { describe, expect, it } from 'vitest'
import { fuzz } from '../fuzz/fuzz.ts'
import { FUZZED, filesOf } from '../fuzz/readers.ts'
import { testFolder } from '../test-folder.ts'

const { path } = testFolder()
/** Others, and more of them: `POLYAD_FUZZ=100000 POLYAD_SEED=7 POLYAD_SUITE=slow npx vitest run test/slow/fuzz.test.ts`. */
const { POLYAD_FUZZ = 4_000, POLYAD_SEED = 2 } = process.env
const LIMIT = 3_600_000

describe('many damaged files', () => {
  it.each(FUZZED)(
    'of $name are read, or refused with a reason',
    async reader => {
      expect(await fuzz(reader, Number(POLYAD_FUZZ) * filesOf(reader).part, Number(POLYAD_SEED), path)).toBeGreaterThan(
        0,
      )
    },
    LIMIT,
  )
})
