import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { tensorFromColumns } from '@polyad/core'
import { writeNpy, writeNpz } from '@polyad/core/file'
import { randomTensor } from '../../packages/core/src/engine/conformance.ts'
import { writeCells } from '../../packages/core/src/engine/disk/cells-writer.ts'
import { loadCells, openCells } from '../../packages/core/src/engine/disk/open-cells.ts'
import { randomStart } from '../../packages/core/src/model/random.ts'
import { readNpyTensor, readNpzTensor } from '../../packages/polyad/src/source/formats/numpy.ts'
import { readTns } from '../../packages/polyad/src/source/formats/tns.ts'
import { labelsPath } from '../../packages/polyad/src/source/formats/tns-labels.ts'
import { storedRecord } from '../../packages/polyad/src/source/readers.ts'
import { decodeRead, encodeRead } from '../../packages/polyad/src/studio/wire.ts'
import type { Random } from '../mutations.ts'
import { changedNpy, changedZip } from './archives.ts'
import { encode, type FuzzedReader } from './fuzz.ts'
import { changedJson } from './odd-values.ts'
import { changedCells } from './sealed.ts'
import { written } from './written.ts'

/** Tensors: cells that a file holds already. */

const LABELS = {
  format: 'polyad-labels',
  modes: [
    { name: 'a', labels: ['x', 'y', 'z'], ordered: false },
    { name: 'b', labels: [1, 2, 3], ordered: true },
    { name: 'c', labels: ['u', 'v', 'w'], ordered: false },
  ],
}

const readCells = async (path: string): Promise<void> => {
  const { tensor, record } = loadCells(path)
  storedRecord(record, tensor.modes.map(({ name }) => name), { path, cells: tensor.cells }) // biome-ignore format: one call
  const session = await openCells(path, { memory: 0, threads: 1 })
  try {
    await session.pass(randomStart(session.data.shape, 2, 1, 0))
  } finally {
    await session.close()
  }
}

const sent = (): Uint8Array =>
  encodeRead({
    tensor: tensorFromColumns([Int32Array.of(0, 1, 2), Int32Array.of(1, -1, 0)], Float64Array.of(1, 2, 0.5), {
      shape: [3, 2],
    }),
    rows: 3,
    dropped: 0,
    notes: [],
    recipe: { modes: [{ column: 'a' }, { column: 'b' }], missing: [] },
    source: { files: ['x.csv'], format: 'csv' },
  } as unknown as Parameters<typeof encodeRead>[0])

/** The head of data on its way to the page, changed. */
const changedSent = (bytes: Uint8Array, random: Random): Uint8Array => {
  const length = new DataView(bytes.buffer).getFloat64(8, true)
  const text = changedJson(JSON.parse(new TextDecoder().decode(bytes.subarray(16, 16 + length))), random)
  const head = encode(text.padEnd(8 * Math.ceil(encode(text).length / 8)))
  const changed = Uint8Array.from([...bytes.subarray(0, 16), ...head, ...bytes.subarray(16 + length)])
  new DataView(changed.buffer).setFloat64(8, head.length, true)
  return changed
}

export const CELLS: readonly FuzzedReader[] = [
  {
    name: '.tns',
    samples: () => [
      encode('# a comment\n1 2 3 4\n2 1 1 0.5\n3 3 3 1e2\n'),
      encode('sptensor\n2\n3 4\n2\n1 1 3\n3 4 1\n'),
    ],
    read: written('.tns', path => readTns(path)),
    text: true,
  },
  {
    name: 'labels beside .tns',
    samples: () => [encode(JSON.stringify(LABELS))],
    read: written(labelsPath('.tns'), labels => {
      const path = labels.replace(labelsPath('.tns'), '.tns')
      if (!existsSync(path)) writeFileSync(path, '1 2 3 4\n2 1 1 0.5\n')
      return readTns(path)
    }),
    change: (_, random) => encode(changedJson(LABELS, random)),
    text: true,
  },
  {
    name: '.npy',
    samples: () => [
      writeNpy({ data: Float64Array.of(1, 2, 3, 4, 5, 6), shape: [2, 3] }),
      writeNpy({ data: Int32Array.of(1, 0, 2, 3), shape: [2, 2] }),
    ],
    read: written('.npy', path => readNpyTensor(path, {})),
    change: changedNpy,
  },
  {
    name: '.npz',
    samples: () => [
      writeNpz(
        new Map([
          ['coords', { data: Int32Array.of(0, 1, 2, 1, 0, 1), shape: [2, 3] }],
          ['data', { data: Float64Array.of(3, 1, 2), shape: [3] }],
          ['shape', { data: Int32Array.of(3, 2), shape: [2] }],
        ]),
      ),
    ],
    read: written('.npz', path => readNpzTensor(path, {})),
    change: changedZip(changedNpy),
  },
  {
    name: '.polyad cells',
    samples: async path => {
      await writeCells(randomTensor({ shape: [3, 4], cells: 10 }), path('cells.polyad'))
      await writeCells(tensorFromColumns([Int32Array.of(0, 1), Int32Array.of(1, -1)], [2, 3]), path('small.polyad'))
      return ['cells.polyad', 'small.polyad'].map(name => new Uint8Array(readFileSync(path(name))))
    },
    read: written('.polyad', readCells),
    change: changedCells,
  },
  {
    name: 'data for the page',
    samples: () => [sent()],
    read: bytes => decodeRead(bytes),
    change: changedSent,
  },
]
