import { tableLabels } from 'polyad/table'
import { useState } from 'preact/hooks'
import { ClassBars } from '../../components/class-bars.tsx'
import { FileDrop } from '../../components/drop.tsx'
import { count, counted, percent } from '../../components/numbers.ts'
import { RowList } from '../../components/rows/row-list.tsx'
import { pastedFile } from '../../state/opening/opening.ts'
import { waitFor } from '../../state/page/messages.ts'
import { columnsOf } from '../../state/reading/columns.ts'
import { chosenModel, classColours, classNames, givenNames } from '../../state/results/chosen.ts'
import { bytesOf, download, stemOf } from '../../state/store/files.ts'
import { settings, table } from '../../state/store/store.ts'
import { worker } from '../../worker/client.ts'
import type { Classified, DataFile } from '../../worker/protocol.ts'
import { ConfusionTable } from './confusion-table.tsx'

interface Done {
  readonly rows: DataFile
  readonly found: Classified
  /** Of which model, and what its classes were called. */
  readonly file: Uint8Array
  readonly given: readonly string[] | undefined
}

/** Rows by the table: pasted, chosen or dropped. */
export const NewRows = ({ file }: { readonly file: Uint8Array }) => {
  const [names, given] = [classNames.value, givenNames.value]
  const [text, setText] = useState('')
  const [done, setDone] = useState<Done | null>(null)
  const [known, setKnown] = useState<string | null>(null)
  const marked = table.value === null ? undefined : columnsOf(table.value, settings.value.value, 'class')[0]?.name
  const classify = async (rows: DataFile, column = known ?? marked ?? null) => {
    const found = await waitFor(`classifying ${rows.name}`, () =>
      worker.call('classify', [worker.model(file), rows, column]),
    )
    if (found !== undefined) setDone({ rows, found, file, given })
  }
  const modes = chosenModel.value?.model.modes.map(({ name }) => name) ?? []
  return (
    <section class="stack" aria-labelledby="rows-title">
      <h2 id="rows-title">Classify a table</h2>
      <FileDrop
        label="Choose a file"
        onFile={async chosen => {
          const bytes = await bytesOf(chosen)
          if (bytes !== undefined) await classify({ from: 'bytes', name: chosen.name, bytes })
        }}
      >
        <span class="muted">
          or drop one here: {tableLabels()}. It needs the variables of the model and may have other columns.
        </span>
      </FileDrop>
      <label class="field">
        <span>Or paste rows, with column names in the first line</span>
        <textarea
          rows={4}
          value={text}
          spellcheck={false}
          placeholder={modes.slice(0, 6).join(',')}
          onInput={event => setText(event.currentTarget.value)}
        />
      </label>
      <div class="row">
        <button type="button" disabled={text.trim() === ''} onClick={() => classify(pastedFile(text))}>
          Classify these rows
        </button>
      </div>
      <output class="hidden">{done === null ? '' : `${counted(done.found.rows, 'row')} classified.`}</output>
      {done !== null && (
        <div class="stack">
          {(done.file !== file || done.given !== given) && (
            <p class="note warning">
              These rows were classified with another model.{' '}
              <button type="button" onClick={() => classify(done.rows)}>
                Classify again
              </button>
            </p>
          )}
          <Outcome
            done={done}
            names={names}
            known={done.found.confusion?.column ?? ''}
            onKnown={column => {
              setKnown(column)
              void classify(done.rows, column === '' ? null : column)
            }}
          />
        </div>
      )}
    </section>
  )
}

interface OutcomeProps {
  readonly done: Done
  readonly names: readonly string[]
  readonly known: string
  readonly onKnown: (column: string) => void
}

const Outcome = ({ done: { rows, found, given }, names, known, onKnown }: OutcomeProps) => (
  <>
    <h3>
      <bdi>{rows.name}</bdi>: {counted(found.rows, 'row')}
    </h3>
    {found.count !== null && (
      <p class="muted">
        They represent {counted(found.total, 'observation')}: the column <bdi>{found.count}</bdi> holds their
        frequencies, as in the model’s data.
      </p>
    )}
    <ClassBars
      parts={found.classes.map(({ total }) => total / (found.total || 1))}
      words={(part, k) => `${count(found.classes[k].total)} (${percent(part)})`}
    />
    {found.total > 0 && (
      <p>
        On average, {found.count === null ? 'a row' : 'an observation'} belongs to its assigned class with probability{' '}
        {percent(found.meanProbability)}.
      </p>
    )}
    <Remarks found={found} />
    <div class="row">
      <button
        type="button"
        class="primary"
        onClick={() =>
          waitFor('writing the rows', async () => {
            const csv = await worker.call('rowsCsv', [{ classified: found.id }, given])
            download(`${stemOf(rows.name)}-classes.csv`, csv, 'text/csv')
          })
        }
      >
        Download all rows with their classes (.csv)
      </button>
      <label class="row">
        <span>Known class</span>
        <select value={known} onChange={event => onKnown(event.currentTarget.value)}>
          <option value="">none</option>
          {found.columns.map(name => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </div>
    {found.confusion !== null && <ConfusionTable confusion={found.confusion} of={rows.name} />}
    {found.rows > 0 && (
      <section class="stack" aria-label="Rows">
        <RowList
          key={found.id}
          source={{ classified: found.id }}
          classes={names.map((name, k) => ({ name, colour: classColours.value[k] }))}
          order={{ by: 'row', descending: false }}
        />
      </section>
    )}
  </>
)

const Remarks = ({ found: { absent, unseen, impossible } }: { readonly found: Classified }) => (
  <>
    {absent.length > 0 && (
      <p class="note warning">
        {absent.length === 1 ? 'A variable of the model is' : 'Variables of the model are'} missing from the table and
        treated as unknown: {absent.join(', ')}.
      </p>
    )}
    {Object.keys(unseen).length > 0 && (
      <p class="note warning">
        Categories that the model has never seen are treated as unknown:{' '}
        {Object.entries(unseen)
          .map(([mode, n]) => `${mode} in ${counted(n, 'row')}`)
          .join(', ')}
        .
      </p>
    )}
    {impossible > 0 && (
      <p class="note warning">
        {counted(impossible, 'row')} {impossible === 1 ? 'is' : 'are'} impossible under the model: no class allows all
        of the answers. They are assigned to the largest class.
      </p>
    )}
  </>
)
