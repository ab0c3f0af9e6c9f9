import { useSignal } from '@preact/signals'
import { READING_OPTIONS } from 'polyad/table'
import { reopen } from '../../state/project/project.ts'
import { delimiterOf } from '../../state/reading/delimiter.ts'
import { change, file, settings } from '../../state/store.ts'
import type { TableSummary } from '../../worker/protocol.ts'

/** How values are read, whatever column they stand in. */
export const ReadingSettings = ({ opened }: { readonly opened: TableSummary }) => {
  const { missing, trim, ignoreCase, timeZone, top } = settings.value.value
  const dated = opened.columns.some(({ kind }) => kind === 'date')
  return (
    <details class="reading-settings" open={missing.length > 0 || opened.columns.length === 1}>
      <summary>How values are read</summary>
      <div class="stack">
        <DelimiterField />
        <MissingField missing={missing} />
        <label class="check">
          <input type="checkbox" checked={trim} onChange={event => change({ trim: event.currentTarget.checked })} />
          Take blanks off both ends, so that “Good ” and “Good” are one label
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={ignoreCase}
            onChange={event => change({ ignoreCase: event.currentTarget.checked })}
          />
          Join labels that differ only by capitals
        </label>
        {dated && (
          <label class="field">
            <span>Time zone for times that have a UTC offset</span>
            <select value={timeZone ?? ''} onChange={event => change({ timeZone: event.currentTarget.value || null })}>
              <option value="">UTC</option>
              {Intl.supportedValuesOf('timeZone').map(zone => (
                <option key={zone} value={zone}>
                  {zone}
                </option>
              ))}
            </select>
          </label>
        )}
        <label class="field">
          <span>Keep this many of the most frequent labels of every mode, and join the rest</span>
          <input
            type="number"
            min="1"
            step="1"
            placeholder="all"
            value={top ?? ''}
            onInput={event => {
              const text = event.currentTarget.value
              const typed = Number(text)
              if (text === '') change({ top: null }, 'top')
              else if (READING_OPTIONS.top.check.allows(typed)) change({ top: typed }, 'top')
            }}
          />
        </label>
      </div>
    </details>
  )
}

const DELIMITERS = [
  ['', 'found out by itself'],
  [',', 'comma'],
  [';', 'semicolon'],
  ['tab', 'tab'],
  ['|', 'vertical bar |'],
  [':', 'colon'],
  ['~', 'tilde ~'],
  ['^', 'caret ^'],
  ['blanks', 'blanks'],
] as const

/** Only files of separated values have something between them; the columns are found anew where it changes. */
const DelimiterField = () => {
  const now = file.value
  if (now?.from !== 'bytes' || !/\.(csv|tsv|txt|tab|dat|psv)(\.gz)?$/i.test(now.name)) return null
  return (
    <label class="field">
      <span>Between the values of a line is</span>
      <select
        value={now.delimiter ?? ''}
        onChange={async ({ currentTarget: select }) => {
          await reopen(select.value === '' ? null : select.value)
          // What could not be opened so, or was not to be, stays as it is.
          select.value = delimiterOf(file.peek()).delimiter ?? ''
        }}
      >
        {DELIMITERS.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  )
}

const MissingField = ({ missing }: { readonly missing: readonly string[] }) => {
  const typed = useSignal('')
  const add = (event: Event) => {
    event.preventDefault()
    if (typed.value !== '' && !missing.includes(typed.value)) change({ missing: [...missing, typed.value] })
    typed.value = ''
  }
  return (
    <form class="field" onSubmit={add}>
      <span>Means missing, beside empty, NA, NULL and NaN</span>
      <div class="row">
        {missing.map(code => (
          <button
            type="button"
            key={code}
            aria-label={`${code} is not missing`}
            onClick={() => change({ missing: missing.filter(each => each !== code) })}
          >
            <bdi>{code}</bdi> ×
          </button>
        ))}
        <input
          type="text"
          aria-label="A value that means missing"
          placeholder="for instance 99"
          value={typed.value}
          onInput={event => {
            typed.value = event.currentTarget.value
          }}
        />
        <button type="submit" disabled={typed.value === ''}>
          Add
        </button>
      </div>
    </form>
  )
}
