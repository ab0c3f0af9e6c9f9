import { random } from '@polyad/core/numeric'
import { describe, expect, it } from 'vitest'
import { type CodedColumn, codedColumn, determines } from './determined-columns.ts'

const coded = (codes: readonly number[]): CodedColumn => codedColumn(Int32Array.from(codes))

/** The same by definition: of rows whose first value occurs more than once, those that are not as most rows of that value. */
const byDefinition = (from: readonly number[], to: readonly number[]): boolean => {
  const rows = from.map((a, i) => [a, to[i]]).filter(([a, b]) => a >= 0 && b >= 0)
  const repeated = rows.filter(([a]) => rows.filter(([other]) => other === a).length > 1)
  const apartFrom = (own: readonly number[]) =>
    own.length - Math.max(0, ...new Set(own.map(b => own.filter(other => other === b).length)))
  const exceptions = [...new Set(from)].map(a => apartFrom(repeated.filter(([own]) => own === a).map(([, b]) => b)))
  const others = apartFrom(repeated.map(([, b]) => b))
  return (
    new Set(rows.map(([a]) => a)).size > 1 && others >= 30 && exceptions.reduce((sum, n) => sum + n, 0) <= 0.02 * others
  )
}

describe('what determines a column', () => {
  const { below, uniform } = random(7, 'data')
  const schools = Array.from({ length: 400 }, () => below(20))
  const regions = schools.map(school => school % 4)

  it('a school determines its region, and not the other way round', () => {
    expect(determines(coded(schools), coded(regions))).toBe(true)
    expect(determines(coded(regions), coded(schools))).toBe(false)
    // In sorted rows as well, where the values of a group follow each other.
    const rows = schools.map((school, i) => [school % 4, school, i]).sort(([a, b], [c, d]) => a - c || b - d)
    expect(determines(coded(rows.map(([region]) => region)), coded(rows.map(([, school]) => school)))).toBe(false)
  })

  it('with few exceptions, and without many', () => {
    const with_ = (exceptions: number) =>
      coded(regions.map((region, i) => (i < exceptions ? (region + 1) % 4 : region)))
    expect(determines(coded(schools), with_(3))).toBe(true)
    expect(determines(coded(schools), with_(30))).toBe(false)
  })

  it('not if a column hardly differs, or every value occurs once', () => {
    expect(determines(coded(schools), coded(regions.map((_, i) => (i < 29 ? 1 : 0))))).toBe(false)
    expect(determines(coded(schools.map((_, i) => i)), coded(regions))).toBe(false)
    expect(determines(coded(schools.map(() => 0)), coded(regions))).toBe(false)
  })

  it('as its definition says, in random columns', () => {
    const found = Array.from({ length: 300 }, () => {
      const rows = 60 + below(200)
      const [groups, categories] = [2 + below(40), 2 + below(4)]
      const noise = [0, 0.005, 0.02, 0.2][below(4)]
      const from = Array.from({ length: rows }, () => (uniform() < 0.05 ? -1 : below(groups)))
      const to = from.map(a =>
        uniform() < 0.05 ? -1 : uniform() < noise ? below(categories) : Math.abs(a) % categories,
      )
      const is = determines(coded(from), coded(to))
      expect(is).toBe(byDefinition(from, to))
      return is
    })
    expect(found.filter(Boolean).length).toBeGreaterThan(100)
    expect(found.filter(is => !is).length).toBeGreaterThan(50)
  })
})
