import { EngineError } from '../../errors.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import type { ThreadScript } from '../../thread/thread.ts'
import { checkPass, newStatistics, type Session, type Statistics } from '../engine.ts'
import type { ArenaPool } from './arena.ts'
import { type Crew, hireCrew } from './crew.ts'
import { FIXED_RANKS } from './generated/kernels.ts'
import { newHolding } from './holding.ts'
import { paddedRank, recordShape } from './lane-tables.ts'
import type { Layout } from './layout.ts'
import { clearListed, type HeldPart, runHere, totalInto } from './passes.ts'
import { addListed } from './statistics.ts'

export interface ThreadedOptions {
  /** How many threads work, the calling one included where it takes part. */
  readonly threads: number
  /** Whether the calling thread takes lanes of its own: quicker for short passes, but nothing else runs there meanwhile. */
  readonly here: boolean
  readonly shared: boolean
  readonly script: ThreadScript
}

/** A session whose lanes are spread over threads. */
export const openThreaded = async (
  pool: ArenaPool,
  layout: Layout,
  tensor: Tensor,
  rank: number,
  { threads, here, shared, script }: ThreadedOptions,
): Promise<Session> => {
  const { plan } = layout
  const lanes = spreadLanes(plan.lanes, threads)
  const holding = newHolding(pool, plan, rank)
  let crew: Crew
  try {
    // The calling thread has the first lanes, since listed modes are added up in the order of the lanes.
    if (here) for (const lane of lanes[0]) await holding.add(layout.lane(lane))
    crew = await hireCrew(script, layout, rank, here ? lanes.slice(1) : lanes, shared)
  } catch (error) {
    holding.release()
    throw error
  }
  const shares = here ? holding.finish() : []
  const shape = recordShape(plan, paddedRank(rank, FIXED_RANKS))
  let closed = false
  let busy = false

  const collect = (outputs: readonly Float64Array[], into: Statistics): HeldPart[] =>
    crew.offers.flatMap(({ parts, listed }, worker) => {
      const memory = outputs[worker]
      for (const { mode, labels, at } of listed) {
        const table = memory.subarray(at, at + labels.length * shape.padded)
        addListed(into.factors[mode], labels, table, rank, shape.padded)
      }
      return parts.map(part => ({ ...part, memory }))
    })

  return {
    async pass(parameters, into = newStatistics(tensor.shape, rank)) {
      if (closed) throw new EngineError('the session is closed')
      if (busy) throw new EngineError('a pass is under way in this session, which does one at a time')
      checkPass(tensor, rank, parameters)
      busy = true
      try {
        clearListed(plan, into)
        crew.begin(parameters)
        const own = runHere(shares, parameters, into)
        const outputs = await crew.finish()
        return totalInto([...own, ...collect(outputs, into)], shape, plan, into)
      } finally {
        busy = false
      }
    },
    async close() {
      if (closed) return
      closed = true
      holding.release()
      await crew.end(new EngineError('the session was closed while a pass was under way'))
    },
  }
}

/** The lanes of each thread: neighbours, as equal in number as they can be; no thread without one. */
export const spreadLanes = (lanes: number, threads: number): number[][] => {
  const used = Math.min(lanes, threads)
  return Array.from({ length: used }, (_, thread) => {
    const first = Math.floor((lanes * thread) / used)
    const end = Math.floor((lanes * (thread + 1)) / used)
    return Array.from({ length: end - first }, (_, i) => first + i)
  })
}
