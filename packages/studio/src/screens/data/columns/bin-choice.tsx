import type { InspectedColumn } from 'polyad/table'
import { figures } from '../../../state/reading/column-distributions.ts'
import { binWidth } from './bin-width.ts'

interface Props {
  readonly column: InspectedColumn
  /** How it is cut now. */
  readonly bin: string | undefined
  readonly onBin: (bin: string | undefined) => void
}

const DATES = ['hour', 'weekday', 'month', 'quarter', 'year', 'yearmonth', 'date', 'day', 'minute']

/** How a column of numbers or dates is cut. */
export const BinChoice = ({ column, bin, onBin }: Props) => {
  const { kind, bins } = column
  const how = kind === 'date' ? '' : kindOf(bin)
  return (
    <div class="row bin-choice">
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

const STARTS: Readonly<Record<Way, (column: InspectedColumn) => string>> = {
  quantiles: ({ bins }) => (bins !== undefined && /^q\d+$/.test(bins) ? bins : 'q5'),
  // Codes that were said to mean missing are in the column, but not in its figures.
  width: column => `${binWidth(figures.peek().get(column.name) ?? column)}`,
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
