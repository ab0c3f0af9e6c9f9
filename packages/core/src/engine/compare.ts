import type { Information, Measures, Statistics } from './engine.ts'

export const fail = (message: string): never => {
  throw new Error(message)
}

/** The place in a table is a number: a name for every entry of a large one would cost more than the comparison. */
const close = (what: string, actual: number, expected: number, tolerance: number, place?: number): void => {
  if (actual === expected || Math.abs(actual - expected) <= tolerance) return
  fail(`${what}${place === undefined ? '' : `[${place}]`}: ${actual} where ${expected} is expected`)
}

/** Compares two results: every number to `relative`, taken against the larger of itself and its table's mean; the sum of logarithms to `ofSum`. */
export const compareStatistics = (
  actual: Statistics,
  expected: Statistics,
  relative: number,
  ofSum: number = relative,
): void => {
  // A cell's logarithm may be off by the precision itself, however near zero it is: so the sum may, times the observations.
  const total = expected.sizes.reduce((sum, weight) => sum + weight, 0)
  const scale = Math.max(1, total, Math.abs(expected.logLikelihood))
  close('logLikelihood', actual.logLikelihood, expected.logLikelihood, ofSum * scale)
  const compareTable = (name: string, a: Float64Array, b: Float64Array) => {
    if (a.length !== b.length) fail(`${name}: ${a.length} entries where ${b.length} are expected`)
    const mean = b.reduce((sum, value) => sum + value, 0) / b.length
    for (let i = 0; i < a.length; i++) close(name, a[i], b[i], relative * Math.max(mean, b[i]), i)
  }
  compareTable('weights', actual.sizes, expected.sizes)
  expected.factors.forEach((table, n) => {
    compareTable(`factors[${n}]`, actual.factors[n], table)
  })
}

/** Whether two results are the same bits. */
export const same = (a: Statistics, b: Statistics): void => {
  const equal = (x: Float64Array, y: Float64Array) => x.every((value, i) => Object.is(value, y[i]))
  if (!Object.is(a.logLikelihood, b.logLikelihood))
    fail(`the log-likelihood differs: ${a.logLikelihood}, ${b.logLikelihood}`)
  if (!equal(a.sizes, b.sizes)) fail('the weights differ')
  b.factors.forEach((table, n) => {
    if (!equal(a.factors[n], table)) fail(`factors[${n}] differ`)
  })
}

/** Compares measures of data of a total: sums to `relative`. */
export const compareMeasures = (actual: Measures, expected: Measures, total: number, relative: number): void => {
  const size = Math.max(1, Math.abs(expected.logLikelihood))
  close('logLikelihood', actual.logLikelihood, expected.logLikelihood, relative * size)
  close('sumYYOverP', actual.sumYYOverP, expected.sumYYOverP, relative * expected.sumYYOverP)
  // It is a difference of sums as large as the log-likelihood.
  if (Number.isNaN(expected.entropy) !== Number.isNaN(actual.entropy)) fail('entropy: one is not a number')
  if (!Number.isNaN(expected.entropy)) {
    close('entropy', actual.entropy, expected.entropy, relative * (size + total))
  }
  expected.assigned.forEach((value, i) => {
    close('assigned', actual.assigned[i], value, relative * Math.max(1, total), i)
  })
}

/** Compares the information of data of a total: sums of terms of one sign, to `relative` of the total. */
export const compareInformation = (
  actual: Information,
  expected: Information,
  total: number,
  relative: number,
): void => {
  if (actual.rank !== expected.rank || actual.rows !== expected.rows) fail('the information has another size')
  close('impossible', actual.impossible, expected.impossible, relative * total)
  if (actual.outer.length !== expected.outer.length) fail(`outer has ${actual.outer.length} entries`)
  expected.outer.forEach((value, i) => {
    close('outer', actual.outer[i], value, relative * total, i)
  })
}
