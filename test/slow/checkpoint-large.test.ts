import { existsSync, writeFileSync } from 'node:fs'
import { writeNpz } from '@polyad/core/file'
import { random } from '@polyad/core/numeric'
import { afterAll, expect, it } from 'vitest'
import { polyadProcess, scratchFolder, signalOnceThere } from '../run-polyad.ts'

const scratch = scratchFolder()
afterAll(scratch.remove)

const CELLS = 5_000_000
const SIZES = [3000, 2000, 1500, 60]

/** Two kinds of cells, each in its own half of every mode, with some noise. */
const cellsOf = (): Uint8Array => {
  const { below, uniform } = random(1, 'data')
  const indices = new Int32Array(CELLS * SIZES.length)
  for (let at = 0; at < indices.length; ) {
    const kind = below(2)
    for (const size of SIZES) indices[at++] = uniform() < 0.9 ? (size >> 1) * kind + below(size >> 1) : below(size)
  }
  return writeNpz(
    new Map([
      ['indices', { shape: [CELLS, SIZES.length], data: indices }],
      ['values', { shape: [CELLS], data: new Float64Array(CELLS).fill(1) }],
    ]),
  )
}

it('a fit of 5 million cells that is killed in its first run goes on from the middle, with the same figures', async () => {
  const [arrays, cells, file] = ['cells.npz', 'cells.polyad', 'run.ckpt'].map(scratch.path)
  writeFileSync(arrays, cellsOf())
  expect((await polyadProcess(['convert', arrays, cells])).code).toBe(0)
  const args = ['fit', cells, '-k', '2', '--starts', '1', '--max-passes', '40', '--json']
  const undisturbed = await polyadProcess([...args, '-q'])
  expect(undisturbed.code, undisturbed.stderr).toBe(0)
  // A file without results has 300 bytes. A state that is there was kept during the first run, because there is no other.
  const killed = await polyadProcess([...args, '--checkpoint', file], {
    when: [signalOnceThere('N = ', file, 10_000, 'SIGKILL')],
  })
  expect([killed.code, existsSync(file)]).toEqual([null, true])
  const resumed = await polyadProcess([...args, '--checkpoint', file])
  expect(resumed.stderr).toContain(`resumed from ${file}: in the middle of a run`)
  const figures = ({ stdout }: { stdout: string }) => {
    const { seconds: _, checkpoint: __, ...rest } = JSON.parse(stdout)
    return rest
  }
  expect(figures(resumed)).toEqual(figures(undisturbed))
})
