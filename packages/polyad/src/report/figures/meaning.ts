/** Figures that mean nothing are left out, and it is said why. */

/** A table with so many times more degrees of freedom than there are observations is all but empty: G² then says nothing. */
const EMPTY = 10

/** Whether G², X² and their degrees of freedom say nothing, because hardly any cell of the table was seen. */
export const isTableEmpty = (degreesOfFreedom: number | null, total: number): boolean =>
  degreesOfFreedom !== null && degreesOfFreedom > EMPTY * total

export const EMPTY_TABLE =
  'G², X² and degrees of freedom are left out: the table has far more cells than there are observations, so they mean nothing.'

/** A residual above this comes from an expected count next to 0: its size says nothing. */
const HUGE = 1e6

export const isResidual = (residual: number): boolean => Math.abs(residual) <= HUGE
