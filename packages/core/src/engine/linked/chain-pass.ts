import { ChainLinks } from '../../model/links/chain.ts'
import type { ChainSetting, LinkSums } from '../../model/links/links.ts'
import type { Parameters } from '../../model/parameters.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { CellPass, Places } from './cell-pass.ts'
import { type ChainRows, chainRows } from './chain-rows.ts'
import * as C from './context.ts'
import { CONTEXT, FREE, type LinkedArena, padded } from './kernels.ts'

/** The sums of a pass other than those of cells, which stay in the memory of the kernels. */
export type PassSums = Omit<LinkSums, 'cells' | 'units'>

/** What a pass over linked rows is, in the memory of the kernels. */
export interface LinkedPass {
  readonly cells: CellPass
  /** The E-step: adds to the sums, and leaves the posteriors of cells to be collected. */
  expect(parameters: Omit<Parameters, 'shares'>, tables: Float64Array, into: PassSums): number
}

/** Passes over persons at several waves, in blocks. */
export class ChainPass implements LinkedPass {
  readonly cells: CellPass
  readonly #setting: ChainSetting
  readonly #rows: ChainRows
  readonly #static: Record<
    'cells' | 'present' | 'blockRows' | 'waveMoves' | 'weights' | 'personStarts' | 'rowMoves',
    number
  >
  readonly #free: number
  #links: ChainLinks | undefined
  #places: Record<
    | ('starts' | 'startCounts' | 'moves' | 'turned' | 'moveCounts')
    | ('forward' | 'lifts' | 'backward' | 'shifts' | 'last' | 'next' | 'logs' | 'staying' | 'posteriors'),
    number
  > = {} as never
  #end = 0
  /** Bytes of the posteriors of rows. */
  #posteriors = 0

  constructor(arena: LinkedArena, data: Tensor, setting: ChainSetting) {
    const places = new Places(FREE)
    this.cells = new CellPass(arena, data, places)
    this.#setting = setting
    this.#rows = chainRows(setting, data.cells)
    const { order, present, blockRows, cells } = this.#rows
    this.#static = {
      cells: places.take(4 * cells.length),
      present: places.take(4 * present.length),
      blockRows: places.take(4 * blockRows.length),
      waveMoves: places.take(4 * setting.waves),
      weights: places.take(8 * order.length),
      personStarts: setting.starting === undefined ? 0 : places.take(4 * order.length),
      rowMoves: setting.moving === undefined ? 0 : places.take(4 * cells.length),
    }
    this.#free = places.top
  }

  expect(parameters: Omit<Parameters, 'shares'>, tables: Float64Array, into: PassSums): number {
    const { cells } = this
    this.#prepare(parameters.rank, into.rows !== undefined)
    cells.emit(parameters)
    this.#writeTables(tables)
    const places = this.#places
    cells.set(C.POSTERIORS, into.rows === undefined ? 0 : places.posteriors)
    const logLikelihood = cells.kernels.chain(CONTEXT, 0, this.#rows.blocks)
    this.#addCounts(tables, into.tables)
    if (into.rows !== undefined) this.#addRows(into.rows)
    if (into.groups !== undefined) this.#addStaying(into.groups)
    return logLikelihood
  }

  /** Sees to it that everything is in the memory. */
  #prepare(rank: number, withRows: boolean): void {
    const { cells } = this
    const { arena } = cells
    if (this.#links?.rank !== rank) this.#layOut(rank)
    arena.reserve(this.#end + (withRows ? this.#posteriors : 0))
    if (arena.owner !== this) {
      arena.owner = this
      this.#place()
    }
    this.#describe()
  }

  #layOut(rank: number): void {
    const links = new ChainLinks(this.#setting, rank)
    const places = new Places(this.#free)
    this.cells.layOut(rank, places)
    const { starts, moves } = links.layout
    const { width } = this.cells
    const { blocks, mostRows, cells } = this.#rows
    const states = this.#states(links)
    const square = 8 * width * width
    this.#links = links
    this.#places = {
      starts: places.take(8 * starts * states),
      startCounts: places.take(8 * starts * states),
      moves: places.take(moves * square),
      turned: places.take(moves * square),
      moveCounts: places.take(moves * square),
      forward: places.take(8 * mostRows * states),
      lifts: places.take(8 * mostRows),
      backward: places.take(8 * C.PERSONS * states),
      shifts: places.take(8 * C.PERSONS),
      last: places.take(8 * C.PERSONS),
      next: places.take(8 * width),
      logs: places.take(8 * blocks * C.PERSONS),
      staying: places.take(8 * blocks * C.PERSONS),
      // Rarely wanted, and then at the end.
      posteriors: places.top,
    }
    this.#end = places.top
    this.#posteriors = 8 * cells.length * width
  }

  /** Numbers in a row of states. */
  #states({ rank, layout }: ChainLinks): number {
    return layout.states > rank ? 2 * padded(rank) : padded(rank)
  }

  #place(): void {
    const { i32, f64 } = this.cells.arena
    const { waves, same, rows, starting, moving } = this.#setting
    const { order, present, blockRows, cells, rowOf } = this.#rows
    const at = this.#static
    this.cells.place()
    i32.set(cells, at.cells / 4)
    i32.set(present, at.present / 4)
    i32.set(blockRows, at.blockRows / 4)
    for (let wave = 0; wave < waves; wave++) i32[at.waveMoves / 4 + wave] = same ? 0 : Math.max(0, wave - 1)
    order.forEach((unit, i) => {
      f64[at.weights / 8 + i] = rows.weights[unit]
      if (starting !== undefined) i32[at.personStarts / 4 + i] = starting.of[unit]
    })
    if (moving !== undefined)
      rowOf.forEach((row, i) => {
        i32[at.rowMoves / 4 + i] = moving.of[row]
      })
  }

  #describe(): void {
    const { cells } = this
    const [at, places] = [this.#static, this.#places]
    const fields = [
      [C.STATE_ROW, 8 * this.#states(this.#links!)],
      [C.WAVES, this.#setting.waves],
      [C.PRESENT, at.present],
      [C.BLOCK_ROWS, at.blockRows],
      [C.ROW_CELLS, at.cells],
      [C.ROW_MOVES, at.rowMoves],
      [C.WAVE_MOVES, at.waveMoves],
      [C.PERSON_STARTS, at.personStarts],
      [C.PERSON_WEIGHTS, at.weights],
      [C.STARTS, places.starts],
      [C.START_COUNTS, places.startCounts],
      [C.MOVES, places.moves],
      [C.TURNED, places.turned],
      [C.MOVE_COUNTS, places.moveCounts],
      [C.LOGS, places.logs],
      [C.FORWARD, places.forward],
      [C.LIFTS, places.lifts],
      [C.BACKWARD, places.backward],
      [C.SHIFTS, places.shifts],
      [C.LAST, places.last],
      [C.NEXT, places.next],
      [C.STAYING, places.staying],
    ] as const
    for (const [field, value] of fields) cells.set(field, value)
  }

  /** The tables, padded, those of transitions a second time with rows and columns changed; their counts are zero. */
  #writeTables(tables: Float64Array): void {
    const { rank, layout } = this.#links!
    const { f64 } = this.cells.arena
    const { width } = this.cells
    const { states, starts, moves } = layout
    const row = this.#states(this.#links!)
    const at = this.#places
    const square = width * width
    f64.fill(0, at.starts / 8, at.moveCounts / 8 + moves * square)
    for (let y = 0; y < starts; y++)
      for (let k = 0; k < states; k++)
        f64[at.starts / 8 + y * row + (k < rank ? k : width + k - rank)] = tables[y * states + k]
    for (let z = 0; z < moves; z++) {
      const from = starts * states + z * rank * rank
      const [to, turned] = [at.moves / 8 + z * square, at.turned / 8 + z * square]
      for (let i = 0; i < rank; i++)
        for (let k = 0; k < rank; k++) {
          const p = tables[from + i * rank + k]
          f64[to + i * width + k] = p
          f64[turned + k * width + i] = p
        }
    }
  }

  #addCounts(tables: Float64Array, into: Float64Array): void {
    const { rank, layout } = this.#links!
    const { f64 } = this.cells.arena
    const { width } = this.cells
    const { states, starts, moves } = layout
    const row = this.#states(this.#links!)
    const at = this.#places
    for (let y = 0; y < starts; y++)
      for (let k = 0; k < states; k++)
        into[y * states + k] += f64[at.startCounts / 8 + y * row + (k < rank ? k : width + k - rank)]
    for (let z = 0; z < moves; z++) {
      const to = starts * states + z * rank * rank
      const from = at.moveCounts / 8 + z * width * width
      for (let i = 0; i < rank; i++)
        for (let k = 0; k < rank; k++) {
          const entry = to + i * rank + k
          into[entry] += tables[entry] * f64[from + i * width + k]
        }
    }
  }

  /** The posteriors of rows, in the order of the setting, which the kernel has times the weights of persons. */
  #addRows(into: Float64Array): void {
    const { rank, width } = this.cells
    const { f64 } = this.cells.arena
    const { weights, starts } = this.#setting.rows
    const { rowOf } = this.#rows
    const weightOf = new Float64Array(rowOf.length)
    for (let unit = 0; unit + 1 < starts.length; unit++) weightOf.fill(weights[unit], starts[unit], starts[unit + 1])
    rowOf.forEach((row, i) => {
      if (weightOf[row] === 0) return
      const from = this.#places.posteriors / 8 + i * width
      for (let k = 0; k < rank; k++) into[row * rank + k] += f64[from + k] / weightOf[row]
    })
  }

  #addStaying(into: Float64Array): void {
    if (this.#links!.layout.states === this.#links!.rank) return
    const { weights } = this.#setting.rows
    this.#rows.order.forEach((unit, i) => {
      if (weights[unit] > 0) into[unit] += this.cells.arena.f64[this.#places.staying / 8 + i] / weights[unit]
    })
  }
}
