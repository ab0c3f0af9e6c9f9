import { EngineError } from '../../errors.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { checkPass, newStatistics, type Session } from '../engine.ts'
import type { ArenaPool } from './arena.ts'
import { newHolding } from './holding.ts'
import type { Layout } from './layout.ts'
import { clearListed, runHere, totalInto } from './passes.ts'

/** A session on the calling thread: for small problems, where handing over to another thread would cost more than the pass. */
export const openInline = async (pool: ArenaPool, layout: Layout, tensor: Tensor, rank: number): Promise<Session> => {
  const { shape } = tensor
  const { plan } = layout
  const holding = newHolding(pool, plan, rank)
  try {
    for (let lane = 0; lane < plan.lanes; lane++) await holding.add(layout.lane(lane))
    const shares = holding.finish()
    let closed = false
    return {
      async pass(parameters, into = newStatistics(shape, rank)) {
        if (closed) throw new EngineError('the session is closed')
        checkPass(tensor, rank, parameters)
        clearListed(plan, into)
        return totalInto(runHere(shares, parameters, into), shares[0].shape, plan, into)
      },
      async close() {
        closed = true
        holding.release()
      },
    }
  } catch (error) {
    holding.release()
    throw error
  }
}
