/** `@polyad/core/options`: the definition of every option, and sentences that speak of options. */

export { show } from '../errors.ts'
export { FIT_OPTIONS } from '../fit/fit-options.ts'
export type { Check, OptionDefinition, OptionTable } from '../options.ts'
export { checked, is } from '../options.ts'
export { STANDARD_ERROR_OPTIONS } from '../stats/errors/standard-errors.ts'
export { CHOOSE_RANK_OPTIONS } from '../stats/ranks/choose-rank.ts'
export { TEST_RANKS_OPTIONS } from '../stats/ranks/test-ranks.ts'
export { BOOTSTRAP_OPTIONS } from '../stats/resampling/bootstrap.ts'
export { COVARIATE_FIT_OPTIONS } from '../stats/structure/covariates.ts'
export { DISTAL_OPTIONS } from '../stats/structure/distal.ts'
export type { Mention, Naming, Sentence, Wording } from '../wording.ts'
export { advise, inWords, mention, messageOf, words } from '../wording.ts'
