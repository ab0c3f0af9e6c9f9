import { ABILITIES } from '../../engine/abilities.ts'
import type { Session } from '../../engine/engine.ts'
import { DataError, throwIfStopped } from '../../errors.ts'
import { countsOf } from '../../fit/fit.ts'
import { checkAligned } from '../../model/align.ts'
import { pairMisfitSteps } from '../../model/misfit.ts'
import type { Model } from '../../model/model.ts'
import { probabilityOf } from '../../model/posterior.ts'
import { atOnce, type Steps } from '../../numeric/steps.ts'
import { knownOptions, wholeNumber } from '../../options.ts'
import type { PlatformSignal } from '../../platform-types.ts'
import { type Label, MISSING } from '../../tensor/mode.ts'
import { hasCells, type Tensor } from '../../tensor/tensor.ts'
import { inTurns } from '../../thread/turns.ts'

/** A cell of the table, and how far it is from what the model expects. */
export interface CellResidual {
  /** One for each mode. */
  readonly labels: readonly Label[]
  readonly observed: number
  readonly expected: number
  /** (observed − expected) / √expected. */
  readonly residual: number
}

/** Two modes, and how much of their association the model leaves unexplained. */
export interface BivariateResidual {
  readonly modes: readonly [string, string]
  /** Pearson's X² of the table of the two modes. */
  readonly chiSquared: number
  /** (I − 1)·(J − 1), of a table of I by J. */
  readonly degreesOfFreedom: number
  /** X² divided by its degrees of freedom. */
  readonly residual: number
}

export interface ResidualOptions {
  /** How many cells, those that deviate most. Default 20. */
  readonly limit?: number
}

/** A tensor whose cells are in memory, and a model of its labels. */
export const cellsFor = (owner: string, data: Tensor | Session, model: Model): Tensor => {
  const counts = countsOf(data)
  if (!hasCells(counts)) throw new DataError(`${owner} needs ${ABILITIES.cells}, which this session does not have`)
  checkAligned(model, counts.modes)
  return counts
}

/** Of a table of up to this many cells all are looked at, and of a larger one those that were seen. */
export const WHOLE_TABLE = 1e6

/**
 * The cells that deviate most from a model, in either direction, among the observations that lack nothing. Cells that were
 * never seen are among them where the table has up to a million.
 * @example
 * const [worst] = residuals(answers, principalComponent(answers), { limit: 3 })
 * worst.labels // ['18–29', 'none', 'low']
 * worst.residual // 13.4
 */
export const residuals = (
  data: Tensor | Session,
  model: Model,
  { limit = 20, ...rest }: ResidualOptions = {},
): readonly CellResidual[] => {
  knownOptions('residuals', rest, ['limit'])
  wholeNumber('limit', limit, 0)
  return atOnce(residualSteps(cellsFor('residuals', data, model), model, limit))
}

/** Cells of a step, and about how many nanoseconds one takes for each class and mode. */
const STEP = { cells: 4096, nanos: 4 }

function* residualSteps(tensor: Tensor, model: Model, limit: number): Steps<readonly CellResidual[]> {
  const { modes, indices, values, cells } = tensor
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

/** The cells with the largest residuals so far. */
export class Largest {
  readonly #limit: number
  #list: CellResidual[] = []
  #least = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  takes(residual: number): boolean {
    return this.#limit > 0 && Math.abs(residual) > this.#least
  }

  add(cell: CellResidual): void {
    this.#list.push(cell)
    if (this.#list.length < 4 * this.#limit + 100) return
    this.#list = this.list()
    this.#least = Math.abs(this.#list[this.#list.length - 1].residual)
  }

  list(): CellResidual[] {
    return this.#list.sort((a, b) => Math.abs(b.residual) - Math.abs(a.residual)).slice(0, this.#limit)
  }
}

/**
 * How well a model explains the association of every two modes: X² of their table by its degrees of freedom, largest first. Within
 * classes modes are independent, so a large residual is an association that the classes do not explain. It is
 * usually below 1 if the model is true, because the parameters were fitted to the same table.
 * @example
 * const [worst] = bivariateResiduals(answers, principalComponent(answers))
 * worst.modes // ['age', 'vote']
 */
export const bivariateResiduals = (data: Tensor | Session, model: Model): readonly BivariateResidual[] =>
  Object.freeze([...pairResiduals(cellsFor('bivariateResiduals', data, model), model)].sort(largestFirst))

export const largestFirst = (a: BivariateResidual, b: BivariateResidual): number => b.residual - a.residual

/** The residuals in the order of `pairMisfits`. */
export const pairResiduals = (tensor: Tensor, model: Model): BivariateResidual[] =>
  atOnce(pairResidualSteps(tensor, model))

function* pairResidualSteps(tensor: Tensor, { parameters }: Model): Steps<BivariateResidual[]> {
  const names = tensor.modes.map(({ name }) => name)
  return (yield* pairMisfitSteps(tensor, parameters)).map(({ modes: [a, b], chiSquared, degreesOfFreedom }) =>
    Object.freeze({
      modes: Object.freeze([names[a], names[b]] as const),
      chiSquared,
      degreesOfFreedom,
      residual: chiSquared / degreesOfFreedom,
    }),
  )
}

/**
 * The residuals of cells and of pairs, as `residuals` and `bivariateResiduals` give them; with a signal, it gives up with an `AbortError` once
 * that says so.
 * @example
 * const { cells, pairs } = await residualsWithin(answers, model, { limit: 3 })
 * cells.length // 3
 */
export const residualsWithin = async (
  data: Tensor | Session,
  model: Model,
  { limit = 20, signal, ...rest }: ResidualOptions & { readonly signal?: PlatformSignal | undefined } = {},
): Promise<{ readonly cells: readonly CellResidual[]; readonly pairs: readonly BivariateResidual[] }> => {
  knownOptions('residualsWithin', rest, ['limit', 'signal'])
  wholeNumber('limit', limit, 0)
  throwIfStopped(signal)
  const tensor = cellsFor('residualsWithin', data, model)
  const cells = await inTurns(residualSteps(tensor, model, limit), signal)
  const pairs = await inTurns(pairResidualSteps(tensor, model), signal)
  return Object.freeze({ cells, pairs: Object.freeze(pairs.sort(largestFirst)) })
}
