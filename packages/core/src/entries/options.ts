/** `@polyad/core/options`: the definition of every option, and sentences that mention options. */

export type { Defined } from '../defined.ts'
export { defined } from '../defined.ts'
export { show } from '../errors.ts'
export { CHECKPOINT_OPTIONS } from '../fit/checkpoint/checkpoint.ts'
export { NAIVE_BAYES_OPTIONS } from '../fit/closed-form/naive-bayes.ts'
export { FIT_OPTIONS } from '../fit/fit-options.ts'
export { UPDATE_OPTIONS } from '../fit/update/update-options.ts'
export { IMPUTE_OPTIONS } from '../model/impute.ts'
export type { Check, OptionDefinition, OptionTable } from '../options.ts'
export { checked, checkedOptions, is } from '../options.ts'
export { omit, pick } from '../pick.ts'
export type { Read } from '../reader.ts'
export { reader } from '../reader.ts'
export { STANDARD_ERROR_OPTIONS } from '../stats/errors/standard-errors.ts'
export { IMPUTATION_SCORE_OPTIONS } from '../stats/fit-statistics/imputation-score.ts'
export { CHOOSE_RANK_OPTIONS } from '../stats/ranks/choose-rank.ts'
export { CROSS_VALIDATION_OPTIONS } from '../stats/ranks/cross-validation.ts'
export { RANKED_OPTIONS } from '../stats/ranks/ranked-models.ts'
export { TEST_RANKS_OPTIONS } from '../stats/ranks/test-ranks.ts'
export { BOOTSTRAP_OPTIONS } from '../stats/resampling/bootstrap.ts'
export { REPLICATE_ERROR_OPTIONS } from '../stats/resampling/replicate-errors.ts'
export type { Combination } from '../stats/structure/combinations.ts'
export { checkCombination } from '../stats/structure/combinations.ts'
export { COVARIATE_FIT_OPTIONS } from '../stats/structure/deprecated.ts'
export { STRUCTURED_FIT_OPTIONS } from '../stats/structure/structured.ts'
export type { Feature, GivenStructures, StructureName, StructurePart } from '../stats/structure/structures.ts'
export {
  checkAvailable,
  DECIDING_STRUCTURES,
  excludedBy,
  STRUCTURE_NAMES,
  STRUCTURES,
  structuresOf,
} from '../stats/structure/structures.ts'
export { STEP_BOOTSTRAP_OPTIONS } from '../stats/three-steps/bootstrap-steps.ts'
export { DISTAL_OPTIONS } from '../stats/three-steps/distal.ts'
export { REGRESS_OPTIONS } from '../stats/three-steps/regress.ts'
export type { Mention, Naming, Sentence, Wording } from '../wording.ts'
export { advise, inWords, mention, messageOf, surveyTerm, term, words } from '../wording.ts'
