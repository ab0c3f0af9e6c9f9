import { describe, expect, it } from 'vitest'
import { carcinoma } from '../../../../test/tables.ts'
import type { FitFigures } from '../report/figures/fit-figures.ts'
import { compareRanks } from './compare-ranks.ts'

const DATA = { tensor: carcinoma, session: undefined }
const fit = { seed: 3, starts: 6, threads: 1 }

/** Everything but how long it took. */
const timeless = ({ seconds: _, ...figures }: FitFigures) => figures

describe('more numbers of classes', () => {
  it('give what all of them at once give, and only what is missing is fitted', async () => {
    const whole = await compareRanks(DATA, { from: 1, to: 5, fit })
    const middle = await compareRanks(DATA, { from: 2, to: 3, fit })
    const tried = new Set<number>()
    const grown = await compareRanks(
      DATA,
      { from: 1, to: 5, earlier: middle.figures, fit },
      { onProgress: ({ rank }) => tried.add(rank) },
    )
    expect(grown.fits.map(({ rank }) => rank)).toEqual([1, 4, 5])
    expect([...tried].filter(rank => [2, 3].includes(rank))).toEqual([])
    expect(grown.figures.map(timeless)).toEqual(whole.figures.map(timeless))
    expect([grown.recommended, grown.reason, grown.stopped]).toEqual([whole.recommended, whole.reason, whole.stopped])
    expect(grown.record).toEqual(whole.record)
    for (const { rank, result } of grown.fits) {
      const same = whole.fits.find(each => each.rank === rank)
      expect(result.model.parameters).toEqual(same?.result.model.parameters)
    }
  })

  it('are recommended where the largest is best', async () => {
    const { recommended, reason } = await compareRanks(DATA, { from: 1, to: 2, folds: 0, fit })
    expect([recommended, reason.includes('; 2 is the largest number tried: try up to 4')]).toEqual([2, true])
  })
})
