import type { StepSums } from '../../engine/sweeps/sweeps.ts'
import type { ModelParameters } from '../../model/parameters.ts'

/** What a point has of a block: its parameters, and the table that follows from them. */
export interface BlockPoint {
  readonly at: Float64Array
  /** The negative slope of the objective by the parameters, per 4M, as for the roots of probabilities. */
  readonly gradient: Float64Array
  /** The factor of the block's mode, as the engine multiplies it, and what a pass adds up for it. */
  readonly table: Float64Array
  readonly expectedCounts: Float64Array
  /** The class sizes, if the block decides them. */
  readonly shares?: Float64Array
}

/**
 * A part of a model whose table follows from parameters of its own, such as a logit of covariates. To the engine the table is the factor of
 * one mode of the data like any other; the parameters are coordinates of the descent beside the roots of probabilities. A block belongs to one descent:
 * it remembers the metric of its parameters.
 */
export interface Block {
  /** The mode of the data whose factor the table is. */
  readonly mode: number
  /** How many parameters it has. */
  readonly size: number
  /** How many numbers its metric has, if that is no matrix of all parameters. */
  readonly metricSize?: number
  newPoint(): BlockPoint
  /** Sets a point to a model, or to what is nearest to it if the model has no parameters for this block. */
  initialize(point: BlockPoint, start: ModelParameters): void
  /** Computes the table from the parameters; false if they are beyond all bounds, and there is no model. */
  computeTable(point: BlockPoint): boolean
  /** Computes the gradient from the expected counts of a pass. */
  updateGradient(point: BlockPoint): void
  /** Computes the metric at a point if there is none yet, or if it is too old. */
  refreshMetric(point: BlockPoint): void
  /** What a prior adds to the loss at a point; absent if there is none. */
  penalty?(point: BlockPoint): number
  /** The M-step from a point, or a part of it. */
  maximize(from: BlockPoint, length: number, to: BlockPoint): void
  /** How far the parameters are from stationary: the largest slope, relative to what it is a sum of. */
  residual(point: BlockPoint): number
  /** M⁻¹·v, and vᵀ·M·v: M is the metric, per 4M like the gradient. */
  inverse(vector: Float64Array): Float64Array
  square(vector: Float64Array): number
  /** The parameters of an item, whose table is the factor of a mode of the model too; absent if the mode is none of the model's. */
  theta?(point: BlockPoint): Float64Array
  /** What the block adds to the parameters of a model. */
  parameters(point: BlockPoint): Partial<ModelParameters>
  snapshot(point: BlockPoint): KeptBlock
  restore(point: BlockPoint, kept: KeptBlock): void
}

/** A point and the metric that was computed last, for a checkpoint: all else follows from the parameters. */
export interface KeptBlock {
  readonly at: Float64Array
  readonly gradient: Float64Array
  /** The expected counts, if the next step needs them. */
  readonly expected?: Float64Array | undefined
  readonly metric: Float64Array | undefined
  readonly age: number
}

/** The steps of a block's parameters, for a checkpoint: the point that was stepped to last, and the pairs that are used. */
export interface KeptSteps {
  readonly at: Float64Array
  readonly gradient: Float64Array
  readonly steps: readonly Float64Array[]
  readonly changes: readonly Float64Array[]
}

/** Does for a block's parameters what `Sweeps` do for probabilities: steps, changes of the gradient, and the direction. */
export class BlockSteps {
  readonly #block: Pick<Block, 'size' | 'inverse' | 'square'>
  readonly #pairs: { readonly step: Float64Array; readonly change: Float64Array }[]
  readonly #at: Float64Array
  readonly #gradient: Float64Array
  readonly #direction: Float64Array

  /** @param pairs how many steps are remembered */
  constructor(block: Pick<Block, 'size' | 'inverse' | 'square'>, pairs: number) {
    const real = () => new Float64Array(block.size)
    this.#block = block
    this.#pairs = Array.from({ length: pairs }, () => ({ step: real(), change: real() }))
    ;[this.#at, this.#gradient, this.#direction] = [real(), real(), real()]
  }

  recordStep({ at, gradient }: BlockPoint, pair: number, used: readonly number[], slopes: Float64Array): StepSums {
    const { step, change } = this.#pairs[pair]
    for (let i = 0; i < at.length; i++) {
      step[i] = at[i] - this.#at[i]
      change[i] = this.#gradient[i] - gradient[i]
    }
    this.#at.set(at)
    this.#gradient.set(gradient)
    for (let j = 0; j < used.length; j++) slopes[j] += dot(this.#pairs[used[j]].step, gradient)
    slopes[used.length] += dot(step, gradient)
    const inverse = this.#block.inverse(change)
    return { curvature: dot(step, change), steps: this.#block.square(step), changes: dot(change, inverse) }
  }

  addChanges(scale: number, used: readonly number[], factors: Float64Array, products: Float64Array): number {
    const sum = this.#gradient.slice()
    for (let j = 0; j < used.length; j++) addTo(sum, factors[j], this.#pairs[used[j]].change)
    const inverse = this.#block.inverse(sum)
    for (let i = 0; i < sum.length; i++) this.#direction[i] = scale * inverse[i]
    for (let j = 0; j < used.length; j++) products[j] += dot(this.#pairs[used[j]].change, this.#direction)
    return dot(this.#gradient, this.#direction)
  }

  addSteps(used: readonly number[], factors: Float64Array): number {
    for (let j = 0; j < used.length; j++) addTo(this.#direction, factors[j], this.#pairs[used[j]].step)
    return this.#block.square(this.#direction)
  }

  stepAlong(length: number, { at }: BlockPoint): void {
    for (let i = 0; i < at.length; i++) at[i] = this.#at[i] + length * this.#direction[i]
  }

  snapshot(used: readonly number[]): KeptSteps {
    const copies = (which: 'step' | 'change') => used.map(pair => this.#pairs[pair][which].slice())
    return { at: this.#at.slice(), gradient: this.#gradient.slice(), steps: copies('step'), changes: copies('change') }
  }

  restore(used: readonly number[], { at, gradient, steps, changes }: KeptSteps): void {
    this.#at.set(at)
    this.#gradient.set(gradient)
    used.forEach((pair, j) => {
      this.#pairs[pair].step.set(steps[j])
      this.#pairs[pair].change.set(changes[j])
    })
  }
}

const addTo = (into: Float64Array, factor: number, vector: Float64Array): void => {
  for (let i = 0; i < into.length; i++) into[i] += factor * vector[i]
}

const dot = (a: Float64Array, b: Float64Array): number => {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i]
  return sum
}
