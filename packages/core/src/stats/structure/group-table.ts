import { OptionError, orStopped } from '../../errors.ts'
import { type ConstraintSetting, type Constraints, constraintSetting } from '../../fit/descent/constraints.ts'
import { fit } from '../../fit/fit.ts'
import type { FitOptions } from '../../fit/fit-options.ts'
import type { FitResult } from '../../fit/fit-session.ts'
import { matchClasses } from '../../model/match.ts'
import { Model } from '../../model/model.ts'
import { log } from '../../numeric/log.ts'
import { modeNamed, withoutModes } from '../../tensor/reshape.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { identify, identifyStructured } from '../identification/identification.ts'
import { comparedModel } from '../judge/nested.ts'
import { checkGroupCells, type GroupComparison, nestedTests, partOf } from './group-comparison.ts'
import type { Specification } from './specification.ts'
import { modeConstraints, modeCounts } from './structured-constraints.ts'
import { usableRows } from './structured-data.ts'

export interface GroupTable {
  /** The data with the group as a mode. */
  readonly tensor: Tensor
  /** The model of equal probabilities: the group is one of its modes, whose profile is P[group | class]. */
  readonly result: FitResult
  /** Undefined if it was stopped before all models were there. */
  readonly comparison: GroupComparison | undefined
  /** On the modes of the tensor. */
  readonly constraints: Constraints | undefined
}

/**
 * Where nothing but the group explains the classes, the group is one more mode of the table: the model is then one that everything else knows
 * how to treat, and its tests of fit are those of the whole table.
 */
export const fitGroupTable = async (
  data: Tensor,
  specification: Specification & { readonly groups: string },
  searching: FitOptions,
): Promise<GroupTable> => {
  const { groups } = specification
  const { rank } = searching
  modeNamed(data, groups, 'groups')
  const tensor = usableRows(data, [groups], [])
  const answers = withoutModes(tensor, [groups])
  const n = modeNamed(tensor, groups, 'groups')
  const mode = tensor.modes[n]
  if (mode.size < 2) throw new OptionError('groups', `must name a column with two groups or more: ${groups} has one`)
  const variables = { names: answers.modes.map(({ name }) => name), splits: [], parts: [] }
  const constraints = modeConstraints(specification.constraints, variables, rank)
  const { pseudoCounts: given } = specification
  const byName = typeof given === 'number' ? Object.fromEntries(variables.names.map(name => [name, given])) : given
  const pseudoCounts = modeCounts(byName, variables)
  const options = {
    ...searching,
    ...(constraints !== undefined && { constraints }),
    ...(pseudoCounts !== undefined && { pseudoCounts }),
  }
  const totals = tensor.marginals[n]
  const ofGroups = totals.reduce((sum, total) => sum + total * log(total / tensor.total), 0)
  const pooled = await fit(answers, options)
  const start = withGroup(pooled.model, tensor, n, totals)
  const result = await better(tensor, options, start)
  const stopped = { tensor, result, constraints, comparison: undefined }
  if (options.signal?.aborted) return stopped
  const own = Array.from({ length: mode.size }, (_, g) => {
    const part = partOf(tensor, n, g)
    checkGroupCells(part, mode.label(g), rank)
    return { part, given: givenGroup(result.model, part, n, g) }
  })
  const free: FitResult[] = []
  for (const { part, given: from } of own) {
    const found = await orStopped(better(part, options, from))
    if (found === undefined || options.signal?.aborted) return stopped
    free.push(found)
  }
  const setting = constraints === undefined ? undefined : constraintSetting(answers.modes, rank, constraints)
  const asked = own.map(({ part }) => part.shape.filter((_, m) => part.marginals[m].some(total => total > 0)))
  const dimensions = groupDimensions(answers.shape, rank, mode.size, setting, asked)
  const ofFree = free.reduce((sum, { logLikelihood }) => sum + logLikelihood, 0)
  const models = [
    comparedModel('pooled', pooled.logLikelihood, dimensions.pooled, answers.total),
    comparedModel('probabilities equal', result.logLikelihood - ofGroups, dimensions.equal, answers.total),
    comparedModel('free', ofFree, dimensions.free, answers.total),
  ]
  return {
    tensor,
    result,
    constraints,
    comparison: Object.freeze({
      mode: groups,
      models: Object.freeze(models),
      tests: nestedTests(models, false),
      shares: Object.freeze(
        own.map(({ given: equal }, g) => {
          const { partner, similarity } = matchClasses(equal, free[g].model)
          const freeShares = Object.freeze(partner.map(k => free[g].model.shares[k]))
          return Object.freeze({ group: mode.label(g), total: totals[g], shares: equal.shares, freeShares, similarity })
        }),
      ),
      identified: dimensions.identified,
      dropped: data.total - tensor.total,
    }),
  }
}

/**
 * The dimensions of the sets of tables, one for each group, that the models can produce. The model of equal probabilities is one of
 * the joint table, in which the group is a mode; how frequent the groups are takes G − 1 of its dimensions.
 * @param asked the sizes of the variables that each group has answers to
 */
export const groupDimensions = (
  shape: readonly number[],
  rank: number,
  groups: number,
  constraints?: ConstraintSetting,
  asked: readonly (readonly number[])[] = Array.from({ length: groups }, () => shape),
) => {
  const of = (sizes: readonly number[]) =>
    constraints === undefined ? identify(sizes, rank) : identifyStructured(sizes, rank, { constraints })
  // The group comes last, so that constraints are of the same modes.
  const [alone, joint] = [of(shape), of([...shape, groups])]
  return {
    pooled: alone.rank,
    equal: joint.rank - (groups - 1),
    // Constraints are of all variables, so that a group which was not asked one counts it too.
    free: asked.reduce((sum, sizes) => sum + (constraints === undefined ? of(sizes) : alone).rank, 0),
    identified: alone.verdict === 'identified',
  }
}

/** The better of a search and a run from a model. */
const better = async (tensor: Tensor, options: FitOptions, init: Model): Promise<FitResult> => {
  const searched = await fit(tensor, options)
  const { starts: _, maxStarts: __, ...single } = options
  const given = options.signal?.aborted ? undefined : await orStopped(fit(tensor, { ...single, init }))
  if (given === undefined) return searched
  return given.objective < searched.objective - 1e-9 * Math.abs(searched.objective) ? given : searched
}

/** A model of the answers with a group that does not depend on the class. */
const withGroup = (model: Model, { modes, total }: Tensor, n: number, totals: Float64Array): Model => {
  const { rank, factors } = model.parameters
  const group = Float64Array.from({ length: totals.length * rank }, (_, i) => totals[Math.floor(i / rank)] / total)
  const all = [...factors.slice(0, n), group, ...factors.slice(n)]
  return new Model(modes, { rank, sizes: Float64Array.from(model.sizes), factors: all })
}

/** What a model with a group as a mode says of one group. */
const givenGroup = (model: Model, { modes, total }: Tensor, n: number, g: number): Model => {
  const { rank, shares, factors } = model.parameters
  const joint = shares.map((share, k) => share * factors[n][g * rank + k])
  const sum = joint.reduce((a, b) => a + b, 0)
  const sizes = joint.map(part => (total * part) / sum)
  return new Model(modes, { rank, sizes, factors: factors.filter((_, m) => m !== n) })
}
