import { type Label, tensorFromRows } from '@polyad/core'
import { describe, expect, it } from 'vitest'
import { type Binning, binLabel, type DatePart } from './bins.ts'
import { firstBin, knownBins } from './model-bins.ts'

/** A mode with these labels, in this order. */
const modeOf = (labels: readonly Label[]) =>
  tensorFromRows(
    labels.map(x => ({ x, y: 1 })),
    { modes: [{ name: 'x', labels }, 'y'] },
  ).modes[0]

describe('the first bin of a model', () => {
  it.each<[Binning, readonly Label[], number | undefined]>([
    [{ kind: 'int' }, [-3, -2], -3],
    [{ kind: 'width', width: 10 }, ['[20,30)', '[30,40)'], 2],
    [{ kind: 'width', width: 0.1 }, ['[0.3,0.4)'], 3],
    [{ kind: 'width', width: 0.1 }, ['[-0.7,-0.6)'], -7],
    [{ kind: 'quantiles', edges: [1] }, ['<1', '≥1'], undefined],
    [{ kind: 'date', part: 'month' }, ['May'], undefined],
  ])('of %o with labels %j is %j', (binning, labels, bin) => expect(firstBin(binning, modeOf(labels))).toBe(bin))
})

describe('the bins that a model knows', () => {
  it('are found by their labels', () => {
    const edges = { kind: 'quantiles', edges: [2, 4] } as const
    expect(knownBins(edges, modeOf(['<2', '[2,4)', '≥4']))).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
    ])
    expect(knownBins(edges, modeOf(['≥4', '<2', '[9,10)']))).toEqual([
      [0, 1],
      [2, 0],
    ])
    expect(knownBins({ kind: 'int' }, modeOf([1, 2]))).toEqual([])
    expect(knownBins({ kind: 'width', width: 1 }, modeOf(['[1,2)']))).toEqual([])
  })

  it('of hours that were numbers in models of earlier versions too', () => {
    const hours = { kind: 'date', part: 'hour' } as const
    expect(knownBins(hours, modeOf([23, 0]))).toEqual([
      [0, 1],
      [23, 0],
    ])
    expect(knownBins(hours, modeOf(['00:00', '23:00']))).toEqual([
      [0, 0],
      [23, 1],
    ])
  })

  it.each<[DatePart, number, number]>([
    ['minute', 0, 59],
    ['hour', 0, 23],
    ['weekday', 1, 7],
    ['day', 1, 31],
    ['week', 1, 53],
    ['month', 1, 12],
    ['quarter', 1, 4],
    ['year', 1, 2500],
    ['yearmonth', 1800 * 12, 2200 * 12],
    ['date', -62_000, 84_000],
  ])('of the part %s are from %i to %i', (part, first, last) => {
    const binning = { kind: 'date', part } as const
    const isPlain = typeof binLabel(first, binning) === 'number'
    const ends = [last, first, ...(isPlain ? [first - 1, last + 1] : [])].map(bin => binLabel(bin, binning))
    expect(knownBins(binning, modeOf(ends))).toEqual([
      [first, 1],
      [last, 0],
    ])
  })
})
