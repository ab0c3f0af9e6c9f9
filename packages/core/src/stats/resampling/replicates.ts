import { defined } from '../../defined.ts'
import { ABILITIES } from '../../engine/abilities.ts'
import type { Session } from '../../engine/engine.ts'
import { DataError, OptionError } from '../../errors.ts'
import { checkedFit } from '../../fit/checked-fit.ts'
import { type Stopping, stoppingOptions } from '../../fit/descent/stopping.ts'
import type { FitOptions } from '../../fit/fit-options.ts'
import { checkItems } from '../../fit/fit-parts.ts'
import type { TaskRunner } from '../../fit/running/task-runner.ts'
import type { Refit, Replicate, ReplicateResult } from '../../fit/search/replicate.ts'
import type { Model } from '../../model/model.ts'
import type { ModelParameters } from '../../model/parameters.ts'
import { is } from '../../options.ts'
import type { PlatformSignal } from '../../platform-types.ts'
import type { RowWeights } from '../../tensor/row-weights.ts'
import { type Counts, hasCells } from '../../tensor/tensor.ts'
import type { DrawReplicate } from './resample-units.ts'

/** The options of a fit that its replicates are fitted with too. */
export type RefitOptions = Pick<FitOptions, 'seed' | 'algorithm' | 'pseudoCounts' | 'smoothing' | 'constraints'>

export interface ReplicateProgress {
  /** Replicates that have been fitted, of how many. */
  readonly done: number
  readonly replicates: number
}

/** Replicates that are handed out together: fixed, so that it does not depend on the threads where they end early. */
const BATCH = 16
/** How exactly a replicate is fitted: its statistics are then right to about 1e-5. */
const EXACT = { tolerance: 1e-10, stationarity: 1e-4 }
/** How many replicates there may be. */
export const REPLICATES = is.whole(1, 1_000_000)
/** No replicate has been seen to need as many passes. */
const MOST_PASSES = 5000
/** More observations than this are not drawn one by one. */
const MOST_OBSERVATIONS = 2 ** 26

/** How a model is fitted again. @param starts besides the model itself */
export const refitOf = (
  { session }: TaskRunner,
  model: Model,
  starts: number,
  { seed, algorithm, pseudoCounts, smoothing, constraints }: RefitOptions,
): Refit => {
  if (smoothing === 'auto')
    throw new OptionError('smoothing', 'must be a width for replicates: use the one that was chosen', smoothing)
  const { rank, modes } = model
  const named = model.items.flatMap((item, n) => (item === undefined ? [] : [[modes[n].name, item.spec] as const]))
  const items = named.length === 0 ? undefined : Object.fromEntries(named)
  const chosen = { seed, algorithm, pseudoCounts, smoothing, constraints, items }
  const options = { rank, ...defined(chosen) }
  const { task: plain } = checkedFit(session.data, options)
  const task = { ...plain, ...defined({ items: checkItems(session.data, options, plain.constraints) }) }
  return { setting: task, from: parametersOf(model), starts, stopping: replicateStopping(session, rank) }
}

/** The parameters of a model, those of its items too. */
export const parametersOf = ({ parameters, items }: Model): ModelParameters =>
  items.every(item => item === undefined) ? parameters : { ...parameters, items: items.map(item => item?.theta) }

/** When the fit of a replicate ends. */
export const replicateStopping = ({ data, traits: { precision } }: Session, rank: number): Stopping => {
  const exact = {
    tolerance: Math.max(EXACT.tolerance, 10 * precision),
    stationarity: Math.max(EXACT.stationarity, 1e3 * precision),
  }
  return { ...stoppingOptions(exact, data, rank, precision), maxPasses: MOST_PASSES }
}

export interface ReplicateRun {
  readonly replicates: number
  readonly signal?: PlatformSignal | undefined
  readonly onReplicate?: ((progress: ReplicateProgress) => void) | undefined
  /** Draws the values of the cells here, if they are not drawn with the fits. */
  readonly draw?: DrawReplicate | undefined
  /** The unit of work that they are a part of, for a checkpoint. */
  readonly within?: string | undefined
  /** Looks at what there is after every batch, and says whether it is enough. */
  readonly enough?: (results: readonly ReplicateResult[]) => boolean
}

/** Draws and fits replicates, numbered from 0, until there are as many as asked for, enough is known, or it is stopped. */
export const drawReplicates = async (
  runner: TaskRunner,
  replicate: Omit<Replicate, 'number' | 'values'>,
  { replicates, signal, onReplicate, enough = () => false, draw, within }: ReplicateRun,
): Promise<ReplicateResult[]> => {
  const results: ReplicateResult[] = []
  let done = 0
  const onResult = () => {
    if (signal?.aborted !== true) onReplicate?.({ done: ++done, replicates })
  }
  for (let from = 0; from < replicates && !signal?.aborted; from += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, replicates - from) }, (_, i) => from + i)
    const tasks = numbers.map(number => ({
      ...replicate,
      number,
      ...(draw !== undefined && { values: draw(replicate.seed, number) }),
    }))
    results.push(...(await runner.replicate(tasks, { signal, onResult, within })))
    if (enough(results)) break
  }
  return results
}

/** More numbers than this, over all replicates, are not kept. */
const MOST_NUMBERS = 2 ** 27

/**
 * Refuses more replicates than memory has room for. @param terms of the shares: 1, or as many as explain them
 * @example
 * checkReplicates(answers, 3, 500)
 */
export const checkReplicates = (
  { shape }: Pick<Counts, 'shape'>,
  rank: number,
  replicates: number,
  terms = 1,
): void => {
  const numbers = rank * shape.reduce((sum, size) => sum + size, terms)
  if (numbers * replicates <= MOST_NUMBERS) return
  const most = Math.floor(MOST_NUMBERS / numbers)
  throw new OptionError(
    'replicates',
    `must be at most ${most} with ${numbers} parameters, or memory runs out`,
    replicates,
  )
}

/**
 * Refuses data of which no replicate can be drawn: values must be whole numbers, of cells that are in memory, or there must be rows with weights.
 * @example
 * checkCounts(answers)
 */
export const checkCounts = (data: Counts, rows?: RowWeights): void => {
  if (!hasCells(data)) throw new DataError(`replicates need ${ABILITIES.cells}, which this session does not have`)
  if (rows !== undefined) {
    const outside = rows.cells.find(cell => !(cell >= 0 && cell < data.cells))
    if (outside !== undefined)
      throw new OptionError('rowWeights', `must be in cells 0 to ${data.cells - 1} of the data (got cell ${outside})`)
    const broken = rows.counts.find(count => !(Number.isInteger(count) && count >= 0))
    if (broken !== undefined) throw new OptionError('rowWeights', `must have whole numbers of rows (got ${broken})`)
    return
  }
  const broken = data.values.findIndex(value => !Number.isInteger(value))
  if (broken >= 0) {
    throw new DataError(
      `replicates are drawn observation by observation: values must be whole numbers (cell ${broken + 1} has ${data.values[broken]})`,
      { cell: broken + 1 },
    )
  }
  if (data.total > MOST_OBSERVATIONS) {
    throw new DataError(
      `replicates are drawn observation by observation: there may be up to ${MOST_OBSERVATIONS} (got ${data.total})`,
    )
  }
}
