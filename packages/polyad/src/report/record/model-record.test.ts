import { expect, it } from 'vitest'
import { modelRecordOf } from './model-record.ts'

it('what an older version has written is found under its present name', () => {
  const covariates = { reference: 1, level: 0.9, dropped: 0, curves: [], coefficients: [] }
  const { covariates: found } = modelRecordOf({ result: { covariates } }, 2)
  expect(found).toEqual({ reference: 1, confidence: 0.9, dropped: 0, curves: [], coefficients: [] })
})
