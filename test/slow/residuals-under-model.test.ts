import { bivariateResiduals, fit, tensorFromRows } from '@polyad/core'
import { expect, it } from 'vitest'
import { random } from '../../packages/core/src/numeric/philox.ts'

/**
 * What the caption of the residuals says: in data that follow the model they average 0.2 to 0.6, not 1, because the model was fitted to the
 * same table. Seen in 30 replicates each: 0.34 and 0.24 (6 and 8 variables of 2 categories, 2 and 3 classes, 1,000 observations), 0.55
 * (8 of 4 categories, 3 classes); 95% below 1.6, 1.0 and 1.1. With weaker marks, as here, 95% are below 2.4 at most.
 */
it.each([
  [2, 6, 2],
  [3, 8, 2],
  [3, 8, 4],
])('bivariate residuals of %i classes, %i variables of %i categories', async (rank, variables, size) => {
  const { below, uniform } = random(7, 'sample')
  const found: number[] = []
  for (let replicate = 0; replicate < 15; replicate++) {
    const marked = Array.from({ length: rank }, (_, k) =>
      Array.from({ length: variables }, () => (k + below(2)) % size),
    )
    const rows = Array.from({ length: 1000 }, () => {
      const own = marked[below(rank)]
      return Object.fromEntries(own.map((j, n) => [`v${n}`, `${uniform() < 0.65 ? j : below(size)}`]))
    })
    const tensor = tensorFromRows(rows, {})
    const { model } = await fit(tensor, { rank, seed: 1, starts: 8 })
    found.push(...bivariateResiduals(tensor, model).map(({ residual }) => residual))
  }
  found.sort((a, b) => a - b)
  const mean = found.reduce((sum, each) => sum + each, 0) / found.length
  expect(mean).toBeGreaterThan(0.1)
  expect(mean).toBeLessThan(0.65)
  expect(found[Math.floor(0.95 * found.length)]).toBeLessThan(2.5)
})
