import type { InspectedColumn } from 'polyad/table'
import { useEffect, useState } from 'preact/hooks'
import { showError } from '../../state/page/messages.ts'
import { columnsOf, roleOf } from '../../state/reading/columns.ts'
import { chosenModel } from '../../state/results/chosen.ts'
import { settings, table } from '../../state/store/store.ts'
import { worker } from '../../worker/client.ts'
import { type Confusion, isKnownClass } from '../../worker/protocol.ts'
import { ConfusionTable } from './confusion-table.tsx'

/** A known class has categories, and not as many as rows: a weight, an age or an identifier is none. */
const mayBeKnown = (column: InspectedColumn): boolean =>
  (column.kind === 'text' || column.kind === 'number') &&
  isKnownClass(column.distinct) &&
  !['weight', 'count'].includes(roleOf(column, settings.value.value))

/** The rows of the table that was fitted, beside a column that knows their classes. */
export const KnownClass = ({ file }: { readonly file: Uint8Array }) => {
  const opened = table.value
  const [chosen, setChosen] = useState<string | null>(null)
  const [confusion, setConfusion] = useState<Confusion | null>(null)
  const now = settings.value.value
  const marked = opened === null ? undefined : columnsOf(opened, now, 'class')[0]?.name
  // What the classes were made of knows nothing of them.
  const modes = new Set(chosenModel.value?.model.modes.map(({ name }) => name))
  const wanted = chosen ?? marked ?? ''
  const column = modes.has(wanted) ? '' : wanted
  useEffect(() => {
    setConfusion(null)
    if (column === '' || opened?.place !== 'page') return
    let current = true
    worker.call('confusion', [worker.model(file), column]).then(
      found => current && setConfusion(found),
      error => current && showError(error),
    )
    return () => {
      current = false
    }
  }, [column, file, opened])
  if (opened === null || opened.place !== 'page') return null
  const columns = opened.columns.filter(each => !modes.has(each.name) && (each.name === column || mayBeKnown(each)))
  if (columns.length === 0) return null
  return (
    <section class="stack" aria-labelledby="known-title">
      <h2 id="known-title">Compare with a known class</h2>
      <p class="muted">
        If a column of <bdi>{opened.name}</bdi> holds the true class of each row, compare it with the classes found.
      </p>
      <label class="row">
        <span>Known class</span>
        <select value={column} onChange={event => setChosen(event.currentTarget.value)}>
          <option value="">none</option>
          {columns.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {confusion !== null && <ConfusionTable confusion={confusion} of={opened.name} />}
    </section>
  )
}
