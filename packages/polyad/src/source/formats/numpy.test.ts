import { writeNpy } from '@polyad/core/file'
import { describe, expect, it } from 'vitest'
import { testFolder } from '../../../../../test/test-folder.ts'
import { writeZip } from '../../../../core/src/file/zip.ts'
import { readTensor } from '../read-tensor.ts'

const { file } = testFolder()

describe('NumPy arrays', () => {
  const dense = writeNpy({ shape: [2, 2], data: Float64Array.of(3, 0, 1.5, 2) })
  const data = writeNpy({ shape: [3], data: Float64Array.of(3, 2, 1.5) })
  const archives: [string, [string, Uint8Array][]][] = [
    ['one dense array', [['x.npy', dense]]],
    [
      'coordinates by column',
      [
        ['coords.npy', writeNpy({ shape: [2, 3], data: Int32Array.of(0, 1, 1, 0, 1, 0) })],
        ['data.npy', data],
      ],
    ],
    [
      'coordinates by row',
      [
        ['indices.npy', writeNpy({ shape: [3, 2], data: Int32Array.of(0, 0, 1, 1, 1, 0) })],
        ['values.npy', data],
      ],
    ],
    [
      'rows and columns',
      [
        ['row.npy', writeNpy({ shape: [3], data: Int32Array.of(0, 1, 1) })],
        ['col.npy', writeNpy({ shape: [3], data: Int32Array.of(0, 1, 0) })],
        ['data.npy', data],
      ],
    ],
    [
      'compressed rows',
      [
        ['indptr.npy', writeNpy({ shape: [3], data: Int32Array.of(0, 1, 3) })],
        ['indices.npy', writeNpy({ shape: [3], data: Int32Array.of(0, 1, 0) })],
        ['data.npy', data],
      ],
    ],
  ]
  it.each(archives)('%s', async (name, members) => {
    const { tensor } = await readTensor(file(`${name}.npz`, writeZip(new Map(members))))
    expect([...tensor.values]).toEqual([3, 1.5, 2])
    expect(tensor.shape).toEqual([2, 2])
  })

  it('as files of one array, dense or of cells', async () => {
    expect([...(await readTensor(file('d.npy', dense))).tensor.values]).toEqual([3, 1.5, 2])
    const list = writeNpy({ shape: [2, 3], data: Float64Array.of(0, 0, 3, 1, 4, 2) })
    const { tensor } = await readTensor(file('l.npy', list), { coordinates: true })
    expect(tensor.shape).toEqual([2, 5])
  })

  it('are refused where they are something else', async () => {
    await expect(readTensor(file('x.npz', 'no archive'))).rejects.toThrow('not a usable zip archive')
    await expect(readTensor(file('y.npz', writeZip(new Map([['model.json', new Uint8Array(2)]]))))).rejects.toThrow(
      'is a model',
    )
    const long = new Map(['a', 'b'].map(name => [`${name.repeat(3000)}.npy`, dense]))
    await expect(readTensor(file('long.npz', writeZip(long)))).rejects.toThrow(
      `holds ${'a'.repeat(200)}…, ${'b'.repeat(200)}…: one dense array is expected`,
    )
    await expect(readTensor(file('z.npy', writeNpy({ shape: [1], data: ['a'] })))).rejects.toThrow('strings')
    await expect(readTensor(file('w.npy', dense), { count: 'n' })).rejects.toThrow('count is for tables')
  })
})
