import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contrast, matchedPlaces, placeColour } from './class-places.ts'

describe('places of classes', () => {
  it('are kept from one number of classes to the next, and the anchor has its own order', () => {
    // Of two classes the first becomes the third of three; of three, the second is new in four.
    const partners = [[0], [2, 0], [3, 0, 1]]
    expect(matchedPlaces([1, 2, 3, 4], partners, 2)).toEqual([[2], [2, 0], [0, 1, 2], [1, 2, 3, 0]])
    expect(matchedPlaces([1, 2, 3, 4], partners, 0)).toEqual([[0], [0, 1], [1, 2, 0], [2, 0, 3, 1]])
  })

  it('are all different within a model, whatever is matched', () => {
    const chain = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 6 }).chain(steps => {
      const ranks = steps.toSorted((a, b) => a - b)
      const matches = ranks.slice(0, -1).map((rank, i) =>
        fc.shuffledSubarray(
          Array.from({ length: ranks[i + 1] }, (_, l) => l),
          { minLength: rank, maxLength: rank },
        ),
      )
      return fc.tuple(fc.constant(ranks), fc.tuple(...matches), fc.nat(ranks.length - 1))
    })
    fc.assert(
      fc.property(chain, ([ranks, partners, anchor]) => {
        const places = matchedPlaces(ranks, partners, anchor)
        places.forEach((own, i) => {
          expect(new Set(own).size).toBe(ranks[i])
          expect(Math.min(...own)).toBeGreaterThanOrEqual(0)
        })
        partners.forEach((likes, i) => {
          likes.forEach((like, k) => {
            expect(places[i + 1][like]).toBe(places[i][k])
          })
        })
      }),
    )
  })

  it('begin again after the last colour of the theme', () => {
    expect(placeColour(0)).toBe('var(--class-1, currentColor)')
    expect(new Set(Array.from({ length: 20 }, (_, place) => placeColour(place))).size).toBe(20)
    expect(placeColour(20)).toBe(placeColour(0))
  })
})

describe('contrast', () => {
  it('is what WCAG says', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 10)
    expect(contrast('#ffffff', '#ffffff')).toBe(1)
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
    expect(contrast('#ffff00', '#ffffff')).toBeLessThan(1.1)
  })
})
