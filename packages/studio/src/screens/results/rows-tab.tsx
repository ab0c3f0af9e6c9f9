import { useEffect, useState } from 'preact/hooks'
import { count } from '../../components/numbers.ts'
import { FIRST_ORDER } from '../../components/rows/ready-rows.ts'
import { RowList } from '../../components/rows/row-list.tsx'
import { named } from '../../components/table.tsx'
import { columnsOf } from '../../state/reading/columns.ts'
import { type ShownModel, shownModel } from '../../state/results/class-profiles.ts'
import { chosenFit, settings, table } from '../../state/store/store.ts'
import { worker } from '../../worker/client.ts'
import type { Confusion } from '../../worker/protocol.ts'
import { ClassTable } from './class-table.tsx'

/** Rows of the table with the probabilities of their classes. */
export const RowsTab = () => {
  const model = shownModel.value
  const file = chosenFit.value?.file
  if (model === null) return null
  if (table.value === null) return <p class="panel">No rows to list: this model was opened without its data.</p>
  if (table.value.place === 'server')
    return (
      <p class="panel">
        This table is too large for the page, so its rows stay on the server. Use polyad classify on the command line to
        write every row with its probabilities.
      </p>
    )
  return (
    <div class="stack">
      {file !== undefined && (
        <RowList key={model.rank} source={{ model: worker.model(file) }} classes={model.classes} order={FIRST_ORDER} />
      )}
      <p class="small muted">
        {settings.value.value.where && 'Only rows that meet the filter are listed. '}
        log P is the log-probability of a row under the model: the lower, the more unusual the row. The bar shows the
        probabilities of all classes, the number that of the row's own class.
      </p>
      <KnownClass model={model} />
    </div>
  )
}

/** What the worker says to a question: null until it comes, a text if it fails. What was there stays until then. */
const useAnswer = <T,>(ask: (() => Promise<T>) | null, on: readonly unknown[]): T | string | null => {
  const [found, setFound] = useState<T | string | null>(null)
  useEffect(() => {
    if (ask === null) return
    let current = true
    ask().then(
      answer => current && setFound(answer),
      error => current && setFound(error instanceof Error ? error.message : String(error)),
    )
    return () => {
      current = false
    }
  }, on)
  return found
}

/** Where a column is the known class: how often each of it was given to each class of the model. */
const KnownClass = ({ model }: { readonly model: ShownModel }) => {
  const opened = table.value
  const [column] = opened === null ? [] : columnsOf(opened, settings.value.value, 'class')
  const file = chosenFit.value?.file
  const name = column?.name
  const found = useAnswer<Confusion>(
    name === undefined || file === undefined ? null : () => worker.call('confusion', [worker.model(file), name]),
    [name, file],
  )
  if (name === undefined)
    return <p class="small muted">To compare with a known class, choose “Known class” for its column under Data.</p>
  if (found === null) return null
  if (typeof found === 'string') return <p class="note error">{found}</p>
  // While another rank is on its way.
  if (found.table.some(row => row.length !== model.rank)) return null
  return <ConfusionTable found={found} model={model} />
}

const ConfusionTable = ({ found, model }: { readonly found: Confusion; readonly model: ShownModel }) => (
  <section aria-label="Known classes against those of the model">
    <h2>
      Known class: <bdi>{found.column}</bdi>
    </h2>
    <p class="small muted">How many rows of each known class were assigned to each class of the model.</p>
    <ClassTable
      label="Confusion table"
      corner={named(found.column)}
      model={model}
      rows={found.known.map((name, i) => {
        const all = found.table[i].reduce((sum, each) => sum + each, 0)
        return { name, cells: found.table[i].map(each => ({ text: count(each), part: each / all })) }
      })}
    />
  </section>
)
