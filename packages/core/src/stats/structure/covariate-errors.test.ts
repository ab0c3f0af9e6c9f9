import { describe, expect, it } from 'vitest'
import { covariateData } from '../../fit/covariates/design.ts'
import { randomStart } from '../../model/random.ts'
import { random } from '../../numeric/philox.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { covariateErrors } from './covariate-errors.ts'

describe('standard errors of covariates', () => {
  it('are not begun after a fit was stopped, unless they take a moment', async () => {
    const { below } = random(3, 'data')
    const rank = 8
    const problem = (rows: number) => {
      const drawn = Array.from({ length: rows }, (_, i) => [...Array.from({ length: 4 }, () => below(20)), i % 50])
      const { tensor, design } = covariateData(tensorFromRows(drawn), {
        covariates: ['mode5'],
        categories: ['mode5'],
      })
      const parameters = randomStart(tensor.shape.slice(0, -1), rank, 1, 0)
      const memberships = new Float64Array(design.patterns * rank).fill(1 / rank)
      return covariateErrors(tensor, parameters, {
        ...{ design, memberships, reference: 0, signal: AbortSignal.abort() },
      })
    }
    expect(await problem(20_000)).toBe('the fit was stopped before they were computed')
    // So few cells do not span all parameters: they were looked at.
    expect(await problem(50)).toMatch(/do not span/)
  })
})
