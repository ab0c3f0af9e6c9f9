import { describe, expect, it } from 'vitest'
import { AbortError } from '../../errors.ts'
import { runCooperatively } from '../../thread/cooperative.ts'
import { covarianceSteps, estimateCovariance } from './sandwich.ts'

/** A positive definite matrix: the sum of the squares of random rows. */
const information = (n: number, first: number): Float64Array => {
  let state = first
  const draw = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32 - 0.5
  }
  const rows = Array.from({ length: 2 * n }, () => Float64Array.from({ length: n }, draw))
  return Float64Array.from({ length: n * n }, (_, at) =>
    rows.reduce((sum, row) => sum + row[Math.floor(at / n)] * row[at % n], 0),
  )
}

const product = (a: Float64Array, b: Float64Array, n: number): Float64Array =>
  Float64Array.from({ length: n * n }, (_, at) => {
    let sum = 0
    for (let k = 0; k < n; k++) sum += a[Math.floor(at / n) * n + k] * b[k * n + (at % n)]
    return sum
  })

const closeTo = (matrix: Float64Array) => Array.from(matrix, entry => expect.closeTo(entry, 9))

describe('the covariance of estimates', () => {
  const n = 12
  const [empirical, observed] = [information(n, 1), information(n, 2)]
  const unit = Float64Array.from({ length: n * n }, (_, at) => (at % (n + 1) === 0 ? 1 : 0))

  it('is the inverse of the information, or two of them around a variance', () => {
    const plain = estimateCovariance(observed, n)!
    expect([...product(plain.covariance, observed, n)]).toEqual(closeTo(unit))
    expect(plain.bread).toBe(plain.covariance)
    const sandwich = estimateCovariance(observed, n, empirical)!
    expect([...product(product(observed, sandwich.covariance, n), observed, n)]).toEqual(closeTo(empirical))
    expect(sandwich.bread).toEqual(plain.covariance)
  })

  it('is none of an information that is not positive definite', () => {
    const flat = observed.slice()
    for (let k = 0; k < n; k++) flat[k] = flat[k * n] = 0
    expect(estimateCovariance(flat, n, empirical)).toBeUndefined()
  })

  it('of many parameters can be given up at any time', async () => {
    const many = 300
    const large = Float64Array.from({ length: many ** 2 }, (_, at) => (at % (many + 1) === 0 ? 2 : 1 / many))
    /** How often it is looked at; from some time on it asks for an end. */
    const signal = (after: number) => {
      let asked = 0
      return {
        get aborted() {
          return ++asked > after
        },
        asked: () => asked,
      }
    }
    const patient = signal(Number.POSITIVE_INFINITY)
    const found = await runCooperatively(covarianceSteps(large, many, large), patient)
    expect(found).toEqual(estimateCovariance(large, many, large))
    // 300³·(1/6 + 1/3 + 3/2) products, of which 20 million are made between two looks.
    expect(patient.asked()).toBe(2)
    for (const after of [0, 1])
      await expect(runCooperatively(covarianceSteps(large, many, large), signal(after))).rejects.toThrow(AbortError)
  })
})
