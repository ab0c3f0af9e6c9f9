import { type ComparedModel, comparedModel, type NestedTest } from '../judge/nested.ts'
import { nestedTests } from './group-comparison.ts'
import type { Compared } from './joined-comparison.ts'
import type { DirectEffect } from './specification.ts'

export interface DirectComparison {
  readonly effects: readonly DirectEffect[]
  /** Both on the same rows: `without direct effects` and `with direct effects`. */
  readonly models: readonly ComparedModel[]
  /** Of the model without them within the one with them. Without p if the rows are weighted, or were drawn in clusters. */
  readonly test: NestedTest
}

/** Compares a model with the one without its direct effects. */
export const directComparison = (
  effects: readonly DirectEffect[],
  without: Compared,
  having: Compared,
  { total, sampled }: { readonly total: number; readonly sampled: boolean },
): DirectComparison => {
  const models = [
    comparedModel('without direct effects', without.logLikelihood, without.dimension, total),
    comparedModel('with direct effects', having.logLikelihood, having.dimension, total),
  ]
  return Object.freeze({ effects, models, test: nestedTests(models, sampled)[0] })
}
