import type { NestedSetting } from '../../model/links/links.ts'
import type { Parameters } from '../../model/parameters.ts'
import { exp } from '../../numeric/exp.ts'
import { log } from '../../numeric/log.ts'
import { MISSING } from '../../tensor/mode.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { CellPass, Places } from './cell-pass.ts'
import type { LinkedPass, PassSums } from './chain-pass.ts'
import * as C from './context.ts'
import { CONTEXT, FREE, type GroupKernels, type LinkedArena, padded } from './kernels.ts'

/** Passes over the members of groups without covariates of members: those with the same answers are one kind. */
export class NestedPass implements LinkedPass {
  readonly cells: CellPass
  readonly #setting: NestedSetting
  readonly #kernels: GroupKernels
  /** Numbers in a row of group classes. */
  readonly #width: number
  readonly #places: Record<'starts' | 'kinds' | 'counts' | 'logs' | 'masses' | 'groups' | 'shifts', number>
  readonly #free: number
  readonly #likely: Float64Array
  #end = 0

  constructor(arena: LinkedArena, data: Tensor, setting: NestedSetting) {
    const places = new Places(FREE)
    const { rows, groupClasses } = setting
    const groups = rows.starts.length - 1
    const kinds = data.cells + 1
    const width = padded(groupClasses)
    this.cells = new CellPass(arena, data, places)
    this.#setting = setting
    this.#kernels = arena.groupKernels(groupClasses)
    this.#width = width
    this.#places = {
      starts: places.take(4 * (groups + 1)),
      kinds: places.take(4 * rows.cells.length),
      counts: places.take(8 * rows.cells.length),
      logs: places.take(8 * kinds * width),
      masses: places.take(8 * kinds * width),
      groups: places.take(8 * groups * width),
      shifts: places.take(8 * groups),
    }
    this.#free = places.top
    this.#likely = new Float64Array(data.cells * groupClasses)
  }

  expect(parameters: Omit<Parameters, 'shares'>, tables: Float64Array, into: PassSums): number {
    const { cells } = this
    this.#prepare(parameters.rank)
    cells.emit(parameters)
    this.#computeKinds(tables)
    const logLikelihood = this.#classifyGroups(tables, into)
    if (into.rows !== undefined) this.#addRows(tables, into.rows)
    this.#weighGroups()
    const { f64 } = cells.arena
    const { masses } = this.#places
    f64.fill(0, masses / 8, masses / 8 + (cells.data.cells + 1) * this.#width)
    this.#kernels.scatter(CONTEXT, 0, this.#setting.rows.weights.length)
    this.#addKinds(tables, into.tables)
    return logLikelihood
  }

  #prepare(rank: number): void {
    const { cells } = this
    const { arena } = cells
    if (cells.rank !== rank) {
      const places = new Places(this.#free)
      cells.layOut(rank, places)
      this.#end = places.top
    }
    arena.reserve(this.#end)
    const { starts, kinds, counts, logs, masses, groups, shifts } = this.#places
    if (arena.owner !== this) {
      arena.owner = this
      const { rows } = this.#setting
      cells.place()
      arena.i32.set(rows.starts, starts / 4)
      rows.cells.forEach((cell, row) => {
        arena.i32[kinds / 4 + row] = cell === MISSING ? cells.data.cells : cell
        arena.f64[counts / 8 + row] = rows.counts?.[row] ?? 1
      })
    }
    const fields = [
      [C.GROUP_ROW, 8 * this.#width],
      [C.GROUP_STARTS, starts],
      [C.KINDS, kinds],
      [C.COUNTS, counts],
      [C.KIND_LOGS, logs],
      [C.KIND_MASSES, masses],
      [C.GROUPS, groups],
      [C.GROUP_SHIFTS, shifts],
    ] as const
    for (const [field, value] of fields) cells.set(field, value)
  }

  /** Where the class sizes of group classes begin in the tables. */
  get #mixes(): number {
    return (this.#setting.grouping?.patterns ?? 1) * this.#setting.groupClasses
  }

  /** Where the sizes of the group classes begin for a group. */
  #sizesOf(unit: number): number {
    return (this.#setting.grouping?.of[unit] ?? 0) * this.#setting.groupClasses
  }

  /** P[answers | group class] of every kind of member, and its logarithm. */
  #computeKinds(tables: Float64Array): void {
    const { rank, width, weights, data, arena } = this.cells
    const { groupClasses } = this.#setting
    const { f64 } = arena
    const mixes = this.#mixes
    const logs = this.#places.logs / 8
    f64.fill(0, logs, logs + (data.cells + 1) * this.#width)
    for (let cell = 0; cell < data.cells; cell++)
      for (let g = 0; g < groupClasses; g++) {
        let sum = 0
        for (let k = 0; k < rank; k++) sum += tables[mixes + g * rank + k] * f64[weights / 8 + cell * width + k]
        this.#likely[cell * groupClasses + g] = sum
        f64[logs + cell * this.#width + g] = log(sum)
      }
  }

  /** The posteriors of the groups; returns the log-likelihood. */
  #classifyGroups(tables: Float64Array, into: PassSums): number {
    const { groupClasses, rows } = this.#setting
    const { f64 } = this.cells.arena
    const [groups, width, shifts] = [this.#places.groups / 8, this.#width, this.#places.shifts / 8]
    const units = rows.weights.length
    const sizeLogs = tables.slice(0, this.#mixes).map(log)
    for (let unit = 0; unit < units; unit++) {
      const sizes = this.#sizesOf(unit)
      for (let g = 0; g < width; g++) f64[groups + unit * width + g] = g < groupClasses ? sizeLogs[sizes + g] : 0
    }
    this.#kernels.gather(CONTEXT, 0, units)
    let logLikelihood = 0
    for (let unit = 0; unit < units; unit++) {
      const at = groups + unit * width
      const weight = rows.weights[unit]
      let [most, all] = [Number.NEGATIVE_INFINITY, 0]
      for (let g = 0; g < groupClasses; g++) most = Math.max(most, f64[at + g])
      if (most === Number.NEGATIVE_INFINITY || weight === 0) {
        if (weight > 0) logLikelihood = most
        f64.fill(0, at, at + groupClasses)
        continue
      }
      for (let g = 0; g < groupClasses; g++) {
        f64[at + g] = exp(f64[at + g] - most)
        all += f64[at + g]
      }
      logLikelihood += weight * (most + log(all) + f64[shifts + unit] * Math.LN2)
      const sizes = this.#sizesOf(unit)
      for (let g = 0; g < groupClasses; g++) {
        f64[at + g] /= all
        into.tables[sizes + g] += weight * f64[at + g]
        if (into.groups !== undefined) into.groups[unit * groupClasses + g] = f64[at + g]
      }
    }
    return logLikelihood
  }

  /** The posteriors of members, which depend on those of their group. */
  #addRows(tables: Float64Array, into: Float64Array): void {
    const { rank, width, weights, arena } = this.cells
    const { groupClasses, rows } = this.#setting
    const { f64 } = arena
    const mixes = this.#mixes
    for (let unit = 0; unit < rows.weights.length; unit++)
      for (let row = rows.starts[unit]; row < rows.starts[unit + 1]; row++) {
        const cell = rows.cells[row]
        for (let g = 0; g < groupClasses; g++) {
          const own = f64[this.#places.groups / 8 + unit * this.#width + g]
          if (own === 0) continue
          // A member without answers says nothing of its group.
          const scale = cell === MISSING ? own : own / this.#likely[cell * groupClasses + g]
          for (let k = 0; k < rank; k++)
            into[row * rank + k] +=
              scale * tables[mixes + g * rank + k] * (cell === MISSING ? 1 : f64[weights / 8 + cell * width + k])
        }
      }
  }

  /** The posteriors of groups times their weights, for the masses of their members. */
  #weighGroups(): void {
    const { f64 } = this.cells.arena
    const width = this.#width
    this.#setting.rows.weights.forEach((weight, unit) => {
      const at = this.#places.groups / 8 + unit * width
      for (let g = at; g < at + width; g++) f64[g] *= weight
    })
  }

  /** The posteriors of cells, and the expected counts of the class sizes. */
  #addKinds(tables: Float64Array, into: Float64Array): void {
    const { rank, width, weights, sums, data, arena } = this.cells
    const { groupClasses } = this.#setting
    const { f64 } = arena
    const mixes = this.#mixes
    for (let cell = 0; cell < data.cells; cell++)
      for (let g = 0; g < groupClasses; g++) {
        const mass = f64[this.#places.masses / 8 + cell * this.#width + g]
        if (mass === 0) continue
        const scale = mass / this.#likely[cell * groupClasses + g]
        for (let k = 0; k < rank; k++) {
          const entry = mixes + g * rank + k
          const each = scale * tables[entry] * f64[weights / 8 + cell * width + k]
          f64[sums / 8 + cell * width + k] += each
          into[entry] += each
        }
      }
  }
}
