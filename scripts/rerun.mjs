// @ts-check
// Runs Vitest with the arguments given. A test file that fails is run once more, alone: if it then passes, the last line names it as flaky,
// and if it fails again, the run fails. The run also fails if an error belongs to no test file. For suites that use browsers and servers.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { say } from './step.mjs'

/** @typedef {import('./test-report.mjs').Report} Report */
/** @typedef {import('./test-report.mjs').FileReport} FileReport */

/** @param {string} path */
const here = path => fileURLToPath(new URL(path, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'polyad-test-report-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

/** @param {string[]} args @returns {{ status: number, report?: Report }} */
const runVitest = args => {
  const path = join(folder, 'report.json')
  rmSync(path, { force: true })
  const reporters = args.some(arg => arg.startsWith('--reporter')) ? [] : ['--reporter=default']
  const line = [here('../node_modules/vitest/vitest.mjs'), 'run', ...args, ...reporters]
  const { status } = spawnSync(process.execPath, [...line, `--reporter=${here('test-report.mjs')}`], {
    stdio: 'inherit',
    env: { ...process.env, POLYAD_TEST_REPORT: path },
  })
  return { status: status ?? 1, ...(existsSync(path) && { report: JSON.parse(readFileSync(path, 'utf8')) }) }
}

/** @param {readonly FileReport[]} files */
const names = files => files.map(({ file }) => relative('', file)).join(', ')

/** As Vitest's closing lines: `1 failed | 30 passed | 2 skipped (33)`. @param {Record<string, number>} counts */
const countsLine = counts => {
  const parts = ['failed', 'passed', 'skipped'].filter(each => counts[each] > 0).map(each => `${counts[each]} ${each}`)
  return `${parts.join(' | ')} (${Object.values(counts).reduce((a, b) => a + b, 0)})`
}

/** @param {readonly FileReport[]} files */
const closingLines = files => {
  const [ofFiles, ofTests] = [{ failed: 0, passed: 0, skipped: 0 }, { failed: 0, passed: 0, skipped: 0 }] // biome-ignore format: one line
  for (const { result, tests } of files) {
    ofFiles[result]++
    for (const each of /** @type {const} */ (['failed', 'passed', 'skipped'])) ofTests[each] += tests[each]
  }
  return ` Test Files  ${countsLine(ofFiles)}\n      Tests  ${countsLine(ofTests)}\n`
}

const args = process.argv.slice(2)
const { status, report } = runVitest(args)
const failed = report?.files.filter(({ result }) => result === 'failed') ?? []
if (status === 0 || report?.interrupted) process.exit(status)
if (report === undefined || report.unattributed > 0 || failed.length === 0) {
  say('the tests failed with an error that belongs to no test file, so no file is run again')
  process.exit(status)
}

// What was asked for but for the names of files. Vitest takes a while to load, and mostly nothing has failed.
const { parseCLI } = await import('vitest/node')
const { filter } = parseCLI(['vitest', 'run', ...args])
const options = args.filter(arg => !filter.includes(arg))
const again = failed.map(before => {
  say(`${names([before])} failed: running it once more, alone`)
  const { status, report } = runVitest([...options, before.file])
  const after = report?.files.find(({ file }) => file === before.file) ?? before
  return status === 0 ? after : { ...after, result: /** @type {const} */ ('failed') }
})
const last = report.files.map(before => again.find(({ file }) => file === before.file) ?? before)
const twice = again.filter(({ result }) => result === 'failed')
const flaky = again.filter(({ result }) => result !== 'failed')
process.stdout.write(`\nWith the second runs of ${failed.length} test ${failed.length === 1 ? 'file' : 'files'}:\n\n`)
process.stdout.write(`${closingLines(last)}\n`)
if (twice.length > 0) process.stdout.write(`failed twice: ${names(twice)}\n`)
if (flaky.length > 0) process.stdout.write(`flaky: ${names(flaky)}\n`)
process.exit(twice.length > 0 ? 1 : 0)
