import { useEffect, useState } from 'preact/hooks'
import { count, counted, fixed, percent } from '../../parts/numbers.ts'
import { named, numeric, Table } from '../../parts/table.tsx'
import { columnsOf } from '../../state/reading/columns.ts'
import { type ShownModel, shownModel } from '../../state/results/looked.ts'
import { chosenFit, isRunning, settings, table } from '../../state/store.ts'
import { worker } from '../../worker/client.ts'
import type { ClassifiedRow, Confusion, RowPage, RowQuery } from '../../worker/protocol.ts'
import { ClassTable } from './class-table.tsx'

const PAGE = 50
/** Milliseconds from the last letter of a search to its rows. */
const LATER = 250

/** Rows of the table with the probabilities of their classes. */
export const RowsTab = () => {
  const model = shownModel.value
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
      <RowList key={model.rank} model={model} />
      <KnownClass model={model} />
    </div>
  )
}

type Asked = Omit<RowQuery, 'file' | 'count'>

/** How rows can be sorted: by what, and which end comes first. */
const sortings = ({
  classes,
}: ShownModel): readonly { readonly title: string; readonly by: RowQuery['by']; readonly descending: boolean }[] => [
  { title: 'Least likely first', by: 'probability', descending: false },
  { title: 'Most likely first', by: 'probability', descending: true },
  { title: 'Least certain first', by: 'certainty', descending: false },
  { title: 'Most certain first', by: 'certainty', descending: true },
  { title: 'File order', by: 'row', descending: false },
  { title: 'File order, last first', by: 'row', descending: true },
  ...classes.map(({ name, k }) => ({ title: `Most “${name}” first`, by: { class: k }, descending: true })),
]

const RowList = ({ model }: { readonly model: ShownModel }) => {
  const [sorting, setSorting] = useState(0)
  const [only, setOnly] = useState<number | null>(null)
  const [text, setText] = useState('')
  const [from, setFrom] = useState(0)
  const sorts = sortings(model)
  const { by, descending } = sorts[sorting]
  const found = useRows({
    by,
    descending,
    from,
    ...(only !== null && { class: only }),
    ...(text !== '' && { containing: text }),
  })
  return (
    <>
      <form class="row row-form" onSubmit={event => event.preventDefault()}>
        <label class="field">
          <span>Order</span>
          <select
            value={sorting}
            onChange={event => {
              setSorting(Number(event.currentTarget.value))
              setFrom(0)
            }}
          >
            {sorts.map(({ title }, i) => (
              <option key={title} value={i}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>Class</span>
          <select
            value={only ?? ''}
            onChange={event => {
              const { value } = event.currentTarget
              setOnly(value === '' ? null : Number(value))
              setFrom(0)
            }}
          >
            <option value="">All classes</option>
            {model.classes.map(({ k, name }) => (
              <option key={k} value={k}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>Rows that contain</span>
          <input
            type="search"
            value={text}
            onInput={event => {
              setText(event.currentTarget.value)
              setFrom(0)
            }}
          />
        </label>
      </form>
      {found === null ? (
        <output class="muted">Loading the rows{isRunning.value ? ', after the fit' : ''} …</output>
      ) : typeof found === 'string' ? (
        <p class="note error">{found}</p>
      ) : (
        <>
          <Pages found={found.found} from={from} onFrom={setFrom} />
          <RowTable page={found} model={model} />
          <p class="small muted">
            log P is the log-probability of a row under the model: the lower, the more unusual the row. The bar shows
            the class probabilities.
          </p>
        </>
      )}
    </>
  )
}

/** What the worker says to a question: null until it comes, a text if it fails. What was there stays until then. */
const useAnswer = <T,>(ask: (() => Promise<T>) | null, on: readonly unknown[], wait = 0): T | string | null => {
  const [found, setFound] = useState<T | string | null>(null)
  useEffect(() => {
    if (ask === null) return
    let current = true
    const later = setTimeout(
      () =>
        ask().then(
          answer => current && setFound(answer),
          error => current && setFound(error instanceof Error ? error.message : String(error)),
        ),
      wait,
    )
    return () => {
      current = false
      clearTimeout(later)
    }
  }, on)
  return found
}

const useRows = (asked: Asked): RowPage | string | null => {
  const file = chosenFit.value?.file
  return useAnswer(
    file === undefined ? null : () => worker.call('rows', [worker.model(file), { ...asked, count: PAGE }]),
    [file, JSON.stringify(asked)],
    asked.containing === undefined ? 0 : LATER,
  )
}

interface PagesProps {
  readonly found: number
  readonly from: number
  readonly onFrom: (from: number) => void
}

const Pages = ({ found, from, onFrom }: PagesProps) => (
  <nav class="row" aria-label="Pages of rows">
    <output>
      {found === 0
        ? 'No matching rows.'
        : `${count(from + 1)}–${count(Math.min(found, from + PAGE))} of ${counted(found, 'row')}`}
    </output>
    {found > PAGE && (
      <>
        <button type="button" disabled={from === 0} onClick={() => onFrom(Math.max(0, from - PAGE))}>
          Back
        </button>
        <button type="button" disabled={from + PAGE >= found} onClick={() => onFrom(from + PAGE)}>
          Next
        </button>
      </>
    )}
  </nav>
)

const RowTable = ({ page, model }: { readonly page: RowPage; readonly model: ShownModel }) => (
  <Table
    label="Rows with their classes"
    class="row-table"
    headings={[numeric('row'), 'class', 'probabilities', numeric('log P'), ...page.columns.map(named)]}
  >
    {page.rows.map(each => (
      <RowOf key={each.row} own={each} model={model} columns={page.columns} />
    ))}
  </Table>
)

interface RowProps {
  readonly own: ClassifiedRow
  readonly model: ShownModel
  readonly columns: readonly string[]
}

const RowOf = ({ own: { row, values, posterior, class: k, logProbability }, model, columns }: RowProps) => (
  <tr>
    <th scope="row" class="number">
      {count(row + 1)}
    </th>
    <td class="row-class" style={{ '--colour': model.classes[k].colour }}>
      <span class="swatch" /> <bdi>{model.classes[k].name}</bdi>
    </td>
    <td>
      <span class="posterior">
        <span
          class="posterior-bar"
          role="img"
          aria-label={posterior.map((p, l) => `${model.classes[l].name} ${percent(p, 0)}`).join(', ')}
          title={posterior.map((p, l) => `${model.classes[l].name} ${percent(p)}`).join('\n')}
        >
          {posterior.map((p, l) => (
            <span
              key={model.classes[l].k}
              class="fades"
              data-class={l}
              style={{ width: `${100 * p}%`, background: model.classes[l].colour }}
            />
          ))}
        </span>
        <span class="number small">{percent(posterior[k], 0)}</span>
      </span>
    </td>
    <td class="number">{logProbability === null ? 'impossible' : fixed(logProbability, 2)}</td>
    {values.map((value, i) => (
      <td key={columns[i]}>{value === null ? <span class="muted">–</span> : <bdi>{value}</bdi>}</td>
    ))}
  </tr>
)

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
