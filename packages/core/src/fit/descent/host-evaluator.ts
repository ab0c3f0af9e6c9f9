import type { Session, Statistics } from '../../engine/engine.ts'
import type { Sweeps } from '../../engine/sweeps/sweeps.ts'
import type { ModelParameters } from '../../model/parameters.ts'
import type { Block } from './block.ts'
import type { Evaluator } from './evaluator.ts'
import { newPoint, type Point, setParameters, statisticsOf, takeStatistics, withBlocks } from './point.ts'
import type { RunOptions } from './run-options.ts'
import { movement, stationarity } from './stationarity.ts'
import { sizeOf, unitOf } from './stopping.ts'
import { lift, slowlyGrowing, testZeros } from './zeros.ts'

/** How often the M-step of blocks is shortened before their parameters stay as they are. */
const SHORTENED = 4

/** How many times the engine's precision, relative to its size, the objective may seem to rise in a step by rounding alone. */
const ROUNDING = 10

/** The evaluator of a descent whose points are in memory, in sweeps: any prior, constraint and block. */
export class HostEvaluator implements Evaluator<Point> {
  count = 0
  readonly total: number
  readonly unit: number
  readonly blocks: readonly Block[]
  readonly #rounding: number
  /** What a pass gathers, by block, and as an engine writes it, by mode. */
  readonly #statistics: Statistics
  readonly #session: Session
  readonly arithmetic: Sweeps
  readonly points: readonly [Point, Point]
  readonly #options: RunOptions

  constructor(session: Session, sweeps: Sweeps, options: RunOptions, blocks: readonly Block[] = []) {
    this.#session = session
    this.arithmetic = sweeps
    this.#options = options
    this.#statistics = statisticsOf(sweeps)
    this.total = session.data.total
    this.unit = unitOf(this.total)
    this.blocks = blocks
    this.points = [newPoint(sweeps, 0, blocks), newPoint(sweeps, 1, blocks)]
    this.#rounding = (options.rough ? 1 : ROUNDING) * session.traits.precision
  }

  begin(point: Point, start: ModelParameters): void {
    setParameters(point, start, this.blocks)
  }

  readonly evaluate = async (point: Point): Promise<void> => {
    const { steps, projector, onPass } = this.#options
    projector?.project(point.parameters)
    if (!(await this.#pass(point))) {
      point.loss = Number.POSITIVE_INFINITY
      point.objective = Number.POSITIVE_INFINITY
      return
    }
    projector?.pool(this.#statistics)
    takeStatistics(point, this.arithmetic, this.#statistics, this.total, steps)
    this.blocks.forEach((block, b) => {
      if (block.penalty) point.objective += block.penalty(point.blocks[b])
    })
    this.count++
    await onPass?.(this.count, point.loss)
  }

  /** Gathers the statistics of a point; false if it is no model. */
  async #pass({ passed, blocks }: Point): Promise<boolean> {
    if (!this.blocks.every((block, b) => block.computeTable(blocks[b]))) return false
    const counts = blocks.map(block => block.expectedCounts)
    const into = { ...this.#statistics, factors: withBlocks(this.#statistics.factors, this.blocks, counts) }
    const { signal, whole } = this.#options
    await this.#session.pass(passed, into, whole && this.count === 0 ? undefined : signal)
    this.#statistics.logLikelihood = into.logLikelihood
    this.blocks.forEach((block, b) => void block.updateGradient(blocks[b]))
    return true
  }

  /** EM's own step: all free probabilities in closed form; the M-steps of blocks are shortened until the objective is no higher. */
  async emStep(from: Point, to: Point): Promise<void> {
    const { steps, stopping } = this.#options
    to.values.set(from.update)
    if (this.blocks.length === 0) return this.evaluate(to)
    const highest = from.objective + this.rounding(from)
    for (let shorter = 0; ; shorter++) {
      const length = shorter === SHORTENED ? 0 : 4 ** -shorter
      this.blocks.forEach((block, b) => void block.maximize(from.blocks[b], length, to.blocks[b]))
      await this.evaluate(to)
      const last = shorter === SHORTENED || !steps.every(step => step.descends)
      if (to.objective <= highest || last || this.count >= stopping.maxPasses) return
    }
  }

  residual(point: Point): number {
    const own = this.#options.steps.every(step => step.descends) ? stationarity(point) : movement(point)
    return this.blocks.reduce((most, block, b) => Math.max(most, block.residual(point.blocks[b])), own)
  }

  /** How much the objective may seem to rise at a point by rounding alone. */
  rounding({ objective }: Point): number {
    return this.#rounding * sizeOf(objective, this.unit)
  }

  model({ rank, shares, passed, blocks }: Point): ModelParameters {
    const isHidden = (n: number) => this.blocks.some(({ mode, theta }) => mode === n && theta === undefined)
    const added = this.blocks.map((block, b) => block.parameters(blocks[b]))
    const items: (Float64Array | undefined)[] = []
    this.blocks.forEach((block, b) => {
      if (block.theta) items[block.mode] = block.theta(blocks[b])
    })
    return {
      rank,
      shares: shares.slice(),
      factors: passed.factors.filter((_, n) => !isHidden(n)).map(factor => factor.slice()),
      ...(items.length > 0 && { items: Array.from(passed.factors, (_, n) => items[n]) }),
      ...Object.assign({}, ...added),
    }
  }

  get keeping(): Evaluator<Point>['keeping'] {
    const sweeps = this.arithmetic
    const some = sweeps.pairs > 0
    const sizes = this.blocks.map(block => block.size)
    const own = sizes.reduce((sum, size) => sum + size, 0)
    const metrics = sizes.reduce((sum, size) => sum + size * size, 0)
    return {
      keep: ({ values, update, mass, objective, loss, blocks }, used) => ({
        values: values.slice(),
        update: update.slice(),
        mass: mass.slice(),
        objective,
        loss,
        count: this.count,
        arrays: some ? sweeps.snapshot(used) : [],
        blocks: this.blocks.map((block, b) => block.snapshot(blocks[b])),
      }),
      restore: (point, used, kept) => {
        point.values.set(kept.values)
        point.update.set(kept.update)
        point.mass.set(kept.mass)
        point.objective = kept.objective
        point.loss = kept.loss
        this.count = kept.count
        if (some) sweeps.restore(used, kept.arrays)
        this.blocks.forEach((block, b) => void block.restore(point.blocks[b], kept.blocks[b]))
      },
      size: used => (4 + 2 * used.length) * (this.points[0].values.length + own) + metrics,
    }
  }

  readonly zeros = {
    test: (point: Point, room: Point, tolerance: number, possible: boolean) =>
      testZeros(point, room, tolerance, possible, this.evaluate),
    slowlyGrowing,
    lift: (point: Point, room: Point, wrong: readonly number[]) => lift(point, room, wrong, this.evaluate),
  }
}
