import { closable } from '../../closable.ts'
import { defined } from '../../defined.ts'
import { EngineError, type StopSignal } from '../../errors.ts'
import { loadPart } from '../../load-part.ts'
import type { Parameters } from '../../model/parameters.ts'
import { log } from '../../numeric/log.ts'
import { CellTensor } from '../../tensor/cell-tensor.ts'
import { type Counts, hasCells, type Tensor } from '../../tensor/tensor.ts'
import { runCooperatively } from '../../thread/cooperative.ts'
import { abilitiesOf } from '../abilities.ts'
import {
  type ClosableSession,
  checkPass,
  checkValues,
  type Engine,
  type Information,
  type ParallelRuns,
  type Session,
  type Traits,
} from '../engine.ts'
import { type ValueSet, valueSet } from './lane-group.ts'
import { LEAST_SINGLE } from './lane-tables.ts'
import { type Arrangement, laneValues } from './layout.ts'
import type { Placement } from './placement.ts'

/** What the sessions on one placement have in common. */
export interface Placed {
  readonly placement: Placement
  /** Where the cells of the tensor went, where they are in memory: for other values. */
  readonly arrangement: Arrangement | undefined
  readonly traits: Traits
  readonly parallelRuns: ParallelRuns | undefined
  /** What had to be done otherwise than asked. */
  readonly notes?: readonly string[]
  /** Opens other data on the same engine. */
  readonly open: Engine['open']
  /** Those in single precision, if there are passes in it. */
  readonly single?: Traits
  /** The information, where the cells are in a file. */
  readonly information?: (parameters: Parameters, signal: StopSignal | undefined) => Promise<Information>
}

let sets = 0

/** Cells times classes of a pass that is over, some tens of milliseconds, before anybody could wish to stop it. */
const SHORT = 20_000_000

const lookedAt = ({ cells }: Counts, { rank }: Parameters, signal: StopSignal | undefined) =>
  cells * rank > SHORT ? signal : undefined

/** The session of the data that was placed: closing it ends the placement. */
export const openSession = (placed: Placed, data: Counts): ClosableSession =>
  sessionOn(placed, data, valueSet(0, data.total), () => placed.placement.close())

const sessionOn = (placed: Placed, data: Counts, set: ValueSet, release: () => Promise<void>): ClosableSession => {
  const { placement, arrangement, traits, parallelRuns, notes = [], open } = placed
  let closed = false
  const check = () => {
    if (closed) throw new EngineError('the session is closed')
  }
  const reweighted = (tensor: Tensor, where: Arrangement) => async (values: Float64Array) => {
    check()
    checkValues(tensor, values)
    const other = new CellTensor(tensor.modes, tensor.indices, values.slice())
    const added = valueSet(++sets, other.total)
    placement.addValues(added, lane => laneValues(where, values, lane))
    return sessionOn(placed, other, added, async () => placement.dropValues(added))
  }
  const session: Omit<Session, 'can'> = {
    ...(placed.single !== undefined && { single: singleOn(placed, placed.single, data, set, check) }),
    data,
    traits,
    ...defined({ parallelRuns }),
    ...(notes.length > 0 && { notes }),
    open,
    ...defined({ sweeps: placement.sweeps }),
    async pass(parameters, into, signal) {
      check()
      checkPass(data, parameters, into)
      return placement.pass(set, parameters, into, lookedAt(data, parameters, signal))
    },
    async measure(parameters, signal) {
      check()
      checkPass(data, parameters)
      return placement.measure(set, parameters, lookedAt(data, parameters, signal))
    },
    async information(parameters, signal) {
      check()
      if (!hasCells(data)) return placed.information!(parameters, signal)
      // A few times the work of a pass, once per fit: the cells as they came will do, but in the order of the lanes.
      const { InformationSums } = await loadPart(import('../cell-information.ts'))
      const sums = new InformationSums(data, parameters)
      await runCooperatively(sums.add(data.indices, data.values, arrangement?.order), signal)
      return sums.finish()
    },
    ...(arrangement !== undefined && hasCells(data) && { reweight: reweighted(data, arrangement) }),
    async close() {
      if (closed) return
      closed = true
      await release()
    },
  }
  return closable({ ...session, can: abilitiesOf(session) })
}

/** The same cells in single precision. */
const singleOn = (
  { placement, parallelRuns }: Placed,
  traits: Traits,
  data: Counts,
  set: ValueSet,
  check: () => void,
): Session => {
  // What scaled probabilities add to the log-likelihood, without looking at a cell.
  let scaled = 0
  data.marginals.forEach((counts, n) => {
    counts.forEach((count, j) => {
      if (count > 0) scaled += count * log(placement.plan.scales![n][j])
    })
  })
  const session: Omit<Session, 'can'> = {
    data,
    traits,
    ...defined({ parallelRuns }),
    async pass(parameters, into, signal) {
      check()
      checkPass(data, parameters, into)
      const found = await placement.pass(set, parameters, into, lookedAt(data, parameters, signal), true)
      // Where a cell is too improbable for single precision, the pass is done again in double.
      if (Number.isNaN(found.logLikelihood))
        return placement.pass(set, parameters, found, lookedAt(data, parameters, signal))
      found.logLikelihood -= scaled
      return found
    },
    async measure(parameters, signal) {
      check()
      checkPass(data, parameters)
      return placement.measure(set, parameters, lookedAt(data, parameters, signal))
    },
    suits: rank => rank >= LEAST_SINGLE,
    close: async () => {},
  }
  return { ...session, can: abilitiesOf(session) }
}
