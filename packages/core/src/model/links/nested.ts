import { exp } from '../../numeric/exp.ts'
import { log } from '../../numeric/log.ts'
import { MISSING } from '../../tensor/mode.ts'
import type { Emission } from './emission.ts'
import { type LinkSums, type Links, type NestedSetting, normalizePart, spreadNumber } from './links.ts'

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
  readonly #setting: NestedSetting

  constructor(setting: NestedSetting, rank: number) {
    const { groupClasses } = setting
    this.rank = rank
    this.distributions = [groupClasses, ...Array.from({ length: groupClasses }, () => rank)]
    this.size = groupClasses * (1 + rank)
    this.#setting = setting
  }

  expect({ weights, exponents }: Emission, tables: Float64Array, into: LinkSums): number {
    const { rank } = this
    const { groupClasses, rows } = this.#setting
    const { starts, cells, counts } = rows
    const ofGroup = new Float64Array(groupClasses)
    const posterior = new Float64Array(rank)
    let logLikelihood = 0
    for (let unit = 0; unit + 1 < starts.length; unit++) {
      const weight = rows.weights[unit]
      if (weight === 0) continue
      let exponent = 0
      for (let g = 0; g < groupClasses; g++) ofGroup[g] = log(tables[g])
      for (let row = starts[unit]; row < starts[unit + 1]; row++) {
        if (cells[row] === MISSING) continue
        const at = cells[row] * rank
        const count = counts?.[row] ?? 1
        exponent += count * exponents[cells[row]]
        for (let g = 0; g < groupClasses; g++) {
          const sizes = groupClasses + g * rank
          let sum = 0
          for (let k = 0; k < rank; k++) sum += tables[sizes + k] * weights[at + k]
          ofGroup[g] += count * log(sum)
        }
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
        into.tables[g] += weight * ofGroup[g]
        if (into.groups !== undefined) into.groups[unit * groupClasses + g] = ofGroup[g]
      }
      for (let row = starts[unit]; row < starts[unit + 1]; row++) {
        const isMissing = cells[row] === MISSING
        const at = cells[row] * rank
        const count = weight * (counts?.[row] ?? 1)
        posterior.fill(0)
        for (let g = 0; g < groupClasses; g++) {
          if (ofGroup[g] === 0) continue
          const sizes = groupClasses + g * rank
          if (isMissing) {
            // A member without answers says nothing of its group.
            for (let k = 0; k < rank; k++) posterior[k] += ofGroup[g] * tables[sizes + k]
            continue
          }
          let sum = 0
          for (let k = 0; k < rank; k++) sum += tables[sizes + k] * weights[at + k]
          for (let k = 0; k < rank; k++) {
            const each = (ofGroup[g] * tables[sizes + k] * weights[at + k]) / sum
            posterior[k] += each
            into.tables[sizes + k] += count * each
          }
        }
        if (!isMissing) for (let k = 0; k < rank; k++) into.cells[at + k] += count * posterior[k]
        into.rows?.set(posterior, row * rank)
      }
    }
    return logLikelihood
  }

  shares(tables: Float64Array, into: Float64Array): void {
    const { groupClasses } = this.#setting
    into.fill(0)
    for (let g = 0; g < groupClasses; g++)
      for (let k = 0; k < this.rank; k++) into[k] += tables[g] * tables[groupClasses + g * this.rank + k]
  }

  start(shares: Float64Array, uniform?: () => number): Float64Array {
    const { rank } = this
    const { groupClasses } = this.#setting
    const tables = new Float64Array(this.size)
    for (let g = 0; g < groupClasses; g++) {
      tables[g] = 1 + (uniform === undefined ? 0 : DIFFER * (2 * uniform() - 1))
      const own = groupClasses + g * rank
      for (let k = 0; k < rank; k++) {
        const wave = uniform === undefined ? spreadNumber(g * rank + k) : 2 * uniform() - 1
        tables[own + k] = Math.max(shares[k], LEAST_SHARE) * exp((groupClasses > 1 ? 2 * DIFFER : 0) * wave)
      }
      normalizePart(tables, own, rank)
    }
    normalizePart(tables, 0, groupClasses)
    return tables
  }

  reorder(tables: Float64Array, order: readonly number[]): Float64Array {
    const { groupClasses } = this.#setting
    return tables.map((each, i) => {
      if (i < groupClasses) return each
      const k = (i - groupClasses) % this.rank
      return tables[i - k + order[k]]
    })
  }
}
