/** The entry `polyad/analysis`: a fit and its statistics from one request, without Node. */

export type { Analysis, FittedFirst } from './analyze.ts'
export { analyze } from './analyze.ts'
export { coefficientsOf } from './coefficients.ts'
export type { RankAnalysis, RankRequest } from './compare-ranks.ts'
export { compareRanks, comparisonOf } from './compare-ranks.ts'
export type { Fitted } from './fit-structure.ts'
export { rankedStructure } from './named-columns.ts'
export type { AnalysisPlan, PlannedVariable, PlanRequest } from './plan.ts'
export { plan } from './plan.ts'
export type { Prepared } from './prepare.ts'
export { prepare } from './prepare.ts'
export type { AnalysisHooks, AnalysisRequest, AnalysisSource, NamedItem, Structure } from './request.ts'
