import type { SplitPart, StructuredResult, Tensor } from '@polyad/core'
import type { CovariateFigures } from '../figures/covariate-figures.ts'
import type { LinkedFigures } from '../figures/linked-figures.ts'
import { count, DASH } from '../numbers.ts'
import { covariatesText } from './covariates-text.ts'
import { linkedText } from './linked-text.ts'
import {
  type DirectFigures,
  directText,
  type GroupFigures,
  groupsText,
  type JoinFigures,
  joinText,
} from './nested-text.ts'
import { type Page, textTable } from './text-table.ts'

/** What a fit has to say besides its classes, by what was asked for. */
export interface Sections extends LinkedFigures {
  readonly covariates?: CovariateFigures
  readonly groups?: GroupFigures
  readonly join?: JoinFigures
  readonly direct?: DirectFigures
  /** Classes that are known for some rows. */
  readonly known?: NonNullable<StructuredResult['known']>
  /** The modes that are parts of a variable. */
  readonly parts?: readonly SplitPart[]
}

export const structureText = (
  { covariates, groups, join, known, direct, ...linked }: Sections,
  page: Page,
): string[] => [
  ...linkedText(linked, page),
  ...(known === undefined ? [] : knownText(known, page)),
  ...(covariates === undefined ? [] : covariatesText(covariates, page)),
  ...(groups === undefined ? [] : groupsText(groups, page)),
  ...(direct === undefined ? [] : directText(direct, page)),
  ...(join === undefined ? [] : joinText(join, page)),
]

const knownText = ({ name, labels, totals }: NonNullable<Sections['known']>, page: Page): string[] => [
  page.style('bold', `known classes: ${name}`),
  ...textTable(
    [
      { title: 'class', align: 'right' },
      { title: name, most: 32 },
      { title: 'rows known', align: 'right' },
    ],
    labels.map((label, k) => [String(k + 1), totals[k] > 0 ? String(label) : DASH, count(totals[k])]),
    page,
  ),
  '',
]

/** What of the data could not be used, or not in full. */
export const structureRemarks = (
  { covariates, groups, join, unlinked }: Sections,
  { total }: Pick<Tensor, 'total'>,
): string[] => {
  const part = (dropped: number) => `${count(dropped)} of ${count(total)} observations`
  const others = covariates?.names?.some(name => name !== groups?.mode) ?? false
  const given = groups === undefined ? 'a covariate' : others ? 'a covariate or the group' : 'the group'
  return [
    ...(covariates !== undefined && covariates.dropped > 0
      ? [`${part(covariates.dropped)} left out: ${given} is missing, or every answer is`]
      : []),
    ...(unlinked !== undefined && unlinked > 0
      ? [`${part(unlinked)} omitted: the person, the wave or the group is missing, or every answer is`]
      : []),
    ...(join !== undefined && join.partial > 0
      ? [`${part(join.partial)} lack some of the joined columns: the joined variable counts as missing for them`]
      : []),
  ]
}
