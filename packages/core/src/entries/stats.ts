/** `@polyad/core/stats`: what the statistics are made of, and the lists of what can be chosen. */
export { attempt, salvaged } from '../errors.ts'
export type { CategoryRows, CategoryShares } from '../stats/errors/category-shares.ts'
export { categoryShares } from '../stats/errors/category-shares.ts'
export { DEFAULT_STANDARD_ERRORS, STANDARD_ERROR_KINDS } from '../stats/errors/sandwich.ts'
export { prepareDesign } from '../stats/errors/survey-design.ts'
export { countParameters } from '../stats/identification/identification.ts'
export { whereText } from '../stats/identification/local-identification.ts'
export type { ClassMark } from '../stats/judge/class-marks.ts'
export { classMarks } from '../stats/judge/class-marks.ts'
export { CRITERIA, criteria, criterionValue } from '../stats/judge/criteria.ts'
export type { CorrectedStatistic, DesignTest, DesignTestOptions } from '../stats/judge/design-test.ts'
export { designTest } from '../stats/judge/design-test.ts'
export { unknownEvaluation } from '../stats/judge/evaluate.ts'
export { MIN_OBSERVATIONS_PER_CELL } from '../stats/judge/goodness.ts'
export type { HiddenScore, ImputationScorer } from '../stats/judge/imputation-score.ts'
export { imputationScorer } from '../stats/judge/imputation-score.ts'
export { replicatesForIntervals } from '../stats/resampling/bootstrap.ts'
export { checkCounts } from '../stats/resampling/replicates.ts'
export { DISTAL_METHODS } from '../stats/structure/distal.ts'
export type {
  CoefficientSpread,
  ExplainedBootstrap,
  ExplainedBootstrapOptions,
} from '../stats/structure/explained-bootstrap.ts'
export { explainedBootstrap } from '../stats/structure/explained-bootstrap.ts'
export type { ExplainedResiduals } from '../stats/structure/explained-residuals.ts'
export { explainedResiduals } from '../stats/structure/explained-residuals.ts'
