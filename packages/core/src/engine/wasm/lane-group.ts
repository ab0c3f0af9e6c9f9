import { loadPart } from '../../load-part.ts'
import { log } from '../../numeric/log.ts'
import type { Arena } from './arena.ts'
import * as C from './context.ts'
import { FIXED_RANKS, SINGLE_RANKS } from './generated/kernels.ts'
import { type LanePass, newLanePass, type PlacedLane } from './lane-pass.ts'
import { paddedRank } from './lane-tables.ts'
import type { Lane, LaneValues, Plan } from './layout.ts'
import { kernelPart } from './module.ts'
import type { newSinglePass } from './single-pass.ts'
import type { ChunkReader, StoredLane } from './stored-lane.ts'

/** Makes passes in single precision, once it is loaded: small data does without. */
let singlePass: typeof newSinglePass | undefined

/** Columns between two looks at a product that may become too small. */
const STRETCH = 32
/** If every answer were as probable as any other, a row's probability would be e^−640: 2^−960 is not trusted any more. */
const WIDE = 640

/** Whether products of a row's probabilities may underflow: by the data alone. */
const isWide = ({ shape }: Plan): boolean => shape.reduce((sum, size) => sum + log(Math.max(1, size)), 0) > WIDE

/** Where the values of a lane and their kinds lie. */
interface PlacedValues {
  readonly values: number
  readonly kinds: number
}

/** A set of values for the cells: those the lanes came with, or others. */
export interface ValueSet {
  readonly number: number
  /** A cell's probability below this is not trusted: a value divided by it must stay finite. */
  readonly tiny: number
  /** The same in single precision. */
  readonly singleTiny: number
}

export const valueSet = (number: number, total: number): ValueSet => ({
  number,
  tiny: Math.max(2 ** -960, total * 2 ** -1000),
  singleTiny: Math.max(2 ** -44, total * 2 ** -120),
})

/**
 * Some lanes in one WebAssembly memory. From the bottom up it holds their cells, then any other values for those cells, then
 * what a pass of the rank in use needs, which is laid out anew when the rank changes.
 */
export class LaneGroup {
  readonly #arena: Arena
  readonly #plan: Plan
  readonly #lanes: PlacedLane[] = []
  /** Sets of values by their number; 0 are the lanes' own. */
  readonly #values = new Map<number, PlacedValues[]>([[0, []]])
  /** The space of sets that are no longer used, for the next ones. */
  readonly #room: PlacedValues[][] = []
  /** Reads the lanes that are in a file. */
  #reader: ChunkReader | undefined
  #selected = -1
  #pass: LanePass | undefined
  /** Whether that pass is in single precision. */
  #single = false
  /** Where cells and values end. */
  #end: number

  constructor(arena: Arena, plan: Plan) {
    this.#arena = arena
    this.#plan = plan
    this.#end = arena.top
  }

  get arena(): Arena {
    return this.#arena
  }

  get lanes(): readonly PlacedLane[] {
    return this.#lanes
  }

  /** Copies a lane's cells into the memory. */
  add({ number, words, starts, labels, values, kinds }: Lane): void {
    const arena = this.#open()
    const context = this.#takeContext()
    const at = { words: arena.take(words.byteLength), starts: arena.take(starts.byteLength) }
    const own = this.#takeValues(values.length)
    arena.commit()
    arena.u32.set(words, at.words / 4)
    arena.u32.set(starts, at.starts / 4)
    this.#write(own, { values, kinds })
    this.#writePlan(context)
    writeContext(arena, context, [
      [C.BLOCKS, at.starts],
      [C.WORDS, at.words],
      [C.CELLS, values.length],
    ])
    this.#lanes.push({ number, labels, blocks: starts.length, chunks: 0, context })
    this.#values.get(0)!.push(own)
    this.#end = arena.top
  }

  /** Adds a lane that stays in its file. @param reader the class that reads it */
  addStored(lane: StoredLane, reader: typeof ChunkReader): void {
    const arena = this.#open()
    const context = this.#takeContext()
    this.#reader ??= new reader(arena, lane)
    this.#reader.add(lane)
    arena.commit()
    this.#writePlan(context)
    this.#lanes.push({ number: lane.number, labels: lane.labels, blocks: 0, chunks: lane.chunks.length, context })
    this.#values.get(0)!.push({ values: 0, kinds: 0 })
    this.#end = arena.top
  }

  close(): void {
    this.#reader?.close()
  }

  /** Copies other values of the lanes' cells into the memory, as a set of this number. @param values one for each lane */
  addValues({ number }: ValueSet, values: readonly LaneValues[]): void {
    const room = this.#room.pop() ?? this.#takeSet(values)
    values.forEach((each, i) => {
      this.#write(room[i], each)
    })
    this.#values.set(number, room)
  }

  dropValues({ number }: ValueSet): void {
    const room = this.#values.get(number)
    if (room !== undefined) this.#room.push(room)
    this.#values.delete(number)
    if (this.#selected === number) this.#selected = -1
  }

  /** Whether a pass can be prepared at once. */
  isLoaded(rank: number, single: boolean): boolean {
    const part = kernelPart(paddedRank(rank, FIXED_RANKS), single)
    return this.#arena.has(part) && (!single || singlePass !== undefined)
  }

  async load(rank: number, single: boolean): Promise<void> {
    await this.#arena.load(kernelPart(paddedRank(rank, FIXED_RANKS), single))
    if (single) singlePass ??= (await loadPart(import('./single-pass.ts'))).newSinglePass
  }

  /** The pass of a rank, which is loaded, over these lanes; it is ready until one of another rank, or more values, are asked for. */
  prepare(rank: number, single: boolean): LanePass {
    if (this.#pass?.rank !== rank || this.#single !== single) {
      this.#arena.reset(this.#end)
      this.#single = single
      this.#pass = single
        ? singlePass!(this.#arena, this.#plan, rank, SINGLE_RANKS, this.#lanes, this.#reader)
        : newLanePass(this.#arena, this.#plan, rank, FIXED_RANKS, this.#lanes, this.#reader)
    }
    return this.#pass
  }

  /** Chooses the set of values that passes see. */
  select({ number, tiny, singleTiny }: ValueSet): void {
    if (this.#selected === number) return
    this.#selected = number
    const placed = this.#values.get(number)!
    this.#lanes.forEach(({ context }, i) => {
      writeContext(this.#arena, context, [
        [C.VALUES, placed[i].values],
        [C.KINDS, placed[i].kinds],
      ])
      this.#arena.f64[(context + C.TINY) / 8] = tiny
      this.#arena.f64[(context + C.SINGLE_TINY) / 8] = singleTiny
    })
  }

  /** The memory, ready for more cells or values: what a pass had there is given up. */
  #open(): Arena {
    this.#arena.reset(this.#end)
    this.#pass = undefined
    return this.#arena
  }

  #takeContext(): number {
    return this.#arena.take(C.COLUMNS + 8 * (this.#plan.columns.length + 1))
  }

  #writePlan(context: number): void {
    const { columns, depth } = this.#plan
    const suffix = columns.length - depth
    writeContext(this.#arena, context, [
      [C.DEPTH, depth],
      [C.SUFFIX, suffix],
      [C.STRETCH, isWide(this.#plan) ? STRETCH : suffix],
    ])
  }

  #takeSet(values: readonly LaneValues[]): PlacedValues[] {
    const arena = this.#open()
    const room = values.map(each => this.#takeValues(each.values.length))
    arena.commit()
    this.#end = arena.top
    return room
  }

  #takeValues(cells: number): PlacedValues {
    // Room for one more: a block of odd length is read in pairs.
    return { values: this.#arena.take(8 * (cells + 1)), kinds: this.#arena.take(Math.ceil(cells / C.BLOCK_CELLS)) }
  }

  #write(at: PlacedValues, { values, kinds }: LaneValues): void {
    this.#arena.f64.set(values, at.values / 8)
    this.#arena.u8.set(kinds, at.kinds)
  }
}

/** Writes fields of a lane's record. */
export const writeContext = (
  arena: Arena,
  context: number,
  fields: readonly (readonly [field: number, value: number])[],
): void => {
  for (const [field, value] of fields) arena.u32[(context + field) / 4] = value
}
