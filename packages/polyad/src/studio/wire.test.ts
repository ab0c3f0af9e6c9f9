import { DataError, Mode, type Tensor, tensorFromColumns } from '@polyad/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tensors } from '../../../../test/arbitrary.ts'
import type { ReadResult } from '../table/reading/read-view.ts'
import { tensorDigest } from '../table/view/tensor-digest.ts'
import { decodeRead, encodeRead } from './wire.ts'

/** Any text: with halves of surrogate pairs, zeros, line separators. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map(codes => String.fromCharCode(...codes)),
)
const number = fc.double({ noNaN: true, noDefaultInfinity: true })

/** A random tensor with labels of every kind, or none, in place of its indices. */
const labelled = tensors().chain(tensor =>
  fc
    .tuple(
      ...tensor.shape.map(size =>
        fc.oneof(
          fc.uniqueArray(text, { minLength: size, maxLength: size }),
          fc.uniqueArray(number, { minLength: size, maxLength: size, selector: String }),
          fc.constant(undefined),
        ),
      ),
      fc.array(fc.boolean(), { minLength: tensor.shape.length, maxLength: tensor.shape.length }),
    )
    .map(drawn => {
      const ordered = drawn.at(-1) as boolean[]
      const modes = tensor.shape.map((_, n) => {
        const labels = drawn[n] as (string | number)[] | undefined
        return { name: `é\u0000${n}"\ud800`, ordered: ordered[n], ...(labels === undefined ? {} : { labels }) }
      })
      return tensorFromColumns(tensor.indices, tensor.values, { shape: tensor.shape, modes })
    }),
)

const results: fc.Arbitrary<ReadResult> = fc
  .tuple(labelled, fc.boolean(), fc.nat(), fc.array(text), fc.array(fc.double()))
  .map(([tensor, weighted, rows, texts, edges]) => ({
    tensor,
    ...(weighted
      ? {
          squares: tensorOf(
            tensor,
            tensor.values.map(value => value * value),
          ),
        }
      : {}),
    rows,
    dropped: 0,
    notes: texts.map(each => ({ kind: 'warning', text: each })),
    recipe: { modes: [{ column: 'a', binning: { kind: 'quantiles', edges } }], missing: texts },
    source: { files: texts, rows },
  }))

const tensorOf = ({ modes, shape, indices }: Tensor, values: Float64Array): Tensor =>
  tensorFromColumns(indices, values, {
    shape,
    modes: modes.map(({ name, ordered, labels }) => ({ name, ordered, ...(labels === undefined ? {} : { labels }) })),
  })

/** Everything of a tensor that can differ; toEqual tells −0 from 0. */
const allOf = ({ modes, indices, values, total, missing, marginals }: Tensor) => ({
  modes: modes.map(({ name, size, ordered, labels }) => ({ name, size, ordered, labels })),
  indices,
  values,
  total,
  missing,
  marginals,
})

describe('data between the server and the page', () => {
  it('is the same at the other end, to the last bit', () => {
    fc.assert(
      fc.property(results, fc.integer({ min: 0, max: 9 }), (result, offset) => {
        const bytes = encodeRead(result)
        // Wherever in a larger buffer the bytes may lie.
        const moved = new Uint8Array(bytes.length + offset).subarray(offset)
        moved.set(bytes)
        const { tensor, squares, ...rest } = decodeRead(moved)
        const { tensor: tensorBefore, squares: squaresBefore, ...restBefore } = result
        expect(rest).toEqual(restBefore)
        expect(allOf(tensor)).toEqual(allOf(tensorBefore))
        expect(tensorDigest(tensor)).toBe(tensorDigest(tensorBefore))
        expect(squares && allOf(squares)).toEqual(squaresBefore && allOf(squaresBefore))
        expect(tensor.modes.every(mode => mode instanceof Mode)).toBe(true)
      }),
    )
  })

  it('is refused where it is cut short, too long, or something else', () => {
    const tensor = tensorFromColumns([
      [0, 1],
      [1, 0],
    ])
    const bytes = encodeRead({ tensor, rows: 2, dropped: 0, notes: [], recipe: { modes: [], missing: [] }, source: {} })
    for (const wrong of [bytes.subarray(0, -1), bytes.subarray(0, 20), new Uint8Array([...bytes, 0]), new Uint8Array()])
      expect(() => decodeRead(wrong)).toThrow(DataError)
    const { length } = bytes
    for (const head of ['{', 'null', '{"modes":null}', '{"cells":2,"modes":[null,null]}']) {
      const own = new TextEncoder().encode(head.padEnd(length - 16))
      const changed = new Uint8Array([...bytes.subarray(0, 16), ...own])
      new DataView(changed.buffer).setFloat64(8, own.length, true)
      expect(() => decodeRead(changed)).toThrow(DataError)
    }
    expect(() => decodeRead(new TextEncoder().encode('<!doctype html><p>not here</p>'))).toThrow(DataError)
  })
})
