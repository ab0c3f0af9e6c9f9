import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { EngineError, fit, tensorFromColumns } from '@polyad/core'
import { describe, expect, it } from 'vitest'
import { graphicsEngine } from './graphics-engine.ts'

const small = tensorFromColumns(
  [
    [0, 0, 1],
    [0, 1, 1],
  ],
  [3, 1, 4],
)

/** A package in which WebGPU finds no device. */
const without = (): string => {
  const path = join(mkdtempSync(join(tmpdir(), 'polyad-test-')), 'index.mjs')
  writeFileSync(path, 'export const globals = {}; export const create = () => ({ requestAdapter: async () => null })')
  return pathToFileURL(path).href
}

describe('the engine of graphics devices in Node', () => {
  it('says which package is missing', async () => {
    const error = await graphicsEngine({ module: 'no-such-package' }).catch(error => error)
    expect(error).toBeInstanceOf(EngineError)
    expect(error.message).toBe(
      'graphics devices need the package no-such-package, which is not installed: npm install no-such-package',
    )
  })

  it('says that there is no device', async () => {
    const engine = await graphicsEngine({ module: without() })
    await expect(engine.open(small)).rejects.toThrow('no graphics device was found')
  })

  it('leaves it to the processor where that is wanted, and says why', async () => {
    const said: string[] = []
    const onFallback = (reason: string) => said.push(reason)
    const absent = await graphicsEngine({ module: 'no-such-package', onFallback })
    expect((await fit(small, { rank: 1, engine: absent })).converged).toBe(true)
    expect(said).toEqual([expect.stringContaining('not installed')])
    // Small data asks for no device at all.
    const device = await graphicsEngine({ module: without(), onFallback })
    expect((await fit(small, { rank: 1, engine: device })).converged).toBe(true)
    expect(said).toHaveLength(1)
    const cells = 1_500_000
    const column = (step: number) => Int32Array.from({ length: cells }, (_, i) => Math.floor(i / step) % 2000)
    const session = await device.open(tensorFromColumns([column(1), column(2000)]))
    expect(session.single?.descents).toBeUndefined()
    await session.close()
    expect(said[1]).toBe('no graphics device was found: WebGPU has no adapter here')
  })
})
