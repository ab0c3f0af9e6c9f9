import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fit, openCheckpoint } from '@polyad/core'
import { afterAll, describe, expect, it } from 'vitest'
import { csvOf, objectOf, polyad, scratchFolder } from './run-polyad.ts'
import { values } from './tables.ts'

const scratch = scratchFolder()
afterAll(scratch.remove)
const file = scratch.path('values.csv')
writeFileSync(file, csvOf(values))
const fitting = ['fit', file, '-k', '2', '--starts', '3', '--json']

describe('--checkpoint', () => {
  it('changes nothing in the result, and leaves no file when the command ends well', async () => {
    const path = scratch.path('run.ckpt')
    const { seconds: _, ...plain } = objectOf(await polyad(fitting), 'fit')
    const ended = await polyad([...fitting, '--checkpoint', path, '--checkpoint-every', '0'])
    const { seconds: __, checkpoint, ...kept } = objectOf(ended, 'fit')
    expect(kept).toEqual(plain)
    expect(checkpoint).toEqual({ file: path, resumed: false, units: 0 })
    expect(existsSync(path)).toBe(false)
  })

  it('refuses a file of another run, of another version, and one that is no checkpoint', async () => {
    const path = scratch.path('other.ckpt')
    // As a command writes it that was killed: what it was asked for, and what was done.
    const facts = { version: '0.0.1', command: 'fit' }
    const state = openCheckpoint({ facts, store: bytes => writeFileSync(path, bytes) })
    await fit(values, { rank: 2, starts: 1, threads: 1, checkpoint: state })
    await state.close()
    const { code, stderr } = await polyad([...fitting, '--checkpoint', path])
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /other\.ckpt belongs to a run with version 0\.0\.1, and this run has version \S+: use another file, or remove it/,
    )
    const before = readFileSync(path)
    writeFileSync(path, before.subarray(0, -1))
    expect((await polyad([...fitting, '--checkpoint', path])).stderr).toContain('is damaged or cut short: remove it')
    const table = await polyad([...fitting, '--checkpoint', file])
    expect(table.stderr).toContain('is not a checkpoint of Polyad: use another file')
    expect(readFileSync(file, 'utf8')).toBe(csvOf(values))
  })

  it('that cannot be written warns once, and the command goes on', async () => {
    const path = scratch.path('no/such/folder/run.ckpt')
    const { code, stderr } = await polyad([...fitting, '--checkpoint', path, '--checkpoint-every', '0'])
    expect(code).toBe(0)
    expect(stderr.match(/the checkpoint could not be written/g)).toHaveLength(1)
  })

  it('--checkpoint-every needs it', async () => {
    const { stderr } = await polyad([...fitting, '--checkpoint-every', '5'])
    expect(stderr).toContain('--checkpoint-every needs --checkpoint')
  })
})
