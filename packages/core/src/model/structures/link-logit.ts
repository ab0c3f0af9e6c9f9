import type { Term } from './logit.ts'
import type { GivenColumn } from './structure.ts'

/** How covariates explain distributions of classes: multinomial logits with the same effects, and an intercept of their own each. */
export interface LinkLogitTerms {
  /** Without the intercept. */
  readonly terms: readonly Term[]
  readonly given: readonly GivenColumn[]
  /** For every step or group class, and for every class that is left (else there is one list): a number for each entry of the distribution. */
  readonly intercepts: readonly (readonly (readonly number[])[])[]
  /** For every class that is left (else once), and every entry: a coefficient for each term, of the values as they are. */
  readonly slopes: readonly (readonly (readonly number[])[])[]
}

/** The columns that logits need, each once. */
export const givenOf = (...logits: readonly (LinkLogitTerms | undefined)[]): GivenColumn[] => [
  ...new Map(logits.flatMap(logit => logit?.given ?? []).map(column => [column.name, column])).values(),
]
