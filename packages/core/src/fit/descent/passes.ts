import type { Session, Statistics } from '../../engine/engine.ts'
import type { Sweeps } from '../../engine/sweeps/sweeps.ts'
import type { Ground } from './ground.ts'
import type { Explained, Membership } from './membership.ts'
import { newPoint, type Point, setParameters, statisticsOf, takeIn } from './point.ts'
import type { RunOptions } from './run-options.ts'
import { movement, stationarity } from './stationarity.ts'
import { sizeOf, unitOf } from './stopping.ts'
import { lift, slowlyGrowing, testZeros } from './zeros.ts'

/** How often EM's step of the coefficients, which is Newton's, is shortened before they stay as they are. */
const SHORTENED = 4

/** How many times the engine's precision, relative to its size, the objective may seem to rise in a step by rounding alone. */
const ROUNDING = 10

/** The ground of a descent whose points are in memory, in sweeps: any prior, constraint and explanation. */
export class Passes implements Ground<Point> {
  count = 0
  readonly total: number
  readonly unit: number
  readonly membership: Membership | undefined
  readonly #rounding: number
  /** What a pass gathers, by block, and as an engine writes it, by mode. */
  readonly #statistics: Statistics
  readonly #session: Session
  readonly arithmetic: Sweeps
  readonly points: readonly [Point, Point]
  readonly #options: RunOptions

  /** @param explaining the class of memberships, where they are explained: only then it is loaded */
  constructor(session: Session, sweeps: Sweeps, options: RunOptions, explaining?: typeof Membership) {
    const { explained } = options
    this.#session = session
    this.arithmetic = sweeps
    this.#options = options
    this.#statistics = statisticsOf(sweeps)
    this.total = session.data.total
    this.unit = unitOf(this.total)
    this.membership = explained && new explaining!(explained, sweeps.rank, this.total)
    this.points = [newPoint(sweeps, 0, this.membership), newPoint(sweeps, 1, this.membership)]
    this.#rounding = (options.rough ? 1 : ROUNDING) * session.traits.precision
  }

  begin(point: Point, start: Explained): void {
    setParameters(point, start, this.membership)
  }

  readonly evaluate = async (point: Point): Promise<void> => {
    const { steps, keeper, onPass } = this.#options
    keeper?.project(point.parameters)
    if (!(await this.#pass(point))) {
      point.loss = Number.POSITIVE_INFINITY
      point.objective = Number.POSITIVE_INFINITY
      return
    }
    keeper?.pool(this.#statistics)
    takeIn(point, this.arithmetic, this.#statistics, this.total, steps)
    this.count++
    await onPass?.(this.count, point.loss)
  }

  /** Gathers the statistics of a point; false if it is no model. */
  async #pass({ parameters, membership }: Point): Promise<boolean> {
    const explaining = this.membership
    if (membership !== undefined && !explaining!.settle(membership)) return false
    const into = membership === undefined ? this.#statistics : explaining!.gathered(this.#statistics, membership)
    const passed = membership === undefined ? parameters : explaining!.passed(parameters, membership)
    const { signal, whole } = this.#options
    await this.#session.pass(passed, into, whole && this.count === 0 ? undefined : signal)
    this.#statistics.logLikelihood = into.logLikelihood
    if (membership !== undefined) explaining!.takeIn(membership)
    return true
  }

  /** EM's own step: all factors in closed form; the coefficients by Newton's, shortened until the objective is no higher. */
  async emStep(from: Point, to: Point): Promise<void> {
    const { steps, stopping } = this.#options
    to.values.set(from.update)
    if (this.membership === undefined) return this.evaluate(to)
    const highest = from.objective + this.rounding(from)
    for (let shorter = 0; ; shorter++) {
      this.membership.newton(from.membership!, shorter === SHORTENED ? 0 : 4 ** -shorter, to.membership!)
      await this.evaluate(to)
      const last = shorter === SHORTENED || !steps.every(step => step.descends)
      if (to.objective <= highest || last || this.count >= stopping.maxPasses) return
    }
  }

  residual(point: Point): number {
    const own = this.#options.steps.every(step => step.descends) ? stationarity(point) : movement(point)
    return point.membership === undefined ? own : Math.max(own, this.membership!.residual(point.membership))
  }

  /** How much the objective may seem to rise at a point by rounding alone. */
  rounding({ objective }: Point): number {
    return this.#rounding * sizeOf(objective, this.unit)
  }

  model({ rank, shares, parameters, membership }: Point): Explained {
    return {
      rank,
      shares: shares.slice(),
      factors: parameters.factors.map(factor => factor.slice()),
      ...(membership !== undefined && { coefficients: this.membership!.coefficients(membership) }),
    }
  }

  get keeping(): Ground<Point>['keeping'] {
    const sweeps = this.arithmetic
    const explaining = this.membership
    const some = sweeps.pairs > 0
    const terms = explaining?.size ?? 0
    return {
      keep: ({ values, update, mass, objective, loss, membership }, used) => ({
        ...{ values: values.slice(), update: update.slice(), mass: mass.slice(), objective, loss, count: this.count },
        arrays: some ? sweeps.standing(used) : [],
        ...(membership !== undefined && { membership: explaining!.keep(membership) }),
      }),
      restore: (point, used, kept) => {
        point.values.set(kept.values)
        point.update.set(kept.update)
        point.mass.set(kept.mass)
        point.objective = kept.objective
        point.loss = kept.loss
        this.count = kept.count
        if (some) sweeps.stand(used, kept.arrays)
        if (point.membership !== undefined) explaining!.restore(point.membership, kept.membership!)
      },
      size: used => (4 + 2 * used.length) * (this.points[0].values.length + terms) + terms * terms,
    }
  }

  readonly zeros = {
    test: (point: Point, room: Point, tolerance: number, possible: boolean) =>
      testZeros(point, room, tolerance, possible, this.evaluate),
    slowlyGrowing,
    lift: (point: Point, room: Point, wrong: readonly number[]) => lift(point, room, wrong, this.evaluate),
  }
}
