import { describe, it } from 'vitest'
import { bothReaders, classifiedBothWays, USES } from '../../../../test/both-readers.ts'
import { fittedModel, MODELS } from '../../../../test/strange-tables.ts'
import { testFolder } from '../../../../test/test-folder.ts'
import type { ClassifyTableOptions } from './classify-table.ts'

/** Small files are classified in memory, others by DuckDB: to the last byte the same. */

const files = testFolder()

describe('a small file is classified as DuckDB would', () => {
  // Every model meets two of the lists of options here, and all of them in the slow suite.
  it.each(Object.keys(MODELS).map((name, i) => [name, i] as const))(
    'by a model that is %s',
    (name, i) => classifiedBothWays(files, name, [i % USES.length, (i + 2) % USES.length]),
    60_000,
  )

  it('and refused as DuckDB would', async () => {
    const model = await fittedModel(files, 'plain')
    const faults: [string, ClassifyTableOptions][] = [
      ['a,b,c,n\nyes,1,low,x\n', { count: 'n' }],
      ['a,b,c,n\nyes,1,low,\n', { count: 'n' }],
      ['a,b,c,n\nyes,1,low,1\nno,1,low,-1\n', { weights: 'n' }],
      ['a,b,c,n\nyes,1,low,0\n', { weights: 'n' }],
      ['a,b,c,n\nyes,1,low,k\nno,1,low,\n', { cluster: 'n' }],
      ['a,b,c\nyes,1,low\n', { strata: 'b' }],
      ['a,b,c\nyes,1,low\n', { weightsAsTotals: true }],
      ['a,b,c\nyes,1,low\n', { where: 'q > 2' }],
      ['a,b,c\nyes,1,low\n', { where: "a = 'none'" }],
      ['q,r\nyes,1\n', {}],
      ['a,b,c\n', {}],
      ['a,b,c\nyes,1\n', {}],
      ['a,A,a\nyes,1,2\n', {}],
    ]
    for (const [text, options] of faults) await bothReaders(files, model, files.file('fault.csv', text), options)
  }, 60_000)
})
