import type { Parameters } from '@polyad/core'
import { EngineError } from '@polyad/core'
import { type Engine, referenceEngine, type Session, type Statistics } from '@polyad/core/engine'

/** The precision that is stated. */
const PRECISION = 1e-7

/** Passes so far, in either precision. */
export interface Passed {
  double: number
  single: number
}

/** A number between −1 and 1 that depends on every bit of another. */
const noise = (value: number): number => {
  const bits = new Uint32Array(Float64Array.of(value).buffer)
  const mixed = Math.imul(bits[0] ^ Math.imul(bits[1], 0x9e3779b1), 0x85ebca6b)
  return (mixed >>> 0) / 2 ** 31 - 1
}

const rounded = (values: Float64Array): Float64Array => Float64Array.from(values, Math.fround)

const roundedParameters = ({ rank, shares, factors }: Parameters): Parameters => ({
  rank,
  shares: rounded(shares),
  factors: factors.map(rounded),
})

/** Adds errors as single precision makes them: a few times 1e-7 in every entry, less in the log-likelihood. */
const blur = (statistics: Statistics): Statistics => {
  for (const table of [statistics.sizes, ...statistics.factors]) {
    for (let i = 0; i < table.length; i++) table[i] = Math.fround(table[i] * (1 + 3e-7 * noise(table[i] + i)))
  }
  statistics.logLikelihood *= 1 + 0.5 * PRECISION * noise(statistics.logLikelihood)
  return statistics
}

/**
 * The reference engine with single precision beside it: parameters and sums are rounded, and small numbers underflow. With `failsAfter`,
 * single precision fails after that many passes, as a graphics card that is lost.
 */
export const roundedEngine = ({ failsAfter = Number.POSITIVE_INFINITY } = {}): Engine & { readonly passed: Passed } => {
  const passed: Passed = { double: 0, single: 0 }
  const within = (session: Session): Session => ({
    ...session,
    pass: async (parameters, into) => {
      passed.double++
      return session.pass(parameters, into)
    },
    single: {
      ...session,
      can: [],
      traits: { ...session.traits, precision: PRECISION },
      pass: async (parameters, into) => {
        if (++passed.single > failsAfter) throw new EngineError('the device was lost')
        return blur(await session.pass(roundedParameters(parameters), into))
      },
    },
  })
  return {
    name: 'rounded',
    passed,
    open: async tensor => {
      const { open: _, reweight: __, ...session } = await referenceEngine.open(tensor)
      return within({ ...session, can: session.can.filter(each => each !== 'open' && each !== 'reweight') })
    },
  }
}
