// @ts-check
// Runs the tests of mutant-runner.mjs in a process, and in another one when that hangs or has been spoilt, until all mutants have met all tests.
import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fail, root } from '../setup.mjs'
import { append, logOf, logPath } from './log.mjs'

/** A process that writes nothing for so many seconds is in an endless loop. */
const SILENCE = 90

/**
 * Resolves to the exit code.
 * @param {string} folder @param {number} [id] a mutant that is switched on from the beginning
 * @returns {Promise<number | null>}
 */
const runOnce = (folder, id) =>
  new Promise(resolve => {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const child = spawn(
      process.execPath,
      [vitest, 'run', '--bail', id === undefined ? '0' : '1', '--config', 'scripts/mutation/vitest.config.ts'],
      {
        cwd: root,
        stdio: 'ignore',
        env: { ...process.env, POLYAD_MUTATION: folder, ...(id !== undefined && { POLYAD_MUTANT: String(id) }) },
        detached: true,
      },
    )
    const end = () => {
      try {
        process.kill(-Number(child.pid), 'SIGKILL')
      } catch {
        // It has ended by itself.
      }
    }
    const begun = Date.now()
    const watch = setInterval(() => {
      const written = existsSync(logPath(folder)) ? statSync(logPath(folder)).mtimeMs : begun
      if (Date.now() - Math.max(written, begun) < SILENCE * 1000) return
      const { kind, id, test } = logOf(folder).at(-1) ?? {}
      if (kind === 'begun') append(folder, { kind: 'killed', id, test, why: 'it does not end' })
      end()
    }, 1000)
    process.once('exit', end)
    child.once('exit', code => {
      clearInterval(watch)
      process.off('exit', end)
      resolve(code)
    })
  })

/** @param {string} folder with run.json; log.jsonl is written there */
export const putToTests = async folder => {
  for (let lines = 0; ; ) {
    await runOnce(folder)
    const log = logOf(folder)
    if (log.some(({ kind }) => kind === 'end')) break
    if (log.length === lines) fail('the tests do not run: try them without mutants')
    lines = log.length
  }
  // What is done while modules are loaded is done once in a process.
  const log = logOf(folder)
  const { drawn, outside } = /** @type {{ drawn: number[], outside: number[] }} */ (
    log.find(({ kind }) => kind === 'end')
  )
  const reached = new Set(log.filter(({ kind }) => kind === 'test').flatMap(({ reaches }) => reaches))
  for (const id of drawn) {
    if (!outside.includes(id) || reached.has(id)) continue
    const code = await runOnce(folder, id)
    if (code !== 0) append(folder, { kind: 'killed', id, test: 'on loading', why: `exit code ${code}` })
  }
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
