import { EngineError } from '../errors.ts'
import type { Parameters } from '../model/parameters.ts'
import type { Tensor } from '../tensor/tensor.ts'

/**
 * What one pass over the cells gives. With `w_k = λₖ Πₙ P⁽ⁿ⁾[jₙ,k]` over the modes that are present in a cell,
 * `m = Σ w` and `y` the cell's value, every cell adds `y·w_k/m` to `weights[k]` and to `factors[n][jₙ * rank + k]` for each
 * of its present modes, and `y·log m` to `logLikelihood`.
 */
export interface Statistics {
  readonly rank: number
  readonly weights: Float64Array
  readonly factors: readonly Float64Array[]
  /** Σ y·log m of the parameters that were passed in; −∞ where they give a cell no chance at all. */
  logLikelihood: number
}

/** A tensor placed where it is worked on. One pass at a time. */
export interface Session {
  /**
   * One pass with the given parameters. The result is written into `into` where it is given (a long fit then
   * allocates nothing), else into new arrays; either way it is the caller's to keep.
   */
  pass(parameters: Parameters, into?: Statistics): Promise<Statistics>
  /** Frees what the session holds; further passes are refused. Closing twice does nothing. */
  close(): Promise<void>
}

/** A place to run the pass. Everything about hardware is below this interface, everything iterative above it. */
export interface Engine {
  readonly name: string
  open(tensor: Tensor, rank: number): Promise<Session>
}

/** Statistics of the right size, all zero. */
export const newStatistics = (shape: readonly number[], rank: number): Statistics => ({
  rank,
  weights: new Float64Array(rank),
  factors: shape.map(size => new Float64Array(size * rank)),
  logLikelihood: 0,
})

/** Refuses parameters that are not of the session's shape and rank. */
export const checkPass = ({ shape }: Tensor, rank: number, { rank: given, weights, factors }: Parameters): void => {
  if (given !== rank || weights.length !== rank) {
    throw new EngineError(`the session was opened for rank ${rank} (got parameters of rank ${given})`)
  }
  if (factors.length !== shape.length || factors.some((factor, n) => factor.length !== shape[n] * rank)) {
    throw new EngineError(`the session was opened for shape ${shape.join('×')} (got factors of another)`)
  }
}
