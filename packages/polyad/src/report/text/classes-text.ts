import type { Model } from '@polyad/core'
import { type ClassMark, classMarks } from '@polyad/core/stats'
import type { Labels } from '../../table/values/codebook.ts'
import { bar, count, lift, percent } from '../numbers.ts'
import { clip, labelsOn, type Page, textTable, width } from './text-table.ts'

/** What a class is called: its own name, or `class 1`. */
export const classTitle = (model: Model, k: number): string =>
  model.classNames === undefined ? `class ${k + 1}` : className(model, k)

/** The same where a table says that it is of classes: its number from 1. */
export const className = ({ classNames }: Model, k: number): string => classNames?.[k] ?? `${k + 1}`

const WIDEST_MARK = 44
/** The columns that a line of marks needs for its numbers and its bar. */
const FIGURES = 42

/** `mode = label`, no wider than `columns`: where it must be clipped, the label keeps at least half. */
const markText = (mark: ClassMark, columns: number, labels: Labels): string => {
  const [mode, label] = [labels.name(mark.mode), labels.value(mark.mode, mark.label)]
  const room = Math.max(7, columns - 3)
  const name = clip(mode, Math.max(Math.floor(room / 2), room - width(label)))
  return `${name} = ${clip(label, room - width(name))}`
}

const ORDER = '  what marks it, strongest first: frequent in the class, and more frequent than overall (lift)'

/** The classes with their shares and marks, for the terminal. @param sizes of the classes in the population, if they are to be shown */
export const classesText = (
  model: Model,
  page: Page,
  { limit = 8, sizes }: { readonly limit?: number; readonly sizes?: readonly number[] | undefined } = {},
): string[] => {
  const first = model.shares.findIndex((_, k) => classMarks(model, k, 1).length > 0)
  return model.shares.flatMap((share, k) => {
    const { style } = page
    const name = classTitle(model, k)
    const title = `${style('bold', name)}   ${style('bold', percent(share))}${sizes === undefined ? '' : style('dim', `   about ${count(Math.round(sizes[k]))} in the population`)}`
    const marks = classMarks(model, k, limit)
    if (marks.length === 0)
      return [title, style('dim', '  close to the average: no category is much more frequent than overall'), '']
    const rows = marks.map(mark => [
      markText(mark, Math.min(WIDEST_MARK, page.columns - FIGURES), labelsOn(page)),
      percent(mark.probability),
      bar(mark.probability, 10).padEnd(10),
      percent(mark.overall),
      lift(mark.lift),
    ])
    const columns = [
      { title: '', most: WIDEST_MARK },
      { title: 'in class', align: 'right' },
      { title: '' },
      { title: 'overall', align: 'right' },
      { title: 'lift', align: 'right' },
    ] as const
    return [
      title,
      ...(k === first ? [style('dim', ORDER)] : []),
      ...textTable(columns, rows, page, (_, column) => (column === 2 ? 'cyan' : column === 3 ? 'dim' : undefined)),
      '',
    ]
  })
}
