/** What records say of a sample and of groups, as plain types. */

/** What of the data was left out of a fit. */
export interface Omission {
  readonly total: number
  /** As the end of a sentence: `because a covariate is missing`. */
  readonly why: string
}

export interface RecordedGroups {
  readonly mode: string
  readonly shares: readonly {
    readonly group: string | number
    readonly total: number
    readonly shares: readonly number[]
  }[]
}

/** The columns by which a sample was drawn. */
export interface RecordedDesign {
  readonly cluster: string
  readonly stratum: string | null
}

/** Classes that were known for some observations. */
export interface RecordedKnown {
  /** The column that has them. */
  readonly name: string
  /** How many observations have a known class. */
  readonly total: number
}

/** A variable whose probabilities within a class depend on other columns: groups, or covariates. */
export interface RecordedEffect {
  readonly mode: string
  readonly columns: readonly string[]
}
