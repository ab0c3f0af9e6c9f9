import { loadPart } from '../../load-part.ts'
import { type ArenaPool, MOST_BYTES } from './arena.ts'
import { LaneGroup, type ValueSet } from './lane-group.ts'
import type { LanePass } from './lane-pass.ts'
import type { Lane, LaneValues, Plan } from './layout.ts'
import type { StoredLane } from './stored-lane.ts'

/** What memory is laid out for: passes of a rank over a set of values, in double or single precision. */
export interface PassKind {
  readonly rank: number
  readonly set: ValueSet
  readonly single: boolean
}

export const isSameKind = (a: PassKind, b: PassKind): boolean =>
  a.rank === b.rank && a.set === b.set && a.single === b.single

/** The lanes of one thread: in one memory, or in several where one would be too small. */
export class LaneStore {
  readonly #pool: ArenaPool
  readonly #plan: Plan
  readonly #cellBytes: number
  readonly #groups: LaneGroup[] = []
  #bytes = 0
  #ready: (PassKind & { readonly passes: readonly LanePass[] }) | undefined

  constructor(pool: ArenaPool, plan: Plan, cellBytes = CELL_BYTES) {
    this.#pool = pool
    this.#plan = plan
    this.#cellBytes = cellBytes
  }

  get groups(): readonly LaneGroup[] {
    return this.#groups
  }

  /** Whether passes have to wait for a file. */
  get waits(): boolean {
    return this.#groups.some(({ lanes }) => lanes.some(({ chunks }) => chunks > 0))
  }

  /** Adds a lane; one in a file is read into memory where it is to be kept there. */
  async add(given: Lane | StoredLane): Promise<void> {
    if (!('chunks' in given)) return this.#place(given)
    const { ChunkReader, loadLane } = await loadPart(import('./stored-lane.ts'))
    if (given.resident) return this.#place(loadLane(given))
    if (this.#groups.length === 0) await this.#newGroup()
    this.#groups[this.#groups.length - 1].addStored(given, ChunkReader)
  }

  async #place(lane: Lane): Promise<void> {
    const bytes = lane.values.byteLength + lane.words.byteLength + lane.starts.byteLength + lane.kinds.byteLength
    if (this.#groups.length === 0 || this.#bytes + bytes > this.#cellBytes) await this.#newGroup()
    this.#bytes += bytes
    this.#groups[this.#groups.length - 1].add(lane)
  }

  /** Adds a set of values for all lanes. @param valuesOf those of the lane of a number */
  addValues(set: ValueSet, valuesOf: (lane: number) => LaneValues): void {
    this.#ready = undefined
    for (const group of this.#groups)
      group.addValues(
        set,
        group.lanes.map(({ number }) => valuesOf(number)),
      )
  }

  dropValues(set: ValueSet): void {
    this.#ready = undefined
    for (const group of this.#groups) group.dropValues(set)
  }

  /** Whether passes of a kind can be prepared at once. */
  isLoaded(kind: PassKind): boolean {
    return this.#groups.every(group => group.isLoaded(kind.rank, kind.single))
  }

  /** Loads the kernels of a kind, if they are not there. */
  async load(kind: PassKind): Promise<void> {
    for (const group of this.#groups)
      if (!group.isLoaded(kind.rank, kind.single)) await group.load(kind.rank, kind.single)
  }

  /** Loads the kernels that measure, of all ranks. */
  async loadMeasures(): Promise<void> {
    for (const { arena } of this.#groups) await arena.load('measure')
  }

  /** The passes of a kind that is loaded, one for each memory; good until others are asked for. */
  prepare(kind: PassKind): readonly LanePass[] {
    if (this.#ready === undefined || !isSameKind(this.#ready, kind)) {
      const passes = this.#groups.map(group => {
        group.select(kind.set)
        return group.prepare(kind.rank, kind.single)
      })
      this.#ready = { ...kind, passes }
    }
    return this.#ready.passes
  }

  /** Gives the memory back. */
  release(): void {
    for (const group of this.#groups.splice(0)) {
      group.close()
      this.#pool.giveBack(group.arena)
    }
  }

  async #newGroup(): Promise<void> {
    this.#groups.push(new LaneGroup(await this.#pool.borrow(), this.#plan))
    this.#bytes = 0
  }
}

/** Cells fill a memory up to here; the rest is for the factors and the statistics. */
const CELL_BYTES = MOST_BYTES / 2
