import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import { testFolder } from './test-folder.ts'

/** The types that are published, in a project that has as little as can be. */

const { path } = testFolder()
const root = fileURLToPath(new URL('..', import.meta.url))

const PROGRAM = `
import { fit, tensorFromRows, type Model } from '@polyad/core'
import { openCells, wasmEngine } from '@polyad/core/engine'
import * as file from '@polyad/core/file'
import * as model from '@polyad/core/model'
import * as numeric from '@polyad/core/numeric'
import * as options from '@polyad/core/options'
import * as stats from '@polyad/core/stats'
import { conformance } from '@polyad/core/conformance'

interface Answer { q1: string; q2: number | null }
const answers: Answer[] = [{ q1: 'a', q2: 1 }]
export const run = async (): Promise<Model> => {
  const found = await fit(tensorFromRows(answers), { rank: 1, engine: wasmEngine({ workerUrl: 'worker.js' }) })
  found.model.posterior(answers[0])
  return found.model
}
export const all = { file, model, numeric, options, stats, conformance, openCells }
`

const ON_NODE = `
import { Worker } from 'node:worker_threads'
import { fit } from '@polyad/core'
import { openCells, wasmEngine } from '@polyad/core/engine'
import { openData, openSqlTable, startStudio } from 'polyad'

export const run = async (signal: AbortSignal): Promise<number> => {
  await using data = await openData('survey.csv')
  await using cells = await openCells('survey.cells')
  await using studio = await startStudio()
  const { session } = await openSqlTable('duckdb:///shop.duckdb/orders')
  await using table = session
  const engine = wasmEngine({ workerFactory: () => new Worker('worker.js') })
  await using own = await engine.open(data.tensor as never)
  const { model } = await fit(data.session ?? cells, { rank: 2, signal })
  await fit(own, { rank: 2 })
  return model.rank + studio.port + table.data.cells
}
`

const INFERRED = `
import { bootstrap, chooseRank, distalOutcome, evaluate, fit, fitGroups, Mode, standardErrors, tensorFromRows } from '@polyad/core'
import type { Evaluation, FitOptions, FitResult, Label, RankChoice, Tensor } from '@polyad/core'

/** Fails to compile unless both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false
const same = <A, B>(_: Same<A, B>): void => {}

export const infer = async () => {
  // Rows of an interface, of records, and readonly ones; a column of counts by its name.
  interface Answer { readonly vote: 'yes' | 'no'; readonly age: number | null; readonly n: number }
  const rows: readonly Answer[] = [{ vote: 'yes', age: 30, n: 2 }]
  const tensor = tensorFromRows(rows, { count: 'n' })
  same<typeof tensor, Tensor>(true)
  const mode = new Mode('vote', ['yes', 'no'])

  const found = await fit(tensor, { rank: 2, starts: 'auto', smoothing: 'auto', pseudoCounts: { vote: 1 } } satisfies FitOptions)
  same<typeof found, FitResult>(true)
  same<typeof found.reason, FitResult['reason']>(true)
  same<typeof found.estimatedGain, number | undefined>(true)
  const shares: readonly number[] = found.model.shares
  const label: Label = found.model.modes[0].label(0)
  // @ts-expect-error results cannot be written to
  found.loss = 1
  // @ts-expect-error no such algorithm
  await fit(tensor, { rank: 2, algorithm: 'newton' })
  // @ts-expect-error a misspelt option
  await fit(tensor, { rank: 2, start: 3 })
  // @ts-expect-error the rank is required
  await fit(tensor, {})

  const judged = await evaluate(tensor, found.model)
  same<typeof judged, Evaluation>(true)
  const ranks = await chooseRank(tensor, { to: 3 })
  same<typeof ranks, RankChoice>(true)
  const errors = await standardErrors(tensor, found.model)
  const error: number | undefined = errors.shares?.[0]
  const resampled = await bootstrap(tensor, found.model, { replicates: 9 })
  same<typeof resampled.kind, 'parametric' | 'nonparametric'>(true)
  return [shares, label, mode, error, fitGroups, distalOutcome] as const
}
`

const check = (name: string, program: string, compilerOptions: object) => {
  writeFileSync(path(`${name}.ts`), program)
  const settings = { target: 'es2022', module: 'nodenext', strict: true, noEmit: true, preserveSymlinks: true }
  const config = { compilerOptions: { ...settings, types: [], ...compilerOptions }, files: [`${name}.ts`] }
  writeFileSync(path(`${name}.json`), JSON.stringify(config))
  const tsc = fileURLToPath(new URL('../node_modules/@typescript/native/bin/tsc', import.meta.url))
  return spawnSync(process.execPath, [tsc, '-p', path(`${name}.json`)], { encoding: 'utf8' }).stdout
}

beforeAll(() => {
  mkdirSync(path('node_modules/@polyad'), { recursive: true })
  writeFileSync(path('package.json'), '{"type":"module"}')
  for (const name of ['core', 'charts']) symlinkSync(`${root}packages/${name}`, path(`node_modules/@polyad/${name}`))
  symlinkSync(`${root}packages/polyad`, path('node_modules/polyad'))
  symlinkSync(`${root}node_modules/@types`, path('node_modules/@types'))
})

it('need neither DOM nor Node: the library with lib es2022 alone, its own types checked too', () => {
  expect(check('plain', PROGRAM, { lib: ['es2022'], skipLibCheck: false })).toBe('')
})

it('know the platform where it is known: DOM, or Node with await using', () => {
  expect(check('page', PROGRAM, { lib: ['es2022', 'dom'], skipLibCheck: false })).toBe('')
  expect(check('node', ON_NODE, { lib: ['es2022', 'esnext.disposable'], types: ['node'], skipLibCheck: true })).toBe('')
})

it('are found as bundlers look for them, refuse options of the wrong type, and say what results are', () => {
  const wrong = "// @ts-expect-error a rank is a number\nfit(tensorFromRows(answers), { rank: 'two' })\n"
  writeFileSync(path('inferred.ts'), INFERRED)
  const settings = { lib: ['es2022', 'dom'], module: 'esnext', moduleResolution: 'bundler' }
  expect(check('bundled', `${PROGRAM}${wrong}export * from './inferred.js'\n`, settings)).toBe('')
})
