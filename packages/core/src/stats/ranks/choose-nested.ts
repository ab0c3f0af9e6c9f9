import { defined } from '../../defined.ts'
import { OptionError } from '../../errors.ts'
import { withDeadline } from '../../fit/deadline.ts'
import { checkedOptions, is, type OptionTable, wholeNumber } from '../../options.ts'
import { omit } from '../../pick.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { CRITERIA, criterionValue } from '../fit-statistics/criteria.ts'
import { linkedDataOf } from '../structure/linked-fit.ts'
import { CHOOSE_RANK_OPTIONS, type ChooseRankOptions, chooseRank, type RankChoice } from './choose-rank.ts'
import { checkDrawable } from './ranked-models.ts'
import type { RankedFit } from './recommend.ts'

/** The options of `chooseRank` for a model of groups, and a range of numbers of group classes. */
export interface ChooseNestedOptions
  extends Omit<ChooseRankOptions, 'groupClasses' | 'person' | 'time' | 'waves' | 'transitions' | 'checkpoint'> {
  /** The mode of groups. */
  readonly within: string
  /** The first and the last number of group classes. */
  readonly groupClasses: readonly [from: number, to: number]
}

/** A fit with its number of group classes. */
export interface NestedRankedFit extends RankedFit {
  readonly groupClasses: number
}

/** All fits in ascending order of both numbers, and the recommended pair. */
export interface NestedChoice extends Omit<RankChoice, 'fits'> {
  readonly fits: readonly NestedRankedFit[]
  readonly recommendedGroupClasses: number | undefined
}

const isRange = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 2 && value.every(each => is.whole(1).allows(each)) && value[0] <= value[1]

/** The options of `chooseNested`. */
export const CHOOSE_NESTED_OPTIONS = {
  ...omit(CHOOSE_RANK_OPTIONS, 'person', 'time', 'waves', 'transitions', 'checkpoint'),
  within: { check: is.text },
  groupClasses: { check: is.thing('a first and a last whole number ≥ 1', isRange) },
} as const satisfies OptionTable<ChooseNestedOptions>

/**
 * Chooses the numbers of classes of members and of groups, in steps: first the number of classes with the smallest number of group classes, then the number
 * of group classes with so many classes, then the number of classes again with so many group classes. Of all pairs that were fitted, the one with the best
 * criterion is recommended.
 * @example
 * const { fits } = await chooseNested(answers, { within: 'age', groupClasses: [1, 2], from: 2, to: 2, starts: 2 })
 * fits.map(({ rank, groupClasses }) => [rank, groupClasses]) // [[2, 1], [2, 2]]
 */
export const chooseNested = async (tensor: Tensor, options: ChooseNestedOptions): Promise<NestedChoice> => {
  const given = checkedOptions('chooseNested', CHOOSE_NESTED_OPTIONS, options)
  const { groupClasses, from, to, by, folds: _, replicates, maxSeconds, signal, ...rest } = given
  const [fewest, most] = groupClasses
  wholeNumber('to', to, from)
  if (by === 'heldOut')
    throw new OptionError('by', 'cannot be heldOut with within: folds would tear apart what belongs together')
  if (replicates !== 0) checkDrawable({ within: given.within, ...defined({ rowWeights: given.rowWeights }) })
  // More group classes than groups are refused before anything is fitted.
  const { within, covariates, categories, referenceCategories, groupCovariates } = given
  const explaining = defined({ covariates, categories, referenceCategories, groupCovariates })
  linkedDataOf(tensor, { within, groupClasses: most, ...explaining })
  return withDeadline({ maxSeconds, signal }, async limit => {
    const choices: RankChoice[] = []
    const fits: NestedRankedFit[] = []
    const choose = async (groups: number, first: number, last: number, tests = 0): Promise<RankChoice | undefined> => {
      if (first > last || (choices.length > 0 && limit?.aborted)) return undefined
      const ranks = { from: first, to: last, by, folds: 0, replicates: tests, groupClasses: groups }
      const choice = await chooseRank(tensor, { ...rest, ...ranks, ...defined({ signal: limit }) })
      choices.push(choice)
      for (const fit of choice.fits) fits.push(Object.freeze({ ...fit, groupClasses: groups }))
      return choice
    }
    const bestOf = (some: readonly NestedRankedFit[]) =>
      some.reduce<NestedRankedFit | undefined>(
        (best, each) => (best === undefined || criterionValue(each, by) < criterionValue(best, by) ? each : best),
        undefined,
      )
    const rank = (await choose(fewest, from, to, replicates))?.recommended
    // One class cannot differ between groups.
    if (rank !== undefined && rank > 1) {
      for (let groups = fewest + 1; groups <= most; groups++) await choose(groups, rank, rank)
      const groups = bestOf(fits.filter(fit => fit.rank === rank))?.groupClasses ?? fewest
      if (groups > fewest) {
        await choose(groups, Math.max(from, 2), rank - 1)
        await choose(groups, rank + 1, to)
      }
    }
    fits.sort((a, b) => a.rank - b.rank || a.groupClasses - b.groupClasses)
    const best = bestOf(fits)
    return Object.freeze({
      fits: Object.freeze(fits),
      items: choices[0].items,
      recommended: best?.rank,
      recommendedGroupClasses: best?.groupClasses,
      reason: reasonOf(by, most > fewest && rank === 1),
      stopped: choices.some(({ stopped }) => stopped) || limit?.aborted === true,
      warnings: Object.freeze([...new Set(choices.flatMap(({ warnings }) => warnings))]),
    })
  })
}

const reasonOf = (by: string, single: boolean): string => {
  const name = CRITERIA.find(({ key }) => key === by)!.name
  const steps = 'chosen in steps: classes, group classes, classes again; not every pair was fitted'
  return single ? `${name} is lowest; one class cannot differ between groups` : `${name} is lowest; ${steps}`
}
