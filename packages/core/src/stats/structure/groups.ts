import { OptionError } from '../../errors.ts'
import { withDeadline } from '../../fit/deadline.ts'
import { fit } from '../../fit/fit.ts'
import type { FitOptions } from '../../fit/fit-options.ts'
import type { FitResult } from '../../fit/fit-session.ts'
import { matchClasses } from '../../model/match.ts'
import { Model } from '../../model/model.ts'
import { log } from '../../numeric/log.ts'
import { optionsObject, wholeNumber } from '../../options.ts'
import { buildTensor } from '../../tensor/build.ts'
import { type Label, MISSING } from '../../tensor/mode.ts'
import { completeCells, modeNamed, occurringLabels, selectCells, withoutModes } from '../../tensor/reshape.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { identify } from '../identification/identification.ts'
import { type ComparedModel, comparedModel, type NestedTest, nestedTest } from '../judge/nested.ts'

export interface GroupFitOptions extends Omit<FitOptions, 'init' | 'constraints' | 'pseudoCounts' | 'smoothing'> {
  /** The mode that says which group an observation belongs to. */
  readonly groups: string
}

export interface GroupShares {
  readonly group: Label
  /** How much of the data is of the group. */
  readonly total: number
  /** Where the probabilities are equal in all groups. */
  readonly shares: readonly number[]
  /** Where all is free: the group's own shares, its classes paired with those of the model of equal probabilities. */
  readonly freeShares: readonly number[]
  /** How alike each of its own classes and its partner are, from 0 to 1. */
  readonly similarity: readonly number[]
}

export interface GroupComparison {
  readonly mode: string
  /** `pooled`: all is equal; `probabilities equal`: shares differ; `free`: all differs. Log-likelihoods of the answers given the group. */
  readonly models: readonly ComparedModel[]
  /** Of each model within the next. */
  readonly tests: readonly NestedTest[]
  readonly shares: readonly GroupShares[]
  /** Whether the answers alone identify the classes. If not, p of `pooled` is an approximation, too small in small samples. */
  readonly identified: boolean
  /** How much of the data was left out, since its group is missing. */
  readonly dropped: number
}

export interface GroupFit {
  /** The data with the group as a mode. */
  readonly tensor: Tensor
  /** The model of equal probabilities: the group is one of its modes, whose profile is P[group | class]. */
  readonly result: FitResult
  readonly comparison: GroupComparison
}

/**
 * Compares the classes of known groups: all equal, only the probabilities equal, or nothing. Each search also starts from the model
 * within its own, so that a larger model is never worse. Stopped by time or a signal, it fails: there is no comparison then.
 * @example
 * const { comparison } = await fitGroups(answers, { rank: 1, groups: 'age' })
 * comparison.models.map(({ name }) => name) // ['pooled', 'probabilities equal', 'free']
 */
export const fitGroups = async (data: Tensor, options: GroupFitOptions): Promise<GroupFit> => {
  optionsObject('fitGroups', options)
  return withDeadline(options, async limit => {
    const { maxSeconds: _, ...rest } = options
    const found = await compare(data, { ...rest, ...(limit !== undefined && { signal: limit }) })
    // Models that were stopped on the way say nothing of each other.
    limit?.throwIfAborted()
    return found
  })
}

const compare = async (data: Tensor, { groups, ...options }: GroupFitOptions): Promise<GroupFit> => {
  const rank = wholeNumber('rank', options.rank, 1)
  modeNamed(data, groups, 'groups')
  const tensor = answered(completeCells(data, [groups]), groups)
  const answers = withoutModes(tensor, [groups])
  const n = modeNamed(tensor, groups, 'groups')
  const mode = tensor.modes[n]
  if (mode.size < 2) throw new OptionError('groups', `must name a mode with two groups or more: ${groups} has one`)
  const totals = tensor.marginals[n]
  const ofGroups = totals.reduce((sum, total) => sum + total * log(total / tensor.total), 0)
  const pooled = await fit(answers, options)
  const start = withGroup(pooled.model, tensor, n, totals)
  const result = await better(tensor, options, start)
  const own = await Promise.all(
    Array.from({ length: mode.size }, (_, g) => g).map(async g => {
      const part = partOf(tensor, n, g)
      if (rank > part.cells) {
        const label = JSON.stringify(mode.label(g))
        throw new OptionError('rank', `must be at most ${part.cells}, the distinct cells of group ${label}`, rank)
      }
      return { part, given: givenGroup(result.model, part, n, g) }
    }),
  )
  const free: FitResult[] = []
  for (const { part, given } of own) free.push(await better(part, options, given))
  const dimensions = groupDimensions(answers.shape, rank, mode.size)
  const ofFree = free.reduce((sum, { logLikelihood }) => sum + logLikelihood, 0)
  const models = [
    comparedModel('pooled', pooled.logLikelihood, dimensions.pooled, answers.total),
    comparedModel('probabilities equal', result.logLikelihood - ofGroups, dimensions.equal, answers.total),
    comparedModel('free', ofFree, dimensions.free, answers.total),
  ]
  return Object.freeze({
    tensor,
    result,
    comparison: Object.freeze({
      mode: groups,
      models: Object.freeze(models),
      tests: Object.freeze([nestedTest(models[0], models[1]), nestedTest(models[1], models[2])]),
      shares: Object.freeze(
        own.map(({ given }, g) => {
          const { partner, similarity } = matchClasses(given, free[g].model)
          const freeShares = Object.freeze(partner.map(k => free[g].model.shares[k]))
          return Object.freeze({ group: mode.label(g), total: totals[g], shares: given.shares, freeShares, similarity })
        }),
      ),
      identified: dimensions.identified,
      dropped: data.total - tensor.total,
    }),
  })
}

/**
 * The dimensions of the sets of tables, one for each group, that the models can produce. The model of equal probabilities is one of
 * the joint table, in which the group is a mode; how frequent the groups are takes G − 1 of its dimensions.
 */
export const groupDimensions = (shape: readonly number[], rank: number, groups: number) => {
  const { rank: alone, verdict } = identify(shape, rank)
  const joint = identify([...shape, groups], rank).rank
  return { pooled: alone, equal: joint - (groups - 1), free: alone * groups, identified: verdict === 'identified' }
}

/** The groups that occur. An observation of which nothing but the group is known says nothing of classes. */
const answered = (tensor: Tensor, groups: string): Tensor => {
  const others = tensor.modes.flatMap((mode, n) => (mode.name === groups ? [] : [tensor.indices[n]]))
  const some = selectCells(tensor, cell => others.some(column => column[cell] !== MISSING))
  return occurringLabels(some, [groups])
}

/** The cells of one group without the mode of groups; labels that the group lacks stay, so that groups can be compared. */
const partOf = ({ modes, indices, values }: Tensor, n: number, g: number): Tensor => {
  const others = <T>(list: readonly T[]) => list.filter((_, m) => m !== n)
  return buildTensor(
    others(modes),
    others(indices),
    values.map((value, cell) => (indices[n][cell] === g ? value : 0)),
  )
}

/** The better of a search and a run from a model. */
const better = async (tensor: Tensor, options: FitOptions, init: Model): Promise<FitResult> => {
  const searched = await fit(tensor, options)
  const { starts: _, maxStarts: __, ...single } = options
  const given = await fit(tensor, { ...single, init })
  return given.loss < searched.loss - 1e-9 * Math.abs(searched.loss) ? given : searched
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
