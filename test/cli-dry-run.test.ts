import { existsSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { objectOf, polyad, scratchFolder } from './run-polyad.ts'

/** What would be done, before it is done. */
const scratch = scratchFolder()
afterAll(scratch.remove)
const survey = fileURLToPath(new URL('../examples/survey/survey.csv', import.meta.url))
const modes = ['-m', 'smoking,drinking,truancy']

it('a fit is planned, and nothing is written', async () => {
  const output = scratch.path('model.npz')
  const files = ['-o', output, '--checkpoint', scratch.path('state'), '--keep', scratch.path('cells.polyad')]
  const planned = await polyad(['fit', survey, '-k', '2', ...modes, ...files, '--dry-run', '--json'])
  const plan = objectOf(planned, 'plan')
  expect(plan).toMatchObject({
    command: 'fit',
    cells: 58,
    engine: 'wasm',
    cellsIn: 'memory',
    fits: [{ rank: 2, search: 'thorough', parameters: 13, starts: { least: 24, most: 24 }, passes: 100_000 }],
    writes: [files[1], files[5], files[3]],
  })
  expect(plan.variables[0]).toEqual({
    name: 'smoking',
    role: 'variable',
    kind: 'categorical',
    categories: 3,
    missing: true,
  })
  for (const path of plan.writes) expect(existsSync(path)).toBe(false)
  // It is what the fit then does.
  const fitted = objectOf(await polyad(['fit', survey, '-k', '2', ...modes, '-o', output, '--json']), 'fit')
  expect([fitted.cells, fitted.total, fitted.parameters]).toEqual([plan.cells, plan.total, plan.fits[0].parameters])
  expect(fitted.totalPasses).toBeLessThanOrEqual(plan.fits[0].passes)
  const rows = scratch.path('rows.csv')
  const classified = await polyad(['classify', output, survey, '-o', rows, '--dry-run', '--json'])
  expect(objectOf(classified, 'plan')).toMatchObject({
    command: 'classify',
    total: plan.total,
    fits: [],
    writes: [rows],
  })
  expect(existsSync(rows)).toBe(false)
})

it('numbers of classes and tests are planned, with the roles of columns', async () => {
  const ranked = await polyad(['rank', survey, '-k', '1..3', ...modes, '--covariates', 'sex', '--dry-run', '--json'])
  const plan = objectOf(ranked, 'plan')
  expect(plan.variables.map(({ role }: { role: string }) => role)).toEqual([
    'variable',
    'variable',
    'variable',
    'covariate',
  ])
  expect(plan.fits.map(({ rank, passes }: { rank: number; passes: null }) => [rank, passes])).toEqual([
    [1, null],
    [2, null],
    [3, null],
  ])
  const tested = await polyad(['test', survey, '-k', '2', ...modes, '--replicates', '50', '--dry-run'])
  expect(tested.stdout).toMatch(/smoking +variable +categorical +3 +has missing values/)
  expect(tested.stdout).toMatch(/2 +13 +search +24 +100,000[\s\S]*3 +20 +search/)
  expect(tested.stdout).toContain('50 bootstrap replicates at most')
  const wrong = await polyad(['fit', survey, '-k', '5000', ...modes, '--dry-run'])
  expect(wrong.stderr).toContain('must be at most')
})

it('a plan is of the work that is done: joined variables, numbers of classes beyond the cells, rows in a database', async () => {
  const joined = ['--join', 'smoking,drinking']
  const plan = objectOf(await polyad(['fit', survey, '-k', '2', ...modes, ...joined, '--starts', '2', '--dry-run', '--json']), 'plan') // biome-ignore format: one call
  expect(plan.variables.map(({ name }: { name: string }) => name)).toEqual(['smoking / drinking', 'truancy'])
  const fitted = objectOf(await polyad(['fit', survey, '-k', '2', ...modes, ...joined, '--starts', '2', '--json']), 'fit') // biome-ignore format: one call
  expect([fitted.modes, fitted.starts]).toEqual([['smoking / drinking', 'truancy'], plan.fits[0].starts.most])
  const tiny = scratch.path('tiny.csv')
  writeFileSync(tiny, 'a,b\nx,u\ny,u\nx,v\nx,v\n')
  const range = ['rank', tiny, '-k', '1..8', '--json']
  const planned = objectOf(await polyad([...range, '--dry-run']), 'plan')
  const ranks = ({ fits }: { fits: readonly { rank: number }[] }) => fits.map(({ rank }) => rank)
  expect(ranks(planned as never)).toEqual([1, 2, 3])
  expect(Math.max(...ranks(objectOf(await polyad(range), 'rank') as never))).toBeLessThanOrEqual(3)
  const [model, made] = [scratch.path('tiny.npz'), scratch.path('made.duckdb')]
  await polyad(['fit', tiny, '-k', '1', '-o', model])
  const rows = await polyad(['classify', model, tiny, '-o', `duckdb://${made}/scored`, '--dry-run', '--json'])
  expect(objectOf(rows, 'plan')).toMatchObject({
    command: 'classify',
    cells: 3,
    total: 4,
    engine: 'sql (DuckDB)',
    cellsIn: 'elsewhere',
    writes: [`duckdb://${made}/scored`],
  })
  expect(existsSync(made)).toBe(false)
})
