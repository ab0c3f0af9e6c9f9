import { effect, signal } from '@preact/signals'
import { table } from '../../../state/store/store.ts'

/** Which columns are selected, which one is shown in detail, and what is searched for. */

export const selected = signal<ReadonlySet<string>>(new Set())
export const chosen = signal<string | null>(null)
export const search = signal('')
/** Where a range of columns begins. */
let anchor: string | null = null

/** Another table has other columns. */
let last: string | undefined
effect(() => {
  const names = table.value?.columns.map(({ name }) => name).join('\n')
  if (names === last) return
  last = names
  selected.value = new Set()
  chosen.value = null
  search.value = ''
  anchor = null
})

/** Selects a column or not; with `range`, all from the last one that was touched. */
export const select = (name: string, isSelected: boolean, range: boolean, shown: readonly string[]): void => {
  const next = new Set(selected.peek())
  const from = range && anchor !== null ? shown.indexOf(anchor) : -1
  const to = shown.indexOf(name)
  const names = from < 0 || to < 0 ? [name] : shown.slice(Math.min(from, to), Math.max(from, to) + 1)
  for (const each of names) {
    if (isSelected) next.add(each)
    else next.delete(each)
  }
  anchor = name
  selected.value = next
}

export const selectOnly = (names: readonly string[]): void => {
  selected.value = new Set(names)
}
