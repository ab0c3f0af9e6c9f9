import { gzipSync } from 'node:zlib'
import { tensorFromRows } from '@polyad/core'
import { describe, expect, it } from 'vitest'
import { testFolder } from '../../../../../test/test-folder.ts'
import { writeTensor } from '../../output/write-tensor.ts'
import { readTensor } from '../read-tensor.ts'

const { file, path: pathOf } = testFolder()

describe('sparse tensors', () => {
  const cells = '1 1 3\n2 2 2\n2 1 1.5\n'
  it.each([
    [
      'plain',
      'a.tns',
      cells,
      [
        [3, 0],
        [1.5, 2],
      ],
    ],
    [
      'with comments',
      'b.tns',
      `# a comment\n${cells}`,
      [
        [3, 0],
        [1.5, 2],
      ],
    ],
    [
      'without a last line end',
      'c.tns',
      cells.trimEnd(),
      [
        [3, 0],
        [1.5, 2],
      ],
    ],
    [
      'gzipped',
      'd.tns.gz',
      gzipSync(cells),
      [
        [3, 0],
        [1.5, 2],
      ],
    ],
    [
      'with a Tensor Toolbox header',
      'e.tns',
      `sptensor\n2\n2 3\n3\n${cells}`,
      [
        [3, 0, 0],
        [1.5, 2, 0],
      ],
    ],
    [
      'counting from 0',
      'f.tns',
      '0 0 3\n1 1 2\n1 0 1.5\n',
      [
        [3, 0],
        [1.5, 2],
      ],
    ],
    [
      'with tabs, exponents and repeated cells',
      'g.tns',
      '1\t1\t1e0\n1  1 2\n2 2 2e0 \r\n2 1 .15E+1\n',
      [
        [3, 0],
        [1.5, 2],
      ],
    ],
  ])('%s', async (_, name, content, table) => {
    const { tensor } = await readTensor(file(name, content))
    expect(tensor.shape).toEqual([table.length, table[0].length])
    for (let cell = 0; cell < tensor.cells; cell++) {
      expect(tensor.values[cell]).toBe(table[tensor.indices[0][cell]][tensor.indices[1][cell]])
    }
    expect(tensor.total).toBe(6.5)
  })

  it('keep the indices of the file as labels', async () => {
    expect((await readTensor(file('l.tns', cells))).tensor.modes[0].labels).toEqual([1, 2])
    expect((await readTensor(file('l0.tns', '0 1 1\n'))).tensor.modes[1].label(1)).toBe(1)
  })

  it.each([
    ['a word', '1 1 3\n1 x 2\n', 'line 2, field 2: "x" is not a number'],
    ['a very long word', `1 1 3\n1 ${'x'.repeat(5000)} 2\n`, `line 2, field 2: "${'x'.repeat(40)}…" is not a number`],
    ['a hexadecimal index', '1 1 3\n0x10 1 2\n', 'line 2, field 1: "0x10" is not a number'],
    ['an index beyond all memory', '1 1 3\n1 2000000000 2\n', 'line 2, field 2: the index 2000000000 is too large'],
    ['a fraction for an index', '1 1 3\n1.5 1 2\n', 'line 2, field 1: an index must be a whole number'],
    ['a negative value', '1 1 3\n1 2 -2\n', 'line 2, field 3: a value must not be negative'],
    ['too few fields', '1 1 3\n1 2\n', 'line 2, field 2: it has 2 fields where 3 are expected'],
    ['nothing but comments', '# nothing\n', 'has no cells'],
    ['bytes that are no text', '1 1 \u0001\n', 'it is not text'],
    ['fewer cells than the header promises', 'sptensor\n2\n2 2\n3\n1 1 1\n', 'promises 3 cells and there are 1'],
    ['an index beyond the header', 'sptensor\n2\n2 2\n1\n1 3 1\n', 'beyond the size 2'],
  ])('are refused with %s', async (_, content, reason) => {
    await expect(readTensor(file('bad.tns', content))).rejects.toThrow(reason)
  })
})

describe('labels beside a sparse tensor', () => {
  const tensor = tensorFromRows(
    [
      { region: 'north', vote: 'yes', n: 3 },
      { region: 'south', vote: 'no', n: 2 },
    ],
    { count: 'n' },
  )

  it.each(['x.tns', 'y.tns.gz'])('are written and read back: %s', async name => {
    const path = pathOf(name)
    await writeTensor(tensor, path)
    const read = await readTensor(path)
    expect(read.tensor).toEqual(tensor)
    expect(read.notes).toEqual([{ kind: 'choice', text: expect.stringContaining('.labels.json') }])
    expect((await readTensor(path, { modes: ['a', 'b'] })).tensor.modes[0].name).toBe('a')
  })

  it('are refused if they are not labels', async () => {
    const path = file('w.tns', '1 1 3\n2 1 4\n')
    const refused = [
      [null, 'modes[0] must be an object'],
      [{ name: 'a' }, 'modes[0].labels must be a list (it is missing)'],
      [{ name: 'a', labels: [null] }, 'modes[0].labels[0] must be a text or a finite number'],
    ]
    for (const [mode, reason] of refused) {
      file('w.labels.json', JSON.stringify({ format: 'polyad-labels', modes: [mode] }))
      await expect(readTensor(path)).rejects.toThrow(`w.labels.json: ${reason}`)
    }
  })

  it('are removed with the tensor they belong to, and refused by another', async () => {
    const path = pathOf('z.tns')
    await writeTensor(tensor, path)
    file('z.tns', '1 3 5\n')
    await expect(readTensor(path)).rejects.toThrow('z.labels.json does not fit')
    await writeTensor((await readTensor(file('plain.tns', '1 1 3\n2 1 4\n'))).tensor, path)
    expect((await readTensor(path)).notes).toEqual([])
  })
})
