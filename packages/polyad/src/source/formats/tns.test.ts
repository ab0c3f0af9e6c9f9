import { gzipSync } from 'node:zlib'
import { Mode, Model, tensorFromRows } from '@polyad/core'
import { describe, expect, it } from 'vitest'
import { testFolder } from '../../../../../test/test-folder.ts'
import { loadModel } from '../../output/model-store.ts'
import { writeKtensor, writeTensor } from '../../output/write-tensor.ts'
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

/** As pyttb 1.8 writes them. */
const KTENSOR =
  'ktensor\n2\n2 3\n2\n1.0000000000000000e+01 2.0000000000000000e+01\nmatrix\n2\n2 2\n2.0000000000000001e-01 5.0000000000000000e-01\n8.0000000000000004e-01 5.0000000000000000e-01\nmatrix\n2\n3 2\n2.0000000000000001e-01 4.0000000000000002e-01\n4.0000000000000002e-01 5.0000000000000000e-01\n1.3999999999999999e+00 1.0000000000000001e-01\n'

describe('files of the Tensor Toolbox, pyttb and GenTen', () => {
  it.each([
    ['a tensor, its first index the fastest', 'tensor\n2\n2 3\n1\n4\n2\n5\n3\n6\n'],
    ['a matrix, one value a line', 'matrix\n2\n2 3\n1\n2\n3\n4\n5\n6\n'],
    ['a matrix of GenTen, with comments', '// of GenTen\nfacmatrix\n2\n2 3\n1e0 2e0 3e0 // a row\n4 5 6\n'],
    ['a sparse tensor of GenTen', '// x\nsptensor\n2\n2 3\n6\n0 0 1\n0 1 2\n0 2 3\n1 0 4\n1 1 5 // five\n1 2 6\n'],
    ['one that counts from 1', 'sptensor indices-start-at-one\n2\n2 3\n6\n1 1 1\n1 2 2\n1 3 3\n2 1 4\n2 2 5\n2 3 6\n'],
  ])('%s', async (_, text) => {
    const { tensor } = await readTensor(file('toolbox.tns', text))
    expect(tensor.shape).toEqual([2, 3])
    expect(Array.from(tensor.values)).toEqual([1, 2, 3, 4, 5, 6])
    expect(Array.from(tensor.indices[1])).toEqual([0, 1, 2, 0, 1, 2])
  })

  it('a ktensor is a model, and a model a ktensor', async () => {
    const { model } = loadModel(file('k.tns', KTENSOR))
    // The second factor of the first component sums to 2.
    expect(model.sizes).toEqual([20, 20])
    expect(model.profile('mode2', 0).map(p => Number(p.toFixed(12)))).toEqual([0.1, 0.2, 0.7])
    expect(model.expected({ mode1: 2, mode2: 3 })).toBeCloseTo(20 * (0.8 * 0.7 + 0.5 * 0.1), 12)
    const named = new Model([new Mode('a', ['x', 'y']), new Mode('b', 3)], {
      rank: 2,
      sizes: Float64Array.of(7, 1 / 3),
      factors: [Float64Array.of(0.1, 0.7, 0.9, 0.3), Float64Array.of(0.2, 1 / 3, 0.3, 1 / 3, 0.5, 1 / 3)],
    })
    await writeKtensor(named, pathOf('named.tns'))
    const back = loadModel(pathOf('named.tns')).model
    expect(back.sizes).toEqual(named.sizes)
    expect(back.modes.map(({ name, labels }) => [name, labels])).toEqual([
      ['a', ['x', 'y']],
      ['b', [0, 1, 2]],
    ])
    back.parameters.factors.forEach((factor, n) => {
      factor.forEach((p, i) => void expect(p).toBeCloseTo(named.parameters.factors[n][i], 15))
    })
    await expect(readTensor(pathOf('named.tns'))).rejects.toThrow('holds a model, not data')
  })

  it.each([
    ['tensor\n2\n2 3\n1\n4\n', 'its sizes promise 6 values of the array, and there are 2'],
    ['matrix\n2\n2 1\n1\n-4\n', 'the array has the value -4, and no value may be negative'],
    ['matrix\n2\n2 1\n1\n4\n5\n', 'it has more values than its sizes say (5)'],
    ['tensor\n2\n2 x\n', 'size 2 must be a number (got x)'],
  ])('a damaged one is refused: %j', async (text, reason) => {
    await expect(readTensor(file('bad-toolbox.tns', text))).rejects.toThrow(reason)
  })

  it.each([
    ['0.1', '-0.1', 'factor 1 has the value'],
    ['2 2\n2.0', '2 3\n2.0', 'factor 1 must be 2 × 2 (got 2 × 3)'],
    ['ktensor\n2\n2 3\n2\n1.0', 'ktensor\n2\n2 3\n2\nx', 'the weights must be a number'],
  ])('a damaged ktensor is refused', (from, to, reason) => {
    const text = from === '0.1' ? KTENSOR.replace('2.0000000000000001e-01', '-2e-1') : KTENSOR.replace(from, to)
    expect(() => loadModel(file('bad-k.tns', text))).toThrow(reason)
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
