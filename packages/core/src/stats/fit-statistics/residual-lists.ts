import type { Label } from '../../tensor/mode.ts'

/** The residual of a cell. */
export interface CellResidual {
  /** One for each mode. */
  readonly labels: readonly Label[]
  readonly observed: number
  readonly expected: number
  /** (observed − expected) / √expected. */
  readonly residual: number
}

/** The bivariate residual of two modes. */
export interface BivariateResidual {
  /** Of two numbers: their correlation within classes. */
  readonly correlation?: number
  readonly modes: readonly [string, string]
  /** Pearson's X² of the table of the two modes. */
  readonly chiSquared: number
  /** (I − 1)·(J − 1), of a table of I by J. */
  readonly degreesOfFreedom: number
  /** X² divided by its degrees of freedom. */
  readonly residual: number
}

/** Of a table of up to this many cells all are looked at, and of a larger one those that were seen. */
export const WHOLE_TABLE = 1e6

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

export const largestFirst = (a: BivariateResidual, b: BivariateResidual): number => b.residual - a.residual
