import type { PlacedDescent } from '../../engine/placed-descent.ts'
import { throwIfStopped } from '../../errors.ts'
import { lossOffset } from '../../model/loss.ts'
import type { Counts } from '../../tensor/tensor.ts'
import type { Evaluator, Iterate, StepArithmetic } from './evaluator.ts'
import type { RunOptions } from './run-options.ts'
import { sizeOf, unitOf } from './stopping.ts'

/** A point of a descent that lies where the passes are done. */
interface PlacedPoint extends Iterate {
  readonly which: 0 | 1
}

/** The evaluator of a descent without priors, in single precision, whose points the engine keeps. */
export const deviceEvaluator = (
  descent: PlacedDescent,
  { total }: Counts,
  precision: number,
  { onPass, signal }: RunOptions,
): Evaluator<PlacedPoint> => {
  const pointOf = (which: 0 | 1): PlacedPoint => ({
    which,
    get shares() {
      return descent.shares(which)
    },
    blocks: [],
    objective: Number.POSITIVE_INFINITY,
    loss: Number.POSITIVE_INFINITY,
  })
  const arithmetic: StepArithmetic<PlacedPoint> = {
    pairs: descent.pairs,
    recordStep: (to, _, ...rest) => descent.recordStep(to.which, ...rest),
    addChanges: (...all) => descent.addChanges(...all),
    addSteps: (...all) => descent.addSteps(...all),
    stepAlong: (length, from, to) => descent.stepAlong(length, from.which, to.which),
  }
  const unit = unitOf(total)
  let count = 0
  const evaluate = async (point: PlacedPoint) => {
    throwIfStopped(signal)
    point.loss = lossOffset(total) - (await descent.pass(point.which))
    point.objective = point.loss
    count++
    await onPass?.(count, point.loss)
  }
  return {
    points: [pointOf(0), pointOf(1)],
    get count() {
      return count
    },
    total,
    unit,
    blocks: [],
    arithmetic,
    evaluate,
    begin: ({ which }, start) => descent.begin(which, start),
    emStep(from, to) {
      descent.emUpdate(from.which, to.which)
      return evaluate(to)
    },
    residual: ({ which }) => descent.residual(which),
    rounding: ({ objective }) => precision * sizeOf(objective, unit),
    model: ({ which }) => descent.read(which),
  }
}
