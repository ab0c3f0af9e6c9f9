import { defined } from '../../defined.ts'
import { OptionError } from '../../errors.ts'
import { drawer } from '../../numeric/drawer.ts'
import { checkDistribution } from './distributions.ts'
import { type CovariateValue, givenOf, type LinkLogitTerms, logitDistribution } from './link-logit.ts'
import type { GivenColumn, HiddenStructure, RowPrior, Split, SplitPart } from './structure.ts'

/** What classes of groups consist of. */
export interface NestedTables {
  /** The column of groups. */
  readonly within: string
  /** The sizes of the group classes. */
  readonly groupSizes: readonly number[]
  /** For every group class the class sizes of its members. */
  readonly mixes: readonly (readonly number[])[]
  /** How covariates explain the classes of groups, and those of members; `groupSizes` and `mixes` are then means. */
  readonly grouping?: LinkLogitTerms | undefined
  readonly mixing?: LinkLogitTerms | undefined
}

/**
 * Groups have classes too, which differ in the class sizes of their members (multilevel latent class analysis). The class sizes of the model are those of all
 * members together.
 * @example
 * const structure = new NestedStructure({ within: 'school', groupSizes: [0.5, 0.5], mixes: [[0.9, 0.1], [0.3, 0.7]] })
 * structure.mixes[1][0] // 0.3: the share of the first class in groups of the second class
 */
export class NestedStructure implements HiddenStructure, NestedTables {
  readonly kind = 'nested'
  readonly within: string
  readonly groupSizes: readonly number[]
  readonly mixes: readonly (readonly number[])[]
  readonly given: readonly GivenColumn[]
  declare readonly grouping?: LinkLogitTerms
  declare readonly mixing?: LinkLogitTerms
  declare readonly splits?: readonly Split[]
  declare readonly parts?: readonly SplitPart[]

  constructor({ within, groupSizes, mixes, grouping, mixing }: NestedTables) {
    this.within = within
    this.groupSizes = Object.freeze([...groupSizes])
    this.mixes = Object.freeze(mixes.map(row => Object.freeze([...row])))
    this.given = Object.freeze(givenOf(grouping, mixing))
    Object.assign(this, defined({ grouping, mixing }))
    checkDistribution('groupSizes', groupSizes, mixes.length)
    mixes.forEach((row, g) => void checkDistribution(`mixes[${g}]`, row, mixes[0].length))
    Object.freeze(this)
  }

  /**
   * A function that draws the class of a group, and those of its members.
   * @param valueAt the values of covariates of a member, counted from 0; those of groups are the first one's
   */
  drawer(): (
    members: number,
    uniform: () => number,
    valueAt?: (member: number) => CovariateValue,
  ) => { groupClass: number; classes: number[] } {
    const drawGroup = drawer(Float64Array.from(this.groupSizes))
    const drawMember = this.mixes.map(mix => drawer(Float64Array.from(mix)))
    const { grouping, mixing } = this
    return (members, uniform, valueAt) => {
      const ofGroup =
        grouping === undefined || valueAt === undefined ? drawGroup : drawer(logitDistribution(grouping, valueAt(0), 0))
      const groupClass = ofGroup(uniform())
      const classes = Array.from({ length: members }, (_, member) => {
        const ofMember =
          mixing === undefined || valueAt === undefined
            ? drawMember[groupClass]
            : drawer(logitDistribution(mixing, valueAt(member), groupClass))
        return ofMember(uniform())
      })
      return { groupClass, classes }
    }
  }

  /** A row alone does not say of which class its group is. */
  prior(_: unknown, sizes: Float64Array): RowPrior {
    if (this.mixes[0].length !== sizes.length)
      throw new OptionError('structure', `must have the sizes of all ${sizes.length} classes`, this.mixes[0].length)
    return { probabilities: sizes, lacking: [] }
  }
}
