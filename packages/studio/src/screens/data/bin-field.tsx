import { useSignal } from '@preact/signals'
import type { Histogram, InspectedColumn } from 'polyad/table'
import { useEffect } from 'preact/hooks'
import { count } from '../../parts/numbers.ts'
import { binOf } from '../../state/reading/columns.ts'
import { isRunning, settings } from '../../state/store.ts'
import { worker } from '../../worker/client.ts'

interface Props {
  readonly column: InspectedColumn
  /** Whether the rows are here, so that a histogram can be drawn. */
  readonly inMemory: boolean
  readonly onBin: (bin: string | undefined) => void
}

const DATES = ['hour', 'weekday', 'month', 'quarter', 'year', 'yearmonth', 'date', 'day', 'minute']

/** How a column of numbers or dates is cut, with the histogram that this makes. */
export const BinField = ({ column, inMemory, onBin }: Props) => {
  const { name, kind, bins } = column
  const bin = binOf(column, settings.value.value)
  const how = kind === 'date' ? '' : kindOf(bin)
  return (
    <div class="bin-field">
      <div class="row">
        <label class="field">
          <span>Cut into bins</span>
          <select
            value={kind === 'date' ? (bin ?? '') : how}
            onChange={event => {
              const chosen = event.currentTarget.value
              onBin(chosen === '' ? undefined : kind === 'date' ? chosen : STARTS[chosen as Way](column))
            }}
          >
            <option value="">{kind === 'date' ? 'choose' : 'no bins'}</option>
            {kind === 'date'
              ? DATES.map(part => (
                  <option key={part} value={part}>
                    {part === bins ? `${part} (suggested)` : part}
                  </option>
                ))
              : WAYS.map(([way, words]) => (
                  <option key={way} value={way}>
                    {words}
                  </option>
                ))}
          </select>
        </label>
        {how === 'quantiles' && (
          <SizeField label="Groups" value={Number(bin?.slice(1))} least={2} step={1} onValue={n => onBin(`q${n}`)} />
        )}
        {how === 'width' && (
          <SizeField label="Width" value={Number(bin)} least={0} step="any" onValue={n => onBin(`${n}`)} />
        )}
      </div>
      {inMemory && bin !== undefined && <BinHistogram column={name} cut={bin} />}
    </div>
  )
}

type Way = 'quantiles' | 'width' | 'int'

const WAYS: readonly (readonly [Way, string])[] = [
  ['quantiles', 'groups of equal size'],
  ['width', 'bins of equal width'],
  ['int', 'whole numbers'],
]

const kindOf = (bin: string | undefined): Way | '' => {
  if (bin === undefined) return ''
  if (bin === 'int') return 'int'
  return /^q\d+$/.test(bin) ? 'quantiles' : 'width'
}

/** A width that makes about ten bins, as people write widths: 1, 2 or 5 times a power of ten. */
const roundWidth = ({ smallest = 0, largest = 1 }: Pick<InspectedColumn, 'smallest' | 'largest'>): number => {
  const rough = (largest - smallest || 1) / 10
  const power = 10 ** Math.floor(Math.log10(rough))
  const [best] = [1, 2, 5, 10].filter(times => times * power >= rough)
  return Number(((best ?? 10) * power).toPrecision(3))
}

const STARTS: Readonly<Record<Way, (column: InspectedColumn) => string>> = {
  quantiles: ({ bins }) => (bins !== undefined && /^q\d+$/.test(bins) ? bins : 'q5'),
  width: column => `${roundWidth(column)}`,
  int: () => 'int',
}

interface SizeProps {
  readonly label: string
  readonly value: number
  readonly least: number
  readonly step: number | 'any'
  readonly onValue: (value: number) => void
}

const SizeField = ({ label, value, least, step, onValue }: SizeProps) => (
  <label class="field">
    <span>{label}</span>
    <input
      type="number"
      min={least}
      step={step}
      value={value}
      onInput={event => {
        const typed = Number(event.currentTarget.value)
        const fits = step === 'any' ? typed > least : Number.isInteger(typed) && typed >= least && typed <= 1000
        if (event.currentTarget.value !== '' && Number.isFinite(typed) && fits) onValue(typed)
      }}
    />
  </label>
)

/** A moment's rest between typing and drawing, in milliseconds. */
const REST = 150
/** More bars than this are drawn without their names. */
const NAMED = 12

const BinHistogram = ({ column, cut }: { readonly column: string; readonly cut: string }) => {
  const found = useSignal<Histogram | string | null>(null)
  const { missing, trim, ignoreCase, timeZone } = settings.value.value
  useEffect(() => {
    let current = true
    const timer = setTimeout(async () => {
      const answer = await worker
        .call('histogram', [
          column,
          cut,
          { missing, ...(trim && { trim }), ...(ignoreCase && { ignoreCase }), ...(timeZone && { timeZone }) },
        ])
        .catch((error: Error) => error.message)
      if (current) found.value = answer
    }, REST)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [column, cut, missing, trim, ignoreCase, timeZone])
  if (found.value === null)
    return isRunning.value ? <p class="small muted">The histogram appears after the fit.</p> : null
  if (typeof found.value === 'string') return <p class="note error small">{found.value}</p>
  const { bins, unreadable } = found.value
  const most = bins.reduce((high, { count: n }) => Math.max(high, n), 1)
  return (
    <div>
      <ol class={`histogram${bins.length > NAMED ? ' many' : ''}`} aria-label={`Rows in each bin of ${column}`}>
        {bins.map(({ label, count: n }) => (
          <li key={label} title={`${label}: ${count(n)}`}>
            <span class="histogram-bar" style={{ height: `${Math.max(2, (56 * n) / most)}px` }} />
            <span class={bins.length > NAMED ? 'hidden' : 'small'}>{label}</span>
            <span class="hidden">: {count(n)} rows</span>
          </li>
        ))}
      </ol>
      <span class="small muted">
        {count(bins.length)} {bins.length === 1 ? 'bin' : 'bins'}
        {bins.length > NAMED && `, from ${bins[0].label} to ${bins[bins.length - 1].label}`}
        {unreadable > 0 && `; ${count(unreadable)} rows do not fit these bins`}
      </span>
    </div>
  )
}
