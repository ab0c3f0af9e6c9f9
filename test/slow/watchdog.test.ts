import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { scratchFolder } from '../run-polyad.ts'

/** Commands on data that would keep them busy for minutes: a limit of two seconds, or a signal, ends each of them. */

const scratch = scratchFolder()
afterAll(scratch.remove)
const hard = scratch.path('hard.csv')
let state = 5
const draw = (size: number) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return Math.floor(size * (state / 2 ** 32))
}
const rows = Array.from({ length: 150_000 }, () => [draw(3000), draw(400), draw(30), draw(12), draw(5), draw(3)])
writeFileSync(
  hard,
  `user,item,hour,month,kind,place\n${rows.map(row => row.map(each => `v${each}`).join()).join('\n')}\n`,
)
const some = ['--modes', 'hour,month,kind,place']
const all = ['--modes', 'user,item,hour,month,kind,place']

const COMMANDS: readonly (readonly string[])[] = [
  ['fit', hard, '-k', '40', ...all],
  ['fit', hard, '-k', '8', ...some, '--se', '--residuals', '--bootstrap', '100000', '--starts', '2'],
  ['fit', hard, '-k', '4', '--modes', 'month,kind,place', '--covariates', 'hour', '--starts', '100000'],
  ['fit', hard, '-k', '4', '--modes', 'hour,month,kind', '--groups', 'place', '--starts', '100000'],
  ['rank', hard, '-k', '2..40', ...all],
  ['test', hard, '-k', '4', ...some, '--replicates', '100000'],
  ['independence', hard, ...all],
  ['convert', hard, scratch.path('hard.tns'), ...all],
]

const binary = fileURLToPath(new URL('../../packages/polyad/bin/polyad.js', import.meta.url))
/** Seconds beyond the limit: a busy machine takes some to start a process, and to end one. */
const LATE = 8

const run = (args: readonly string[], signalAfter?: number) =>
  new Promise<{ code: number | null; seconds: number; stderr: string }>(resolve => {
    const began = performance.now()
    const child = spawn(process.execPath, [binary, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
    let stderr = ''
    child.stderr.on('data', (text: Buffer) => {
      stderr += text
    })
    const timer = signalAfter === undefined ? undefined : setTimeout(() => child.kill('SIGTERM'), signalAfter * 1000)
    child.on('exit', (exit, signal) => {
      clearTimeout(timer)
      // A process that has not got so far as to listen to signals is ended by the system: to a shell that is the same.
      const code = signal === 'SIGTERM' ? 143 : exit
      resolve({ code, seconds: (performance.now() - began) / 1000, stderr })
    })
  })

describe('a limit of two seconds', () => {
  it.each(COMMANDS.map(args => [args.join(' ').replaceAll(hard, 'hard.csv'), args] as const))(
    'ends %s',
    async (_, args) => {
      const { code, seconds, stderr } = await run([...args, '--max-seconds', '2'])
      expect(seconds).toBeLessThan(2 + LATE)
      // It was over before, ended with what there was, or says that there was nothing.
      if (code !== 0) expect(stderr).toMatch(/time limit/)
      expect([0, 1], stderr).toContain(code)
    },
  )

  it.each(COMMANDS.map(args => [args.join(' ').replaceAll(hard, 'hard.csv'), args] as const))(
    'is as good as SIGTERM: %s',
    async (_, args) => {
      const { code, seconds, stderr } = await run(args, 2)
      expect(seconds).toBeLessThan(2 + LATE)
      expect([0, 143], stderr).toContain(code)
    },
  )
})
