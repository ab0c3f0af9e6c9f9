import { defined } from '@polyad/core/options'
import { computed } from '@preact/signals'
import type { Codebook, InspectedColumn } from 'polyad/table'
import type { Settings } from '../store/settings.ts'
import { settings } from '../store/store.ts'

/** What variables and their values are called: as the file says, unless a person types something else. */

type Chosen = Pick<Settings, 'columns'>

/** The label of a variable. */
export const titleOf = ({ name, title }: Pick<InspectedColumn, 'name' | 'title'>, { columns }: Chosen) =>
  columns[name]?.title ?? title

/** The labels of values, by value. */
export const textsOf = (
  { name, texts }: Pick<InspectedColumn, 'name' | 'texts'>,
  { columns }: Chosen,
): Readonly<Record<string, string>> => ({ ...texts, ...columns[name]?.texts })

/** All labels that were typed. */
export const typedIn = ({ columns }: Chosen): Codebook | undefined => {
  const typed = Object.entries(columns).flatMap(([name, { title, texts }]) =>
    title === undefined && texts === undefined ? [] : [[name, { ...defined({ title, values: texts }) }] as const],
  )
  return typed.length === 0 ? undefined : Object.fromEntries(typed)
}

/** As a text, so that other changes of the settings change nothing here. */
const typedText = computed(() => JSON.stringify(typedIn(settings.value.value) ?? null))

/** The labels that were typed, which results show at once. */
export const typedLabels = computed<Codebook | undefined>(() => JSON.parse(typedText.value) ?? undefined)
