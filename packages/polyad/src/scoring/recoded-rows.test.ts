import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { fit } from '@polyad/core'
import { describe, expect, it } from 'vitest'
import { testFolder } from '../../../../test/test-folder.ts'
import { loadModel, saveModel } from '../output/model-store.ts'
import { readTensor } from '../source/read-tensor.ts'
import { openTable } from '../table/memory/memory-table.ts'
import { classifyTable } from './classify-table.ts'
import { imputeTable } from './filled-table.ts'
import { updateTable } from './update-table.ts'

/** New rows for a model whose categories were recoded, and whose rows were filtered. */

const files = testFolder()
const rows = Array.from(
  { length: 60 },
  (_, i) => `${(i % 5) + 1},${i % 3 === 0 ? 'CDU' : i % 3 === 1 ? 'Gruene' : 'Greens'},${i % 7}`,
)
const OPTIONS = {
  modes: ['trust', 'party'],
  recode: ['trust:1,2=low,4,5=high', 'party:Gruene=Greens'],
  where: 'age > 0',
}

/** A model in a file, as the command line keeps it. */
const stored = async () => {
  const path = files.path('model.npz')
  const data = files.file('data.csv', `trust,party,age\n${rows.join('\n')}\n`)
  const { tensor, recipe, source } = await readTensor(data, OPTIONS)
  const { model } = await fit(tensor, { rank: 2, seed: 1, threads: 1, starts: 2 })
  await saveModel(path, model, { recipe, source })
  return { path, model, data }
}

/** New rows as they are written, and what the model calls them. */
const NEW = [
  ['1.0', 'Gruene', { trust: 'low', party: 'Greens' }],
  ['5', 'CDU', { trust: 'high', party: 'CDU' }],
  ['3', 'Greens', { trust: '3', party: 'Greens' }],
  ['', 'Gruene', { party: 'Greens' }],
] as const

describe('new rows', () => {
  it('are recoded as the model remembers, by both readers', async () => {
    const { path, model } = await stored()
    const content = `trust,party\n${NEW.map(([trust, party]) => `${trust},${party}`).join('\n')}\n`
    const data = files.file('new.csv', content)
    const notes: string[] = []
    const output = files.path('classified.csv')
    const found = await classifyTable(path, data, {
      output,
      posterior: true,
      onNote: ({ text }) => void notes.push(text),
    })
    expect(found.unseen).toEqual({})
    const lines = readFileSync(output, 'utf8').trimEnd().split('\n').slice(1)
    NEW.forEach(([, , row], i) => {
      expect(Number(lines[i].split(',')[5])).toBeCloseTo(model.posterior(row).probabilities[0], 10)
    })
    expect(notes).toContainEqual(
      "the model was fitted to rows with age > 0, but all rows are used here (for the same rows: where 'age > 0')",
    )
    const { recipe } = loadModel(path)
    const table = await openTable({ name: 'new.csv', text: content })
    const { codes } = await table.rowCodes(recipe, model.modes)
    expect(codes.map(own => [...own])).toEqual(
      model.modes.map(mode =>
        NEW.map(([, , row]) => mode.indexOf((row as Record<string, string>)[mode.name] ?? '') ?? -1),
      ),
    )
  })

  it('are filtered if that is asked for', async () => {
    const { path, data } = await stored()
    const all = await classifyTable(path, data)
    const some = await classifyTable(path, data, { where: "age > 0 and party in ('Gruene', 'Greens')" })
    // 60 rows, of which 20 are of the CDU; of the others those whose age is no multiple of 7.
    const expected = rows.filter(row => !/CDU|,0$/.test(row)).length
    expect([all.rows, some.rows]).toEqual([60, expected])
    const updated = await updateTable(path, data, { where: 'age > 0', threads: 1 })
    expect(updated.run.updates).toBeDefined()
    const cells = files.file('cells.tns', '1 1 2\n')
    await expect(updateTable(path, cells, { where: 'age > 0' })).rejects.toThrow(/where needs the rows of a table/)
  })

  it('have the new categories where values are filled in', async () => {
    const { path } = await stored()
    const output = files.path('filled.csv')
    await imputeTable(path, files.file('gaps.csv', 'trust,party\n1,Gruene\n,CDU\n3,\n'), { output })
    const filled = readFileSync(output, 'utf8')
      .trimEnd()
      .split('\n')
      .slice(1)
      .map(line => line.split(','))
    expect(filled[0]).toEqual(['low', 'Greens'])
    expect(['low', '3', 'high']).toContain(filled[1][0])
    expect(['CDU', 'Greens']).toContain(filled[2][1])
  })
})

it('value labels are recoded by what they show, in the order of the file', async () => {
  const path = fileURLToPath(new URL('../../../../test/data/survey/election.zsav', import.meta.url))
  const before = await readTensor(path, { modes: ['MORALG'] })
  const [{ labels = [] }] = before.tensor.modes
  const [first, second, third, ...rest] = labels.map(String)
  const recode = [`MORALG:"${first}","${second}"=well,"${third}"=not`]
  const { tensor, recipe } = await readTensor(path, { modes: ['MORALG'], recode })
  expect(tensor.modes[0].labels).toEqual(['well', 'not', ...rest])
  expect(tensor.modes[0].ordered).toBe(before.tensor.modes[0].ordered)
  expect(tensor.marginals[0][0]).toBe(before.tensor.marginals[0][0] + before.tensor.marginals[0][1])
  // New files are read by their labels too.
  const table = await openTable({ name: 'election.zsav', bytes: new Uint8Array(readFileSync(path)) })
  const { unknown } = await table.rowCodes(recipe, tensor.modes)
  expect(unknown).toEqual([0])
})
