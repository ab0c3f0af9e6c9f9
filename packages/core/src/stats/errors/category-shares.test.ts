import { expect, it } from 'vitest'
import { categoryShares } from './category-shares.ts'

/** R 4.2.2, survey 4.1.1: svymean(~class, svydesign(...)) of 48 rows, as in ../structure/distal-design.test.ts, of which the last cluster weighs nothing. */
const rows = Array.from({ length: 48 }, (_, i) => i)
const weights = rows.map(i => (i >= 42 ? 0 : 1 + ((i * 5) % 4)))
const sample = {
  categories: 2,
  category: rows.map(i => (i % 3 === 0 ? 0 : 1)),
  weights,
  squares: weights.map(w => w * w),
  counts: rows.map(() => 1),
}
const clusters = rows.map(i => Math.floor(i / 6))
const strata = rows.map(i => (i < 24 ? 'a' : 'b'))

it.each([
  [{ clusters, strata }, 0.0197120522089523, { clusters: 8, strata: 2, degreesOfFreedom: 6 }],
  [{ clusters }, 0.01847103208810013, { clusters: 8, strata: 1, degreesOfFreedom: 7 }],
  [{}, 0.08179460481787081, undefined],
])('weighted shares have the errors of svymean', (design, error, size) => {
  const found = categoryShares({ ...sample, ...design })
  expect(found.shares[0]).toBeCloseTo(0.33980582524272, 12)
  for (const each of found.standardErrors) expect(each).toBeCloseTo(error, 12)
  expect(found.design).toEqual(size)
})

it('rows of one category, weight and cluster may come together', () => {
  const keys = new Map<string, number[]>()
  for (const i of rows) {
    const key = `${clusters[i]} ${sample.category[i]}`
    keys.set(key, [...(keys.get(key) ?? []), i])
  }
  const groups = [...keys.values()]
  const sum = (list: readonly number[]) => groups.map(own => own.reduce((total, i) => total + list[i], 0))
  const found = categoryShares({
    categories: 2,
    category: groups.map(([i]) => sample.category[i]),
    clusters: groups.map(([i]) => clusters[i]),
    weights: sum(weights),
    squares: sum(sample.squares),
    counts: groups.map(own => own.length),
  })
  expect(found.standardErrors[0]).toBeCloseTo(0.01847103208810013, 12)
})
