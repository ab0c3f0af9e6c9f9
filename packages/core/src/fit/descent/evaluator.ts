import type { StepSums, Sweeps } from '../../engine/sweeps/sweeps.ts'
import type { ModelParameters } from '../../model/parameters.ts'
import type { Block, BlockPoint, KeptBlock } from './block.ts'
import type { ZeroTest } from './zeros.ts'

/** The part of an iterate that the descent reads; the rest may be on a device. */
export interface Iterate {
  /** How large the classes are. */
  readonly shares: Float64Array
  /** One for each block of the evaluator. */
  readonly blocks: readonly BlockPoint[]
  /** The penalized loss, which is what a run brings down; the plain loss where there is no prior. */
  objective: number
  /** The loss of the paper's eq. (2). */
  loss: number
}

/** A point with what sweeps remember, for a checkpoint. */
export interface KeptPoint {
  readonly values: Float64Array
  readonly update: Float64Array
  readonly mass: Float64Array
  readonly objective: number
  readonly loss: number
  readonly count: number
  readonly arrays: readonly Float64Array[]
  /** One for each block. */
  readonly blocks: readonly KeptBlock[]
}

/** Arithmetic on all parameters of points, as acceleration needs it: `Sweeps` says what each does. */
export interface StepArithmetic<P> extends Pick<Sweeps, 'pairs' | 'addChanges' | 'addSteps'> {
  recordStep(to: P, shares: Float64Array, pair: number, used: readonly number[], slopes: Float64Array): StepSums
  stepAlong(length: number, from: P, to: P): boolean
}

/**
 * Where a descent takes place: its two points, the passes that turn each into one that knows its loss and where EM would go, and how many there
 * were.
 */
export interface Evaluator<P extends Iterate> {
  readonly points: readonly [P, P]
  readonly count: number
  readonly total: number
  /** What differences of losses near zero are measured against. */
  readonly unit: number
  /** The parts of the model whose tables follow from parameters of their own. */
  readonly blocks: readonly Block[]
  readonly arithmetic: StepArithmetic<P>
  /** Sets a point to a start. */
  begin(point: P, start: ModelParameters): void
  /** One pass with a point. */
  readonly evaluate: (point: P) => Promise<void>
  /** EM's own step, and its pass. */
  emStep(from: P, to: P): Promise<void>
  residual(point: P): number | Promise<number>
  /** How much the objective may seem to rise at a point by rounding alone. */
  rounding(point: P): number
  /** The model at a point, as a copy: its arrays are used again by the next run. */
  model(point: P): ModelParameters | Promise<ModelParameters>
  /** Whether a point and what sweeps remember can be kept and brought back, exactly. */
  readonly keeping?:
    | {
        /** @param used the pairs that are used */
        keep(point: P, used: readonly number[]): KeptPoint
        restore(point: P, used: readonly number[], kept: KeptPoint): void
        /** How many numbers that takes. */
        size(used: readonly number[]): number
      }
    | undefined
  /** How zeros are checked; absent if the descent leaves them to another. */
  readonly zeros?: {
    test(point: P, room: P, tolerance: number, possible: boolean): Promise<ZeroTest>
    slowlyGrowing(point: P, tolerance: number): readonly number[]
    lift(point: P, room: P, wrong: readonly number[]): Promise<boolean>
  }
}
