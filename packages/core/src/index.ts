export type { Engine, Session, Statistics } from './engine/engine.ts'
export type { Place } from './errors.ts'
export { AbortError, DataError, EngineError, OptionError } from './errors.ts'
export type { CheckpointOptions } from './fit/checkpoint/checkpoint.ts'
export { Checkpoint, openCheckpoint } from './fit/checkpoint/checkpoint.ts'
export type { NaiveBayesOptions, NaiveBayesResult } from './fit/closed-form/naive-bayes.ts'
export { naiveBayes } from './fit/closed-form/naive-bayes.ts'
export { principalComponent } from './fit/closed-form/principal-component.ts'
export type { CovariateOptions } from './fit/covariates/design.ts'
export type { Constraints, EqualColumn, FixedProbability } from './fit/descent/constraints.ts'
export type { PriorOptions } from './fit/descent/m-step.ts'
export type { Algorithm } from './fit/descent/run-options.ts'
export type { Reason, StoppingOptions } from './fit/descent/stopping.ts'
export { fit } from './fit/fit.ts'
export type { FitOptions, Progress, WidthChoice } from './fit/fit-options.ts'
export type { FitResult } from './fit/fit-session.ts'
export type { Optimum } from './fit/search/optima.ts'
export type { Attempt, Origin, Phase } from './fit/search/search-log.ts'
export type { Verdict } from './fit/search/verdict.ts'
export type { UpdatedModel } from './fit/update/update.ts'
export { updateModel } from './fit/update/update.ts'
export type { UpdateOptions } from './fit/update/update-options.ts'
export type { CarriedModel } from './model/carry.ts'
export { carryModel } from './model/carry.ts'
export type { ClassDrift, Drift, ModeDrift, Movement } from './model/drift.ts'
export { modelDrift } from './model/drift.ts'
export type { Imputations, ImputeOptions } from './model/impute.ts'
export { imputeRows } from './model/impute.ts'
export type { CountOptions, Item, Items, NormalOptions, OrdinalOptions } from './model/items/choices.ts'
export { categorical, count, normal, ordinal } from './model/items/choices.ts'
export type { FittedItem, NamedParameter } from './model/items/item.ts'
export type { Match } from './model/match.ts'
export { matchClasses } from './model/match.ts'
export { Model } from './model/model.ts'
export type { Components, Parameters } from './model/parameters.ts'
export type { Posterior, PosteriorOptions } from './model/posterior.ts'
export type { Sample, SampleOptions } from './model/sample.ts'
export type { Term, TermFactor } from './model/structures/logit.ts'
export type { SplitPart } from './model/structures/structure.ts'
export type { Contribution, RankedSurprise, Surprise, SurpriseOptions } from './model/surprise.ts'
export { explainRow, surprisingRows } from './model/surprise.ts'
export type {
  Coefficient,
  CovariateCurve,
  CovariateEffects,
  CovariateTest,
  ShownEffect,
} from './stats/errors/covariate-effects.ts'
export type { CovariateUnit, UnitOptions } from './stats/errors/covariate-units.ts'
export type {
  BoundaryParameter,
  ByParameter,
  ChainErrors,
  DesignEffects,
  Estimated,
  Interval,
  LinkCoefficient,
  LinkEffects,
  NestedErrors,
  StandardErrors,
} from './stats/errors/error-results.ts'
export type { CoefficientLimit } from './stats/errors/infinite-coefficients.ts'
export type { ProfileRecord } from './stats/errors/profile-intervals.ts'
export type { StandardErrorKind } from './stats/errors/sandwich.ts'
export type { StandardErrorOptions } from './stats/errors/standard-errors.ts'
export { standardErrors } from './stats/errors/standard-errors.ts'
export type { SurveyDesign } from './stats/errors/survey-design.ts'
export type { WaldTest } from './stats/errors/wald.ts'
export type { Criteria, Criterion } from './stats/fit-statistics/criteria.ts'
export type { EvaluateOptions } from './stats/fit-statistics/evaluate.ts'
export { evaluate } from './stats/fit-statistics/evaluate.ts'
export type { Evaluation } from './stats/fit-statistics/evaluation.ts'
export type { Certainty, Goodness } from './stats/fit-statistics/goodness.ts'
export type { ImputationScore, ImputationScoreOptions, Score } from './stats/fit-statistics/imputation-score.ts'
export { scoreImputation } from './stats/fit-statistics/imputation-score.ts'
export type { ComparedModel, NestedTest } from './stats/fit-statistics/nested.ts'
export type { BivariateResidual, CellResidual } from './stats/fit-statistics/residual-lists.ts'
export type { ResidualOptions } from './stats/fit-statistics/residuals.ts'
export { bivariateResiduals, residuals } from './stats/fit-statistics/residuals.ts'
export type { Identification, LocalRank } from './stats/identification/identification.ts'
export { identify } from './stats/identification/identification.ts'
export { identifyModel } from './stats/identification/local-identification.ts'
export type { DirectEffect, FreeVariable, Specification } from './stats/model-data/specification.ts'
export type { ChooseNestedOptions, NestedChoice, NestedRankedFit } from './stats/ranks/choose-nested.ts'
export { chooseNested } from './stats/ranks/choose-nested.ts'
export type { ChooseRankOptions, RankChoice } from './stats/ranks/choose-rank.ts'
export { chooseRank } from './stats/ranks/choose-rank.ts'
export type { CrossValidation, CrossValidationOptions } from './stats/ranks/cross-validation.ts'
export { crossValidate } from './stats/ranks/cross-validation.ts'
export type { RankedFit } from './stats/ranks/recommend.ts'
export type { LoMendellRubin, RankTest, TestRanksOptions } from './stats/ranks/test-ranks.ts'
export { testRanks } from './stats/ranks/test-ranks.ts'
export type { Bootstrap, BootstrapOptions } from './stats/resampling/bootstrap.ts'
export { bootstrap } from './stats/resampling/bootstrap.ts'
export type { LinkedSpreads } from './stats/resampling/linked-replicates.ts'
export type { MonteCarloTest } from './stats/resampling/monte-carlo.ts'
export type { ReplicateProgress } from './stats/resampling/replicates.ts'
export type { Spread } from './stats/resampling/spreads.ts'
export type {
  ClassifiedUnits,
  ClassPosterior,
  GroupClass,
  LinkedRowClass,
  PersonClasses,
} from './stats/structure/classify-rows.ts'
export { classifyRows } from './stats/structure/classify-rows.ts'
export type {
  CovariateFit,
  CovariateFitOptions,
  GroupFit,
  GroupFitOptions,
  JoinedFit,
  JoinedFitOptions,
} from './stats/structure/deprecated.ts'
export { fitCovariates, fitGroups, fitJoined } from './stats/structure/deprecated.ts'
export type { DirectComparison } from './stats/structure/direct-comparison.ts'
export type { GroupComparison, GroupShares } from './stats/structure/group-comparison.ts'
export type { JoinedComparison } from './stats/structure/joined-comparison.ts'
export type { LinkedResult, LinkOptions } from './stats/structure/linked-fit.ts'
export type { StructuredFit, StructuredFitOptions } from './stats/structure/structured.ts'
export { fitStructured } from './stats/structure/structured.ts'
export type { ExplainedFit, StructuredResult } from './stats/structure/structured-result.ts'
export type { DistalData } from './stats/three-steps/assigned-rows.ts'
export { bootstrapDistal } from './stats/three-steps/bootstrap-distal.ts'
export type { DistalBootstrap, RegressBootstrap } from './stats/three-steps/bootstrap-regress.ts'
export { bootstrapOutcome, bootstrapRegress } from './stats/three-steps/bootstrap-regress.ts'
export type { StepBootstrapOptions, StepReplicates, StepSpread } from './stats/three-steps/bootstrap-steps.ts'
export type {
  ClassSizes,
  DistalClass,
  DistalEstimate,
  DistalMethod,
  DistalOptions,
  DistalPair,
  DistalResult,
} from './stats/three-steps/distal.ts'
export { distalOutcome } from './stats/three-steps/distal.ts'
export type { Measurement } from './stats/three-steps/measurement-step.ts'
export type { RegressMethod } from './stats/three-steps/membership-step.ts'
export type { Normality } from './stats/three-steps/normality.ts'
export type { RegressOptions, RegressResult } from './stats/three-steps/regress.ts'
export { regressClasses } from './stats/three-steps/regress.ts'
export type {
  OutcomeCoefficient,
  OutcomeRegression,
  RegressOutcomeOptions,
} from './stats/three-steps/regress-outcome.ts'
export { regressOutcome } from './stats/three-steps/regress-outcome.ts'
export type { CoordinateOptions } from './tensor/coordinates.ts'
export { tensorFromColumns, tensorFromCoordinates } from './tensor/coordinates.ts'
export type { ArrayOptions, NestedArray } from './tensor/dense.ts'
export { tensorFromArray } from './tensor/dense.ts'
export type { Label, ModeOptions } from './tensor/mode.ts'
export { MISSING, Mode } from './tensor/mode.ts'
export type { Row, RowOptions } from './tensor/rows.ts'
export { tensorFromRows } from './tensor/rows.ts'
export type { Counts, Tensor } from './tensor/tensor.ts'
