import { type ComparedModel, comparedModel, type NestedTest, nestedTest } from '../fit-statistics/nested.ts'
import type { DirectEffect } from '../model-data/specification.ts'
import type { Compared } from './joined-comparison.ts'

export interface DirectComparison {
  readonly effects: readonly DirectEffect[]
  /** Both on the same rows: `without direct effects` and `with direct effects`. */
  readonly models: readonly ComparedModel[]
  /** Of the model without them within the one with them. Scaled if the rows are weighted, or were drawn in clusters. */
  readonly test: NestedTest
}

/** Compares a model with the one without its direct effects. */
export const directComparison = (
  effects: readonly DirectEffect[],
  without: Compared,
  having: Compared,
  total: number,
): DirectComparison => {
  const models = [
    comparedModel('without direct effects', without.logLikelihood, without.dimension, total, without.scaling),
    comparedModel('with direct effects', having.logLikelihood, having.dimension, total, having.scaling),
  ] as const
  return Object.freeze({ effects, models, test: nestedTest(...models, [without.scaling, having.scaling]) })
}
