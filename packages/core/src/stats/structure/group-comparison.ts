import { OptionError, show } from '../../errors.ts'
import { fittedItem } from '../../model/items/fitted-item.ts'
import type { FittedItem } from '../../model/items/item.ts'
import { matchClasses } from '../../model/match.ts'
import { Model } from '../../model/model.ts'
import type { Parameters } from '../../model/parameters.ts'
import type { SplitPart } from '../../model/structures/structure.ts'
import { omit } from '../../pick.ts'
import { buildTensor } from '../../tensor/build.ts'
import { type Label, MISSING, Mode } from '../../tensor/mode.ts'
import { modeNamed } from '../../tensor/reshape.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import {
  type ComparedModel,
  comparedModel,
  meanScaling,
  type NestedTest,
  nestedTests,
  type Scaling,
} from '../fit-statistics/nested.ts'
import { explainingColumns, modelData } from '../model-data/model-data.ts'
import type { Specification } from '../model-data/specification.ts'
import { partName } from '../model-data/split-modes.ts'
import { parametersOf } from '../resampling/replicates.ts'
import { withCurrentSession } from './current-session.ts'
import type { ModelScaling } from './model-scaling.ts'
import { type ChainOptions, type ModelChain, searchFrom } from './structured-models.ts'
import { type PlacedFit, searchStructured } from './structured-search.ts'

export interface GroupShares {
  readonly group: Label
  /** How much of the data is of the group. */
  readonly total: number
  /** In the model that was fitted. */
  readonly shares: readonly number[]
  /** Where all is free: the group's own shares, its classes paired with those of the model that was fitted. */
  readonly freeShares: readonly number[]
  /** How alike each of its own classes and its partner are, from 0 to 1. */
  readonly similarity: readonly number[]
}

export interface GroupComparison {
  readonly mode: string
  /**
   * `pooled`: all is equal; `probabilities equal`: shares differ; `partial`, if some variables are free: these differ too; `free`: all
   * differs. Log-likelihoods of the answers given the group.
   */
  readonly models: readonly ComparedModel[]
  /** Of each model within the next. Scaled if the rows are weighted, or were drawn in clusters. */
  readonly tests: readonly NestedTest[]
  readonly shares: readonly GroupShares[]
  /** Whether the answers alone identify the classes. If not, p of `pooled` is an approximation, too small in small samples. */
  readonly identified: boolean
  /** How much of the data was left out, since its group is missing. */
  readonly dropped: number
}

/** Compares the models of groups, where covariates, known classes or free variables are a part of them. */
export const compareGroups = async (
  tensor: Tensor,
  specification: Specification,
  { pooled, equal, main }: Required<ModelChain>,
  options: ChainOptions & { readonly scaling: ModelScaling | undefined },
): Promise<GroupComparison> => {
  const groups = specification.groups as string
  const { scaling, design, squares, ...searching } = omit(options, 'reference')
  const { total } = main.data.tensor
  const sample = { design, squares, scaling }
  const free =
    explainingColumns(tensor, specification).length === 1 && specification.known === undefined && askedEverywhere(main)
      ? await freeByGroup(tensor, specification, main, sample, searching)
      : await freeTogether(tensor, specification, main, sample, searching)
  const within = [
    { name: 'pooled', found: pooled },
    { name: 'probabilities equal', found: equal },
    ...(main === equal ? [] : [{ name: 'partial', found: main }]),
  ]
  const scalings: Scaling[] = []
  for (const { found } of within) scalings.push(await scaling?.(found))
  scalings.push(free.scaling)
  const models = [
    ...within.map(({ name, found: { result, identification } }, i) =>
      comparedModel(name, result.logLikelihood, identification.rank, total, scalings[i]),
    ),
    comparedModel('free', free.logLikelihood, free.dimension, total, free.scaling),
  ]
  return Object.freeze({
    mode: groups,
    models: Object.freeze(models),
    tests: nestedTests(models, scalings),
    shares: Object.freeze(
      groupsOf(main, groups).map(({ label, total: size, profile }, g) => {
        const { partner, similarity } = matchClasses(...ofBoth(profile, free.profiles[g]))
        const freeShares = Object.freeze(partner.map(k => free.profiles[g].shares[k]))
        return Object.freeze({ group: label, total: size, shares: profile.shares, freeShares, similarity })
      }),
    ),
    identified: pooled.identification.verdict === 'identified',
    dropped: main.data.dropped,
  })
}

/** Whether every variable has answers in every group: else groups are not models of the same variables. */
const askedEverywhere = ({ data: { tensor, parts, design } }: PlacedFit): boolean => {
  const last = tensor.modes.length - 1
  const variableOf = (n: number) => parts.find(({ name }) => name === tensor.modes[n].name)?.mode ?? n
  const asked = new Set<string>()
  for (let cell = 0; cell < tensor.cells; cell++)
    for (let n = 0; n < last; n++)
      if (tensor.indices[n][cell] !== MISSING) asked.add(`${variableOf(n)} ${tensor.indices[last][cell]}`)
  const variables = new Set(tensor.modes.slice(0, -1).map((_, n) => variableOf(n)))
  return asked.size === variables.size * design.patterns
}

/** A model in which nothing is the same in any two groups. */
interface FreeModel {
  readonly logLikelihood: number
  readonly dimension: number
  readonly scaling: Scaling
  /** For each group its classes, with the names of the variables. */
  readonly profiles: readonly Model[]
}

type Searching = Omit<ChainOptions, 'reference' | 'design' | 'squares'>

/** How the rows were drawn, and what that makes of a log-likelihood. */
type Sample = Pick<ChainOptions, 'design' | 'squares'> & { readonly scaling: ModelScaling | undefined }

/** All variables split by group, so that what else explains the classes does so in all groups alike. */
const freeTogether = async (
  tensor: Tensor,
  specification: Specification,
  main: PlacedFit,
  { design, squares, scaling }: Sample,
  options: Searching,
): Promise<FreeModel> => {
  const known = main.data.known?.name
  const variables = [...new Set(main.data.items.modes.map(({ name }) => variableOf(main, name)))]
  const free = variables.filter(name => name !== known).map(mode => ({ mode }))
  const data = modelData(tensor, { ...specification, free }, options.rank, design, squares)
  const only = specification.direct?.some(each => each.class !== undefined) === true
  const found = await searchFrom(main, data, { ...options, reference: 0 }, only)
  return {
    logLikelihood: found.result.logLikelihood,
    dimension: found.identification.rank,
    scaling: await scaling?.(found),
    profiles: groupsOf(found, specification.groups as string).map(({ profile }) => profile),
  }
}

/** Every group by itself, where nothing else explains the classes. */
const freeByGroup = async (
  tensor: Tensor,
  specification: Specification,
  main: PlacedFit,
  { design, squares, scaling }: Sample,
  options: Searching,
): Promise<FreeModel> => {
  const groups = specification.groups as string
  const n = modeNamed(tensor, groups, 'groups')
  const stays = design.includes(groups)
  const found: PlacedFit[] = []
  const scalings: { scaling: Scaling; parameters: number }[] = []
  for (const { label, profile } of groupsOf(main, groups)) {
    const g = tensor.modes[n].indexOf(label) as number
    const part = (of: Tensor) => partOf(of, n, g, stays)
    const data = modelData(
      part(tensor),
      omit(specification, 'groups', 'free'),
      options.rank,
      design,
      squares && part(squares),
    )
    checkGroupCells(data.tensor, label, options.rank)
    const [searched, given] = await withCurrentSession(options, async current => [
      await searchStructured(data, options, { current }),
      await searchStructured(data, omit(options, 'starts', 'maxStarts'), { from: parametersOf(profile), current }),
    ])
    const [own, other] = [given.result.objective, searched.result.objective]
    const best = own < other - 1e-9 * Math.abs(other) ? given : searched
    found.push(best)
    scalings.push({ scaling: await scaling?.(best), parameters: best.identification.rank })
  }
  return {
    logLikelihood: found.reduce((sum, each) => sum + each.result.logLikelihood, 0),
    dimension: found.reduce((sum, each) => sum + each.identification.rank, 0),
    scaling: meanScaling(scalings),
    profiles: found.map(({ data, placed: { parameters, items } }) =>
      profileModel(
        data.items.modes.map((mode, m) => ({ mode, factor: parameters.factors[m], item: items?.[m] })),
        parameters,
        parameters.shares,
      ),
    ),
  }
}

/** Refuses more classes than a group has distinct cells. */
export const checkGroupCells = ({ cells }: Tensor, group: Label, rank: number): void => {
  if (rank > cells)
    throw new OptionError('rank', `must be at most ${cells}, the distinct cells of group ${show(group)}`, rank)
}

/**
 * The cells of one group; labels that the group lacks stay, so that groups can be compared.
 * @param stays whether the mode of groups does
 */
export const partOf = ({ modes, indices, values }: Tensor, n: number, g: number, stays = false): Tensor => {
  const others = <T>(list: readonly T[]) => list.filter((_, m) => stays || m !== n)
  return buildTensor(
    others(modes),
    others(indices),
    values.map((value, cell) => (indices[n][cell] === g ? value : 0)),
  )
}

const variableOf = ({ data: { parts } }: PlacedFit, mode: string): string =>
  parts.find(({ name }) => name === mode)?.mode ?? mode

const profileModel = (
  list: readonly {
    readonly mode: Model['modes'][number]
    readonly factor: Float64Array
    readonly item: Pick<FittedItem, 'spec' | 'theta'> | undefined
  }[],
  { rank }: Parameters,
  shares: ArrayLike<number>,
): Model =>
  new Model(
    list.map(({ mode }) => mode),
    { rank, sizes: Float64Array.from(shares), factors: list.map(({ factor }) => factor) },
    undefined,
    undefined,
    list.map(({ item }) => item && fittedItem(item.spec, item.theta)),
  )

/** A part of a variable by what it depends on besides the group: the name that it has in all models. */
const renamed = (mode: Mode, part: SplitPart | undefined, groups: string): Mode => {
  if (part === undefined) return mode
  const name = partName(
    part.mode,
    part.where.filter(({ column }) => column !== groups),
  )
  return new Mode(name, mode.labels ?? mode.size, mode.ordered)
}

/** Two models of the modes that both have: a combination of labels may not occur in a group. */
const ofBoth = (a: Model, b: Model): [Model, Model] => {
  const only = (model: Model, other: Model) =>
    profileModel(
      model.modes.flatMap((mode, n) =>
        other.modes.some(({ name }) => name === mode.name)
          ? [{ mode, factor: model.parameters.factors[n], item: model.items[n] }]
          : [],
      ),
      model.parameters,
      model.shares,
    )
  return [only(a, b), only(b, a)]
}

/**
 * The groups of a model: how large they are, and the classes within each. A variable whose probabilities depend on something else too is
 * represented by all of its parts.
 */
const groupsOf = (found: PlacedFit, groups: string) => {
  const { data, placed } = found
  const { parameters } = placed
  const { rank } = parameters
  const { design, items, parts, known } = data
  const group = design.covariates.find(({ mode }) => mode.name === groups)!
  const memberships = placed.memberships(design)
  return Array.from({ length: group.mode.size }, (_, g) => {
    const label = group.mode.label(g)
    const sizes = new Float64Array(rank)
    let total = 0
    for (let z = 0; z < design.patterns; z++) {
      if (group.indices[z] !== g) continue
      total += design.counts[z]
      for (let k = 0; k < rank; k++) sizes[k] += design.counts[z] * memberships[z * rank + k]
    }
    const own = items.modes.flatMap((mode, m) => {
      if (mode.name === known?.name) return []
      const part = parts.find(({ name }) => name === mode.name)
      if (part?.where.some(({ column, label: of }) => column === groups && of !== label)) return []
      return [{ mode: renamed(mode, part, groups), factor: parameters.factors[m], item: placed.items?.[m] }]
    })
    return {
      label,
      total,
      profile: profileModel(
        own,
        parameters,
        sizes.map(size => size / total),
      ),
    }
  })
}
