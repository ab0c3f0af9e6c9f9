import { closable } from '../closable.ts'
import { EngineError } from '../errors.ts'
import { classWeights } from '../model/class-weights.ts'
import type { Parameters } from '../model/parameters.ts'
import { mostProbable } from '../model/posterior.ts'
import { log } from '../numeric/log.ts'
import { CellTensor } from '../tensor/cell-tensor.ts'
import { MISSING } from '../tensor/mode.ts'
import type { Tensor } from '../tensor/tensor.ts'
import { abilitiesOf } from './abilities.ts'
import {
  type ClosableSession,
  checkPass,
  checkValues,
  type Engine,
  type Information,
  type Measures,
  newInformation,
  newStatistics,
  type Session,
  type Statistics,
} from './engine.ts'

/** The pass as the formula says it, one cell after the other: the oracle for every other engine. */
export const referencePass = (tensor: Tensor, parameters: Parameters, into: Statistics): Statistics => {
  const { cells, indices, values } = tensor
  const { rank } = parameters
  const { sizes, factors } = into
  const part = new Float64Array(rank)
  sizes.fill(0)
  for (const factor of factors) factor.fill(0)
  into.logLikelihood = 0
  for (let cell = 0; cell < cells; cell++) {
    const y = values[cell]
    if (y === 0) continue
    const exponent = classWeights(parameters, indices, cell, part)
    let p = 0
    for (let k = 0; k < rank; k++) p += part[k]
    into.logLikelihood += y * (log(p) + exponent * Math.LN2)
    // A cell of probability zero belongs to no class: it adds −∞ above and nothing here.
    for (let k = 0; k < rank; k++) {
      part[k] = p === 0 ? 0 : (part[k] / p) * y
      sizes[k] += part[k]
    }
    for (let n = 0; n < indices.length; n++) {
      const index = indices[n][cell]
      if (index === MISSING) continue
      const factor = factors[n]
      const offset = index * rank
      for (let k = 0; k < rank; k++) factor[offset + k] += part[k]
    }
  }
  return into
}

/** The measures as their definitions say them. */
export const referenceMeasure = (tensor: Tensor, parameters: Parameters): Measures => {
  const { cells, indices, values } = tensor
  const { rank } = parameters
  const assigned = new Float64Array(rank * rank)
  const posterior = new Float64Array(rank)
  let [logLikelihood, sumYYOverP, entropy] = [0, 0, 0]
  for (let cell = 0; cell < cells; cell++) {
    const y = values[cell]
    if (y === 0) continue
    const exponent = classWeights(parameters, indices, cell, posterior)
    const p = posterior.reduce((sum, w) => sum + w, 0)
    logLikelihood += y * (log(p) + exponent * Math.LN2)
    sumYYOverP += (y / p) * y * 2 ** -exponent
    if (p === 0) {
      entropy = Number.NaN
      continue
    }
    const row = mostProbable(posterior) * rank
    for (let k = 0; k < rank; k++) {
      const share = posterior[k] / p
      assigned[row + k] += y * share
      if (share > 0) entropy -= y * share * log(share)
    }
  }
  return { logLikelihood, sumYYOverP, entropy, assigned }
}

/** The information as its definition says it: every pair of parameters for every cell. */
export const referenceInformation = (tensor: Tensor, parameters: Parameters): Information => {
  const into = newInformation(tensor, parameters)
  const { cells, indices, values, shape } = tensor
  const { rank, rows, outer } = into
  const posterior = new Float64Array(rank)
  for (let cell = 0; cell < cells; cell++) {
    const y = values[cell]
    if (y === 0) continue
    classWeights(parameters, indices, cell, posterior)
    const p = posterior.reduce((sum, w) => sum + w, 0)
    if (p === 0) {
      into.impossible += y
      continue
    }
    const has = new Array<boolean>(rows).fill(false)
    has[0] = true
    let offset = 1
    for (let n = 0; n < shape.length; n++) {
      const index = indices[n][cell]
      if (index !== MISSING) has[offset + index] = true
      offset += shape[n]
    }
    for (let a = 0; a < rows; a++) {
      for (let b = 0; b < rows; b++) {
        if (!has[a] || !has[b]) continue
        for (let k = 0; k < rank; k++) {
          for (let l = 0; l < rank; l++) {
            outer[(a * rank + k) * rows * rank + b * rank + l] += y * (posterior[k] / p) * (posterior[l] / p)
          }
        }
      }
    }
  }
  return into
}

/**
 * Plain TypeScript on the calling thread.
 * @example
 * const plain = await fit(answers, { rank: 2, engine: referenceEngine })
 */
export const referenceEngine: Engine<Tensor, ClosableSession> = {
  name: 'reference',
  open: async tensor => openReference(tensor),
}

const openReference = (tensor: Tensor): ClosableSession => {
  let closed = false
  const check = (parameters: Parameters, into?: Statistics) => {
    if (closed) throw new EngineError('the session is closed')
    checkPass(tensor, parameters, into)
  }
  const session: Omit<Session, 'can'> = {
    data: tensor,
    traits: {
      precision: 1e-14,
      reproducible: true,
      nanosPerPass: rank => tensor.cells * (20 + 2 * rank * (1 + tensor.shape.length)),
    },
    async pass(parameters, into) {
      check(parameters, into)
      return referencePass(tensor, parameters, into ?? newStatistics(tensor.shape, parameters.rank))
    },
    async measure(parameters) {
      check(parameters)
      return referenceMeasure(tensor, parameters)
    },
    async information(parameters) {
      check(parameters)
      return referenceInformation(tensor, parameters)
    },
    async reweight(values) {
      if (closed) throw new EngineError('the session is closed')
      checkValues(tensor, values)
      return openReference(new CellTensor(tensor.modes, tensor.indices, values.slice()))
    },
    open: referenceEngine.open,
    async close() {
      closed = true
    },
  }
  return closable({ ...session, can: abilitiesOf(session) })
}
