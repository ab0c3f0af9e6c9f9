import type { Item } from '@polyad/core'
import { defined, omit } from '@polyad/core/options'
import type { InspectedColumn } from 'polyad/table'
import type { TableSummary } from '../../worker/protocol.ts'
import { showMessage } from '../page/messages.ts'
import type { ColumnChoice, Role } from '../store/settings.ts'
import { change, settings } from '../store/store.ts'
import { choiceOf, NOT_CUT, roleOf } from './columns.ts'
import type { Recoding } from './recoding.ts'

/** What a person chooses for columns, one or several at once: each is one step to undo. */

type Choices = Readonly<Record<string, ColumnChoice>>

/** Changes the choices of some columns. */
const changeEach = (
  columns: readonly InspectedColumn[],
  how: (now: ColumnChoice, column: InspectedColumn) => ColumnChoice,
  key?: string,
): void => {
  const { columns: now } = settings.value.peek()
  const next: Choices = Object.fromEntries(columns.map(column => [column.name, how(now[column.name] ?? {}, column)]))
  change({ columns: { ...now, ...next } }, key)
}

/** Whether a column can be used at all. */
export const isUsable = ({ kind }: InspectedColumn): boolean => kind !== 'nested' && kind !== 'empty'

/** Rows count by one column, and one can be the known class: whichever was it before is left out. */
const RIVALS: Readonly<Partial<Record<Role, readonly Role[]>>> = {
  count: ['count', 'weight'],
  weight: ['count', 'weight'],
  class: ['class'],
  // Rows belong to persons at waves, or to groups; these are then the clusters.
  person: ['person', 'group', 'cluster', 'strata'],
  time: ['time', 'group', 'cluster', 'strata'],
  group: ['person', 'time', 'group', 'cluster', 'strata'],
  cluster: ['cluster', 'person', 'time', 'group'],
  strata: ['strata', 'person', 'time', 'group'],
}

export type Kind = Item['kind']

/** What a variable can be taken for: scales are in order, numbers and counts are numbers. */
export const KINDS_OF_VARIABLES: readonly Kind[] = ['categorical', 'ordinal', 'normal', 'count']
export const canBe = ({ kind, smallest = 0 }: InspectedColumn, wanted: Kind): boolean => {
  if (wanted === 'categorical') return true
  if (wanted === 'ordinal') return kind === 'number' || kind === 'text'
  return kind === 'number' && (wanted === 'normal' || smallest >= 0)
}

/** @param kind what variables are taken for; columns that cannot be that are left as they are */
export const setRole = (
  table: TableSummary,
  columns: readonly InspectedColumn[],
  role: Role,
  kind: Kind = 'categorical',
): void => {
  const usable = columns.filter(column => isUsable(column) && canBe(column, kind))
  const rivals = RIVALS[role] ?? []
  const displaced = table.columns.filter(
    column => !usable.includes(column) && rivals.includes(roleOf(column, settings.value.peek())),
  )
  if (displaced.length > 0) {
    const names = displaced.map(({ name }) => name).join(', ')
    showMessage(`${names} ${displaced.length === 1 ? 'is' : 'are'} excluded now: only one column can have this use.`)
  }
  changeEach([...usable, ...displaced], (now, column) =>
    displaced.includes(column)
      ? { ...now, role: 'ignore' }
      : choiceOf(column, role, { ...omit(now, 'item'), ...(kind !== 'categorical' && { item: { kind } }) }),
  )
}

/** What is said of a variable besides its kind: the step of a number, the distribution of a count. */
export const setItem = (column: InspectedColumn, item: Item, key?: string): void =>
  changeEach([column], now => ({ ...now, item }), key)

/** Columns as they are proposed; what means missing in them stays. */
export const resetToProposal = (columns: readonly InspectedColumn[]): void =>
  changeEach(columns, now => omit(now, 'role', 'item', 'bin'))

/** Whether a column can be cut in the same way as another: numbers as numbers, dates as dates. */
export const isCuttable = ({ kind }: InspectedColumn): boolean => kind === 'number' || kind === 'date'

export const setBin = (columns: readonly InspectedColumn[], bin: string | undefined, key?: string): void =>
  changeEach(
    columns.filter(isCuttable),
    (now, { proposal }) => ({
      ...omit(now, 'bin'),
      ...((bin !== undefined || proposal.bins !== undefined) && { bin: bin ?? NOT_CUT }),
    }),
    key,
  )

/** Merges, renames or orders the categories of a column. */
export const setRecoding = (column: InspectedColumn, { recode, order }: Recoding): void =>
  changeEach([column], now => ({
    ...omit(now, 'recode', 'order'),
    ...(recode.length > 0 && { recode }),
    ...defined({ order }),
  }))

/** Labels a variable; an empty text gives way to the label of the file. */
export const setTitle = (column: InspectedColumn, title: string): void =>
  changeEach([column], now => ({ ...omit(now, 'title'), ...(title !== '' && title !== column.title && { title }) }))

/** Labels a value; an empty text gives way to the label of the file. */
export const setText = (column: InspectedColumn, value: string, text: string): void =>
  changeEach([column], now => {
    const { [value]: _, ...others } = now.texts ?? {}
    const texts = text === '' || text === column.texts?.[value] ? others : { ...others, [value]: text }
    return { ...omit(now, 'texts'), ...(Object.keys(texts).length > 0 && { texts }) }
  })

/** Makes codes mean missing in some columns. */
export const takeAsMissing = (columns: readonly InspectedColumn[], codes: readonly string[]): void =>
  takeCodesAsMissing(columns.map(column => [column, codes]))

/** The same for codes of each column. */
export const takeCodesAsMissing = (
  each: readonly (readonly [column: InspectedColumn, codes: readonly string[]])[],
): void => {
  const codes = new Map(each.map(([{ name }, own]) => [name, own]))
  changeEach(
    each.map(([column]) => column),
    ({ missing = [], ...rest }, { name }) => ({
      ...rest,
      missing: [...new Set([...missing, ...(codes.get(name) ?? [])])],
    }),
  )
}

export const takeAsValue = (columns: readonly InspectedColumn[], code: string): void =>
  changeEach(columns, ({ missing = [], ...rest }) => {
    const left = missing.filter(each => each !== code)
    return left.length === 0 ? rest : { ...rest, missing: left }
  })
