import type { Session } from '../../engine/engine.ts'
import { throwIfStopped } from '../../errors.ts'
import { checkAligned } from '../../model/align.ts'
import { pairMisfitSteps } from '../../model/misfit.ts'
import type { Model } from '../../model/model.ts'
import { probabilityOf } from '../../model/posterior.ts'
import { isLinked } from '../../model/structures/linked.ts'
import { unlinkedModel } from '../../model/unlinked.ts'
import { atOnce, type Interruptible } from '../../numeric/interruptible.ts'
import { knownOptions, wholeNumber } from '../../options.ts'
import type { PlatformSignal } from '../../platform-types.ts'
import { MISSING } from '../../tensor/mode.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { runCooperatively } from '../../thread/cooperative.ts'
import type { ModelData } from '../model-data/model-data.ts'
import { placedItem } from '../model-data/placed-item.ts'
import { cellsOf, placedIn } from '../model-data/placed-model.ts'
import { covariatePairs, givenCells, givenModel, givenPairs } from './given-residuals.ts'
import { numberModes, numberPairs } from './item-residuals.ts'
import { type BivariateResidual, type CellResidual, Largest, largestFirst, WHOLE_TABLE } from './residual-lists.ts'

export interface ResidualOptions {
  /** How many cells, those that deviate most. Default 20. */
  readonly limit?: number
}

/** A tensor whose cells are in memory, and a model of its labels. */
export const cellsFor = (owner: string, data: Tensor | Session | ModelData, model: Model): Tensor => {
  const cells = cellsOf(owner, data as Tensor | Session)
  checkAligned(model, cells.modes)
  return cells
}

/**
 * Lists the cells with the largest residuals, among complete observations. Includes cells that were never observed if the table has up to a million cells.
 * For a model with covariates the data has these as modes too (or it is the `data` of the fit), and expected counts are given the covariates of every row.
 * @example
 * const [worst] = residuals(answers, principalComponent(answers), { limit: 3 })
 * worst.labels // ['18–29', 'none', 'low']
 * worst.residual // 13.4
 */
export const residuals = (
  data: Tensor | Session | ModelData,
  given: Model,
  { limit = 20, ...rest }: ResidualOptions = {},
): readonly CellResidual[] => {
  knownOptions('residuals', rest, ['limit'])
  wholeNumber('limit', limit, 0)
  const model = singleRows(given)
  const placed = placedIn('residuals', data, model)
  if (placed !== undefined) return givenCells(placed, limit)
  return atOnce(residualSteps(cellsFor('residuals', data, model), model, limit))
}

/** Pairs of answers are of one row: if rows belong together, the model of single rows is compared. */
const singleRows = (model: Model): Model =>
  model?.structure !== undefined && isLinked(model.structure) ? unlinkedModel(model) : model

/** Cells of a step, and about how many nanoseconds one takes for each class and mode. */
const STEP = { cells: 4096, nanos: 4 }

function* residualSteps(tensor: Tensor, model: Model, limit: number): Interruptible<readonly CellResidual[]> {
  const { modes, indices, values, cells } = tensor
  // A number has no table whose cells would be counted.
  if (numberModes(model.items).includes(true)) return []
  const nanos = STEP.cells * STEP.nanos * model.rank * modes.length
  const complete: number[] = []
  for (let cell = 0; cell < cells; cell++) {
    if (indices.every(column => column[cell] !== MISSING)) complete.push(cell)
    if (cell % STEP.cells === 0) yield STEP.cells * STEP.nanos * modes.length
  }
  const total = complete.reduce((sum, cell) => sum + values[cell], 0)
  const largest = new Largest(limit)
  const judge = (columns: readonly Int32Array[], at: number, observed: number) => {
    const expected = total * probabilityOf(model.parameters, columns, at)
    const residual = (observed - expected) / Math.sqrt(expected)
    // A cell that is impossible and was not seen is as expected.
    if (largest.takes(residual))
      largest.add({ labels: modes.map((mode, n) => mode.label(columns[n][at])), observed, expected, residual })
  }
  for (let i = 0; i < complete.length; i++) {
    judge(indices, complete[i], values[complete[i]])
    if (i % STEP.cells === 0) yield nanos
  }
  for (const place of unseenCells(tensor, complete)) judge(place, 0, 0)
  return Object.freeze(largest.list().map(each => Object.freeze(each)))
}

/** The cells of the table that are not among those given, each as columns of one index; none where the table is too large. */
function* unseenCells({ shape, indices }: Tensor, seen: readonly number[]): Generator<readonly Int32Array[]> {
  const size = shape.reduce((product, each) => product * each, 1)
  if (size > WHOLE_TABLE) return
  const position = (cell: number) => indices.reduce((at, column, n) => at * shape[n] + column[cell], 0)
  const known = new Set(seen.map(position))
  const place = shape.map(() => new Int32Array(1))
  for (let at = 0; at < size; at++) {
    if (known.has(at)) continue
    for (let n = shape.length - 1, rest = at; n >= 0; n--) {
      place[n][0] = rest % shape[n]
      rest = Math.floor(rest / shape[n])
    }
    yield place
  }
}

/**
 * Computes the bivariate residual of every two modes: X² of their table divided by its degrees of freedom, largest first. A large residual is an
 * association that the classes do not explain. If the model is true it is usually below 1, because the parameters were fitted to the same table.
 * @example
 * const [worst] = bivariateResiduals(answers, principalComponent(answers))
 * worst.modes // ['age', 'vote']
 */
export const bivariateResiduals = (data: Tensor | Session | ModelData, given: Model): readonly BivariateResidual[] => {
  const model = singleRows(given)
  const placed = placedIn('bivariateResiduals', data, model)
  const pairs =
    placed === undefined ? pairResiduals(cellsFor('bivariateResiduals', data, model), model) : givenPairs(placed)
  return Object.freeze(pairs.sort(largestFirst))
}

/** The residuals in the order of `pairMisfits`. */
export const pairResiduals = (tensor: Tensor, model: Model): BivariateResidual[] =>
  atOnce(pairResidualSteps(tensor, model))

function* pairResidualSteps(tensor: Tensor, model: Model): Interruptible<BivariateResidual[]> {
  const { parameters } = model
  const names = tensor.modes.map(({ name }) => name)
  const tables = yield* pairMisfitSteps(tensor, parameters, numberModes(model.items))
  const items = tensor.modes.map((mode, n) => placedItem(model, n, mode))
  return [
    ...tables.map(({ modes: [a, b], chiSquared, degreesOfFreedom }) =>
      Object.freeze({
        modes: Object.freeze([names[a], names[b]] as const),
        chiSquared,
        degreesOfFreedom,
        residual: chiSquared / degreesOfFreedom,
      }),
    ),
    ...numberPairs(tensor, parameters, items, names),
  ]
}

/** The residuals of a model. */
export interface Residuals {
  /** The variables that the cells are of: parts of a variable are one again. */
  readonly variables: readonly string[]
  readonly cells: readonly CellResidual[]
  /** Largest first. */
  readonly pairs: readonly BivariateResidual[]
}

/**
 * The residuals of cells and of pairs, as `residuals` and `bivariateResiduals` give them; with a signal, it gives up with an `AbortError` once
 * that says so.
 * @example
 * const { cells, pairs } = await residualsWithin(answers, model, { limit: 3 })
 * cells.length // 3
 */
export const residualsWithin = async (
  data: Tensor | Session | ModelData,
  given: Model,
  { limit = 20, signal, ...rest }: ResidualOptions & { readonly signal?: PlatformSignal | undefined } = {},
): Promise<Residuals> => {
  knownOptions('residualsWithin', rest, ['limit', 'signal'])
  wholeNumber('limit', limit, 0)
  throwIfStopped(signal)
  const model = singleRows(given)
  const placed = placedIn('residualsWithin', data, model)
  if (placed !== undefined)
    return Object.freeze({
      variables: givenModel(placed).names,
      cells: givenCells(placed, limit),
      pairs: Object.freeze([...givenPairs(placed), ...covariatePairs(placed)].sort(largestFirst)),
    })
  const tensor = cellsFor('residualsWithin', data, model)
  const cells = await runCooperatively(residualSteps(tensor, model, limit), signal)
  const pairs = await runCooperatively(pairResidualSteps(tensor, model), signal)
  const variables = tensor.modes.map(({ name }) => name)
  return Object.freeze({ variables, cells, pairs: Object.freeze(pairs.sort(largestFirst)) })
}
