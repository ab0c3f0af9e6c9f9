import { READING_OPTIONS } from 'polyad/table'
import { change, settings } from '../../state/store/store.ts'
import type { TableSummary } from '../../worker/protocol.ts'
import { MissingCodeField } from './details/missing-code-field.tsx'

/** How values are read, whatever column they stand in. */
export const ReadingSettings = ({ opened }: { readonly opened: TableSummary }) => {
  const { missing, trim, ignoreCase, timeZone, top } = settings.value.value
  const dated = opened.columns.some(({ kind }) => kind === 'date')
  return (
    <details class="reading-settings" open={missing.length > 0}>
      <summary>Reading options</summary>
      <div class="stack">
        <MissingField missing={missing} />
        <label class="check">
          <input type="checkbox" checked={trim} onChange={event => change({ trim: event.currentTarget.checked })} />
          Trim spaces: “Good ” and “Good” are one category
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={ignoreCase}
            onChange={event => change({ ignoreCase: event.currentTarget.checked })}
          />
          Ignore case: “good” and “Good” are one category
        </label>
        {dated && (
          <label class="field">
            <span>Time zone for times with a UTC offset</span>
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
          <span>Categories to keep per variable, most frequent first (the rest are merged)</span>
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

const MissingField = ({ missing }: { readonly missing: readonly string[] }) => (
  <div class="field">
    <span>Codes to treat as missing (empty, NA, NULL and NaN always are)</span>
    <MissingCodeField
      codes={missing}
      add={code => {
        if (!missing.includes(code)) change({ missing: [...missing, code] })
      }}
      remove={code => change({ missing: missing.filter(each => each !== code) })}
    />
  </div>
)
