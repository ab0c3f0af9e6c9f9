import { EngineError } from '../../errors.ts'
import { CellTensor } from '../../tensor/cell-tensor.ts'
import { type Counts, hasCells } from '../../tensor/tensor.ts'
import { checkPass, checkValues, type Session, type SideBySide, type Traits } from '../engine.ts'
import { type ValueSet, valueSet } from './lane-group.ts'
import { type Arrangement, laneValues } from './layout.ts'
import type { Placement } from './placement.ts'

/** What the sessions on one placement have in common. */
export interface Placed {
  readonly placement: Placement
  /** Where the cells of the tensor went: needed for other values only. */
  readonly arrangement: Arrangement
  readonly traits: Traits
  readonly sideBySide: SideBySide | undefined
}

let sets = 0

/** The session of the data that was placed: closing it ends the placement. */
export const openSession = (placed: Placed, data: Counts): Session =>
  sessionOn(placed, data, valueSet(0, data.total), () => placed.placement.close())

const sessionOn = (placed: Placed, data: Counts, set: ValueSet, release: () => Promise<void>): Session => {
  const { placement, arrangement, traits, sideBySide } = placed
  let closed = false
  const check = () => {
    if (closed) throw new EngineError('the session is closed')
  }
  return {
    data,
    traits,
    ...(sideBySide !== undefined && { sideBySide }),
    ...(placement.sweeps !== undefined && { sweeps: placement.sweeps }),
    async pass(parameters, into) {
      check()
      checkPass(data, parameters, into)
      return placement.pass(set, parameters, into)
    },
    async measure(parameters) {
      check()
      checkPass(data, parameters)
      return placement.measure(set, parameters)
    },
    async reweight(values) {
      check()
      checkValues(data, values)
      if (!hasCells(data)) throw new EngineError('the cells of this session are not in memory')
      const other = new CellTensor(data.modes, data.indices, values.slice())
      const added = valueSet(++sets, other.total)
      placement.addValues(added, lane => laneValues(arrangement, values, lane))
      return sessionOn(placed, other, added, async () => placement.dropValues(added))
    },
    async close() {
      if (closed) return
      closed = true
      await release()
    },
  }
}
