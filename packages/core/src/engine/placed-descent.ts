import type { Parameters } from '../model/parameters.ts'
import type { StepSums, Sweeps } from './sweeps/sweeps.ts'

/**
 * A descent whose points lie where the passes are done, since moving them would cost more than a pass. There are two points, 0 and 1, each with the
 * values that it was given and EM's update of them. What a descent does between passes is asked for by the point; of `Sweeps` it has what
 * acceleration needs.
 */
export interface PlacedDescent extends Pick<Sweeps, 'addChanges' | 'addSteps'> {
  readonly rank: number
  /** How many pairs of steps and changes of the gradient there is room for. */
  readonly pairs: number
  /** Sets a point to a model's parameters. */
  begin(which: 0 | 1, parameters: Parameters): void
  /** The shares at a point. */
  shares(which: 0 | 1): Float64Array
  /** EM's own step: a point becomes the update of another. */
  emUpdate(from: 0 | 1, to: 0 | 1): void
  /** One pass with a point's values: its log-likelihood; the update is then known. */
  pass(which: 0 | 1): Promise<number>
  /** How far a point is from being stationary, by its last pass. */
  residual(which: 0 | 1): Promise<number>
  /** The values of a point. */
  read(which: 0 | 1): Promise<Parameters>
  /** As those of `Sweeps`, from the other point to this. */
  recordStep(to: 0 | 1, pair: number, used: readonly number[], slopes: Float64Array): StepSums
  stepAlong(length: number, from: 0 | 1, to: 0 | 1): boolean
}

/** The descents of a session, one at a time: opening another ends the one before. */
export interface PlacedDescents {
  /** @param pairs how many steps acceleration remembers; 0 for none */
  open(rank: number, pairs: number): Promise<PlacedDescent>
}
