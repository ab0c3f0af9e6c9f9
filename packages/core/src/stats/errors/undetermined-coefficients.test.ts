import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cholesky, eigen } from '../../numeric/symmetric.ts'
import { undeterminedCoefficients } from './undetermined-coefficients.ts'

/** Categories with an intercept, each term in units of its own, and how much memberships vary in each category and class. */
const drawn = fc.tuple(fc.integer({ min: 2, max: 4 }), fc.integer({ min: 1, max: 2 })).chain(([categories, classes]) =>
  fc.record({
    variances: fc.array(fc.array(fc.constantFrom(0, 0.1, 0.2), { minLength: categories, maxLength: categories }), {
      minLength: classes,
      maxLength: classes,
    }),
    counts: fc.array(fc.integer({ min: 20, max: 60 }), { minLength: categories, maxLength: categories }),
    units: fc.array(fc.constantFrom(1e-4, 1, 1e6), { minLength: categories, maxLength: categories }),
  }),
)

it('coefficients that have run off are those of the flat directions, one of which is fixed for each (property)', () => {
  fc.assert(
    fc.property(drawn, ({ variances, counts, units }) => {
      const [width, classes] = [counts.length, variances.length]
      const size = width * classes
      /** The terms of a category: the intercept and its own indicator. */
      const x = (z: number, p: number) => (p === 0 || p === z ? 1 : 0)
      const design = {
        terms: counts.map((_, p) => ({ name: `${p}`, factors: [] })),
        values: Float64Array.from(
          { length: width * width },
          (_, i) => x(Math.floor(i / width), i % width) * units[i % width],
        ),
        counts: Float64Array.from(counts),
      }
      /** Classes by themselves: information about one says nothing of the other. @param scaled in the units of the terms */
      const information = (scaled: boolean) =>
        Float64Array.from({ length: size * size }, (_, at) => {
          const [i, j] = [Math.floor(at / size), at % size]
          const [k, l, p, q] = [Math.floor(i / width), Math.floor(j / width), i % width, j % width]
          if (k !== l) return 0
          const sum = counts.reduce((all, n, z) => all + n * variances[k][z] * x(z, p) * x(z, q), 0)
          return scaled ? sum * units[p] * units[q] : sum
        })
      const { fixed, undetermined } = undeterminedCoefficients(information(true), design, classes)
      // What is flat does not depend on units: the directions without information where terms are 0 or 1.
      const { values, vectors } = eigen(information(false), size)
      const flat = [...values.keys()].filter(e => values[e] < 1e-8)
      expect(fixed.size).toBe(flat.length)
      const parts = Array.from({ length: size }, (_, i) => flat.reduce((sum, e) => sum + vectors[e * size + i] ** 2, 0))
      expect([...undetermined].sort((a, b) => a - b)).toEqual(parts.flatMap((part, i) => (part > 1e-8 ? [i] : [])))
      for (const i of fixed) expect(undetermined.has(i)).toBe(true)
      // With these held, all others have information.
      const known = parts.flatMap((_, i) => (fixed.has(i) ? [] : [i]))
      const among = Float64Array.from(known.flatMap(a => known.map(b => information(false)[a * size + b])))
      expect(known.length === 0 || cholesky(among, known.length) !== undefined).toBe(true)
    }),
    { numRuns: 150 },
  )
})
