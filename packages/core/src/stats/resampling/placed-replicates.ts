import { defined } from '../../defined.ts'
import type { Session } from '../../engine/engine.ts'
import { checkedFit } from '../../fit/checked-fit.ts'
import { unstandardize } from '../../fit/covariates/terms.ts'
import { mayReorder } from '../../fit/descent/constraints.ts'
import { type Refit, type ReplicateResult, tableMisfit } from '../../fit/search/replicate.ts'
import { givenGSquared, jointModel } from '../../model/given-table.ts'
import { isNumber } from '../../model/items/item.ts'
import { logLikelihoodOf } from '../../model/loss.ts'
import { eachFitTest, type FitTest, type TableFit } from '../../model/misfit.ts'
import type { Model } from '../../model/model.ts'
import { pairing } from '../../model/pairing.ts'
import type { LogitParameters } from '../../model/parameters.ts'
import { givenModel, givenPairs } from '../fit-statistics/given-residuals.ts'
import { type BivariateResidual, largestFirst } from '../fit-statistics/residual-lists.ts'
import { type PlacedModel, startOf } from '../model-data/placed-model.ts'
import { type MonteCarloTest, monteCarloTest } from './monte-carlo.ts'
import { replicateStopping } from './replicates.ts'
import { type Spread, spreadOver } from './spreads.ts'

/** How a coefficient varies over the replicates. */
export interface CoefficientSpread extends Spread {
  /** The class, counted from 1, as in `covariates.coefficients`. */
  readonly class: number
  readonly term: string
}

interface PlacedTests extends TableFit<MonteCarloTest | undefined> {
  readonly pairs: readonly (BivariateResidual & Pick<MonteCarloTest, 'pValue' | 'interval'>)[]
}

/** How a model that has more than class sizes and probabilities is fitted again. @param starts besides the model itself */
export const placedRefit = (
  session: Session,
  { data, placed }: PlacedModel,
  starts: number,
  seed: number | undefined,
): Refit => {
  const { pseudoCounts, constraints, items, kinds } = data
  const { rank } = placed.parameters
  const { task } = checkedFit(items, {
    rank,
    ...defined({ seed, pseudoCounts, constraints }),
  })
  const { terms, patterns, values, counts } = data.design
  return {
    setting: { ...task, explained: { terms, patterns, values, counts }, ...defined({ items: kinds }) },
    from: startOf(placed),
    starts,
    stopping: replicateStopping(session, rank),
  }
}

/** How the coefficients vary, in the units and against the reference class of the fit. */
export const coefficientSpreads = (
  { data: { design, structure } }: PlacedModel,
  model: Model,
  results: readonly ReplicateResult[],
  confidence: number,
): readonly CoefficientSpread[] => {
  const width = design.terms.length
  const { rank } = model
  const named = unstandardize(design.terms, design.covariates)
  const reference = (model.structure.kind === 'logit' ? model.structure.reference : 1) - 1
  const all = results.map(({ fits: [{ parameters }] }) => {
    const order = pairing(model.parameters, parameters)
    const kept = structure.constraints === undefined || mayReorder(structure.constraints, order)
    const place = (k: number) => (kept ? order[k] : k)
    const { coefficients } = parameters as LogitParameters
    return (k: number, p: number) => {
      let sum = 0
      for (let q = 0; q < width; q++)
        sum += named[p * width + q] * (coefficients[q * rank + place(k)] - coefficients[q * rank + place(reference)])
      return sum
    }
  })
  const spread = spreadOver(all.length, confidence)
  return Object.freeze(
    Array.from({ length: rank }, (_, k) =>
      design.terms.map(({ name: term }, p) => Object.freeze({ class: k + 1, term, ...spread(r => all[r](k, p)) })),
    ).flatMap((list, k) => (k === reference ? [] : list)),
  )
}

/** How often a replicate fits worse than the data. */
export const placedTests = async (
  session: Session,
  found: PlacedModel,
  results: readonly ReplicateResult[],
): Promise<PlacedTests> => {
  const misfits = results.flatMap(({ misfit }) => misfit ?? [])
  if (misfits.length === 0) return { ...eachFitTest(() => undefined), pairs: [] }
  const { tensor } = found.data
  const model = givenModel(found)
  const numbers = found.placed.items?.some(item => item !== undefined && isNumber(item.spec)) === true
  const statistic = numbers ? undefined : givenGSquared(tensor, logLikelihoodOf(tensor, model.parameters), model)
  const table =
    numbers || tensor.missing.includes(true)
      ? undefined
      : await tableMisfit(session, jointModel(model.parameters, tensor))
  const test = (name: FitTest, own: number | undefined): MonteCarloTest | undefined =>
    own === undefined
      ? undefined
      : monteCarloTest(
          own,
          misfits.map(each => each[name]!),
        )
  // Pairs of tables come first; those of numbers have no replicates.
  const pairs = givenPairs(found)
    .slice(0, misfits[0].pairs.length)
    .map((pair, at) => {
      const { pValue, interval } = monteCarloTest(
        pair.chiSquared,
        misfits.map(each => each.pairs[at]),
      )
      return Object.freeze({ ...pair, pValue, interval })
    })
  return {
    ...eachFitTest(name => test(name, name === 'gSquared' ? statistic : table?.[name])),
    pairs: Object.freeze(pairs.sort(largestFirst)),
  }
}
