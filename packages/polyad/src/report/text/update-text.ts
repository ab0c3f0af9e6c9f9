import type { Model } from '@polyad/core'
import type { LabelDifference } from '@polyad/core/model'
import type { TableUpdate } from '../../scoring/update-table.ts'
import { firstOf } from '../../table/values/note.ts'
import { count, counted, fixed, percent } from '../numbers.ts'
import { className } from './classes-text.ts'
import { type Page, textTable } from './text-table.ts'

/** Categories that are named; of more it says how many. */
const NAMED = 5

/** Categories that are new, and those that are gone. */
export const changesText = (
  { mode, onlyA, onlyB }: LabelDifference,
  gone = 'category of the model no longer there',
  allGone = 'categories of the model no longer there',
): string => {
  const named = (labels: readonly (string | number)[]) =>
    labels.length === 0 ? '' : ` (${firstOf(labels.map(String), NAMED)})`
  return `${mode}: ${counted(onlyB.length, 'new category', 'new categories')}${named(onlyB)}, ${counted(onlyA.length, gone, allGone)}${named(onlyA)}`
}

/** What an update has done to a model. */
export const updateText = (found: TableUpdate, decay: number, page: Page): string[] => {
  const { before, model, added, passes, changes, dropped, logLikelihood } = found
  const each = (sum: number) => fixed(sum / added, 4)
  return [
    '',
    `${page.style('bold', `${count(added)} new observations`)}, ${count(before.total)} before${decay === 1 ? '' : ` (worth ${count(decay * before.total)} with a decay of ${decay})`}: total ${count(model.total)}`,
    '',
    ...textTable(
      [
        { title: 'class', most: 40 },
        { title: 'before', align: 'right' },
        { title: 'after', align: 'right' },
        { title: 'change', align: 'right' },
        { title: 'observations', align: 'right' },
      ],
      model.shares.map((share, k) => [
        className(model, k),
        percent(before.shares[k]),
        percent(share),
        points(before, model, k),
        count(Math.round(model.sizes[k])),
      ]),
      page,
    ),
    '',
    `  log-likelihood of a new observation   ${each(logLikelihood.before)} before, ${each(logLikelihood.after)} after ${counted(passes, 'pass', 'passes')}`,
    ...changes.map(
      change => `  ${changesText(change, 'category not in the new data', 'categories not in the new data')}`,
    ),
    ...dropped.map(
      ({ mode, labels }) =>
        `  ${mode}: ${counted(labels.length, 'category', 'categories')} dropped (${firstOf(labels.map(String), NAMED)})`,
    ),
  ]
}

const points = (before: Model, after: Model, k: number): string => {
  const change = 100 * (after.shares[k] - before.shares[k])
  return `${change > 0 ? '+' : ''}${fixed(change, 1)} points`
}
