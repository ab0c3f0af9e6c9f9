// @ts-check
// Runs the tests of mutant-runner.mjs in a process, and in another one when that hangs or has been spoilt, until all mutants have met all tests.
import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fail, root } from '../setup.mjs'
import { append, logOf, logPath } from './log.mjs'

/** A process that writes nothing for so many seconds is in an endless loop. */
const SILENCE = 90

/** @param {string} folder */
const runOnce = folder =>
  new Promise(resolve => {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const child = spawn(process.execPath, [vitest, 'run', '--config', 'scripts/mutation/vitest.config.ts'], {
      cwd: root,
      stdio: 'ignore',
      env: { ...process.env, POLYAD_MUTATION: folder },
      detached: true,
    })
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
    child.once('exit', () => {
      clearInterval(watch)
      process.off('exit', end)
      resolve(undefined)
    })
  })

/** @param {string} folder with run.json; log.jsonl is written there */
export const putToTests = async folder => {
  for (let lines = 0; ; ) {
    await runOnce(folder)
    const log = logOf(folder)
    if (log.some(({ kind }) => kind === 'end')) return
    if (log.length === lines) fail('the tests do not run: try them without mutants')
    lines = log.length
  }
}
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
