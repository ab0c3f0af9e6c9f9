import { exp } from '../../numeric/exp.ts'
import { log } from '../../numeric/log.ts'
import { MISSING } from '../../tensor/mode.ts'
import type { Emission } from './emission.ts'
import {
  addPart,
  type LinkLogit,
  type LinkSums,
  type Links,
  type NestedSetting,
  normalizePart,
  spreadNumber,
} from './links.ts'

/** How far the class sizes of group classes differ in a start, relatively. */
const DIFFER = 0.5
/** A class with a smaller share begins with this one. */
const LEAST_SHARE = 1e-3

/**
 * Groups in classes of their own: the sizes of the group classes, and the class sizes within each. Given the class of its group, a member is a row of an
 * ordinary latent class model.
 */
export class NestedLinks implements Links {
  readonly rank: number
  readonly distributions: readonly number[]
  readonly size: number
  readonly logits: readonly LinkLogit[]
  /** Where the class sizes within group classes begin. */
  readonly #mixes: number
  /** Whether anything depends on covariates. */
  readonly #isExplained: boolean
  readonly #setting: NestedSetting

  constructor(setting: NestedSetting, rank: number) {
    const { groupClasses, grouping, mixing } = setting
    const groups = grouping?.patterns ?? 1
    const mixes = mixing?.patterns ?? groupClasses
    this.rank = rank
    this.distributions = [
      ...Array.from({ length: groups }, () => groupClasses),
      ...Array.from({ length: mixes }, () => rank),
    ]
    this.#mixes = groups * groupClasses
    this.size = this.#mixes + mixes * rank
    this.#setting = setting
    this.#isExplained = grouping !== undefined || mixing !== undefined
    this.logits = [
      ...(grouping === undefined || groupClasses === 1
        ? []
        : [{ first: 0, stride: groupClasses, length: groupClasses, design: grouping }]),
      ...(mixing === undefined || rank === 1
        ? []
        : [{ first: this.#mixes, stride: rank, length: rank, design: mixing }]),
    ]
  }

  /** Where the sizes of the group classes begin for a group, and where the class sizes for a row. */
  sizesOf(unit: number): number {
    return (this.#setting.grouping?.of[unit] ?? 0) * this.#setting.groupClasses
  }

  mixesOf(row: number): number {
    return this.#mixes + (this.#setting.mixing?.of[row] ?? 0) * this.rank
  }

  /** Members with the same answers and covariates are alike: what does not depend on their group is computed once for each kind of member. */
  expect({ weights, exponents }: Emission, tables: Float64Array, into: LinkSums): number {
    const { rank } = this
    const { groupClasses, rows, mixing } = this.#setting
    const { starts, cells, counts } = rows
    const kinds = mixing === undefined ? exponents.length : cells.length
    const cellOf = (kind: number) => (mixing === undefined ? kind : cells[kind])
    const mixesOf = (kind: number) => (mixing === undefined ? this.#mixes : this.mixesOf(kind))
    const likely = new Float64Array(kinds * groupClasses)
    for (let kind = 0; kind < kinds; kind++) {
      const cell = cellOf(kind)
      if (cell === MISSING) continue
      const mixes = mixesOf(kind)
      for (let g = 0; g < groupClasses; g++) {
        let sum = 0
        for (let k = 0; k < rank; k++) sum += tables[mixes + g * rank + k] * weights[cell * rank + k]
        likely[kind * groupClasses + g] = sum
      }
    }
    const logs = likely.map(log)
    /** How much of the data each kind of member is, by group class. */
    const masses = new Float64Array(kinds * groupClasses)
    const ofGroup = new Float64Array(groupClasses)
    const posterior = new Float64Array(rank)
    let logLikelihood = 0
    for (let unit = 0; unit + 1 < starts.length; unit++) {
      const weight = rows.weights[unit]
      if (weight === 0) continue
      let exponent = 0
      const group = this.sizesOf(unit)
      for (let g = 0; g < groupClasses; g++) ofGroup[g] = log(tables[group + g])
      for (let row = starts[unit]; row < starts[unit + 1]; row++) {
        const cell = cells[row]
        if (cell === MISSING) continue
        const at = (mixing === undefined ? cell : row) * groupClasses
        const count = counts?.[row] ?? 1
        exponent += count * exponents[cell]
        for (let g = 0; g < groupClasses; g++) ofGroup[g] += count * logs[at + g]
      }
      let most = Number.NEGATIVE_INFINITY
      for (let g = 0; g < groupClasses; g++) most = Math.max(most, ofGroup[g])
      if (most === Number.NEGATIVE_INFINITY) {
        logLikelihood = most
        if (into.units !== undefined) into.units[unit] = most
        continue
      }
      let all = 0
      for (let g = 0; g < groupClasses; g++) {
        ofGroup[g] = exp(ofGroup[g] - most)
        all += ofGroup[g]
      }
      const own = most + log(all) + exponent * Math.LN2
      logLikelihood += weight * own
      if (into.units !== undefined) into.units[unit] = own
      for (let g = 0; g < groupClasses; g++) {
        ofGroup[g] /= all
        into.tables[group + g] += weight * ofGroup[g]
        if (into.groups !== undefined) into.groups[unit * groupClasses + g] = ofGroup[g]
      }
      for (let row = starts[unit]; row < starts[unit + 1]; row++) {
        const cell = cells[row]
        const kind = mixing === undefined ? cell : row
        const count = weight * (counts?.[row] ?? 1)
        if (cell !== MISSING)
          for (let g = 0; g < groupClasses; g++) masses[kind * groupClasses + g] += count * ofGroup[g]
        if (into.rows === undefined) continue
        const mixes = this.mixesOf(row)
        posterior.fill(0)
        for (let g = 0; g < groupClasses; g++) {
          if (ofGroup[g] === 0) continue
          // A member without answers says nothing of its group.
          const scale = cell === MISSING ? ofGroup[g] : ofGroup[g] / likely[kind * groupClasses + g]
          for (let k = 0; k < rank; k++)
            posterior[k] += scale * tables[mixes + g * rank + k] * (cell === MISSING ? 1 : weights[cell * rank + k])
        }
        into.rows.set(posterior, row * rank)
      }
    }
    for (let kind = 0; kind < kinds; kind++) {
      const cell = cellOf(kind)
      for (let g = 0; g < groupClasses; g++) {
        const mass = masses[kind * groupClasses + g]
        if (mass === 0) continue
        const sizes = mixesOf(kind) + g * rank
        for (let k = 0; k < rank; k++) {
          const each = (mass * tables[sizes + k] * weights[cell * rank + k]) / likely[kind * groupClasses + g]
          into.cells[cell * rank + k] += each
          into.tables[sizes + k] += each
        }
      }
    }
    return logLikelihood
  }

  shares(tables: Float64Array, into: Float64Array): void {
    const { rank } = this
    const { groupClasses, rows } = this.#setting
    into.fill(0)
    if (!this.#isExplained) {
      for (let g = 0; g < groupClasses; g++) addPart(into, 0, tables, groupClasses + g * rank, rank, tables[g])
      return
    }
    this.#eachRow((unit, row, count) => {
      for (let g = 0; g < groupClasses; g++)
        addPart(into, 0, tables, this.mixesOf(row) + g * rank, rank, count * tables[this.sizesOf(unit) + g])
    })
    if (rows.cells.length > 0) normalizePart(into, 0, rank)
  }

  #eachRow(visit: (unit: number, row: number, count: number) => void): void {
    const { weights, starts, counts } = this.#setting.rows
    weights.forEach((weight, unit) => {
      for (let row = starts[unit]; row < starts[unit + 1]; row++) visit(unit, row, weight * (counts?.[row] ?? 1))
    })
  }

  means(tables: Float64Array): Float64Array {
    if (!this.#isExplained) return tables
    const { rank } = this
    const { groupClasses, rows } = this.#setting
    const means = new Float64Array(groupClasses * (1 + rank))
    rows.weights.forEach((weight, unit) => void addPart(means, 0, tables, this.sizesOf(unit), groupClasses, weight))
    this.#eachRow((_, row, count) =>
      addPart(means, groupClasses, tables, this.mixesOf(row), groupClasses * rank, count),
    )
    normalizePart(means, 0, groupClasses)
    for (let g = 0; g < groupClasses; g++) normalizePart(means, groupClasses + g * rank, rank)
    return means
  }

  sorted(tables: Float64Array): Float64Array {
    const { rank } = this
    const { groupClasses } = this.#setting
    const sizes = this.means(tables)
    const order = Array.from({ length: groupClasses }, (_, g) => g).sort((a, b) => sizes[b] - sizes[a])
    return tables.map((_, i) => {
      if (i < this.#mixes) return tables[i - (i % groupClasses) + order[i % groupClasses]]
      const [at, k] = [Math.floor((i - this.#mixes) / rank), (i - this.#mixes) % rank]
      const g = at % groupClasses
      return tables[this.#mixes + (at - g + order[g]) * rank + k]
    })
  }

  start(shares: Float64Array, uniform?: () => number): Float64Array {
    const { rank } = this
    const { groupClasses } = this.#setting
    const one = new Float64Array(groupClasses * (1 + rank))
    for (let g = 0; g < groupClasses; g++) {
      one[g] = 1 + (uniform === undefined ? 0 : DIFFER * (2 * uniform() - 1))
      const own = groupClasses + g * rank
      for (let k = 0; k < rank; k++) {
        const wave = uniform === undefined ? spreadNumber(g * rank + k) : 2 * uniform() - 1
        one[own + k] = Math.max(shares[k], LEAST_SHARE) * exp((groupClasses > 1 ? 2 * DIFFER : 0) * wave)
      }
      normalizePart(one, own, rank)
    }
    normalizePart(one, 0, groupClasses)
    if (!this.#isExplained) return one
    const tables = new Float64Array(this.size)
    for (let at = 0; at < this.#mixes; at += groupClasses) tables.set(one.subarray(0, groupClasses), at)
    for (let at = this.#mixes; at < this.size; at += groupClasses * rank) tables.set(one.subarray(groupClasses), at)
    return tables
  }

  reorder(tables: Float64Array, order: readonly number[]): Float64Array {
    return tables.map((each, i) => {
      if (i < this.#mixes) return each
      const k = (i - this.#mixes) % this.rank
      return tables[i - k + order[k]]
    })
  }
}
