import type { LinkSetting } from '../../model/links/links.ts'
import type { LinkedStructure } from '../../model/structures/linked.ts'
import type { Tensor } from '../../tensor/tensor.ts'

/** Rows that belong together, with the tables of a model: what an update of the model takes. */
export interface LinkedRows {
  /** The distinct rows of answers. */
  readonly items: Tensor
  readonly links: LinkSetting
  /** The tables of the model, for every combination of covariates in these rows. */
  readonly tables: Float64Array
  /** Expected counts of the tables without covariates, from those of the tables: of persons at the first wave and of moves, or of groups and members. */
  collect(counts: Float64Array): Float64Array
  /** The tables of such counts. What covariates explain, and distributions that nobody is in, stay as they are. */
  tablesOf(counts: Float64Array): Float64Array
  /** The same tables with something of every class: no answers are impossible then. */
  mixed(part: number): Float64Array
  /** The structure of such counts, with the coefficients that it has. */
  structureOf(counts: Float64Array): LinkedStructure
}

/** Whether data is rows that belong together, with the tables of a model. */
export const isLinkedRows = (data: unknown): data is LinkedRows =>
  typeof data === 'object' && data !== null && 'structureOf' in data
