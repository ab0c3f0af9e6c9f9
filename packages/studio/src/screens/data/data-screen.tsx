import './data.css'
import { FilterRows } from './filter/filter-rows.tsx'
import './opening/opening.css'
import { useSignal } from '@preact/signals'
import type { Note } from 'polyad/table'
import { useEffect, useRef } from 'preact/hooks'
import { count, counted } from '../../components/numbers.ts'
import { columnsOf, readOptions, sameReading } from '../../state/reading/columns.ts'
import { fault, isReadSoon, obstacle, readData } from '../../state/reading/reading.ts'
import { WESTERN } from '../../state/reading/western-text.ts'
import { DEFAULTS } from '../../state/store/settings.ts'
import { data, file, screen, settings, table } from '../../state/store/store.ts'
import { pageWords } from '../../worker/page-naming.ts'
import type { TableSummary } from '../../worker/protocol.ts'
import { ColumnsPanel } from './columns-panel.tsx'
import { OpenFile } from './open-file.tsx'
import { FileOptions } from './opening/file-options.tsx'
import { UnopenedFile } from './opening/unopened-file.tsx'
import { Preview } from './preview.tsx'
import { ReadingSettings } from './reading-settings.tsx'
import { Welcome } from './welcome.tsx'

/** Says that a file can be dropped anywhere on the page, while one is dragged over it. */
const DropOverlay = () => {
  const over = useSignal(false)
  useEffect(() => {
    const isFile = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true
    const enter = (event: DragEvent) => {
      if (isFile(event)) over.value = true
    }
    // Within the page one element is left for another; out of it there is none.
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) over.value = false
    }
    const end = () => {
      over.value = false
    }
    addEventListener('dragenter', enter)
    addEventListener('dragleave', leave)
    addEventListener('drop', end, { capture: true })
    return () => {
      removeEventListener('dragenter', enter)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', end, { capture: true })
    }
  }, [])
  return over.value ? (
    <div class="drop-overlay" aria-hidden="true">
      <strong>Drop the file to open it</strong>
    </div>
  ) : null
}

const next = async (): Promise<void> => {
  // Whoever has gone to another step meanwhile stays there.
  if ((await readData()) !== undefined && screen.peek() === 'data') screen.value = 'fit'
}

/**
 * What was noticed with the present settings. Where the table has not been read with them, what was noticed when it was opened holds
 * as far as it is not about what was chosen then.
 */
const useNotes = (opened: TableSummary, asProposed: boolean): readonly Note[] => {
  const last = useRef<{ readonly of: TableSummary; readonly notes: readonly Note[] } | null>(null)
  const read = data.value
  if (read !== null) last.current = { of: opened, notes: read.notes }
  // The notes stay while others are on their way.
  if (last.current?.of === opened && (read !== null || isReadSoon.value)) return last.current.notes
  return asProposed ? opened.notes : opened.notes.filter(({ kind }) => kind !== 'choice')
}

/** Opening a table, and saying what its columns are. */
export const DataScreen = () => (
  <>
    <DropOverlay />
    <UnopenedFile />
    {table.value === null ? <Welcome /> : <TableScreen opened={table.value} />}
  </>
)

/** A table that is open: what its columns are, and what is to be made of them. */
const TableScreen = ({ opened }: { readonly opened: TableSummary }) => {
  const now = settings.value.value
  const modes = columnsOf(opened, now, 'mode')
  const asProposed = sameReading(readOptions(opened, now), readOptions(opened, DEFAULTS))
  return (
    <div class="stack table-screen">
      <div class="row table-head">
        <div>
          <h1>
            <bdi>{opened.name}</bdi>
          </h1>
          <p class="muted">
            {opened.length === null ? `more than ${count(opened.rows)} rows` : counted(opened.length, 'row')},{' '}
            {counted(opened.columns.length, 'column')}
            {opened.place === 'server' && '; read by the server, because it is too large for the page'}
          </p>
        </div>
        <OpenFile compact />
      </div>
      {opened.problemWording !== undefined && asProposed && (
        <p class="note error">{pageWords(opened.problemWording)}</p>
      )}
      <FileOptions opened={opened} />
      <FilterRows opened={opened} />
      <ColumnsPanel opened={opened} />
      <ReadingSettings opened={opened} />
      <Notes notes={[...encodingNote(), ...useNotes(opened, asProposed)]} />
      {fault.value !== null && (
        <p class="note error" role="status">
          {fault.value}
        </p>
      )}
      <Preview opened={opened} />
      <div class="next">
        <div>
          {obstacle.value ?? (
            <>
              <strong>{counted(modes.length, 'variable')}</strong>
              {data.value !== null &&
                `: ${counted(data.value.cells, 'distinct combination')} of ${counted(data.value.rows, 'row')}`}
            </>
          )}
        </div>
        <button type="button" class="primary" disabled={obstacle.value !== undefined} onClick={next}>
          Find the classes →
        </button>
      </div>
    </div>
  )
}

/** Said of text that was taken for the usual one of Western Europe, or chosen to be. */
const encodingNote = (): readonly Note[] => {
  const opened = file.value
  if (opened?.from !== 'bytes' || opened.encoding !== WESTERN) return []
  return [
    {
      kind: 'choice',
      text: `${opened.name} is read as Western European text (Windows-1252). If letters look wrong, choose another encoding under “How the file is read”.`,
    },
  ]
}

/** What was chosen, and what to be careful of. */
const Notes = ({ notes }: { readonly notes: readonly Note[] }) =>
  notes.length === 0 ? null : (
    <section aria-labelledby="notes-title">
      <h2 id="notes-title">Notes</h2>
      {notes.map(({ kind, text, wording = text }) => (
        <p key={text} class={`note ${kind}`}>
          {kind === 'warning' && <span class="hidden">Warning: </span>}
          {pageWords(wording)}
        </p>
      ))}
    </section>
  )
