import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fittedModel, MODELS, NEW_ROWS } from '../../../../test/strange-tables.ts'
import { testFolder } from '../../../../test/test-folder.ts'
import { openSmallTable } from '../source/small-table.ts'
import { type ClassifyTableOptions, classifyTable } from './classify-table.ts'

/** Small files are classified in memory, others by DuckDB: to the last byte the same. With a limit on memory DuckDB reads small files too. */

const files = testFolder()

const USES: readonly ClassifyTableOptions[] = [
  {},
  { posterior: true, explain: 12, anomalies: 9, count: 'n' },
  { complete: true, posterior: true, explain: 3, anomalies: 3, weights: 'wt', cluster: 'school' },
  {
    where: "c = 'low' or age > 40",
    anomalies: 5,
    weights: 'wt',
    weightsAsTotals: true,
    strata: 'zone',
    cluster: 'school',
  },
  { weights: 'none', cluster: 'none', count: 'none', explain: 2 },
]

/** What is found, said and written; or why not. */
const classified = async (model: string, path: string, options: ClassifyTableOptions, output: string) => {
  const notes: unknown[] = []
  try {
    const found = await classifyTable(model, path, { ...options, output, onNote: note => void notes.push(note) })
    const { output: _, ...result } = found
    return [result, notes, readFileSync(output, 'utf8')]
  } catch (error) {
    return [(error as Error).constructor.name, (error as Error).message, notes]
  }
}

const bothWays = async (model: string, path: string, options: ClassifyTableOptions, ending = 'csv') => {
  const [small, large] = [
    await classified(model, path, options, files.path(`small.${ending}`)),
    await classified(model, path, { ...options, memory: '2GB' }, files.path(`large.${ending}`)),
  ]
  expect(small).toEqual(large)
  return small
}

describe('a small file is classified as DuckDB would', () => {
  it.each(Object.keys(MODELS))(
    'by a model that is %s',
    async name => {
      const model = await fittedModel(files, name)
      const path = files.file('new.csv', NEW_ROWS)
      expect(await openSmallTable([path], {})).toBeDefined()
      for (const [i, use] of USES.entries()) {
        const [result] = await bothWays(model, path, use, i % 2 === 0 ? 'csv' : 'tsv')
        expect(result, JSON.stringify(use)).toMatchObject({ model })
      }
    },
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
    for (const [text, options] of faults) await bothWays(model, files.file('fault.csv', text), options)
  }, 60_000)
})
