import { writeFileSync } from 'node:fs'
import { writeNpy } from '@polyad/core/file'
import { afterAll, describe, expect, it } from 'vitest'
import { loadCommands } from '../../packages/polyad/src/cli/program.ts'
import { writeEvents, writeModel } from '../hard-data.ts'
import { writeSurveys } from '../hard-surveys.ts'
import { csvOf, polyad, scratchFolder } from '../run-polyad.ts'
import { gss82 } from '../tables.ts'
import { watched } from '../watched-process.ts'

/**
 * Every command, on data that would keep it busy for much longer: a limit of two seconds, or a signal, ends each of them, with what there is
 * or a word that there is nothing, and nothing is left behind.
 */

const scratch = scratchFolder()
afterAll(scratch.remove)
const { folder, path } = scratch

writeEvents(path('hard.csv'), 150_000)
writeEvents(path('big.csv'), 2_000_000)
writeEvents(path('few.csv'), 3000)
writeFileSync(path('table.csv'), csvOf(gss82))
const sizes = { user: 3000, item: 400, hour: 30, month: 12, kind: 5, place: 3 }
writeModel(path('wide.npz'), 40, sizes)
writeModel(path('small.npz'), 4, { hour: 30, month: 12, kind: 5, place: 3 })
for (const name of ['huge.npz', 'other.npz']) writeModel(path(name), 60, { user: 100_000, item: 50_000, kind: 5 })

await polyad(['sample', 'small.npz', '-n', '10', '-o', `duckdb://${path('clean.duckdb')}/rows`], { cwd: folder })

const surveys = writeSurveys(path, 400_000)
const cells = Array.from({ length: 1_500_000 }, (_, i) => `${1 + (i % 3000)} ${1 + ((i * 7) % 400)} ${1 + (i % 30)} 1`)
writeFileSync(path('cells.tns'), `${cells.join('\n')}\n`)
const counts = Float64Array.from({ length: 6_000_000 }, (_, i) => (i * 7) % 5)
writeFileSync(path('counts.npy'), writeNpy({ shape: [300, 200, 100], data: counts }))

const some = ['--modes', 'hour,month,kind,place']
const all = ['--modes', 'user,item,hour,month,kind,place']
const forever = ['--starts', '100000000']

/** What each command is run with. */
const TABLE: Readonly<Record<string, readonly (readonly string[])[]>> = {
  fit: [
    ['big.csv', '-k', '40', ...all],
    ['hard.csv', '-k', '40', ...all],
    ['table.csv', '-k', '4', ...forever, '-o', 'fit.npz'],
    ['table.csv', '-k', '2', '--starts', '1', '--se', '--residuals', '--bootstrap', '1000000'],
    ['few.csv', '-k', '30', ...some, '--starts', '1', '--max-passes', '20', '--se', 'sandwich'],
    ['few.csv', '-k', '3', '--modes', 'month,kind,place', '--covariates', 'hour,age', ...forever],
    ['few.csv', '-k', '3', '--modes', 'hour,month,kind', '--groups', 'place', ...forever],
    ['few.csv', '-k', '3', ...some, '--join', 'month,kind', ...forever],
    // A survey design, intervals by profile likelihood, and a bootstrap of classes that covariates explain.
    ['few.csv', '-k', '3', '--modes', 'hour,month,kind', '--weights', 'w', '--cluster', 'user', '--strata', 'place', '--se', '--starts', '1', '--bootstrap', '100000', '--bootstrap-kind', 'nonparametric'], // biome-ignore format: one call
    ['table.csv', '-k', '6', '--starts', '1', '--se'],
    ['few.csv', '-k', '2', '--modes', 'month,kind', '--covariates', 'age', '--starts', '1', '--max-passes', '30', '--bootstrap', '100000'], // biome-ignore format: one call
    ['few.csv', '-k', '2', '--modes', 'hour,month,kind', '--covariates', 'age', '--groups', 'place', ...forever],
    ['hard.csv', '-k', '40', ...all, '--starts', '1', '--max-passes', '4', '--report', 'fit.html'],
    ['big.csv', '-k', '4', ...some, '--engine', 'sql', ...forever],
  ],
  rank: [
    ['hard.csv', '-k', '2..40', ...all],
    ['table.csv', '-k', '2..8', ...forever, '-o', 'rank.npz'],
    ['table.csv', '-k', '1..3', '--test', '--replicates', '100000', '--starts', '2'],
  ],
  test: [
    ['hard.csv', '-k', '4', ...some, '--replicates', '100000'],
    ['table.csv', '-k', '2', '--replicates', '100000', '--all'],
  ],
  independence: [['big.csv', ...all]],
  update: [['wide.npz', 'big.csv', '--passes', '50', '-o', 'update.npz']],
  classify: [
    ['wide.npz', 'big.csv', '--posterior', '-o', 'classify.csv'],
    ['wide.npz', 'big.csv', '--posterior', '-o', '-'],
    ['wide.npz', 'big.csv', '--explain'],
  ],
  distal: [
    ['small.npz', 'big.csv', '--outcome', 'age', '-o', 'distal.csv'],
    ['small.npz', 'big.csv', '--outcome', 'age', '--covariates', 'w'],
  ],
  regress: [['small.npz', 'big.csv', '--covariates', 'age,w']],
  train: [
    ['hard.csv', '--class', 'item', ...all],
    ['big.csv', '--class', 'kind', ...all, '-o', 'train.npz'],
  ],
  show: [
    ['huge.npz', '--labels', '1000000'],
    ['huge.npz', '--json'],
  ],
  report: [
    ['wide.npz', 'big.csv', '--se', '-o', 'report.html'],
    ['huge.npz', '-o', 'report.html'],
  ],
  plot: [
    ['huge.npz', '-o', 'plot.svg'],
    ['wide.npz', 'big.csv', '--kind', 'residuals', '-o', 'plot.png'],
  ],
  table: [
    ['huge.npz', '-o', 'table.docx'],
    ['small.npz', 'big.csv', '--se', '-o', 'table.xlsx'],
  ],
  drift: [['huge.npz', 'other.npz', '-o', 'drift.svg']],
  compare: [['huge.npz', 'other.npz']],
  sample: [
    ['wide.npz', '-n', '4000000', '-o', 'sample.csv'],
    ['wide.npz', '-n', '4000000', '-o', 'sample.parquet'],
    ['wide.npz', '-n', '4000000'],
    ['wide.npz', '-n', '4000000', '-o', `duckdb://${path('sample.duckdb')}/drawn`],
  ],
  impute: [
    ['wide.npz', 'big.csv', '--draws', '20', '-o', 'impute.csv'],
    ['wide.npz', 'big.csv', '--score'],
  ],
  convert: [
    ['big.csv', 'big.tns', ...all],
    ['big.csv', 'cells.parquet', ...all],
    ['huge.npz', 'huge.json'],
  ],
  // It waits for nothing but the database, and is over at once here.
  clean: [[`duckdb://${path('clean.duckdb')}`]],
  iris: [['--max-passes', '100000000', '-o', 'iris']],
}

/** Files of other formats, each of which a limit or a signal ends while it is read. */
const FORMATS = [...surveys, 'cells.tns', 'counts.npy']

/** Those that are over at once, and the one that is to go on until somebody ends it. */
const UNLIMITED = ['studio', 'completion', 'docs', 'example', 'cite']

/** Seconds beyond the limit: the aim is one, but a busy machine takes several to start a process and to end one. */
const LATE = 10

const CASES = Object.entries(TABLE).flatMap(([name, calls]) => calls.map(args => [name, ...args]))
const named = CASES.map(args => [args.join(' ').replaceAll(folder, ''), args] as const)

const run = async (args: readonly string[], signalAfter?: number) => {
  const process_ = watched(args, folder)
  const timer = signalAfter && setTimeout(() => process_.child.kill('SIGTERM'), signalAfter * 1000)
  const ended = await process_.ended
  clearTimeout(timer)
  expect(ended.stderr).not.toMatch(/unexpected error|^ {4}at /m)
  // A process that was killed takes a moment to go.
  await expect.poll(process_.helpers).toEqual([])
  expect(process_.files()).toEqual([])
  process_.remove()
  return ended
}

describe('the table of commands', () => {
  it('has every command, and each of them has --max-seconds', async () => {
    const commands = await loadCommands()
    const limited = commands.filter(({ name }) => !UNLIMITED.includes(name))
    expect(limited.map(({ name }) => name).sort()).toEqual(Object.keys(TABLE).sort())
    const flags = (each: (typeof commands)[number]) => each.options.flatMap(group => group.options).map(option => option.flags) // biome-ignore format: one chain
    const without = limited.filter(each => !flags(each).some(flag => flag.startsWith('--max-seconds')))
    expect(without.map(({ name }) => name)).toEqual([])
  })
})

describe('a limit of two seconds', () => {
  it.each(named)('ends %s', async (_, args) => {
    const { code, seconds, stderr } = await run([...args, '--max-seconds', '2'])
    expect(seconds).toBeLessThan(2 + LATE)
    // It was over before, ended with what there was, or says that there was nothing.
    if (code !== 0) expect(stderr).toMatch(/time limit/)
    expect([0, 1], stderr).toContain(code)
  })

  it.each(FORMATS)('ends the reading of %s, as a signal does', async file => {
    const args = ['fit', file, '-k', '20', ...forever]
    const signalled = FORMATS.indexOf(file) % 2 === 1
    const { code, seconds, stderr } = await run(signalled ? args : [...args, '--max-seconds', '2'], signalled ? 2 : undefined) // biome-ignore format: one call
    expect(seconds).toBeLessThan(2 + LATE)
    if (code === 1) expect(stderr).toMatch(/time limit/)
    expect(signalled ? [143] : [0, 1], stderr).toContain(code)
  })

  it.each(named)('is as good as SIGTERM: %s', async (_, args) => {
    const { code, seconds, stderr } = await run(args, 2)
    expect(seconds).toBeLessThan(2 + LATE)
    expect([0, 143], stderr).toContain(code)
  })
})
