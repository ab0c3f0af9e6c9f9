import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { testFolder } from '../test-folder.ts'

/** Test files that fail are run once more, alone, in the suites that use browsers and servers. */

const script = fileURLToPath(new URL('../../scripts/rerun.mjs', import.meta.url))

/** Begins with what is to happen in the first run only. */
const firstRun = (name: string, statement: string): string =>
  `import { existsSync, writeFileSync } from 'node:fs'
   const first = !existsSync('ran-${name}')
   writeFileSync('ran-${name}', '')
   if (first) { ${statement} }\n`

const GOOD = `it('is right', () => {})\n`
const ERROR = `throw new Error('wrong')`

describe.concurrent('the second run of a test file that failed', () => {
  const { file, path } = testFolder()

  const run = (folder: string, files: Readonly<Record<string, string>>, args: readonly string[] = []) => {
    for (const [name, content] of Object.entries({ 'vitest.config.mjs': 'export default {}', ...files })) {
      mkdirSync(dirname(path(`${folder}/${name}`)), { recursive: true })
      file(`${folder}/${name}`, content)
    }
    return new Promise<{ code: number | null; lines: string[] }>(resolve => {
      const { FORCE_COLOR: _, ...env } = process.env
      const child = spawn(process.execPath, [script, '--globals', ...args], {
        cwd: path(folder),
        env: { ...env, NO_COLOR: '1' },
      })
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', text => {
          output += text
        })
      child.on('close', code => resolve({ code, lines: output.trimEnd().split('\n') }))
    })
  }

  it('is a success if it passes, and the last line names the file; other files than those asked for stay out', async () => {
    const files = { 'shaky.test.mjs': `${firstRun('shaky', ERROR)}${GOOD}`, 'other.test.mjs': ERROR }
    const { code, lines } = await run('flaky', files, ['shaky'])
    const closing = [' Test Files  1 passed (1)', '      Tests  1 passed (1)', '', 'flaky: shaky.test.mjs']
    expect(lines.slice(-4)).toEqual(closing)
    expect(code).toBe(0)
  })

  it('fails the run if it fails, whatever else passes', async () => {
    const { code, lines } = await run('failing', {
      'good.test.mjs': `${GOOD}it.skip('is skipped', () => {})`,
      'wrong.test.mjs': `${GOOD}it('is wrong', () => { ${ERROR} })`,
      'assertion.test.mjs': `${firstRun('assertion', `it('is wrong', () => { ${ERROR} })`)}${GOOD}`,
      'outside.test.mjs': `${firstRun('outside', `setTimeout(() => { ${ERROR} })`)}it('waits', () => new Promise(resolve => setTimeout(resolve, 50)))`,
      'crash.test.mjs': `${firstRun('crash', `it('crashes', () => process.kill(process.pid, 'SIGKILL'))`)}${GOOD}`,
    })
    expect(lines.slice(-5)).toEqual([
      ' Test Files  1 failed | 4 passed (5)',
      '      Tests  1 failed | 5 passed | 1 skipped (7)',
      '',
      'failed twice: wrong.test.mjs',
      expect.stringMatching(/^flaky: /),
    ])
    const flaky = lines.at(-1)?.slice('flaky: '.length).split(', ').sort()
    expect(flaky).toEqual(['assertion.test.mjs', 'crash.test.mjs', 'outside.test.mjs'])
    expect(code).toBe(1)
  })

  it('is not made if an error belongs to no file', async () => {
    const { code, lines } = await run('outside', {
      'vitest.config.mjs': `export default { test: { globalSetup: './setup.mjs' } }`,
      'setup.mjs': `export const setup = () => { Promise.reject(new Error('wrong')) }`,
      'shaky.test.mjs': `${firstRun('shaky', ERROR)}${GOOD}`,
    })
    expect(lines).toContainEqual(expect.stringContaining('an error that belongs to no test file'))
    expect(code).toBe(1)
  })

  it('is not made if Vitest does not start', async () => {
    const { code, lines } = await run('broken', { 'vitest.config.mjs': ERROR, 'good.test.mjs': GOOD })
    expect(lines).toContainEqual(expect.stringContaining('an error that belongs to no test file'))
    expect(code).toBe(1)
  })
})
