import { type ConstraintSetting, constrainedParameters } from '../../fit/descent/constraints.ts'
import { modularInverse, modularRank, modulo, PRIME } from '../../numeric/modular-rank.ts'
import { random } from '../../numeric/philox.ts'
import type { Identification } from './identification.ts'

/** Beyond this many parameters the elimination takes more than about a second. */
const MOST_PARAMETERS = 700

/** Fixed probabilities are taken to this many parts of 1 where they become whole numbers. */
const PARTS = 1_000_000

/**
 * What a table can tell of a model under constraints: the rank of the Jacobian of its cells by the free parameters, at a random
 * point that obeys the constraints. It is seen through random functionals that are products, in whole numbers modulo a prime.
 */
export const identifyConstrained = (
  shape: readonly number[],
  rank: number,
  setting: ConstraintSetting,
): Identification => {
  const parameters = constrainedParameters(shape, rank, setting)
  const cells = shape.reduce((product, size) => product * size, 1)
  const checked = parameters <= MOST_PARAMETERS
  const dimension = checked ? jacobianRank(shape, rank, setting, cells) : Math.min(parameters, cells - 1)
  return Object.freeze({
    parameters,
    rank: dimension,
    degreesOfFreedom: cells - 1 - dimension,
    verdict: !checked ? 'not checked' : dimension === parameters ? 'identified' : 'not identified',
    method: checked ? 'jacobian' : 'none',
  })
}

/** A way in which columns may change together: one label gains what another loses. */
type Direction = readonly {
  readonly mode: number
  readonly class: number
  readonly gains: number
  readonly loses: number
}[]

const jacobianRank = (shape: readonly number[], rank: number, setting: ConstraintSetting, cells: number): number => {
  const { below } = random(1, 'probe')
  const draw = () => 1 + below(PRIME - 1)
  const factors = randomFactors(shape, rank, setting, draw)
  const shares = Array.from({ length: rank }, draw)
  const directions = directionsOf(shape, rank, setting)
  const columns = rank - 1 + directions.length
  if (columns === 0) return 0
  const rows = Array.from({ length: Math.min(columns, cells) + 4 }, () => {
    const functional = shape.map(size => Float64Array.from({ length: size }, draw))
    const inner = factors.map(column => column.map((values, n) => dot(values, functional[n])))
    const others = (k: number, but: number) =>
      inner[k].reduce((product, value, n) => (n === but ? product : modulo(product * value)), 1)
    const row = new Float64Array(columns)
    for (let k = 1; k < rank; k++) row[k - 1] = modulo(others(k, -1) + PRIME - others(0, -1))
    directions.forEach((direction, i) => {
      let sum = 0
      for (const { mode, class: k, gains, loses } of direction) {
        const change = modulo(functional[mode][gains] + PRIME - functional[mode][loses])
        sum = modulo(sum + modulo(modulo(shares[k] * others(k, mode)) * change))
      }
      row[rank - 1 + i] = sum
    })
    return row
  })
  return modularRank(rows)
}

/** A random model that obeys the constraints, for every class its columns, each with a sum of 1. */
const randomFactors = (
  shape: readonly number[],
  rank: number,
  { fixed, tied }: ConstraintSetting,
  draw: () => number,
): Float64Array[][] => {
  const part = modularInverse(PARTS)
  const factors = Array.from({ length: rank }, (_, k) =>
    shape.map((size, mode) => {
      const column = Float64Array.from({ length: size }, draw)
      const known = fixed.filter(each => each.mode === mode && each.class === k)
      for (const { label, value } of known) column[label] = modulo(Math.round(value * PARTS) * part)
      // What follows from the others; where all are fixed, it is what rounding has left.
      const last = column.findLastIndex((_, j) => known.every(({ label }) => label !== j))
      const rest = last >= 0 ? last : size - 1
      const sum = column.reduce((total, value, j) => (j === rest ? total : modulo(total + value)), 0)
      column[rest] = modulo(1 + PRIME - sum)
      return column
    }),
  )
  for (const [first, ...others] of tied) {
    for (const { mode, class: k, labels } of others) {
      labels.forEach((label, i) => {
        factors[k][mode][label] = factors[first.class][first.mode][first.labels[i]]
      })
    }
  }
  return factors
}

const directionsOf = (shape: readonly number[], rank: number, { fixed, tied }: ConstraintSetting): Direction[] => {
  const isFixed = (mode: number, k: number, label: number) =>
    fixed.some(each => each.mode === mode && each.class === k && each.label === label)
  const inGroup = new Set(tied.flat().map(({ mode, class: k }) => `${mode} ${k}`))
  const singles = shape.flatMap((size, mode) =>
    Array.from({ length: rank }, (_, k) => k)
      .filter(k => !inGroup.has(`${mode} ${k}`))
      .map(k => [{ mode, class: k, labels: Array.from({ length: size }, (_, j) => j) }]),
  )
  return [...singles, ...tied].flatMap(group => {
    const { mode, class: k, labels } = group[0]
    const free = labels.flatMap((label, part) => (isFixed(mode, k, label) ? [] : [part]))
    return free.slice(1).map(part =>
      group.map(each => ({
        mode: each.mode,
        class: each.class,
        gains: each.labels[part],
        loses: each.labels[free[0]],
      })),
    )
  })
}

const dot = (a: Float64Array, b: Float64Array): number => {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum = modulo(sum + a[i] * b[i])
  return sum
}
