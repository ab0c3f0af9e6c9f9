import { count, counted } from '../../parts/numbers.ts'
import { columnsOf } from '../../state/columns.ts'
import { data, obstacle, readData, screen, settings } from '../../state/store.ts'
import type { TableSummary } from '../../worker/protocol.ts'
import { Columns } from './columns.tsx'
import { Notes } from './notes.tsx'
import { OpenFile } from './open-file.tsx'
import { Preview } from './preview.tsx'
import { ReadingSettings } from './reading-settings.tsx'

const next = async (): Promise<void> => {
  if ((await readData()) !== undefined) screen.value = 'fit'
}

/** A table that is open: what its columns are, and what is to be made of them. */
export const TableScreen = ({ opened }: { readonly opened: TableSummary }) => {
  const now = settings.value.value
  const modes = columnsOf(opened, now, 'mode')
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
            {opened.place === 'server' && '; read by the server, since a page could not hold it'}
          </p>
        </div>
        <OpenFile compact />
      </div>
      {opened.problem !== undefined && <p class="note error">{opened.problem}</p>}
      <Columns opened={opened} />
      <ReadingSettings opened={opened} />
      <Notes notes={data.value?.notes ?? opened.notes} />
      <Preview opened={opened} />
      <div class="next">
        <div>
          {obstacle.value ?? (
            <>
              <strong>{counted(modes.length, 'mode')}</strong>
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
