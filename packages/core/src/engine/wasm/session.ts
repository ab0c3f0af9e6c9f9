import { EngineError } from '../../errors.ts'
import { CellTensor } from '../../tensor/cell-tensor.ts'
import { type Counts, hasCells } from '../../tensor/tensor.ts'
import { cellInformation } from '../cell-information.ts'
import { checkPass, checkValues, type Engine, type Session, type SideBySide, type Traits } from '../engine.ts'
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
  /** Opens other data on the same engine. */
  readonly open: Engine['open']
}

const NOT_IN_MEMORY = 'the cells of this session are not in memory'

let sets = 0

/** The session of the data that was placed: closing it ends the placement. */
export const openSession = (placed: Placed, data: Counts): Session =>
  sessionOn(placed, data, valueSet(0, data.total), () => placed.placement.close())

const sessionOn = (placed: Placed, data: Counts, set: ValueSet, release: () => Promise<void>): Session => {
  const { placement, arrangement, traits, sideBySide, open } = placed
  let closed = false
  const check = () => {
    if (closed) throw new EngineError('the session is closed')
  }
  return {
    data,
    traits,
    ...(sideBySide !== undefined && { sideBySide }),
    open,
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
    async information(parameters) {
      check()
      // A few times the work of a pass, once per fit: the cells as they came will do.
      if (!hasCells(data)) throw new EngineError(NOT_IN_MEMORY)
      return cellInformation(data, parameters)
    },
    async reweight(values) {
      check()
      checkValues(data, values)
      if (!hasCells(data)) throw new EngineError(NOT_IN_MEMORY)
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
