import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const core = new URL('../packages/core/dist/', import.meta.url)

/** Runs a program of its own around an engine whose workers hold a large tensor; gives what it printed. */
const run = async (body: string): Promise<string> => {
  const program = `
import { wasmEngine } from '${core}engine/wasm/wasm-engine.js'
import { randomTensor } from '${core}engine/conformance.js'
import { randomStart } from '${core}model/random.js'
const tensor = randomTensor({ shape: [200, 150, 100], cells: 150_000 })
const start = randomStart(tensor.shape, 6, tensor.total, 1, 0)
const session = await wasmEngine({ threads: 3 }).open(tensor, 6)
${body}`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    timeout: 30_000,
  })
  return stdout
}

test('a session left open does not keep a process alive', async () => {
  expect(await run("await session.pass(start); console.log('done')")).toBe('done\n')
})

test('a pass under way does', async () => {
  expect(await run("session.pass(start).then(() => console.log('done'))")).toBe('done\n')
})
