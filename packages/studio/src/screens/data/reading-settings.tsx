import { useSignal } from '@preact/signals'
import { READING_OPTIONS } from 'polyad/table'
import { reopen } from '../../state/project/switching.ts'
import { type OpenOption, openOptions } from '../../state/reading/open-options.ts'
import { change, file, settings } from '../../state/store.ts'
import type { TableSummary } from '../../worker/protocol.ts'

/** How values are read, whatever column they stand in. */
export const ReadingSettings = ({ opened }: { readonly opened: TableSummary }) => {
  const { missing, trim, ignoreCase, timeZone, top } = settings.value.value
  const dated = opened.columns.some(({ kind }) => kind === 'date')
  return (
    <details
      class="reading-settings"
      open={missing.length > 0 || opened.columns.length === 1 || opened.sheets !== undefined}
    >
      <summary>Reading options</summary>
      <div class="stack">
        <SheetField opened={opened} />
        <DelimiterField />
        <EncodingField />
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

const DELIMITERS = [
  ['', 'detect automatically'],
  [',', 'comma'],
  [';', 'semicolon'],
  ['tab', 'tab'],
  ['|', 'vertical bar |'],
  [':', 'colon'],
  ['~', 'tilde ~'],
  ['^', 'caret ^'],
  ['blanks', 'spaces'],
] as const

/** Encodings of files that are not UTF-8, as people meet them. */
const ENCODINGS = [
  ['', 'UTF-8, or as the file says'],
  ['windows-1252', 'Western European (Windows-1252, Latin-1)'],
  ['windows-1250', 'Central European (Windows-1250)'],
  ['windows-1251', 'Cyrillic (Windows-1251)'],
  ['windows-1253', 'Greek (Windows-1253)'],
  ['windows-1254', 'Turkish (Windows-1254)'],
  ['macintosh', 'Macintosh'],
  ['utf-16', 'UTF-16'],
  ['shift_jis', 'Japanese (Shift JIS)'],
  ['gb18030', 'Chinese (GB18030)'],
  ['big5', 'Chinese (Big5)'],
  ['euc-kr', 'Korean (EUC-KR)'],
] as const

/** A choice of how the file is written: its columns are found anew where it changes. */
const OpenField = ({
  label,
  option,
  choices,
}: {
  readonly label: string
  readonly option: OpenOption
  readonly choices: readonly (readonly [value: string, words: string])[]
}) => (
  <label class="field">
    <span>{label}</span>
    <select
      value={openOptions(file.value)[option] ?? ''}
      onChange={async ({ currentTarget: select }) => {
        await reopen(option, select.value === '' ? null : select.value)
        // What could not be opened so, or was not to be, stays as it is.
        select.value = openOptions(file.peek())[option] ?? ''
      }}
    >
      {choices.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  </label>
)

const isSeparated = (name: string): boolean => /\.(csv|tsv|txt|tab|dat|psv)(\.gz)?$/i.test(name)

/** Only files of separated values have something between them. */
const DelimiterField = () => {
  const now = file.value
  if (now?.from !== 'bytes' || !isSeparated(now.name)) return null
  return <OpenField label="Delimiter" option="delimiter" choices={DELIMITERS} />
}

const EncodingField = () => {
  const now = file.value
  if (now?.from !== 'bytes' || !(isSeparated(now.name) || /\.(z?sav|dta|rds|rda|rdata|xpt)(\.gz)?$/i.test(now.name)))
    return null
  return <OpenField label="Encoding" option="encoding" choices={ENCODINGS} />
}

/** A spreadsheet may have several sheets. */
const SheetField = ({ opened: { sheets = [] } }: { readonly opened: TableSummary }) =>
  sheets.length < 2 ? null : (
    <OpenField
      label="Sheet or table"
      option="sheet"
      choices={[['', 'the first'], ...sheets.map(sheet => [sheet, sheet] as const)]}
    />
  )

const MissingField = ({ missing }: { readonly missing: readonly string[] }) => {
  const typed = useSignal('')
  const add = (event: Event) => {
    event.preventDefault()
    if (typed.value !== '' && !missing.includes(typed.value)) change({ missing: [...missing, typed.value] })
    typed.value = ''
  }
  return (
    <form class="field" onSubmit={add}>
      <span>Codes to treat as missing (empty, NA, NULL and NaN always are)</span>
      <div class="row">
        {missing.map(code => (
          <button
            type="button"
            key={code}
            aria-label={`Stop treating ${code} as missing`}
            onClick={() => change({ missing: missing.filter(each => each !== code) })}
          >
            <bdi>{code}</bdi> ×
          </button>
        ))}
        <input
          type="text"
          aria-label="Code to treat as missing"
          placeholder="e.g. 99"
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
