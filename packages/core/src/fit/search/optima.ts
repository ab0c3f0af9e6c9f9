import type { Parameters } from '../../model/parameters.ts'
import { assign } from '../../numeric/assignment.ts'
import type { Run } from '../descent/run.ts'
import { sizeOf } from '../descent/stopping.ts'

/** A local optimum found by the search. Runs that end at the same loss count as one optimum. */
export interface Optimum {
  readonly loss: number
  /** How many runs ended here, starts and recombinations. */
  readonly reached: number
  /** The class shares, in descending order. */
  readonly shares: readonly number[]
  /** Whether any of the runs that ended here had converged; where none had, the optimum itself may lie lower. */
  readonly converged: boolean
}

/**
 * Two ends are one optimum where their losses agree to this many nats, or relative to their size: to the first where both runs
 * have converged, else to the second, since what is left to them is more.
 */
const SAME_LOSS = { nats: 1e-3, converged: 1e-10, other: 1e-7 }
/** Two models are one where no class's distribution in any mode differs by more than this in total variation, by its share. */
const SAME_PARAMETERS = 0.01

/** An optimum is trusted once this many attempts have ended there. Three is what the first version took, and missed far more. */
export const REPLICATIONS = 6

/** This part of the starts is many. */
const MANY = 0.25

/** How many of the independent starts ended at the best optimum. */
export type Support = 'most' | 'many' | 'few' | 'none'

/** @property rough the precision of the objective, if it is not that of the engine */
type End = Pick<Run, 'objective' | 'rough'> & { readonly converged: boolean }

/** How many times its precision the objective of a run in single precision may be off, with what was left to the run. */
const ROUGH = 10

const sameLoss = (a: End, b: End, unit: number, precision: number): boolean => {
  const told = a.converged && b.converged ? SAME_LOSS.converged : SAME_LOSS.other
  const relative = Math.max(100 * precision, told, ROUGH * Math.max(a.rough ?? 0, b.rough ?? 0))
  const size = Math.max(sizeOf(a.objective, unit), sizeOf(b.objective, unit))
  return Math.abs(a.objective - b.objective) <= Math.max(SAME_LOSS.nats * unit, relative * size)
}

const endOf = ({ objective, reason, rough = 0 }: Run): End => ({ objective, rough, converged: reason === 'stationary' })

/** What is kept of an optimum: of those that are not the best, no parameters, since there may be thousands. */
export interface OptimumEntry {
  loss: number
  objective: number
  reached: number
  /** How many of the independent starts ended here. */
  starts: number
  shares: readonly number[]
  converged: boolean
  rough: number
}

/** The optima that a search has met. */
export class Optima {
  readonly #entries: OptimumEntry[] = []
  readonly #unit: number
  readonly #precision: number
  /** The lowest run so far. */
  best: Run | undefined
  /** Whether models of the best loss differ in their parameters: the data does not tell them apart. */
  ambiguous = false

  /** @param unit what differences of losses near zero are measured against @param precision of the engine */
  constructor(unit: number, precision: number) {
    this.#unit = unit
    this.#precision = precision
  }

  /** Puts an attempt's end with the optimum it belongs to, or as a new one. @param independent a start, not a recombination */
  add(run: Run, independent: boolean): void {
    const { best } = this
    // What was stopped on its way is no optimum, unless there is nothing better.
    if ((run.reason === 'stopped' || run.reason === 'failed') && best !== undefined && run.objective >= best.objective)
      return
    if (best !== undefined && this.#same(endOf(run), endOf(best))) {
      this.ambiguous ||= run.reason === 'stationary' && !sameModel(run.parameters, best.parameters)
    } else if (best !== undefined && run.objective < best.objective) this.ambiguous = false
    if (best === undefined || run.objective < best.objective) this.best = run
    const converged = run.reason === 'stationary'
    const known = this.#entries.find(each => this.#same(each, endOf(run)))
    const entry = known ?? { ...ending(run), reached: 0, starts: 0, converged }
    if (known === undefined) this.#entries.push(entry)
    else if (run.objective < known.objective) Object.assign(known, ending(run))
    entry.reached++
    if (independent) entry.starts++
    entry.converged ||= converged
  }

  /** The best run has been taken further: its optimum is as low as that, and was reached as often. */
  lower(run: Run): void {
    const known = this.#atBest
    this.best = run
    if (known === undefined) return
    Object.assign(known, ending(run))
    known.converged = run.reason === 'stationary'
  }

  /** What is known of the optima, for a checkpoint. */
  get entries(): readonly OptimumEntry[] {
    return this.#entries
  }

  /** Takes in what a checkpoint has. */
  restore(best: Run, ambiguous: boolean, entries: readonly OptimumEntry[]): void {
    this.best = best
    this.ambiguous = ambiguous
    this.#entries.push(...entries)
  }

  get attempts(): number {
    return this.#entries.reduce((sum, { reached }) => sum + reached, 0)
  }

  /** How many attempts have ended at the best objective. */
  get timesBest(): number {
    return this.#atBest?.reached ?? 0
  }

  /** How many independent starts have. */
  get startsBest(): number {
    return this.#atBest?.starts ?? 0
  }

  /**
   * The chance that one more independent start ends at an optimum that none has ended at (Good–Turing): the share of the starts
   * so far whose end was reached by no other start. Recombined attempts do not count, since they are no independent draws.
   */
  get unseen(): number {
    const { starts } = this
    return starts === 0 ? 1 : this.#entries.filter(each => each.starts === 1).length / starts
  }

  /**
   * How many starts have found the best. That hardly any start found what others did not says little: on one of the problems the
   * search was tuned on, 10 of 24 starts ended at an optimum that is not the best, and 13 at others they shared.
   */
  get support(): Support {
    const { startsBest, starts } = this
    if (startsBest === 0) return 'none'
    if (startsBest < REPLICATIONS || startsBest < MANY * starts) return 'few'
    return startsBest > starts / 2 ? 'most' : 'many'
  }

  /** Whether most starts have found the best. */
  get agreed(): boolean {
    return this.support === 'most'
  }

  /** How many of the attempts were independent starts. */
  get starts(): number {
    return this.#entries.reduce((sum, each) => sum + each.starts, 0)
  }

  /** The optima as the result tells of them, best first. */
  describe(): Optimum[] {
    return [...this.#entries]
      .sort((a, b) => a.objective - b.objective)
      .map(({ loss, reached, shares, converged }) => Object.freeze({ loss, reached, shares, converged }))
  }

  get #atBest(): OptimumEntry | undefined {
    return this.#entries.find(each => this.best !== undefined && this.#same(each, endOf(this.best)))
  }

  #same(a: End, b: End): boolean {
    return sameLoss(a, b, this.#unit, this.#precision)
  }
}

const ending = ({ loss, objective, parameters, rough = 0 }: Run) => ({
  loss,
  objective,
  rough,
  shares: Object.freeze([...parameters.shares].sort((a, b) => b - a)),
})

/** Whether two models are one up to the order of their classes. */
export const sameModel = (a: Parameters, b: Parameters): boolean => {
  const distance = Array.from({ length: a.rank }, (_, k) =>
    Array.from({ length: b.rank }, (_, l) => classDistance(a, k, b, l)),
  )
  return assign(distance).every((l, k) => distance[k][l] <= SAME_PARAMETERS)
}

const classDistance = (a: Parameters, k: number, b: Parameters, l: number): number => {
  const [x, y] = [a.shares[k], b.shares[l]]
  let worst = Math.abs(x - y)
  a.factors.forEach((factor, n) => {
    const other = b.factors[n]
    let variation = 0
    for (let i = k, j = l; i < factor.length; i += a.rank, j += b.rank) variation += Math.abs(factor[i] - other[j])
    worst = Math.max(worst, ((variation / 2) * (x + y)) / 2)
  })
  return worst
}
