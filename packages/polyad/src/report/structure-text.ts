import type { Tensor } from '@polyad/core'
import { type CovariateFigures, covariatesText } from './covariates-text.ts'
import { type GroupFigures, groupsText, type JoinFigures, joinText } from './nested-text.ts'
import { count } from './numbers.ts'
import type { Page } from './text-table.ts'

/** What a fit has to say besides its classes, by what was asked for. */
export interface Sections {
  readonly covariates?: CovariateFigures
  readonly groups?: GroupFigures
  readonly join?: JoinFigures
}

export const structureText = ({ covariates, groups, join }: Sections, page: Page): string[] => [
  ...(covariates === undefined ? [] : covariatesText(covariates, page)),
  ...(groups === undefined ? [] : groupsText(groups, page)),
  ...(join === undefined ? [] : joinText(join, page)),
]

/** What of the data could not be used, or not in full. */
export const structureRemarks = (
  { covariates, groups, join }: Sections,
  { total }: Pick<Tensor, 'total'>,
): string[] => {
  const part = (dropped: number) => `${count(dropped)} of ${count(total)} observations`
  return [
    ...(covariates !== undefined && covariates.dropped > 0
      ? [`${part(covariates.dropped)} left out: a covariate is missing, or every answer is`]
      : []),
    ...(groups !== undefined && groups.dropped > 0
      ? [`${part(groups.dropped)} left out: the group is missing, or every answer is`]
      : []),
    ...(join !== undefined && join.partial > 0
      ? [`${part(join.partial)} lack some of the columns that were joined: they count as lacking all of them`]
      : []),
  ]
}
