import type { Model } from '@polyad/core'
import { isNumber } from '@polyad/core/model'
import { largest } from '@polyad/core/numeric'
import { type Labels, NO_LABELS } from '../../table/values/codebook.ts'
import { counted, fixed, numberText, percent } from '../numbers.ts'
import { className, classTitle } from './classes-text.ts'
import { labelsOn, type Page, textTable, variableWidth } from './text-table.ts'

/** How much of a model is shown. */
export interface ProfileLimits {
  /** Labels of a mode: the most frequent ones. */
  readonly labels: number
  /** Labels are shown all where no more than this many would be left out. */
  readonly spare?: number
  readonly modes: number
}

/** The labels of a mode that are shown: the most frequent ones, in the order of the mode. */
export const shownLabels = (model: Model, n: number, { labels, spare = 0 }: ProfileLimits): number[] => {
  const overall = model.marginal(n)
  // A line that says what is left out is not worth it for a label or two.
  if (overall.length <= labels + spare) return [...overall.keys()]
  return largest(overall.length, labels, j => overall[j]).sort((a, b) => a - b)
}

/** What is printed beside every number: its interval. */
export interface Beside {
  readonly share: (k: number) => string
  readonly label: (mode: number, k: number, label: number) => string
}

/** A parameter of an item for every class; undefined for a class that has none. */
export interface ItemRow {
  /** What the row is of, if not the same as the row before it. */
  readonly head: string
  readonly name: string
  readonly values: readonly (number | undefined)[]
  /** The positions of the values among the parameters of the item. */
  readonly at: readonly (number | undefined)[]
}

/** What is shown of a variable that is a number: its parameters by class. Undefined for categories and scales, whose probabilities are shown. */
export const itemRows = (model: Model, n: number, { name: shownName }: Labels = NO_LABELS): ItemRow[] | undefined => {
  const { spec } = model.items[n] ?? { spec: undefined }
  if (spec === undefined || spec.kind === 'ordinal') return undefined
  const parameters = model.itemParameters(n)
  const rowOf = (head: string, name: string, shown: string, of = ''): ItemRow => {
    const own = model.shares.map((_, k) =>
      parameters.findIndex(
        each => each.name === name && (each.of ?? []).join() === of && (each.class === undefined || each.class === k),
      ),
    )
    return { head, name: shown, values: own.map(at => parameters[at]?.value), at: own }
  }
  if (spec.kind !== 'multivariate-normal')
    return [...new Set(parameters.map(({ name }) => name))].map((name, i) =>
      rowOf(i === 0 ? shownName(model.modes[n].name) : '', name, SHOWN_AS[name] ?? name),
    )
  const names = spec.variables.map(({ name }) => name)
  const pairs = names.flatMap((name, i) => names.slice(0, i).map(other => [other, name]))
  return [
    ...names.flatMap(name => [rowOf(shownName(name), 'mean', 'mean', name), rowOf('', 'sd', 'SD', name)]),
    ...pairs.map((pair, i) => rowOf(i === 0 ? 'correlation' : '', 'correlation', pair.join(', '), pair.join())),
  ]
}

const SHOWN_AS: Readonly<Record<string, string>> = { sd: 'SD' }

type ItemKind = Parameters<typeof isNumber>[0]['kind']

const meaning = ({ items }: Model): string => {
  const shown = items.map(item => item?.spec.kind ?? 'categorical')
  const isNumeric = (kind: ItemKind) => isNumber({ kind })
  if (!shown.some(isNumeric)) return 'probability of each category within each class'
  return shown.every(isNumeric)
    ? 'parameters within each class'
    : 'probability of each category within each class; parameters of numbers'
}

/** P[label | class] for every mode; what is left out is counted. */
export const profileTable = (model: Model, limits: ProfileLimits, page: Page, beside?: Beside): string[] => {
  const shown = (number: string, more: string | undefined) => (more === undefined ? number : `${number} ${more}`)
  const labels = labelsOn(page)
  const names = model.shares.map((_, k) => className(model, k))
  const rows: string[][] = [
    ['class size', '', ...model.shares.map((share, k) => shown(percent(share), beside?.share(k)))],
  ]
  for (const [n, mode] of model.modes.slice(0, limits.modes).entries()) {
    const item = itemRows(model, n, labels)
    if (item !== undefined) {
      item.forEach(({ head, name, values }) => {
        rows.push([head, name, ...values.map(value => (value === undefined ? '' : numberText(value)))])
      })
      continue
    }
    const factor = model.parameters.factors[n]
    const order = shownLabels(model, n, limits)
    order.forEach((j, i) => {
      rows.push([
        i === 0 ? labels.name(mode.name) : '',
        labels.value(mode.name, mode.label(j)),
        ...names.map((_, k) => shown(fixed(factor[j * model.rank + k], 4), beside?.label(n, k, j))),
      ])
    })
    const left = mode.size - order.length
    if (left > 0) rows.push(['', `… ${counted(left, 'more category', 'more categories')}`, ...names.map(() => '')])
  }
  const { style } = page
  const left = model.modes.length - limits.modes
  return [
    style('bold', 'profiles') + style('dim', `   ${meaning(model)}`),
    ...textTable(
      [
        { title: '', most: variableWidth(page), repeated: true },
        { title: '', most: 28, repeated: true },
        ...model.shares.map((_, k) => ({
          title: classTitle(model, k),
          align: 'right' as const,
          most: beside === undefined ? 16 : 24,
        })),
      ],
      rows,
      page,
      (row, column) => (column === 0 || row === 0 ? 'bold' : undefined),
    ),
    ...(left > 0 ? [style('dim', `  … ${counted(left, 'more variable')}`)] : []),
  ]
}
