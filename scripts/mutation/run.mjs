// @ts-check
// `npm run mutation [-- folder] [--share 0.1] [--seed 1] [--patience 10] [--tests path,path]`: changes the code in one place at a time and sees whether a test fails.
// Why not Stryker's own runner for Vitest: it starts Vitest again for each mutant, which took 6.6 s, so two days for all mutants. Here, one process runs
// all mutants, each behind a switch (test/MUTATION.md).
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fail, root } from '../setup.mjs'
import { runStep, say } from '../step.mjs'
import { instrument, lot } from './instrument.mjs'
import { killedIn, logOf } from './log.mjs'
import { putToTests } from './put-to-tests.mjs'

const core = 'packages/core/src'
const table = 'packages/polyad/src/table'
const RULES = ['formats', 'files', 'values', 'view', 'columns', 'reading'].map(name => `${table}/${name}`)

/** @param {string} folder @param {string[]} names @returns {string[]} the tests of these names */
const testsIn = (folder, ...names) => names.map(name => `${folder}/${name}.test.ts`)

/** Those of `stats` that fit hundreds of replicates. */
const replicates = testsIn(`${core}/stats`, 'resampling/bootstrap', 'ranks/test-ranks', 'ranks/choose-rank')

/**
 * Folders that may be named; the tests that their mutants meet, which stand elsewhere too if they are quick and reach much of it; and those among
 * them that take too long: every one of them runs once, with the switches, before the first mutant.
 * @type {Record<string, { code: string[], tests: string[], slow?: string[] }>}
 */
const FOLDERS = {
  numeric: { code: [`${core}/numeric`], tests: [`${core}/numeric`] },
  model: { code: [`${core}/model`], tests: [`${core}/model`, `${core}/stats/fit-statistics`] },
  stats: {
    code: [`${core}/stats`],
    tests: [
      `${core}/stats`,
      ...testsIn(`${core}/model`, 'impute'),
      ...testsIn('test', 'published', 'weights', 'hidden-labels', 'cancellation'),
    ],
    slow: replicates,
  },
  fit: {
    code: [`${core}/fit`],
    tests: [
      `${core}/fit`,
      ...testsIn(`${core}/stats`, 'structure/covariates', 'structure/structured', 'structure/groups'),
      ...testsIn(`${core}/stats`, 'errors/covariate-effects', 'model-data/model-data'),
      ...testsIn(`${core}/stats/resampling`, 'replicate-errors'),
      ...testsIn('test', 'theorems', 'cancellation', 'weights', 'digests'),
    ],
    slow: testsIn(`${core}/fit`, 'search/search'),
  },
  // Tests in memory: those through DuckDB take a hundred times as long.
  table: {
    code: RULES,
    tests: [...RULES, ...testsIn(`${table}/memory`, 'memory-table', 'column-figures')],
  },
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    share: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    tests: { type: 'string' },
    patience: { type: 'string', default: '10' },
  },
})

/** @param {string} path a file, or a folder @returns {string[]} the files */
const filesOf = path =>
  path.endsWith('.ts')
    ? [path]
    : readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
        .filter(name => name.endsWith('.ts'))
        .map(name => join(path, name))
        .sort()

/** @param {string} name a key of FOLDERS, or a path below one */
const chosen = name => {
  for (const [key, { code, tests, slow = [] }] of Object.entries(FOLDERS)) {
    const quick = tests.flatMap(filesOf).filter(path => !slow.includes(path))
    if (key === name) return { code, tests: quick }
    if (code.some(path => name.startsWith(path))) return { code: [name], tests: quick }
  }
  return fail(`no folder named ${name}: one of ${Object.keys(FOLDERS).join(', ')}, or a path below one of them`)
}

/**
 * Whether a mutant changes a part of what another one changes.
 * @param {import('./instrument.mjs').Mutant} part @param {import('./instrument.mjs').Mutant} whole
 */
const isWithin = (part, whole) => {
  /** @param {import('./instrument.mjs').Place} a @param {import('./instrument.mjs').Place} b */
  const isBefore = (a, b) => a.line < b.line || (a.line === b.line && a.column <= b.column)
  return (
    part !== whole && part.file === whole.file && isBefore(whole.start, part.start) && isBefore(part.end, whole.end)
  )
}

/** @param {string} name */
const measure = async name => {
  const { code: paths, tests } = chosen(name)
  const folder = join(root, '.mutation', name.replaceAll('/', '-'))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  /** @param {unknown} value @param {string} file */
  const save = (value, file) => writeFileSync(join(folder, file), JSON.stringify(value))
  const files = paths.flatMap(filesOf).filter(path => !path.endsWith('.test.ts'))
  const { code, mutants } = await instrument(root, files)
  const drawn = mutants.filter(mutant => lot(mutant, Number(values.seed)) < Number(values.share))
  const testFiles = (values.tests?.split(',') ?? tests).flatMap(filesOf).filter(path => path.endsWith('.test.ts'))
  const byPath = Object.fromEntries(Object.entries(code).map(([path, text]) => [join(root, path), text]))
  const patience = Number(values.patience)
  /** By file, its mutants. @type {Record<string, number[]>} */
  const ids = {}
  for (const { file, id } of mutants) {
    ids[file] ??= []
    ids[file].push(id)
  }
  /** By mutant that was drawn, those that are a part of it. @type {Record<number, number[]>} */
  const within = {}
  for (const drew of drawn) within[drew.id] = mutants.filter(other => isWithin(other, drew)).map(({ id }) => id)
  const run = { tests: testFiles, drawn: drawn.map(({ id }) => id), ids: Object.values(ids), within, patience }
  save({ code: byPath, ...run }, 'run.json')
  say(
    `${name}: ${drawn.length} of ${mutants.length} mutants of ${files.length} files, ${testFiles.length} files of tests`,
  )

  await putToTests(folder)

  const log = logOf(folder)
  const killed = killedIn(log)
  const reached = new Set(log.filter(({ kind }) => kind === 'test').flatMap(({ reaches }) => reaches))
  const loaded = new Set(log.filter(({ kind }) => kind === 'end').flatMap(({ outside }) => outside))
  /** @param {number} id */
  const verdict = id => (killed.has(id) ? 'killed' : reached.has(id) || loaded.has(id) ? 'survived' : 'not reached')
  const rows = drawn.map(mutant => ({ ...mutant, verdict: verdict(mutant.id) }))
  save(rows, 'result.json')
  for (const { verdict, file, start, mutator, original, replacement } of rows) {
    if (verdict === 'killed') continue
    const short = [original, replacement].map(text => text.replace(/\s+/g, ' ').slice(0, 70))
    console.log(`${verdict}: ${file}:${start.line + 1}:${start.column + 1} ${mutator}: ${short.join('  =>  ')}`)
  }
  const share = killed.size / drawn.length
  const error = 100 * Math.sqrt((share * (1 - share)) / drawn.length)
  const sampled = drawn.length < mutants.length ? `, standard error ${error.toFixed(1)}` : ''
  say(`${name}: ${killed.size} of ${drawn.length} mutants killed: ${(100 * share).toFixed(1)}%${sampled}`)
}

if (!existsSync(join(root, 'scripts/mutation/node_modules/@stryker-mutator/instrumenter'))) {
  const what = "installing Stryker's instrumenter (npm ci)"
  const step = { what, waitingFor: 'the package registry', seconds: 900, cwd: join(root, 'scripts/mutation') }
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  if (!(await runStep(step, 'npm', ['ci', ...options]))) process.exit(1)
}
for (const name of positionals.length > 0 ? positionals : Object.keys(FOLDERS)) await measure(name)
