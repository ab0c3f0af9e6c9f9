import { CRITERIA } from '@polyad/core/stats'

/** Types of JSON that the objects of several commands have parts of, in the notation of `schema/type-notation.ts`. Numbers that are not finite are null. */

/** A number that may be infinite, or not determined. */
export const ANY_NUMBER = 'number | null'
/** A category: a whole number in tables without labels. */
export const LABEL = '(string | number)'
/** A class: its name, or its number from 1. */
export const CLASS = '(string | integer)'
/** From low to high, or null if there is none. */
export const INTERVAL = `(${ANY_NUMBER})[] | null`

/** For every variable and label, a value for each class. */
export const byFactor = (type: string): string => `(${type})[][][]`

export const WALD_TEST = `{ statistic: ${ANY_NUMBER}, degreesOfFreedom: number, pValue: ${ANY_NUMBER} }`

/** The criteria of a fit, without those of folds. */
export const CRITERIA_TYPES = CRITERIA.flatMap(({ key }) => (key === 'heldOut' ? [] : [`${key}?: ${ANY_NUMBER}`])).join(
  ', ',
)

/** Models that are compared, and the tests of one within another. */
export const COMPARED_MODEL = `{ name: string, logLikelihood: number, parameters: integer, ${CRITERIA_TYPES}, scaling?: ${ANY_NUMBER} }`
export const NESTED_TEST = `{ model: string, within: string, statistic: ${ANY_NUMBER}, degreesOfFreedom: integer, scaling?: ${ANY_NUMBER}, scaled?: ${ANY_NUMBER}, pValue: ${ANY_NUMBER}, reason?: string }`

/** Which rows were used, and where they are from. */
export const SOURCE = '{ files?: string[], count?: string, weights?: string, rows?: integer, [other]: unknown }'

/** A probability and its error. */
export const PROBABILITY = `{ probability: number, standardError: ${ANY_NUMBER}, interval: ${INTERVAL} }`

/** The sample design of a result. */
export const DESIGN = '{ clusters: integer, strata: integer, degreesOfFreedom: integer }'

/** One value for each class in the estimate of an outcome. */
export const ESTIMATE = `estimate: ${ANY_NUMBER}, standardError: ${ANY_NUMBER}, interval: ${INTERVAL}`

/** The p of a test by replicates. */
export const REPLICATED_TEST = `{ statistic: number, pValue: number, interval: number[] }`

/** The effects of covariates. */
export const COVARIATES_TYPE = `{ reference: integer, confidence: number, names: string[], terms: { name: string, factors: { covariate: string, label?: ${LABEL} }[] }[], referenceCategories: { [covariate]: ${LABEL} }, units: { covariate: string, unit: number, by: 'one' | 'given' | 'deviation' | 'automatic', deviation: number }[], coefficients: { class: integer, term: string, estimate: ${ANY_NUMBER}, limit: string, standardError: ${ANY_NUMBER}, z: ${ANY_NUMBER}, pValue: ${ANY_NUMBER}, oddsRatio: ${ANY_NUMBER}, interval: ${INTERVAL}, shown: { unit: number, estimate: ${ANY_NUMBER}, standardError: ${ANY_NUMBER}, oddsRatio: ${ANY_NUMBER}, interval: ${INTERVAL} } }[], tests: { covariate: string, test: ${WALD_TEST} | null, untested?: integer }[], curves: { covariate: string, numeric: boolean, points: { value: ${LABEL}, probabilities: number[] }[] }[], dropped: number }`
