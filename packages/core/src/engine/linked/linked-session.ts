import { EngineError, throwIfStopped } from '../../errors.ts'
import { tableRows } from '../../model/links/link-kinds.ts'
import type { LinkSetting } from '../../model/links/links.ts'
import { mostProbable } from '../../model/posterior.ts'
import { log } from '../../numeric/log.ts'
import { MISSING } from '../../tensor/mode.ts'
import { hasCells } from '../../tensor/tensor.ts'
import { type Measures, newStatistics, type Session } from '../engine.ts'
import { linkedNanos } from './linked-nanos.ts'
import { type LinkedSteps, linkedPass } from './linked-pass.ts'

/**
 * A session whose rows are linked: the last factor that is passed has the tables of the links, the shares are not used. A pass computes P[row | class] of
 * every distinct row, the posteriors of all rows given those that they are linked to, and from them the statistics by mode.
 */
export const linkedSession = (session: Pick<Session, 'data' | 'traits'>, setting: LinkSetting): Session => {
  const { data } = session
  if (!hasCells(data)) throw new EngineError('rows can be linked only if their cells are in memory')
  let steps: LinkedSteps | undefined
  const placed = async () => {
    steps ??= await linkedPass(data, setting)
    return steps
  }
  return {
    data,
    traits: { ...session.traits, nanosPerPass: rank => linkedNanos(setting, rank) },
    can: [],
    async pass(parameters, into, signal) {
      const { rank, factors } = parameters
      const statistics = into ?? newStatistics([...data.shape, tableRows(setting, rank)], rank)
      const pass = await placed()
      const counts = statistics.factors[data.shape.length].fill(0)
      statistics.logLikelihood = pass.expect(parameters, factors[data.shape.length], { tables: counts })
      throwIfStopped(signal)
      pass.collect(statistics)
      return statistics
    },
    async measure(parameters, signal) {
      const { rank, factors } = parameters
      const rows = new Float64Array(setting.rows.cells.length * rank)
      const tables = factors[data.shape.length]
      const pass = await placed()
      const logLikelihood = pass.expect(parameters, tables, { tables: new Float64Array(tables.length), rows })
      throwIfStopped(signal)
      return measured(setting, rows, rank, logLikelihood)
    },
    async close() {},
  }
}

/** How certain the classes of rows are. */
const measured = ({ rows }: LinkSetting, posteriors: Float64Array, rank: number, logLikelihood: number): Measures => {
  const assigned = new Float64Array(rank * rank)
  let entropy = 0
  rows.weights.forEach((weight, unit) => {
    for (let row = rows.starts[unit]; row < rows.starts[unit + 1]; row++) {
      if (rows.cells[row] === MISSING) continue
      const own = posteriors.subarray(row * rank, (row + 1) * rank)
      const count = weight * (rows.counts?.[row] ?? 1)
      const best = mostProbable(own) * rank
      for (let k = 0; k < rank; k++) {
        assigned[best + k] += count * own[k]
        if (own[k] > 0) entropy -= count * own[k] * log(own[k])
      }
    }
  })
  return { logLikelihood, sumYYOverP: Number.NaN, entropy, assigned }
}
