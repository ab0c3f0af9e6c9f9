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
