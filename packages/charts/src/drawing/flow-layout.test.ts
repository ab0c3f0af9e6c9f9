import { describe, expect, it } from 'vitest'
import { flowLayout } from './flow-layout.ts'

const two = {
  flows: [
    [0.6, 0, 0],
    [0, 0.3, 0.1],
  ],
  classes: [
    { k: 0, place: 1, share: 0.6 },
    { k: 1, place: 0, share: 0.4 },
  ],
}
const three = {
  flows: null,
  classes: [
    { k: 0, place: 1, share: 0.6 },
    { k: 1, place: 0, share: 0.3 },
    { k: 2, place: 2, share: 0.1 },
  ],
}

describe('bars and bands from stage to stage', () => {
  it('stand in the order of places, and fill the whole', () => {
    const { bars } = flowLayout([two, three])
    expect(bars.map(({ at, k }) => [at, k])).toEqual([
      [0, 1],
      [0, 0],
      [1, 1],
      [1, 0],
      [1, 2],
    ])
    expect(bars[1].bottom).toBeCloseTo(1, 12)
    expect(bars[2].top).toBe(0)
  })

  it('lead from every class to those that its observations go to, within the bars', () => {
    const { bars, bands } = flowLayout([two, three])
    expect(bands.map(({ k, l }) => [k, l])).toEqual([
      [1, 1],
      [1, 2],
      [0, 0],
    ])
    for (const { k, l, left, right, size } of bands) {
      const [from, to] = [bars.find(bar => bar.at === 0 && bar.k === k), bars.find(bar => bar.at === 1 && bar.k === l)]
      expect(left).toBeGreaterThanOrEqual((from?.top ?? 1) - 1e-12)
      expect(left + size).toBeLessThanOrEqual((from?.bottom ?? 0) + 1e-12)
      expect(right + size).toBeLessThanOrEqual((to?.bottom ?? 0) + 1e-12)
    }
  })

  it('are bars alone where nothing is known of the observations', () => {
    expect(flowLayout([{ ...two, flows: null }, three]).bands).toEqual([])
  })
})
