import type { Parameters } from '@polyad/core'
import { random } from '@polyad/core/numeric'

/** Parameters of a model, drawn at random and away from zero. */
export const randomParameters = (shape: readonly number[], rank: number, seed: number): Parameters => {
  const { uniform } = random(seed, 'start')
  const normalized = (values: Float64Array, step: number) => {
    for (let k = 0; k < step; k++) {
      let sum = 0
      for (let i = k; i < values.length; i += step) sum += values[i]
      for (let i = k; i < values.length; i += step) values[i] /= sum
    }
    return values
  }
  const draw = (size: number) => Float64Array.from({ length: size }, () => 0.1 + uniform())
  return {
    rank,
    shares: normalized(draw(rank), 1),
    factors: shape.map(size => normalized(draw(size * rank), rank)),
  }
}
