import { describe, expect, it } from 'vitest'
import { random } from '../../numeric/philox.ts'
import { type Dots, Gram } from './gram.ts'

const [rank, rows] = [3, 7]
const { uniform } = random(1, 'data')
const vector = (length: number) => Float64Array.from({ length }, () => uniform() - 0.5)
const inner = (a: Float64Array, b: Float64Array) => a.reduce((sum, x, i) => sum + x * b[i], 0)
/** Inner products for each class of arrays with one entry for each row and class. */
const byClass = (a: Float64Array, b: Float64Array) =>
  Float64Array.from({ length: rank }, (_, k) => a.reduce((sum, x, i) => (i % rank === k ? sum + x * b[i] : sum), 0))

describe('L-BFGS by inner products', () => {
  it('is the same as with the vectors themselves', () => {
    const gram = new Gram(rank, 3)
    const pairs = new Map<number, { s: Float64Array; y: Float64Array; step: Float64Array; change: Float64Array }>()
    const sharesAt = () => {
      const values = Float64Array.from({ length: rank }, () => 0.1 + uniform())
      const update = values.map(value => value * (0.8 + 0.4 * uniform()))
      return { values, update }
    }
    const slopes = ({ values, update }: ReturnType<typeof sharesAt>) =>
      values.map((value, k) => (update[k] - value) / (2 * Math.sqrt(value)))
    let from = sharesAt()
    let used: number[] = []
    for (let round = 0; round < 6; round++) {
      if (used.length === 3) used = used.slice(1)
      const slot = [0, 1, 2].find(each => !used.includes(each))!
      const to = sharesAt()
      const [s, y, g] = [vector(rank * rows), vector(rank * rows), vector(rank * rows)]
      const known = used.map(each => {
        const { s: a, y: z } = pairs.get(each)!
        const dots = {
          ag: byClass(a, g),
          zg: byClass(z, g),
          as: byClass(a, s),
          ay: byClass(a, y),
          zs: byClass(z, s),
          zy: byClass(z, y),
        }
        return [each, dots] as const
      })
      const dots: Dots = {
        ss: byClass(s, s),
        sy: byClass(s, y),
        sg: byClass(s, g),
        yy: byClass(y, y),
        yg: byClass(y, g),
        gg: byClass(g, g),
        known: new Map(known),
      }
      const found = new Float64Array(4)
      const sums = gram.recordStep(from, to, slot, dots, used, found)
      const step = to.values.map((value, k) => Math.sqrt(value) - Math.sqrt(from.values[k]))
      const [before, gradient] = [slopes(from), slopes(to)]
      const change = before.map((value, k) => value - gradient[k])
      pairs.set(slot, { s, y, step, change })
      const metric = (x: Float64Array, shares: Float64Array) => x.map((value, i) => value * shares[i % rank])
      expect(sums.curvature).toBeCloseTo(inner(s, y) + inner(step, change), 10)
      expect(sums.steps).toBeCloseTo(inner(s, metric(s, from.values)) + inner(step, step), 10)
      used = [...used, slot]
      used.forEach((each, j) => {
        const pair = pairs.get(each)!
        expect(found[j]).toBeCloseTo(inner(pair.s, g) + inner(pair.step, gradient), 10)
      })
      // A direction with any factors.
      const [factors, others] = [vector(used.length), vector(used.length)]
      const scale = 1.7
      const products = new Float64Array(used.length)
      const along = gram.addChanges(to.values, scale, used, factors, products)
      const direction = g.map((value, i) => {
        const sum = used.reduce((all, each, j) => all + factors[j] * pairs.get(each)!.y[i], value)
        return (scale / to.values[i % rank]) * sum
      })
      const own = gradient.map(
        (value, k) => scale * used.reduce((all, each, j) => all + factors[j] * pairs.get(each)!.change[k], value),
      )
      expect(along).toBeCloseTo(inner(g, direction) + inner(gradient, own), 10)
      used.forEach((each, j) => {
        const pair = pairs.get(each)!
        expect(products[j]).toBeCloseTo(inner(pair.y, direction) + inner(pair.change, own), 10)
      })
      const length = gram.addSteps(used, others)
      const all = direction.map((value, i) =>
        used.reduce((sum, each, j) => sum + others[j] * pairs.get(each)!.s[i], value),
      )
      const whole = own.map((value, k) =>
        used.reduce((sum, each, j) => sum + others[j] * pairs.get(each)!.step[k], value),
      )
      expect(length).toBeCloseTo(inner(all, metric(all, to.values)) + inner(whole, whole), 9)
      const walked = gram.stepAlong(0.3, to)!
      const raw = to.values.map((value, k) => Math.max((Math.sqrt(value) + 0.3 * whole[k]) ** 2, 1e-3 * to.update[k]))
      const total = raw.reduce((sum, value) => sum + value, 0)
      walked.forEach((value, k) => {
        expect(value).toBeCloseTo(raw[k] / total, 12)
      })
      from = to
    }
  })
})
