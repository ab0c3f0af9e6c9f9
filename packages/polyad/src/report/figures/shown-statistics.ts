import { isNumber } from '@polyad/core/model'
import type { DesignTest } from '@polyad/core/stats'
import { fixed, pValue } from '../numbers.ts'
import { EMPTY_TABLE, isTableEmpty } from './meaning.ts'
import { type FitStatistics, type Statistic, type StatisticKey, type Surface, statisticsOn } from './statistics.ts'

/** The statistics of one fit beside their names; those that mean nothing are left out, and it is said why. */

export interface ShownStatistics extends Partial<FitStatistics> {
  readonly gSquared: number | null
  readonly degreesOfFreedom: number
  /** Of the observations that were fitted. */
  readonly total: number
  readonly designTest?: DesignTest
}

const isEmpty = ({ degreesOfFreedom, total }: ShownStatistics): boolean => isTableEmpty(degreesOfFreedom, total)

const isDefined = ({ needs, value }: Statistic, figures: ShownStatistics): boolean => {
  if (needs === undefined) return (value(figures) ?? null) !== null
  if (needs === 'classes') return (figures.averagePosteriors?.length ?? 0) > 1
  return (
    !isEmpty(figures) && !Number.isNaN(figures.degreesOfFreedom) && (needs === 'table' || figures.gSquared !== null)
  )
}

/** @param without statistics that mean nothing for other reasons */
export const statisticPairs = (
  figures: ShownStatistics,
  surface: Surface,
  without: readonly StatisticKey[] = [],
  details = true,
): (readonly [name: string, text: string])[] =>
  statisticsOn(surface).flatMap(statistic =>
    !isDefined(statistic, figures) ||
    (statistic.detail === true && !details) ||
    without.some(key => key === statistic.key)
      ? []
      : statistic.key === 'pValue' && figures.designTest !== undefined
        ? designTestPairs(figures.designTest)
        : [[statistic.name, statistic.text(figures)] as const],
  )

/** G² under the design of the sample. */
const designTestPairs = ({ designEffect, gSquared }: DesignTest) =>
  [
    ['design effect of G²', fixed(designEffect, 3)],
    ['p of G² (Rao–Scott)', pValue(gSquared.f.pValue)],
  ] as const

/** Why a fit has no G² and X², if it has none. @param because the reason if no variable is a number */
export const whyNoTest = (
  figures: ShownStatistics & { readonly items?: readonly Parameters<typeof isNumber>[0][] },
  because = 'values are missing',
): string | undefined => {
  if (figures.gSquared !== null) return isEmpty(figures) ? EMPTY_TABLE : undefined
  const hasNumbers = figures.items?.some(isNumber) === true
  return `G² and X² are not defined, because ${hasNumbers ? 'there is no table of counts for variables that are numbers' : because}.`
}
