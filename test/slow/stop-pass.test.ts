import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeCells } from '../../packages/core/src/engine/disk/cells-writer.ts'
import { openCells } from '../../packages/core/src/engine/disk/open-cells.ts'
import type { Session } from '../../packages/core/src/engine/engine.ts'
import { randomTensor } from '../../packages/core/src/engine/random-tensor.ts'
import { wasmEngine } from '../../packages/core/src/engine/wasm/wasm-engine.ts'
import { randomStart } from '../../packages/core/src/model/random.ts'

const tensor = randomTensor({ shape: [400, 300, 40], cells: 120_000 })
const parameters = randomStart(tensor.shape, 192, 1, 0)

/** A signal that fires as soon as the event loop gets a turn. */
const soon = () => {
  const controller = new AbortController()
  setImmediate(() => controller.abort('enough'))
  return controller.signal
}

const usable = async (session: Session) => {
  const never = new AbortController().signal
  const whole = await session.pass(parameters)
  const measured = await session.measure(parameters)
  const stopped = { name: 'AbortError', cause: 'enough' }
  await expect(session.pass(parameters, undefined, soon())).rejects.toMatchObject(stopped)
  await expect(session.measure(parameters, soon())).rejects.toMatchObject(stopped)
  await expect(session.pass(parameters, undefined, AbortSignal.abort('enough'))).rejects.toMatchObject(stopped)
  expect(await session.pass(parameters, undefined, never)).toStrictEqual(whole)
  expect(await session.measure(parameters, never)).toStrictEqual(measured)
  // A pass that is over at once does not look.
  const small = randomStart(tensor.shape, 2, 1, 0)
  expect(await session.pass(small, undefined, AbortSignal.abort())).toStrictEqual(await session.pass(small))
}

describe('a long pass that is given up', () => {
  it.each([
    ['on the calling thread', { threads: 1 }],
    ['on threads that share memory', { threads: 2 }],
    ['on threads that do not', { threads: 2, sharedMemory: false }],
  ])('%s leaves a session that gives the same bits as before', async (_, options) => {
    const session = await wasmEngine(options).open(tensor)
    try {
      await usable(session)
    } finally {
      await session.close()
    }
  })

  it('leaves a file of cells that gives the same bits as before', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'polyad-stop-'))
    try {
      const path = join(folder, 'cells.polyad')
      await writeCells(tensor, path)
      for (const threads of [1, 2]) {
        const session = await openCells(path, { memory: 0, threads })
        await usable(session)
        await session.close()
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('is refused while it is placed, too', async () => {
    await expect(wasmEngine({ threads: 2 }).open(tensor, AbortSignal.abort('enough'))).rejects.toMatchObject({
      name: 'AbortError',
    })
  })
})
