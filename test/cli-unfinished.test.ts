import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { polyadProcess } from './run-polyad.ts'

const iris = fileURLToPath(new URL('../packages/polyad/data/iris.csv', import.meta.url))

describe('a command that waits for what never comes', () => {
  const never = (promise: string, thread: string) => ({
    env: {
      NODE_OPTIONS: `--import=${new URL('./never-settles.mjs', import.meta.url).href}`,
      ...{ NEVER: promise, NEVER_IN: thread },
    },
  })

  it.each([
    ['WebAssembly.compile', 'command', ['fit', iris, '-k', '2']],
    ['Promise.all', 'command', ['rank', iris, '-k', '1..2']],
    ['Promise.all', 'main', ['completion', 'bash']],
  ])('%s in the thread %s: ends with words and exit code 1', async (promise, thread, args) => {
    const { code, stdout, stderr } = await polyadProcess(args, never(promise, thread))
    expect(stderr).toContain('something that it waited for never came')
    expect(stdout).toBe('')
    expect(code).toBe(1)
  })

  it('says so in the object of --json', async () => {
    const args = ['fit', iris, '-k', '2', '--json']
    const { code, stdout } = await polyadProcess(args, never('WebAssembly.compile', 'command'))
    expect(code).toBe(1)
    expect(JSON.parse(stdout).error).toMatchObject({ code: 'POLYAD_BUG' })
  })
})
