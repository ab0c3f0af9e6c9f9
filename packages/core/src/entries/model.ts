/** `@polyad/core/model`: models and tensors, for programs that work on their parts. */
export { answeredBy } from '../fit/update/answered.ts'
export type { LabelDifference } from '../model/align.ts'
export { alignModel, checkAligned, modelOver, modePositions, sameModes } from '../model/align.ts'
export {
  type FilledNumber,
  type FilledNumbers,
  filledNumbers,
  type NumberFiller,
  numberFiller,
} from '../model/filled-numbers.ts'
export { type DrawnRow, drawMissing } from '../model/impute.ts'
export { isNumber } from '../model/items/item.ts'
export { tupleLabel, tupleOf } from '../model/items/tuples.ts'
export type { Losses } from '../model/loss.ts'
export { logLikelihoodOf, lossesOf } from '../model/loss.ts'
export { locateRow, mostProbable, posteriorInto } from '../model/posterior.ts'
export type { ModelCopy, TensorCopy } from '../model/revive.ts'
export { reviveModel, reviveTensor } from '../model/revive.ts'
export { LogitStructure, membership } from '../model/structures/logit.ts'
export type { GivenColumn, HiddenStructure, RowPrior } from '../model/structures/structure.ts'
export type { Structure } from '../model/structures/structures.ts'
export type { SurpriseTables } from '../model/surprise.ts'
export { surpriseFigures, surpriseTables } from '../model/surprise.ts'
export { withTotal } from '../model/with-total.ts'
export { tensorOfOrdered } from '../tensor/build.ts'
export { cellPositions, cellsWithin } from '../tensor/cell-positions.ts'
export type { CodedCells, CodedMode, CodedRows } from '../tensor/coded-cells.ts'
export { cellsOfCodes } from '../tensor/coded-cells.ts'
export { splitFolds } from '../tensor/folds.ts'
export { intervalText } from '../tensor/interval-text.ts'
export { areTimes, statedOrder } from '../tensor/label-order.ts'
export { completeCells, joinModes, selectCells, withoutModes } from '../tensor/reshape.ts'
export type { RowWeights, ScaledWeights, WeighedRows } from '../tensor/row-weights.ts'
export { rowsOfCells, rowsWithin, scaleWeights, weighRows, weightScale } from '../tensor/row-weights.ts'
export { hasCells } from '../tensor/tensor.ts'
