import { useSignal } from '@preact/signals'
import { formatOfName, hasOption, READING_OPTIONS } from 'polyad/table'
import { useEffect, useRef } from 'preact/hooks'
import { named, Table } from '../../../components/table.tsx'
import { type OpenChanges, reopen } from '../../../state/project/switching.ts'
import { type OpenOption, openOptions } from '../../../state/reading/open-options.ts'
import { unopened } from '../../../state/reading/unopened.ts'
import { file } from '../../../state/store/store.ts'
import type { DataFile, OpenOptions, TableSummary } from '../../../worker/protocol.ts'
import { type Choices, DECIMALS, DELIMITERS, ENCODINGS, HEADERS, THOUSANDS } from './choices.ts'
import { HeadRows } from './head-rows.tsx'

/** Whether an option applies to the format of a file: that of its table, or of its name if it could not be opened. */
const applies = (option: 'delimiter' | 'encoding' | 'skipRows', { name }: DataFile, opened: TableSummary | null) => {
  const format = opened?.format ?? formatOfName(name)
  return format !== undefined && hasOption(format, option)
}

/** Whether there are options of how a file is written. */
export const hasOptions = (file: DataFile, opened: TableSummary | null): boolean =>
  applies('encoding', file, opened) || applies('skipRows', file, opened)

type Set = <O extends OpenOption>(option: O, value: OpenOptions[O] | null) => Promise<void>

interface FieldsProps {
  readonly now: DataFile
  /** The table, where it could be opened. */
  readonly opened: TableSummary | null
  readonly set: Set
}

/** How a file is written, as far as its format leaves a choice. */
export const FileFields = ({ now, opened, set }: FieldsProps) => {
  const { sheets = [] } = opened ?? {}
  return (
    <div class="file-options-fields">
      {sheets.length > 1 && (
        <Choice
          label="Sheet or table"
          value={now.sheet}
          choices={[
            ['', opened?.head === undefined ? 'the first' : 'found by its content'],
            ...sheets.map(each => [each, each] as const),
          ]}
          onValue={value => set('sheet', value)}
        />
      )}
      {applies('delimiter', now, opened) && (
        <Choice
          label="Delimiter"
          value={now.delimiter}
          choices={DELIMITERS}
          onValue={value => set('delimiter', value)}
        />
      )}
      {applies('encoding', now, opened) && (
        <Choice label="Encoding" value={now.encoding} choices={ENCODINGS} onValue={value => set('encoding', value)} />
      )}
      {applies('skipRows', now, opened) && (
        <>
          <Choice
            label="Column names"
            value={now.header === undefined ? undefined : `${now.header}`}
            choices={HEADERS}
            onValue={value => set('header', value === null ? null : value === 'true')}
          />
          <SkipField value={now.skipRows ?? 0} onValue={value => set('skipRows', value === 0 ? null : value)} />
          <Choice
            label="Decimal separator"
            value={now.decimal}
            choices={DECIMALS}
            onValue={value => set('decimal', value as OpenOptions['decimal'] | null)}
          />
          <Choice
            label="Thousands separator"
            value={now.thousands}
            choices={THOUSANDS}
            onValue={value => set('thousands', value as OpenOptions['thousands'] | null)}
          />
        </>
      )}
    </div>
  )
}

/** Rows of the preview. */
const SHOWN = 5

/** How the file is written: every change is seen at once in the rows below. */
export const FileOptions = ({ opened }: { readonly opened: TableSummary }) => {
  const now = file.value
  const fault = useSignal<string | null>(null)
  const open = useSignal(opened.columns.length === 1 || opened.sheets !== undefined)
  if (now === null || !hasOptions(now, opened)) return null
  const setAll = async (changes: OpenChanges) => {
    fault.value = null
    await reopen(changes)
    // It is said here, beside what it is about; the table stays as it was.
    fault.value = unopened.peek()?.reason ?? null
    unopened.value = null
  }
  const set: Set = (option, value) => setAll({ [option]: value })
  return (
    <details
      class="file-options"
      open={open.value}
      onToggle={event => {
        open.value = event.currentTarget.open
      }}
    >
      <summary>
        How the file is read <span class="small muted">{summaryOf(openOptions(now), opened)}</span>
      </summary>
      <FileFields now={now} opened={opened} set={set} />
      {fault.value !== null && (
        <p class="note error" role="alert">
          {fault.value}
        </p>
      )}
      {open.value && opened.head !== undefined && (
        <HeadRows
          head={opened.head}
          onNames={row => setAll({ skipRows: row - (opened.head?.before ?? 0), header: true })}
        />
      )}
      {open.value && opened.head === undefined && (
        <Table
          label="The first rows as they are read"
          tableClass="preview"
          headings={opened.columns.map(column => named(column.name))}
        >
          {opened.preview.slice(0, SHOWN).map((row, i) => (
            <tr key={i}>
              {row.map((value, j) => (
                <td key={opened.columns[j].name}>
                  {value === null ? <span class="muted">·</span> : <bdi>{value}</bdi>}
                </td>
              ))}
            </tr>
          ))}
        </Table>
      )}
    </details>
  )
}

/** What was chosen, in a few words. */
const summaryOf = (options: OpenOptions, { columns, sheets = [], head }: TableSummary): string => {
  const {
    sheet = sheets.length > 1 ? (head?.sheet ?? sheets[0]) : undefined,
    delimiter,
    encoding,
    header,
    skipRows,
    decimal,
  } = options
  const said = [
    ...(sheet === undefined ? [] : [`sheet ${sheet}`]),
    ...(delimiter === undefined ? [] : [`delimiter ${delimiter}`]),
    ...(encoding === undefined ? [] : [encoding]),
    ...(header === false ? ['no column names'] : []),
    ...(skipRows === undefined ? [] : [`${skipRows} ${skipRows === 1 ? 'row' : 'rows'} skipped`]),
    ...(decimal === undefined ? [] : [`decimal ${decimal === ',' ? 'comma' : 'point'}`]),
  ]
  if (said.length > 0) return said.join(', ')
  return columns.length === 1 ? 'one column only: check the delimiter' : 'detected automatically'
}

interface ChoiceProps {
  readonly label: string
  readonly value: string | undefined
  readonly choices: Choices
  readonly onValue: (value: string | null) => Promise<void>
}

const Choice = ({ label, value = '', choices, onValue }: ChoiceProps) => {
  const select = useRef<HTMLSelectElement>(null)
  // What could not be opened so stays as it was.
  const settle = () => {
    if (select.current !== null) select.current.value = latest.current
  }
  const latest = useRef(value)
  latest.current = value
  return (
    <label class="field">
      <span>{label}</span>
      <select
        ref={select}
        value={value}
        onChange={({ currentTarget }) =>
          void onValue(currentTarget.value === '' ? null : currentTarget.value).then(() =>
            requestAnimationFrame(settle),
          )
        }
      >
        {choices.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Between typing a number and reading the file by it, in milliseconds. */
const MOMENT = 300

const SkipField = ({
  value,
  onValue,
}: {
  readonly value: number
  readonly onValue: (value: number) => Promise<void>
}) => {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  /** What is being typed, until the file has been read by it. */
  const draft = useSignal<string | null>(null)
  useEffect(() => () => clearTimeout(timer.current), [])
  const take = async () => {
    clearTimeout(timer.current)
    const typed = draft.peek()
    const rows = Number(typed)
    if (typed !== null && typed !== '' && rows !== value && READING_OPTIONS.skipRows.check.allows(rows))
      await onValue(rows)
    if (draft.peek() === typed) draft.value = null
  }
  return (
    <label class="field">
      <span>Rows to skip</span>
      <input
        type="number"
        min="0"
        step="1"
        value={draft.value ?? value}
        onInput={({ currentTarget }) => {
          draft.value = currentTarget.value
          clearTimeout(timer.current)
          timer.current = setTimeout(take, MOMENT)
        }}
        onBlur={take}
      />
    </label>
  )
}
