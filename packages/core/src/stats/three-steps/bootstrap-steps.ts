import { defined } from '../../defined.ts'
import { AbortError, DataError, OptionError } from '../../errors.ts'
import type { Constraints } from '../../fit/descent/constraints.ts'
import { withRunner } from '../../fit/fit.ts'
import { type FitOptions, fitOptionsOf } from '../../fit/fit-options.ts'
import type { ReplicateResult } from '../../fit/search/replicate.ts'
import type { Model } from '../../model/model.ts'
import { is, type OptionTable } from '../../options.ts'
import { cellPositions } from '../../tensor/cell-positions.ts'
import { tensorFromColumns } from '../../tensor/coordinates.ts'
import { MISSING } from '../../tensor/mode.ts'
import { quantile } from '../resampling/monte-carlo.ts'
import { inOrder, refittedModel } from '../resampling/refitted.ts'
import { drawReplicates, REPLICATES, type ReplicateProgress, refitOf } from '../resampling/replicates.ts'
import { type DrawnUnits, drawTimes } from '../resampling/resample-units.ts'
import { replicatesForIntervals } from '../resampling/spreads.ts'

/** Options of the bootstrap of three-step analyses. */
export interface StepBootstrapOptions
  extends Pick<FitOptions, 'seed' | 'maxSeconds' | 'engine' | 'threads' | 'signal'> {
  /** How many replicates. Default 200. */
  readonly replicates?: number
  /** Called with every replicate. */
  readonly onReplicate?: (progress: ReplicateProgress) => void
}

/** The options of `bootstrapRegress` and `bootstrapDistal`, besides those of the analysis. */
export const STEP_BOOTSTRAP_OPTIONS = {
  ...fitOptionsOf('seed', 'maxSeconds', 'engine', 'threads', 'signal'),
  replicates: { check: REPLICATES, default: 200 },
  onReplicate: { check: is.function },
} as const satisfies OptionTable<StepBootstrapOptions>

export const STEP_NAMES = Object.keys(STEP_BOOTSTRAP_OPTIONS) as readonly (keyof StepBootstrapOptions)[]

/** Standard error and interval of an estimate over replicates of all three steps. */
export interface StepSpread {
  /** Undefined if the estimate itself is infinite, or is finite in no more than half of the replicates. */
  readonly standardError: number | undefined
  /** Between the percentiles of the replicates; undefined if there are too few, and where there is no standard error. */
  readonly interval: readonly [low: number, high: number] | undefined
  /** In how many replicates the estimate is finite. */
  readonly finite: number
}

/** A summary of the replicates. */
export interface StepReplicates {
  readonly replicates: number
  /** In how many the third step had no solution: they are left out. */
  readonly failed: number
  readonly stopped: boolean
  readonly seed: number
}

/** Rows of which all three steps are made again. */
export interface StepRows extends DrawnUnits {
  readonly model: Model
  readonly constraints: Constraints | undefined
  /** For every mode of the model the positions of the rows' labels. */
  readonly answers: readonly ArrayLike<number>[]
  /** What an observation of each row weighs. */
  readonly weights: ArrayLike<number>
}

/**
 * Draws rows, or clusters within strata, again and again; fits the model to each such sample, beginning at its estimate; pairs the classes with
 * those of the model; and makes the second and the third step.
 * @param third the estimates of the third step; not a number where they are infinite
 */
export const bootstrapSteps = async (
  rows: StepRows,
  { replicates = STEP_BOOTSTRAP_OPTIONS.replicates.default, seed = 1, onReplicate, ...running }: StepBootstrapOptions,
  confidence: number,
  third: (model: Model, times: Float64Array) => readonly number[],
): Promise<StepReplicates & { readonly spreads: readonly StepSpread[] }> => {
  const { model, constraints, answers, weights, counts } = rows
  if (replicates < 2) throw new OptionError('replicates', 'must be 2 or more', replicates)
  const columns = answers.map(column => Int32Array.from(column))
  const answered = (i: number) => columns.some(column => column[i] !== MISSING)
  const modes = model.modes.map(({ name, labels, size }) => ({
    name,
    labels: labels ?? Array.from({ length: size }, (_, j) => j),
  }))
  const tensor = tensorFromColumns(
    columns,
    Float64Array.from(counts, (count, i) => (answered(i) ? count * weights[i] : 0)),
    { shape: model.modes.map(({ size }) => size), modes },
  )
  const places = cellPositions(tensor, columns)
  const draw = drawTimes(rows)
  const valuesOf = (times: Float64Array) => {
    const values = new Float64Array(tensor.cells)
    times.forEach((each, i) => {
      if (places[i] >= 0 && answered(i)) values[places[i]] += each * weights[i]
    })
    return values
  }
  return withRunner(tensor, { ...running, onReplicate }, async (runner, { signal, onReplicate: onEach }) => {
    const refit = refitOf(runner, model, 0, { seed, ...defined({ constraints }) })
    const found: (readonly number[])[] = []
    let made = 0
    let failed = 0
    const makeThird = ({ fits: [{ parameters }] }: ReplicateResult) => {
      const number = made++
      const own = refittedModel(model, inOrder(model, parameters, refit.setting.constraints))
      try {
        found.push(third(own, draw(seed, number)))
      } catch (error) {
        if (!(error instanceof DataError)) throw error
        failed++
      }
    }
    // After every batch, so that whoever stops them does not wait for the third steps of all.
    const enough = (results: readonly ReplicateResult[]) => {
      results.slice(made).forEach(makeThird)
      return false
    }
    const results = await drawReplicates(
      runner,
      { seed, fits: [refit], misfit: false },
      { replicates, signal, onReplicate: onEach, draw: (_, number) => valuesOf(draw(seed, number)), enough },
    )
    if (found.length < 2 && results.length < replicates)
      throw new AbortError(signal, 'stopped before two replicates were made')
    if (found.length < 2)
      throw new DataError(
        `the third step has no solution in ${failed} of ${results.length} bootstrap replicates: use fewer classes or covariates`,
      )
    const spreads = found[0].map((_, at) =>
      spreadOf(
        found.map(each => each[at]),
        confidence,
      ),
    )
    return { replicates: results.length, failed, stopped: results.length < replicates, seed, spreads }
  })
}

const spreadOf = (all: readonly number[], confidence: number): StepSpread => {
  const values = all.filter(Number.isFinite)
  const finite = values.length
  if (finite < 2 || 2 * finite <= all.length) return { standardError: undefined, interval: undefined, finite }
  const mean = values.reduce((sum, each) => sum + each, 0) / finite
  const variance = values.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (finite - 1)
  const sorted = Float64Array.from(values).sort()
  const tail = (1 - confidence) / 2
  const enough = finite >= replicatesForIntervals(confidence)
  const interval = enough ? ([quantile(sorted, tail), quantile(sorted, 1 - tail)] as const) : undefined
  return { standardError: Math.sqrt(variance), interval, finite }
}
