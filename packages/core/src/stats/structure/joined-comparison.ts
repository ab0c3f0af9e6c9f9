import { defined } from '../../defined.ts'
import { OptionError, show } from '../../errors.ts'
import type { Constraints } from '../../fit/descent/constraints.ts'
import { joinedName } from '../../tensor/reshape.ts'
import {
  type ComparedModel,
  comparedModel,
  type NestedTest,
  nestedTest,
  type Scaling,
} from '../fit-statistics/nested.ts'
import type { FreeVariable, Specification } from '../model-data/specification.ts'

export interface JoinedComparison {
  readonly joined: readonly (readonly string[])[]
  /** Both on the same data: `separate` and `joined`. */
  readonly models: readonly ComparedModel[]
  /** Of the separate model within the joined one. */
  readonly test: NestedTest
  /** How much of the data lacks some of the modes that were joined but not all of them, and counts as lacking them all. */
  readonly partial: number
}

/** A model as far as it is compared. */
export interface Compared {
  readonly logLikelihood: number
  readonly dimension: number
  /** If the rows are weighted, or were drawn in clusters. */
  readonly scaling?: Scaling
}

/** A specification without joined modes: what affects a joined mode affects each of its parts. */
export const separated = ({ join = [], free, direct, constraints, ...rest }: Specification): Specification => {
  const partsOf = <T extends FreeVariable>(effects: readonly T[] | undefined): T[] | undefined =>
    effects?.flatMap(each => {
      const parts = join.find(names => joinedName(names) === each.mode)
      return parts === undefined ? [each] : parts.map(mode => ({ ...each, mode }))
    })
  const [freely, directly] = [partsOf(free), partsOf(direct)]
  const named = namedIn(constraints).find(name => join.some(names => joinedName(names) === name))
  if (named !== undefined)
    throw new OptionError(
      'constraints',
      `cannot be of a joined variable (${show(named)}): the model is compared with the one in which its parts are separate`,
    )
  return {
    ...rest,
    ...defined({ free: freely, direct: directly, constraints }),
  }
}

const namedIn = (constraints: Constraints | undefined): (string | undefined)[] => [
  ...(constraints?.fixed ?? []).map(each => each.mode),
  ...(constraints?.zero ?? []).map(each => each.mode),
  ...(constraints?.equal ?? []).flat().map(each => each?.mode),
]

/** Compares a model with the one in which the joined modes are separate. */
export const joinedComparison = (
  join: readonly (readonly string[])[],
  separate: Compared,
  joined: Compared,
  { total, partial }: { readonly total: number; readonly partial: number },
): JoinedComparison => {
  const models = [
    comparedModel('separate', separate.logLikelihood, separate.dimension, total, separate.scaling),
    comparedModel('joined', joined.logLikelihood, joined.dimension, total, joined.scaling),
  ] as const
  return Object.freeze({
    joined: join,
    models,
    test: nestedTest(...models, [separate.scaling, joined.scaling]),
    partial,
  })
}
