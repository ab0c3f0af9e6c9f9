import { NoThreadsError } from '../../thread/machine.ts'
import type { WorkerOptions } from '../../thread/worker-options.ts'
import type { ArenaPool } from './arena.ts'
import type { Lane, Plan } from './layout.ts'
import { Placement, type PlacementOptions } from './placement.ts'
import type { StoredLane } from './stored-lane.ts'

/** The note of work that is done on one thread because there are no others. */
export const oneThread = ({ message }: NoThreadsError): string =>
  `One thread does all the work, because no worker thread could be started: ${message}. The results are the same. ` +
  'To use all cores, give the address of the worker script: wasmEngine({ workerUrl }).'

/** Places lanes on threads; on this one alone, with a note, if no other can be started. */
export const placeLanes = async (
  pool: ArenaPool,
  plan: Plan,
  laneOf: (number: number) => Lane | StoredLane,
  placing: Omit<PlacementOptions, 'workers'>,
  workers: WorkerOptions,
): Promise<{ readonly placement: Placement; readonly notes: readonly string[] }> => {
  try {
    return { placement: await Placement.place(pool, plan, laneOf, { ...placing, workers }), notes: [] }
  } catch (error) {
    if (!(error instanceof NoThreadsError)) throw error
    const alone = { threads: 1, here: true, shared: false, workers }
    return { placement: await Placement.place(pool, plan, laneOf, alone), notes: [oneThread(error)] }
  }
}
