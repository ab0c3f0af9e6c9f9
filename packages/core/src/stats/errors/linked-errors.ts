import { linkedPass } from '../../engine/linked/linked-pass.ts'
import { ChainLinks } from '../../model/links/chain.ts'
import type { Links } from '../../model/links/links.ts'
import type { Model } from '../../model/model.ts'
import type { LinkedStructure } from '../../model/structures/linked.ts'
import { congruence } from '../../numeric/symmetric.ts'
import { runCooperatively } from '../../thread/cooperative.ts'
import { freeParameters } from '../identification/free-parameters.ts'
import type { PlacedLinks } from '../model-data/placed-links.ts'
import {
  type ChainErrors,
  type Estimated,
  errorsOf,
  logitInterval,
  type NestedErrors,
  type StandardErrors,
  widthOf,
  withoutErrors,
} from './error-results.ts'
import { flatCovariance } from './flat-covariance.ts'
import { itemErrors } from './item-errors.ts'
import { withoutTables } from './item-scores.ts'
import { linkEffects } from './link-effect-errors.ts'
import { LinkedParameters } from './linked-scores.ts'
import type { PlacedErrorOptions } from './placed-errors.ts'
import { covarianceSteps, SINGULAR } from './sandwich.ts'

/** Why intervals near 0 or 1 are not by the profile of the likelihood. */
const NO_REFITS = 'models of linked rows are not profiled'

/**
 * Standard errors of a model of linked rows, by the scores of persons or groups: these are the clusters.
 * @param squared whether weights are sampling weights
 */
export const linkedErrors = async (
  found: PlacedLinks,
  model: Model,
  { kind, confidence, signal }: Pick<PlacedErrorOptions, 'kind' | 'confidence' | 'signal'>,
  squared = false,
): Promise<StandardErrors> => {
  const parameters = new LinkedParameters(found, await linkedPass(found.data.items, found.data.links))
  const free = freeParameters(withoutTables(model.parameters, model.items))
  const setting = { kind, confidence }
  const { count } = parameters
  const outer = kind === 'observed' ? undefined : await runCooperatively(parameters.outer(squared), signal)
  const basis = kind === 'empirical' ? outer! : await runCooperatively(parameters.observed(), signal)
  const variance = kind === 'sandwich' ? outer : undefined
  const solved =
    (await runCooperatively(covarianceSteps(basis, count, variance), signal)) ??
    flatCovariance(basis, count, parameters.firstCoefficient, variance)
  if (solved === undefined) return withoutErrors(model, free, setting, SINGULAR[kind])
  const { covariance, bread } = solved
  const gradient = parameters.gradient()
  const shortfall = gradient.reduce(
    (sum, g, p) => sum + g * gradient.reduce((inner, h, q) => inner + bread[p * count + q] * h, 0),
    0,
  )
  const structure = model.structure as LinkedStructure
  const map = parameters.derivativesOf(valuesOf)
  const size = map.length / count
  const all = congruence(map, size, covariance, count)
  const own = free.values.length + itemCount(found)
  const corner = (length: number) =>
    Float64Array.from({ length: length * length }, (_, i) => all[Math.floor(i / length) * size + (i % length)])
  const width = widthOf(undefined, confidence)
  let next = own
  const estimated = (value: number): Estimated => {
    const error = Math.sqrt(Math.max(0, all[next++ * (size + 1)]))
    if (!(error > 0) || value <= 0 || value >= 1) return { value, error: undefined, interval: undefined }
    return { value, error, interval: logitInterval(value, error, width) }
  }
  const rows = (lists: readonly (readonly number[])[]) => lists.map(list => list.map(estimated))
  const errors = errorsOf(
    model,
    free,
    setting,
    { covariance: corner(free.values.length), sample: undefined, shortfall: shortfall / 2 },
    NO_REFITS,
  )
  const items = model.items.some(item => item !== undefined)
    ? itemErrors(model, errors, { covariance: corner(own), sample: undefined }, free.values.length)
    : undefined
  const linked: { chain: ChainErrors } | { nested: NestedErrors } =
    structure.kind === 'chain'
      ? {
          chain: {
            initial: structure.initial.map(estimated),
            transitions: structure.transitions.map(rows),
            sizes: rows(sizesByWave(found)),
            ...(structure.stayers && {
              stayers: {
                share: estimated(structure.stayers.share),
                sizes: structure.stayers.sizes.map(estimated),
              },
            }),
          },
        }
      : { nested: { groupSizes: structure.groupSizes.map(estimated), mixes: rows(structure.mixes) } }
  const effects = linkEffects(parameters, found, solved, width)
  return Object.freeze({ ...errors, free: count, ...items, ...linked, ...(effects.length > 0 && { effects }) })
}

const sizesByWave = ({ links, tables }: PlacedLinks): number[][] =>
  links instanceof ChainLinks ? links.byWave(tables).map(sizes => [...sizes]) : []

/**
 * What errors are wanted of: the shares, the probabilities of categories, the parameters of items, and the tables of the links with, of a chain, the class sizes by
 * wave.
 */
const valuesOf = ({ links, rank, factors, items, tables }: PlacedLinks): Float64Array => {
  const shares = new Float64Array(rank)
  links.shares(tables, shares)
  return Float64Array.from([
    ...shares,
    ...factors.flatMap((factor, n) => (items[n] === undefined ? [...factor] : [])),
    ...items.flatMap(item => (item === undefined ? [] : [...item.theta])),
    ...shownTables(links, tables),
  ])
}

/** The tables as a structure has them, and of a chain the class sizes by wave and what never changes. */
const shownTables = (links: Links, tables: Float64Array): Float64Array => {
  const means = links.means(tables)
  if (!(links instanceof ChainLinks)) return means
  const { rank } = links
  const { states } = links.layout
  const waves = links.byWave(tables).flatMap(sizes => [...sizes])
  if (states === rank) return Float64Array.from([...means, ...waves])
  const share = means.subarray(rank, states).reduce((sum, each) => sum + each, 0)
  const movers = means.slice(0, rank).map(size => size / (1 - share))
  const stayers = means.slice(rank, states).map(size => size / share)
  return Float64Array.from([...movers, ...means.subarray(states), ...waves, share, ...stayers])
}

const itemCount = ({ items }: PlacedLinks): number => items.reduce((sum, item) => sum + (item?.model.size ?? 0), 0)
