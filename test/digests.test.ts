import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { randomTensor } from '../packages/core/src/engine/conformance.ts'
import { writeCells } from '../packages/core/src/engine/disk/cells-writer.ts'
import { openCells } from '../packages/core/src/engine/disk/open-cells.ts'
import * as core from '../packages/core/src/index.ts'
import { DIGEST_CASES, numbersOf } from './digest-cases.ts'
import { testFolder } from './test-folder.ts'

/**
 * The same data and seed give the same bits, from one version to the next too. A digest that changes on purpose is written anew by
 * `POLYAD_DIGESTS=write npx vitest run test/digests.test.ts`, and the changelog says why.
 */

const RECORD = fileURLToPath(new URL('data/digests.json', import.meta.url))
const recorded = JSON.parse(readFileSync(RECORD, 'utf8')) as Record<string, string>
const { path } = testFolder()

const digest = (numbers: Float64Array): string => {
  expect(numbers.every(Number.isFinite)).toBe(true)
  return createHash('sha256').update(new Uint8Array(numbers.buffer)).digest('hex').slice(0, 32)
}

describe('the bits on record', () => {
  const seen: Record<string, string> = {}

  it.each(DIGEST_CASES)('$name, on 1 and on 4 threads', async example => {
    const [one, four] = [1, 4].map(async threads => digest(await numbersOf({ core, randomTensor }, example, threads)))
    seen[example.name] = await one
    expect(await four).toBe(await one)
    if (process.env.POLYAD_DIGESTS !== 'write') expect(await one).toBe(recorded[example.name])
  })

  it.each(DIGEST_CASES.filter(({ fit, errors, bootstrap }) => fit !== undefined && !errors && !bootstrap))(
    '$name, from a file of cells',
    async example => {
      const file = path(`${example.name.replaceAll(/\W/g, '-')}.polyad`)
      const fit: typeof core.fit = async (tensor, { threads: _, ...options }) => {
        await writeCells(tensor as core.Tensor, file)
        await using session = await openCells(file, { memory: 0, threads: 1 })
        return await core.fit(session, options)
      }
      expect(digest(await numbersOf({ core: { ...core, fit }, randomTensor }, example, 1))).toBe(seen[example.name])
    },
  )

  it('are those of these cases, and of no others', () => {
    if (process.env.POLYAD_DIGESTS === 'write') writeFileSync(RECORD, `${JSON.stringify(seen, null, 2)}\n`)
    else expect(Object.keys(recorded)).toEqual(DIGEST_CASES.map(({ name }) => name))
  })
})
