import { describe, expect, it } from 'vitest'
import { Model } from '../../model/model.ts'
import { Mode } from '../../tensor/mode.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { regressClasses } from './regress.ts'

/**
 * Covariates that separate certain classes, so that the third step is a logit with infinite coefficients. Expected limits are those of linear programs (scipy's
 * linprog): a coefficient is infinite if it grows along all directions that the likelihood allows, and undetermined if it grows along some and shrinks along others.
 */

const CLASSES = ['a', 'b', 'c']
const model = new Model([new Mode('q', CLASSES)], {
  rank: 3,
  sizes: Float64Array.of(1, 1, 1),
  factors: [Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1)],
})

/** @param cells group, number, h or k, class and how often, as in 'A0ha2' */
const limits = (cells: string, reference: number, g: string, method: 'ml' | 'bch' | 'none') => {
  const rows = cells.split(' ').map(([g, x, h, q, n]) => ({ q, g, x: Number(x), h, n: Number(n) }))
  const tensor = tensorFromRows(rows, { modes: ['q', 'g', 'x', 'h'], count: 'n' })
  const { covariates } = regressClasses(tensor, model, {
    covariates: ['g', 'x', 'h'],
    referenceCategories: { g, h: 'h' },
    reference,
    method,
  })
  const signs = { infinity: '+', '-infinity': '-', finite: '0', undetermined: '?' }
  return covariates.coefficients.map(({ limit = 'finite' }) => signs[limit]).join('')
}

/** That these coefficients are infinite shows in small parts of directions. */
const SMALL_PARTS =
  'A0ha2 A0ka1 A0kb2 A1ha2 A1ka2 A2ha1 A2ka1 A2kb1 B0ha1 B1ha1 B1ka4 B2ha1 C0ha1 C0hb1 C0hc1 C0kc1 C1ha2 C1kb1 C2ha3 C2hc1 C2ka2 C2kb1 D0ka1 D0kb1 D0kc1 D1hc2 D2ha1 D2ka2'
/** Here 500 steps with a ridge do not arrive, and coefficients go beyond what weights of both signs may have. */
const LONG_WAY = 'A0ha2 A0ka5 A1ha2 A1ka6 A2ha1 A2ka6 B0hb2 B0hc2 B0kc3 B1hb4 B1hc1 B2hc1 C0kb1 C1hb1 C2hb1 C2kb2 C2kc2'

describe.each(['ml', 'bch', 'none'] as const)('covariates that separate the classes, by %s', method => {
  // Class by class: the intercept, the other groups, x and h.
  it.each([
    [SMALL_PARTS, 1, 'A', '0-0000-?++00'],
    [SMALL_PARTS, 3, 'A', '+?--00+?--00'],
    [LONG_WAY, 1, 'C', '?-????-???'],
    [LONG_WAY, 2, 'C', '?+???-?+0+'],
    [LONG_WAY, 3, 'C', '?+???+?-0-'],
  ])('have the limits of linear programs: %#', (cells, reference, g, expected) => {
    expect(limits(cells, reference, g, method)).toBe(expected)
  })
})
