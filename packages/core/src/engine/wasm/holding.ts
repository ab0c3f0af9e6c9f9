import { type Arena, type ArenaPool, MOST_BYTES } from './arena.ts'
import type { Lane, Plan } from './layout.ts'
import { newShare, type PlacedLane, placeLane, type Share } from './share.ts'

/** The lanes of one thread: in one memory, or in several where one would be too small. */
export interface Holding {
  add(lane: Lane): Promise<void>
  /** All lanes are there: makes the shares. */
  finish(): readonly Share[]
  /** Gives the memory back. */
  release(): void
}

/** Cells fill a memory up to here; the rest is for the factors and the statistics. */
const CELL_BYTES = MOST_BYTES / 2

export const newHolding = (pool: ArenaPool, plan: Plan, rank: number, cellBytes = CELL_BYTES): Holding => {
  const groups: { arena: Arena; lanes: PlacedLane[]; bytes: number }[] = []
  return {
    async add(lane) {
      const bytes = lane.values.byteLength + lane.words.byteLength + lane.starts.byteLength + lane.kinds.byteLength
      let group = groups[groups.length - 1]
      if (group === undefined || group.bytes + bytes > cellBytes) {
        group = { arena: await pool.borrow(), lanes: [], bytes: 0 }
        groups.push(group)
      }
      group.bytes += bytes
      group.lanes.push(placeLane(group.arena, plan, lane))
    },
    finish: () => groups.map(({ arena, lanes }) => newShare(arena, plan, rank, lanes)),
    release() {
      for (const { arena } of groups.splice(0)) pool.giveBack(arena)
    },
  }
}
