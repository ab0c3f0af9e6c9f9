import { EngineError } from '../errors.ts'
import { classWeights } from '../model/class-weights.ts'
import type { Parameters } from '../model/parameters.ts'
import { log } from '../numeric/log.ts'
import { MISSING } from '../tensor/mode.ts'
import type { Tensor } from '../tensor/tensor.ts'
import { checkPass, type Engine, newStatistics, type Session, type Statistics } from './engine.ts'

/** The pass as the formula says it, one cell after the other: the oracle of every other engine. */
export const referencePass = (tensor: Tensor, parameters: Parameters, into: Statistics): Statistics => {
  const { cells, indices, values } = tensor
  const { rank } = parameters
  const { weights, factors } = into
  const share = new Float64Array(rank)
  weights.fill(0)
  for (const factor of factors) factor.fill(0)
  into.logLikelihood = 0
  for (let cell = 0; cell < cells; cell++) {
    const exponent = classWeights(parameters, indices, cell, share)
    let m = 0
    for (let k = 0; k < rank; k++) m += share[k]
    into.logLikelihood += values[cell] * (log(m) + exponent * Math.LN2)
    // A cell the model gives no chance belongs to no class: it adds −∞ above and nothing here.
    const scale = m === 0 ? 0 : values[cell] / m
    for (let k = 0; k < rank; k++) {
      share[k] *= scale
      weights[k] += share[k]
    }
    for (let n = 0; n < indices.length; n++) {
      const index = indices[n][cell]
      if (index === MISSING) continue
      const factor = factors[n]
      const offset = index * rank
      for (let k = 0; k < rank; k++) factor[offset + k] += share[k]
    }
  }
  return into
}

/** Plain TypeScript on the calling thread. */
export const referenceEngine: Engine = {
  name: 'reference',
  async open(tensor: Tensor, rank: number): Promise<Session> {
    let closed = false
    return {
      async pass(parameters, into = newStatistics(tensor.shape, rank)) {
        if (closed) throw new EngineError('the session is closed')
        checkPass(tensor, rank, parameters)
        return referencePass(tensor, parameters, into)
      },
      async close() {
        closed = true
      },
    }
  },
}
