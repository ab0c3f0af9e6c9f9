import type { Session, Statistics } from '../../engine/engine.ts'
import type { StopSignal } from '../../errors.ts'
import type { Parameters } from '../../model/parameters.ts'
import { allValues } from './free-parameters.ts'

/** Less than this part of an observation cannot be told from none. */
const LEAST = 1e-3
/** A parameter that EM leaves as it is to within this part is near a maximum, and else on its way to zero or back. */
const SETTLED = 0.01
/** What a parameter is set to for the slope at zero: it changes nothing, and what the pass gathers for it is exact relative to it. */
const PROBE = 1e-60

/**
 * The positions of those parameters below the tolerance that are above zero all the same, as in data of millions of observations:
 * EM would bring them back from zero, or from half of what they are. The others are on their way to zero.
 */
export const interiorParameters = async (
  session: Session,
  parameters: Parameters,
  tolerance: number,
  signal?: StopSignal,
): Promise<ReadonlySet<number>> => {
  const values = allValues(parameters)
  const { total } = session.data
  const near = Array.from(values.keys()).filter(at => values[at] <= tolerance && values[at] * total > LEAST)
  if (near.length === 0) return new Set()
  const now = emRatios(await session.pass(parameters, undefined, signal), values)
  const seen = near.filter(at => values[at] * now.mass(at) > LEAST)
  if (seen.length === 0) return new Set()
  const lowered = values.slice()
  for (const at of seen) lowered[at] = now.ratio(at) < 1 - SETTLED ? PROBE : values[at] / 2
  const { ratio } = emRatios(await session.pass(parametersOf(parameters, lowered), undefined, signal), lowered)
  return new Set(seen.filter(at => ratio(at) > 1))
}

/** What a step of EM would multiply each parameter with, and how many observations the column has that it is a part of. */
const emRatios = ({ rank, sizes, factors }: Statistics, values: Float64Array) => {
  const gathered = allValues({ rank, shares: sizes, factors })
  const masses = new Float64Array(rank * (factors.length + 1))
  masses.fill(
    sizes.reduce((sum, weight) => sum + weight, 0),
    0,
    rank,
  )
  const modes = [sizes, ...factors].flatMap((table, mode) => Array.from(table, () => mode))
  for (let at = rank; at < gathered.length; at++) masses[modes[at] * rank + (at % rank)] += gathered[at]
  const mass = (at: number) => masses[modes[at] * rank + (at % rank)]
  return { mass, ratio: (at: number) => gathered[at] / (mass(at) * values[at]) }
}

const parametersOf = ({ rank, factors }: Parameters, values: Float64Array): Parameters => {
  let offset = rank
  return {
    rank,
    shares: values.slice(0, rank),
    factors: factors.map(({ length }) => {
      offset += length
      return values.slice(offset - length, offset)
    }),
  }
}
