import { readFileSync } from 'node:fs'
import { DataError, fit, Mode, type Tensor } from '@polyad/core'
import { LogitStructure, mostProbable, posteriorInto, type Structure } from '@polyad/core/model'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SHARES } from '../../packages/core/src/model/structures/shares.ts'
import { openTables, type Tables } from '../../packages/polyad/src/duckdb/client.ts'
import { loadModel, type StoredModel, saveModel } from '../../packages/polyad/src/output/model-store.ts'
import { openModelTable } from '../../packages/polyad/src/scoring/model-table.ts'
import { openTable } from '../../packages/polyad/src/table/memory/memory-table.ts'
import { readView, type TableOptions } from '../../packages/polyad/src/table/reading/read-view.ts'
import type { Recipe } from '../../packages/polyad/src/table/view/recipe.ts'
import { polyad } from '../run-polyad.ts'
import { testFolder } from '../test-folder.ts'

/** Rows as a model sees them: in DuckDB, as they are scored on the command line, and in memory. */

const { file, path } = testFolder()
let tables: Tables
beforeAll(async () => {
  tables = await openTables()
})
afterAll(() => tables.close())

const both = async (text: string, recipe: Recipe, modes: readonly Mode[], structure: Structure = SHARES) => {
  const name = file('new.csv', text)
  // Codes need the modes of the model, and nothing else of it.
  const stored = { model: { modes, structure }, recipe, count: undefined } as unknown as StoredModel
  const { relation, codes, predictors, absent } = await openModelTable(tables, [name], stored, { count: 'none' })
  const columns = [...codes, ...predictors].map(sql => `CAST(${sql} AS DOUBLE)`)
  const rows = (await tables.rows(`SELECT ${columns.join(', ')} FROM ${relation.from}`)) as number[][]
  const duck = { codes: codes.map((_, n) => rows.map(row => row[n])), predictors: predictors.map((_, k) => rows.map(row => row[codes.length + k])), absent } // biome-ignore format: one value
  const own = await (await openTable({ name, text })).rowCodes(recipe, modes, structure)
  expect({ codes: own.codes.map(column => [...column]), predictors: own.predictors.map(column => [...column]), absent: own.absent }).toEqual(duck) // biome-ignore format: one value
  expect(own.unknown).toEqual(duck.codes.map(column => column.filter(code => code === -2).length))
  return own
}

const header = 'age;health;q;when;x'
const line = (i: number) =>
  [20 + ((i * 7) % 60), ['Good', 'good', 'bad ', 'NA', 'fair'][i % 5], (i % 4) + 1, `${(i % 28) + 1}.${(i % 12) + 1}.2024 ${i % 24}:30`, `${i % 3},5`].join(';') // biome-ignore format: one line
const known = `${header}\n${Array.from({ length: 300 }, (_, i) => line(i)).join('\n')}\n`
const strange = `${header}\n${[25, 101, 250].map(line).join('\n')}\n99;GOOD;1.0;31.12.2030 23:59;0,5\nold;excellent;7;soon;9,5\n;;;;\n-5; fair;2;1.1.2024;1.5\nNA;bad;-0;;NA\n`

const CASES: readonly TableOptions[] = [
  { modes: ['age', 'health', 'q', 'x'] },
  { modes: ['health', 'q'], bins: ['age:10', 'when:month', 'x:int'], trim: true },
  { modes: ['health'], bins: ['age:q5', 'when:hour'], ignoreCase: true, trim: true },
  { modes: ['health', 'q'], bins: ['when:weekday', 'age:int'], missingAs: 'unknown', missing: ['fair'] },
  { modes: ['age', 'health'], top: 3, ignoreCase: true },
  { modes: ['health', 'q'], bins: ['when:date', 'x:0.5'], missingOnly: ['bad '] },
  { modes: ['health', 'q'], bins: ['when:yearmonth', 'when:quarter', 'age:q2'] },
]

it.each(CASES)('codes are those of the command line: %j', async options => {
  const { tensor, recipe } = await readView(await openTable({ name: 'known.csv', text: known }), options)
  await both(known, recipe, tensor.modes)
  const { codes, unknown } = await both(strange, recipe, tensor.modes)
  expect(codes[0]).toHaveLength(8)
  expect(unknown.some(count => count > 0)).toBe(true)
  await both(strange.replace('health', 'wealth'), recipe, tensor.modes)
})

it('combinations of columns, and covariates', async () => {
  const parts = [{ column: 'health', labels: ['Good', 'bad ', 'good', 'fair'] }, { column: 'q', labels: [1, 2, 3, 4] }] // biome-ignore format: one value
  const recipe: Recipe = {
    modes: [{ column: 'health × q', parts }, { column: 'x' }],
    given: [{ column: 'age' }, { column: 'q' }],
    missing: ['', 'NA'],
  }
  const structure = new LogitStructure({
    reference: 1,
    terms: [{ name: '1', factors: [] }, { name: 'age', factors: [{ covariate: 'age' }] }, { name: 'q 2 × age', factors: [{ covariate: 'q', label: 2 }, { covariate: 'age' }] }], // biome-ignore format: one value
    coefficients: [[0, 0, 0], [0.25, -1.5, 0.125]], // biome-ignore format: one value
    given: [{ name: 'age', labels: [20, 30], numeric: true }, { name: 'q', labels: [1, 2, 3, 4], numeric: false }], // biome-ignore format: one value
  })
  const modes = [new Mode('health × q', 16), new Mode('x', [0.5, 1.5, 2.5])]
  const { predictors } = await both(known, recipe, modes, structure)
  expect(predictors).toHaveLength(2)
  await both(strange, recipe, modes, structure)
})

it('variables that rows with other labels lack', async () => {
  const own = { column: 'health', labels: ['Good', 'bad ', 'good', 'fair'] }
  const parts = [own, { column: 'x', labels: [0.5, 1.5, 2.5] }]
  const when = [1, 2].map(label => [{ column: 'q', labels: [1, 2, 3, 4], label }])
  const recipe: Recipe = {
    modes: [{ column: 'health', when: when[0] }, { column: 'health', when: when[1] }, { column: 'health × x', parts, when: when[1] }], // biome-ignore format: one value
    missing: ['', 'NA'],
  }
  const modes = [new Mode('health (q = 1)', own.labels), new Mode('health (q = 2)', own.labels), new Mode('health × x', 12)] // biome-ignore format: one value
  const { codes } = await both(known, recipe, modes)
  const q = (await both(known, { modes: [{ column: 'q' }], missing: ['', 'NA'] }, [new Mode('q', [1, 2, 3, 4])])).codes[0] // biome-ignore format: one value
  const all = (await both(known, { modes: [{ column: 'health' }], missing: ['', 'NA'] }, [modes[0]])).codes[0]
  expect([...codes[0]]).toEqual([...all].map((code, row) => (q[row] === 0 ? code : -1)))
  expect([...codes[1]]).toEqual([...all].map((code, row) => (q[row] === 1 ? code : -1)))
  await both(strange, recipe, modes)
})

it('tables that have nothing of a model are refused', async () => {
  const table = await openTable({ name: 't.csv', text: 'a,b\n1,2\n2,1\n' })
  const recipe = { modes: [{ column: 'aa' }], missing: [''] }
  await expect(table.rowCodes(recipe, [new Mode('aa', 2)])).rejects.toThrow(
    't.csv has no column "aa", nor any other that the model knows',
  )
  const bins = { modes: [{ column: 'a', binning: { kind: 'date', part: 'month' } as const }], missing: [''] }
  await expect(table.rowCodes(bins, [new Mode('a', ['x'])])).rejects.toThrow(DataError)
})

it('rows are given the classes that polyad classify gives them', async () => {
  const options = { modes: ['health', 'q'], bins: ['age:10', 'when:month'] }
  const { tensor, recipe } = await readView(await openTable({ name: 'known.csv', text: known }), options)
  const { model } = await fit(tensor as Tensor, { rank: 2 })
  await saveModel(path('model.npz'), model, { recipe })
  const ended = await polyad(['classify', path('model.npz'), file('strange.csv', strange), '-o', path('out.csv'), '-q'])
  expect(ended.code, ended.stderr).toBe(0)
  const given = readFileSync(path('out.csv'), 'utf8').trim().split('\n').slice(1)
  const { codes } = await (await openTable({ name: 'strange.csv', text: strange })).rowCodes(loadModel(path('model.npz')).recipe, model.modes) // biome-ignore format: one call
  // A label that the model has never seen is as good as none.
  const indices = codes.map(column => column.map(code => Math.max(code, -1)))
  const posterior = new Float64Array(2)
  given.forEach((text, row) => {
    posteriorInto(model.parameters, indices, row, posterior)
    const best = mostProbable(posterior)
    expect(text.split(',').slice(-3, -1).map(Number), text).toEqual([best + 1, posterior[best]]) // biome-ignore format: one call
  })
})
