import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cellKeys, takeApart } from './cell-keys.ts'

const texts = (size: number) => Array.from({ length: size }, (_, i) => `label ${i}`)

describe('the codes of a cell', () => {
  it('come out of its words as they went in, however many modes there are', () => {
    fc.assert(
      fc.property(
        fc
          .array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 40 })
          .chain(sizes =>
            fc.tuple(fc.constant(sizes), fc.array(fc.tuple(...sizes.map(max => fc.integer({ min: 0, max }))))),
          ),
        ([sizes, cells]) => {
          const keys = cellKeys(sizes.map(texts))
          expect(keys.words.flat()).toEqual([...sizes.keys()])
          const words = keys.words.map(modes =>
            Int32Array.from(cells, cell => {
              const word = modes.reduce((sum, n) => sum * (sizes[n] + 1) + cell[n], 0)
              expect(word).toBeLessThan(2 ** 31)
              return word
            }),
          )
          const columns = sizes.map(() => new Int32Array(cells.length + 1))
          takeApart(keys, words, columns, 1)
          expect(columns.map(column => [...column.subarray(1)])).toEqual(
            sizes.map((_, n) => cells.map(cell => cell[n] - 1)),
          )
        },
      ),
      { seed: 5, numRuns: 60 },
    )
  })

  it('leave out texts that no statement can hold', () => {
    expect(cellKeys([['a', 'b\0c', 'd']]).texts).toEqual([['a', 'd']])
  })
})
