import { defined, omit } from '@polyad/core/options'
import { computed, effect, signal } from '@preact/signals'
import type { ColumnFigures } from 'polyad/table'
import { worker } from '../../worker/client.ts'
import type { TableSummary } from '../../worker/protocol.ts'
import { settings, table } from '../store/store.ts'
import { readOptions } from './columns.ts'

/** How the values of every column are distributed by the present settings, by their names. */
export const figures = signal<ReadonlyMap<string, ColumnFigures>>(new Map())

/** Why they cannot be told, where they cannot. */
export const figuresFault = signal<string | null>(null)

/** What decides the figures: how values are read and counted, and how columns are cut. */
const asked = computed(() => {
  const opened = table.value
  if (opened === null) return null
  const options = omit(readOptions(opened, settings.value.value), 'modes', 'include', 'design', 'top')
  const { count, weights, ...reading } = options
  const by = weights ?? (count === 'none' ? undefined : count)
  return { opened, key: JSON.stringify({ ...reading, ...defined({ by }) }) }
})

let underWay = false
let shown: { readonly opened: TableSummary; readonly key: string } | null = null

/** One question at a time; settings that change meanwhile are asked about after it. */
const update = async (): Promise<void> => {
  if (underWay) return
  underWay = true
  try {
    for (let now = asked.peek(); now !== null && !isShown(now); now = asked.peek()) {
      shown = now
      try {
        const found = await worker.call('figures', [JSON.parse(now.key)])
        if (table.peek() === now.opened) figures.value = new Map(found.map(each => [each.name, each]))
        figuresFault.value = null
      } catch (error) {
        figuresFault.value = (error as Error).message
      }
    }
  } finally {
    underWay = false
  }
}

const isShown = (now: NonNullable<typeof shown>): boolean => shown?.opened === now.opened && shown.key === now.key

effect(() => {
  const now = asked.value
  if (now === null || (shown !== null && shown.opened !== now.opened)) {
    figures.value = new Map()
    shown = null
  }
  if (now !== null) void update()
})
