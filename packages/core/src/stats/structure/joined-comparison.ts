import { OptionError, show } from '../../errors.ts'
import type { Constraints } from '../../fit/descent/constraints.ts'
import { type ComparedModel, comparedModel, type NestedTest } from '../judge/nested.ts'
import { nestedTests } from './group-comparison.ts'
import type { FreeVariable, Specification } from './specification.ts'

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
}

/** The name of a joined mode, as `joinModes` makes it. */
const nameOf = (names: readonly string[]): string => names.join(' / ')

/** A specification without joined modes: what affects a joined mode affects each of its parts. */
export const separated = ({ join = [], free, direct, constraints, ...rest }: Specification): Specification => {
  const partsOf = <T extends FreeVariable>(effects: readonly T[] | undefined): T[] | undefined =>
    effects?.flatMap(each => {
      const parts = join.find(names => nameOf(names) === each.mode)
      return parts === undefined ? [each] : parts.map(mode => ({ ...each, mode }))
    })
  const [freely, directly] = [partsOf(free), partsOf(direct)]
  const named = namedIn(constraints).find(name => join.some(names => nameOf(names) === name))
  if (named !== undefined)
    throw new OptionError(
      'constraints',
      `cannot be of a joined variable (${show(named)}): the model is compared with the one in which its parts are separate`,
    )
  return {
    ...rest,
    ...(freely !== undefined && { free: freely }),
    ...(directly !== undefined && { direct: directly }),
    ...(constraints !== undefined && { constraints }),
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
  { total, partial, sampled }: { readonly total: number; readonly partial: number; readonly sampled: boolean },
): JoinedComparison => {
  const models = [
    comparedModel('separate', separate.logLikelihood, separate.dimension, total),
    comparedModel('joined', joined.logLikelihood, joined.dimension, total),
  ]
  return Object.freeze({ joined: join, models, test: nestedTests(models, sampled)[0], partial })
}
