import { EngineError, throwIfStopped } from '../errors.ts'
import { emit, newEmission } from '../model/links/emission.ts'
import { linksOf, tableRows } from '../model/links/link-kinds.ts'
import type { LinkSetting, LinkSums, Links } from '../model/links/links.ts'
import type { Parameters } from '../model/parameters.ts'
import { mostProbable } from '../model/posterior.ts'
import { log } from '../numeric/log.ts'
import { MISSING } from '../tensor/mode.ts'
import { hasCells, type Tensor } from '../tensor/tensor.ts'
import { type Measures, newStatistics, type Session, type Statistics } from './engine.ts'

/** What arithmetic on a number takes, in nanoseconds. */
const NANOS = 2

/**
 * A session whose rows are linked: the last factor that is passed has the tables of the links, the shares are not used. A pass computes P[row | class] of
 * every distinct row (`emit`), the posteriors of all rows given those that they are linked to (`expect`), and from them the statistics by mode (`collect`).
 */
export const linkedSession = (session: Pick<Session, 'data' | 'traits'>, setting: LinkSetting): Session => {
  const { data } = session
  if (!hasCells(data)) throw new EngineError('rows can be linked only if their cells are in memory')
  const parts = new Map<
    number,
    { readonly links: Links; readonly sums: LinkSums; readonly emission: ReturnType<typeof newEmission> }
  >()
  const of = (rank: number) => {
    const links = linksOf(setting, rank)
    const sums = { cells: new Float64Array(data.cells * rank), tables: new Float64Array(links.size) }
    const found = parts.get(rank) ?? { links, sums, emission: newEmission(data.cells, rank) }
    parts.set(rank, found)
    return found
  }
  const expect = ({ rank, factors }: Parameters, more: Partial<LinkSums> = {}) => {
    const { links, sums, emission } = of(rank)
    sums.cells.fill(0)
    sums.tables.fill(0)
    emit({ rank, factors: factors.slice(0, -1) }, data.indices, emission)
    return { logLikelihood: links.expect(emission, factors[factors.length - 1], { ...sums, ...more }), sums }
  }
  return {
    data,
    traits: {
      ...session.traits,
      nanosPerPass: rank =>
        NANOS *
        rank *
        (data.cells * data.shape.length +
          setting.rows.cells.length * 2 * (setting.kind === 'chain' ? rank : setting.groupClasses)),
    },
    can: [],
    async pass(parameters, into, signal) {
      const { rank } = parameters
      const statistics = into ?? newStatistics([...data.shape, tableRows(setting, rank)], rank)
      const { logLikelihood, sums } = expect(parameters)
      throwIfStopped(signal)
      collect(data, sums.cells, statistics)
      statistics.factors[data.shape.length].set(sums.tables)
      statistics.logLikelihood = logLikelihood
      return statistics
    },
    async measure(parameters, signal) {
      const { rank } = parameters
      const rows = new Float64Array(setting.rows.cells.length * rank)
      const { logLikelihood } = expect(parameters, { rows })
      throwIfStopped(signal)
      return measured(setting, rows, rank, logLikelihood)
    },
    async close() {},
  }
}

/** Adds up the posteriors of cells by class, and by label and class of every mode that is present. */
const collect = ({ cells, indices }: Tensor, posteriors: Float64Array, { rank, sizes, factors }: Statistics): void => {
  sizes.fill(0)
  for (const factor of factors) factor.fill(0)
  for (let cell = 0; cell < cells; cell++) for (let k = 0; k < rank; k++) sizes[k] += posteriors[cell * rank + k]
  indices.forEach((column, n) => {
    const factor = factors[n]
    for (let cell = 0; cell < cells; cell++) {
      if (column[cell] === MISSING) continue
      const [at, from] = [column[cell] * rank, cell * rank]
      for (let k = 0; k < rank; k++) factor[at + k] += posteriors[from + k]
    }
  })
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
