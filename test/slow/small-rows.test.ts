import { it } from 'vitest'
import { classifiedBothWays, USES } from '../both-readers.ts'
import { MODELS } from '../strange-tables.ts'
import { testFolder } from '../test-folder.ts'

/** Small files are classified in memory, others by DuckDB: to the last byte the same, with every list of options. */

const files = testFolder()

it.each(Object.keys(MODELS))('a small file is classified as DuckDB would, by a model that is %s', name =>
  classifiedBothWays(
    files,
    name,
    USES.map((_, i) => i),
  ),
)
