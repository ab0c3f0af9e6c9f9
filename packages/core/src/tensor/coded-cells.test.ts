import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CodedRows, cellsOfCodes } from './coded-cells.ts'
import { tensorFromColumns } from './coordinates.ts'

/** Modes, rows with codes and values, and the pieces that the rows come in. */
const tables = fc
  .record({
    sizes: fc.array(fc.constantFrom(1, 2, 3, 40, 300, 70_000), { minLength: 1, maxLength: 5 }),
    rows: fc.array(
      fc.record({ codes: fc.array(fc.nat(), { minLength: 5, maxLength: 5 }), value: fc.integer({ min: 1, max: 4 }) }),
      { minLength: 1, maxLength: 120 },
    ),
    piece: fc.integer({ min: 1, max: 60 }),
    few: fc.boolean(),
  })
  .map(({ sizes, rows, piece, few }) => ({
    sizes,
    piece,
    values: rows.map(({ value }) => value),
    // Of a few codes each there are many rows of the same cell.
    codes: sizes.map((size, n) => rows.map(row => row.codes[n] % (few ? Math.min(size + 1, 3) : size + 1))),
  }))

/** Codes that go down where indices go up. */
const modeOf = (size: number) => ({
  size,
  positions: Int32Array.from({ length: size + 1 }, (_, code) => (code === 0 ? -1 : size - code)),
})

const narrow = (codes: readonly number[], size: number) =>
  size < 256 ? Uint8Array.from(codes) : size < 65_536 ? Uint16Array.from(codes) : Int32Array.from(codes)

const inPieces = (
  codes: readonly (readonly number[])[],
  sizes: readonly number[],
  piece: number,
  values?: readonly number[],
) => {
  const pieces: CodedRows[] = []
  for (let from = 0; from < codes[0].length; from += piece)
    pieces.push({
      codes: codes.map((own, n) => narrow(own.slice(from, from + piece), sizes[n])),
      values: values && Float64Array.from(values.slice(from, from + piece)),
    })
  return pieces
}

describe('cells of coded rows', () => {
  it('are those of a tensor of the same rows, with and without values', () => {
    fc.assert(
      fc.property(tables, fc.boolean(), ({ sizes, codes, values, piece }, weighted) => {
        const modes = sizes.map(modeOf)
        const given = inPieces(codes, sizes, piece, weighted ? values : undefined)
        const { indices, values: sums, dropped } = cellsOfCodes(given, modes)
        const kept = values.map((_, row) => row).filter(row => codes.some(own => own[row] !== 0))
        expect(dropped).toBe(values.length - kept.length)
        expect(given).toEqual([])
        if (kept.length === 0) {
          expect(sums.length).toBe(0)
          return
        }
        const expected = tensorFromColumns(
          codes.map((own, n) => kept.map(row => modes[n].positions[own[row]])),
          weighted ? kept.map(row => values[row]) : kept.map(() => 1),
          { shape: sizes },
        )
        expect(indices).toEqual(expected.indices)
        expect(sums).toEqual(expected.values)
      }),
      { seed: 11, numRuns: 40 },
    )
  })

  it('are apart where rows count differently, each as its rows times what one counts', () => {
    fc.assert(
      fc.property(tables, ({ sizes, codes, values, piece }) => {
        const modes = sizes.map(modeOf)
        const fractions = values.map(value => value / 10)
        const { indices, values: sums, each } = cellsOfCodes(inPieces(codes, sizes, piece, fractions), modes, true)
        const groups = new Map<string, number>()
        fractions.forEach((value, row) => {
          const cell = codes.map((own, n) => modes[n].positions[own[row]])
          if (cell.every(index => index < 0)) return
          const key = JSON.stringify([...cell, value])
          groups.set(key, (groups.get(key) ?? 0) + 1)
        })
        const found = Array.from(sums, (sum, cell) => [
          JSON.stringify([...indices.map(column => column[cell]), each?.[cell]]),
          sum,
        ])
        expect(new Map(found as [string, number][])).toEqual(
          new Map([...groups].map(([key, rows]) => [key, (JSON.parse(key) as number[]).at(-1)! * rows])),
        )
        expect(found.length).toBe(groups.size)
      }),
      { seed: 12, numRuns: 30 },
    )
  })

  it('are in order where there are so many that they are sorted in buckets', () => {
    const size = 5000
    const codes = [1, 2].map(n =>
      Array.from({ length: 40_000 }, (_, row) => (row * 7919 * n + (row >> 7)) % (size + 1)),
    )
    const modes = [modeOf(size), modeOf(size)]
    const { indices, values } = cellsOfCodes(inPieces(codes, [size, size], 16_384), modes)
    const kept = codes[0].map((_, row) => row).filter(row => codes.some(own => own[row] !== 0))
    const expected = tensorFromColumns(codes.map((own, n) => kept.map(row => modes[n].positions[own[row]])))
    expect(values).toEqual(expected.values)
    expect(indices).toEqual(expected.indices)
  })
})
