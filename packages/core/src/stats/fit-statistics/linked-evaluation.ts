import type { Measures } from '../../engine/engine.ts'
import { freeDistributions, type LinkSetting } from '../../model/links/links.ts'
import { lossOffset } from '../../model/loss.ts'
import type { PlatformSignal } from '../../platform-types.ts'
import { MISSING } from '../../tensor/mode.ts'
import { linkedRowsSession, type PlacedLinks, passedLinks } from '../model-data/placed-links.ts'
import { criteria } from './criteria.ts'
import { type Evaluation, logDensityOf } from './evaluation.ts'
import { certaintyOf, NO_GOODNESS } from './goodness.ts'

/** The free parameters of a model of linked rows: of its items, and of its tables. */
export const linkedParameters = ({ data, links, rank, items }: Omit<PlacedLinks, 'factors' | 'tables'>): number => {
  const ofItems = data.items.shape.reduce((sum, size, n) => sum + (items[n]?.model.size ?? rank * (size - 1)), 0)
  const ofEffects = links.logits.reduce((sum, { length, design }) => sum + (length - 1) * design.width, ofItems)
  return freeDistributions(links).reduce((sum, { length }) => sum + length - 1, ofEffects)
}

/** What all rows with answers count: sampling weights average 1 over persons, not over rows. */
const weightOfRows = ({ rows: { weights, starts, cells, counts } }: LinkSetting): number =>
  weights.reduce((sum, weight, unit) => {
    let own = 0
    for (let row = starts[unit]; row < starts[unit + 1]; row++) if (cells[row] !== MISSING) own += counts?.[row] ?? 1
    return sum + weight * own
  }, 0)

/** What is known of a model of linked rows. Criteria count persons, or members of groups, as observations. */
export const evaluateLinked = async (found: PlacedLinks, signal?: PlatformSignal): Promise<Evaluation> =>
  linkedEvaluation(found, await linkedRowsSession(found).measure(passedLinks(found), signal))

/** The same from measures. */
export const linkedEvaluation = (found: PlacedLinks, measures: Measures): Evaluation => {
  const { data, links, rank, items, tables } = found
  const { logLikelihood } = measures
  const { total } = data.items
  const parameters = linkedParameters(found)
  const certainty = certaintyOf(measures, weightOfRows(data.links), rank)
  const shares = new Float64Array(rank)
  links.shares(tables, shares)
  const degreesOfFreedom = Number.NaN
  return Object.freeze<Evaluation>({
    logDensity: logDensityOf(data.items, items, logLikelihood),
    loss: lossOffset(total) - logLikelihood,
    divergence: undefined,
    logLikelihood,
    logProbability: Number.NaN,
    ...criteria(logLikelihood, parameters, data.observations, certainty.entropy),
    parameters,
    degreesOfFreedom,
    identification: { parameters, rank: parameters, degreesOfFreedom, verdict: 'not checked', method: 'none' },
    ...NO_GOODNESS,
    ...certainty,
    smallestClass: Math.min(...shares),
  })
}
