export type { Engine, Session, Statistics } from './engine/engine.ts'
export type { Place } from './errors.ts'
export { DataError, EngineError, OptionError } from './errors.ts'
export type { NaiveBayesOptions, NaiveBayesResult } from './fit/closed-form/naive-bayes.ts'
export { naiveBayes } from './fit/closed-form/naive-bayes.ts'
export { principalComponent } from './fit/closed-form/principal-component.ts'
export type { CovariateOptions } from './fit/covariates/design.ts'
export type { Term, TermFactor } from './fit/covariates/terms.ts'
export type { Constraints, EqualColumn, FixedProbability } from './fit/descent/constraints.ts'
export type { PriorOptions } from './fit/descent/m-step.ts'
export type { Algorithm } from './fit/descent/run.ts'
export type { Reason, StoppingOptions } from './fit/descent/stopping.ts'
export { fit } from './fit/fit.ts'
export type { FitOptions, Progress, WidthChoice } from './fit/fit-options.ts'
export type { FitResult } from './fit/fit-session.ts'
export type { Optimum } from './fit/search/optima.ts'
export type { Attempt, Origin, Phase } from './fit/search/search-log.ts'
export type { Verdict } from './fit/search/verdict.ts'
export type { Imputations, ImputeOptions } from './model/impute.ts'
export { imputeRows } from './model/impute.ts'
export type { Match } from './model/match.ts'
export { matchClasses } from './model/match.ts'
export { Model } from './model/model.ts'
export type { Components, Parameters } from './model/parameters.ts'
export type { Posterior } from './model/posterior.ts'
export type { Sample, SampleOptions } from './model/sample.ts'
export type { ProfileRecord } from './stats/errors/profile-intervals.ts'
export type { StandardErrorKind } from './stats/errors/sandwich.ts'
export type {
  BoundaryParameter,
  ByParameter,
  DesignEffects,
  Interval,
  StandardErrorOptions,
  StandardErrors,
} from './stats/errors/standard-errors.ts'
export { standardErrors } from './stats/errors/standard-errors.ts'
export type { SurveyDesign } from './stats/errors/survey-design.ts'
export type { WaldTest } from './stats/errors/wald.ts'
export type { Identification, LocalRank } from './stats/identification/identification.ts'
export { identify } from './stats/identification/identification.ts'
export { identifyModel } from './stats/identification/local-identification.ts'
export type { Criteria, Criterion } from './stats/judge/criteria.ts'
export type { EvaluateOptions, Evaluation } from './stats/judge/evaluate.ts'
export { evaluate } from './stats/judge/evaluate.ts'
export type { Certainty, Goodness } from './stats/judge/goodness.ts'
export type { ImputationScore, ImputationScoreOptions, Score } from './stats/judge/imputation-score.ts'
export { scoreImputation } from './stats/judge/imputation-score.ts'
export type { ComparedModel, NestedTest } from './stats/judge/nested.ts'
export type { BivariateResidual, CellResidual, ResidualOptions } from './stats/judge/residuals.ts'
export { bivariateResiduals, residuals } from './stats/judge/residuals.ts'
export type { ChooseRankOptions, RankChoice } from './stats/ranks/choose-rank.ts'
export { chooseRank } from './stats/ranks/choose-rank.ts'
export type { CrossValidation, CrossValidationOptions } from './stats/ranks/cross-validation.ts'
export { crossValidate } from './stats/ranks/cross-validation.ts'
export type { RankedFit } from './stats/ranks/recommend.ts'
export type { LoMendellRubin, RankTest, TestRanksOptions } from './stats/ranks/test-ranks.ts'
export { testRanks } from './stats/ranks/test-ranks.ts'
export type { Bootstrap, BootstrapOptions, Spread } from './stats/resampling/bootstrap.ts'
export { bootstrap } from './stats/resampling/bootstrap.ts'
export type { MonteCarloTest } from './stats/resampling/monte-carlo.ts'
export type { ReplicateProgress } from './stats/resampling/replicates.ts'
export type { DistalData } from './stats/structure/assigned-rows.ts'
export type {
  Coefficient,
  CovariateCurve,
  CovariateEffects,
  CovariateTest,
  ShownEffect,
} from './stats/structure/covariate-effects.ts'
export type { CovariateUnit, UnitOptions } from './stats/structure/covariate-units.ts'
export type { CovariateFit, CovariateFitOptions } from './stats/structure/covariates.ts'
export { fitCovariates } from './stats/structure/covariates.ts'
export type {
  DistalClass,
  DistalEstimate,
  DistalMethod,
  DistalOptions,
  DistalPair,
  DistalResult,
} from './stats/structure/distal.ts'
export { distalOutcome } from './stats/structure/distal.ts'
export type { GroupComparison, GroupFit, GroupFitOptions, GroupShares } from './stats/structure/groups.ts'
export { fitGroups } from './stats/structure/groups.ts'
export type { JoinedComparison, JoinedFit, JoinedFitOptions } from './stats/structure/joined.ts'
export { fitJoined } from './stats/structure/joined.ts'
export type { Measurement } from './stats/structure/measurement-step.ts'
export type { RegressMethod } from './stats/structure/membership-step.ts'
export type { Normality } from './stats/structure/normality.ts'
export type { RegressOptions, RegressResult } from './stats/structure/regress.ts'
export { regressClasses } from './stats/structure/regress.ts'
export type { CoordinateOptions } from './tensor/coordinates.ts'
export { tensorFromColumns, tensorFromCoordinates } from './tensor/coordinates.ts'
export type { ArrayOptions, NestedArray } from './tensor/dense.ts'
export { tensorFromArray } from './tensor/dense.ts'
export type { Label, ModeOptions } from './tensor/mode.ts'
export { MISSING, Mode } from './tensor/mode.ts'
export type { Row, RowOptions } from './tensor/rows.ts'
export { tensorFromRows } from './tensor/rows.ts'
export type { Counts, Tensor } from './tensor/tensor.ts'
