import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { type ClassifyTableOptions, classifyTable } from '../packages/polyad/src/scoring/classify-table.ts'
import { openSmallTable } from '../packages/polyad/src/source/small-table.ts'
import { fittedModel, NEW_ROWS } from './strange-tables.ts'
import type { testFolder } from './test-folder.ts'

type Files = ReturnType<typeof testFolder>

/** Options of `classify`, for a table of `strange-tables.ts`. */
export const USES: readonly ClassifyTableOptions[] = [
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
const classified = async (
  model: string,
  path: string,
  options: ClassifyTableOptions,
  output: string,
): Promise<unknown[]> => {
  const notes: unknown[] = []
  try {
    const found = await classifyTable(model, path, { ...options, output, onNote: note => void notes.push(note) })
    const { output: _, ...result } = found
    return [result, notes, readFileSync(output, 'utf8')]
  } catch (error) {
    return [(error as Error).constructor.name, (error as Error).message, notes]
  }
}

/** What both readers say of a file: with a limit on memory DuckDB reads small files too. */
export const bothReaders = async (
  files: Files,
  model: string,
  path: string,
  options: ClassifyTableOptions,
  ending = 'csv',
): Promise<unknown[]> => {
  const [small, large] = [
    await classified(model, path, options, files.path(`small.${ending}`)),
    await classified(model, path, { ...options, memory: '2GB' }, files.path(`large.${ending}`)),
  ]
  expect(small).toEqual(large)
  return small
}

/** Classifies the new rows of `strange-tables.ts` by one of its models, with some of the options. */
export const classifiedBothWays = async (files: Files, name: string, uses: readonly number[]): Promise<void> => {
  const model = await fittedModel(files, name)
  const path = files.file('new.csv', NEW_ROWS)
  expect(await openSmallTable([path], {})).toBeDefined()
  for (const i of uses) {
    const [result] = await bothReaders(files, model, path, USES[i], i % 2 === 0 ? 'csv' : 'tsv')
    expect(result, JSON.stringify(USES[i])).toMatchObject({ model })
  }
}
