// @ts-check
// Runs the tests of mutant-runner.mjs in a process, and in another one when that hangs or has been spoilt, until all mutants have met all tests.
import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fail, root } from '../setup.mjs'
import { append, logOf, logPath } from './log.mjs'

/** A process that writes nothing for so many seconds is in an endless loop: with a mutant, and without one on a busy machine. */
const SILENCE = { mutant: 90, usual: 900 }

/**
 * Resolves to the exit code.
 * @param {string} folder @param {number} [id] a mutant that is switched on from the beginning @param {string[]} [tests] those that it meets
 * @returns {Promise<number | null>}
 */
const runOnce = (folder, id, tests = []) =>
  new Promise(resolve => {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const child = spawn(
      process.execPath,
      [
        vitest,
        'run',
        ...tests,
        '--bail',
        id === undefined ? '0' : '1',
        '--config',
        'scripts/mutation/vitest.config.ts',
      ],
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
      const silent = Date.now() - Math.max(written, begun)
      if (silent < SILENCE.mutant * 1000) return
      const { kind, id, test } = logOf(folder).at(-1) ?? {}
      if (kind !== 'begun' && silent < SILENCE.usual * 1000) return
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
  const { drawn, loading } = /** @type {{ drawn: number[], loading: Record<number, string[]> }} */ (
    log.find(({ kind }) => kind === 'end')
  )
  for (const id of drawn) {
    if (!loading[id]?.length) continue
    const code = await runOnce(folder, id, loading[id])
    if (code !== 0) append(folder, { kind: 'killed', id, test: 'on loading', why: `exit code ${code}` })
  }
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
