import { useId, useState } from 'preact/hooks'
import type { Settings } from '../../state/settings.ts'
import { change, running, settings } from '../../state/store.ts'

type FitSettings = Settings['fit']

const set = (part: Partial<FitSettings>, key: string): void =>
  change({ fit: { ...settings.value.peek().fit, ...part } }, key)

/** Whether a number is whole, and within limits. */
const within = (least: number, most: number) => (value: number) =>
  Number.isInteger(value) && value >= least && value <= most

const MOST_CLASSES = 100

export const FitForm = () => {
  const { from, to, seed, prior, smoothing, maxSeconds } = settings.value.value.fit
  const several = from < to
  return (
    <form class="stack" onSubmit={event => event.preventDefault()}>
      <fieldset disabled={running.value !== null}>
        <legend>How many classes?</legend>
        <div class="row">
          <button
            type="button"
            aria-pressed={several}
            onClick={() => !several && set({ from: 1, to: Math.max(from, 6) }, 'several')}
          >
            Compare several
          </button>
          <button type="button" aria-pressed={!several} onClick={() => several && set({ from: 3, to: 3 }, 'one')}>
            I know how many
          </button>
        </div>
        {several ? (
          <div class="row">
            <NumberField
              label="From"
              value={from}
              allowed={within(1, to - 1)}
              wanted={`The first number must be whole, and below the last, ${to}`}
              min={1}
              max={to - 1}
              onValue={value => set({ from: value }, 'from')}
            />
            <NumberField
              label="to"
              value={to}
              allowed={within(from + 1, MOST_CLASSES)}
              wanted={`The last number must be whole, above the first, ${from}, and at most ${MOST_CLASSES}`}
              min={from + 1}
              max={MOST_CLASSES}
              onValue={value => set({ to: value }, 'to')}
            />
          </div>
        ) : (
          <NumberField
            label="Classes"
            value={from}
            allowed={within(1, MOST_CLASSES)}
            wanted={`A whole number from 1 to ${MOST_CLASSES} is needed`}
            min={1}
            max={MOST_CLASSES}
            onValue={value => set({ from: value, to: value }, 'rank')}
          />
        )}
      </fieldset>
      <details>
        <summary>More settings</summary>
        <fieldset disabled={running.value !== null} class="stack">
          <legend class="hidden">More settings</legend>
          <NumberField
            label="Seed"
            value={seed}
            allowed={within(0, 2 ** 31)}
            wanted="A whole number from 0 to 2,147,483,648 is needed"
            min={0}
            max={2 ** 31}
            onValue={value => set({ seed: value }, 'seed')}
            hint="The same data, settings and seed give the same result, to the last digit, here and on the command line."
          />
          <NumberField
            label="Prior (pseudo-counts)"
            value={prior}
            allowed={value => value >= 0 && Number.isFinite(value)}
            wanted="A number of 0 or more is needed"
            min={0}
            step={0.1}
            onValue={value => set({ prior: value }, 'prior')}
            hint="Added to every label of every class: keeps probabilities away from 0 and 1. None by default."
          />
          <SmoothingField value={smoothing} />
          <NumberField
            label="Time limit, in seconds"
            value={maxSeconds}
            allowed={within(1, 1e6)}
            wanted="A whole number from 1 to 1,000,000 is needed, or nothing"
            min={1}
            onValue={value => set({ maxSeconds: value }, 'time')}
            onNone={() => set({ maxSeconds: null }, 'time')}
            hint="What has been found by then is kept."
          />
        </fieldset>
      </details>
    </form>
  )
}

const SmoothingField = ({ value }: { readonly value: FitSettings['smoothing'] }) => (
  <div class="field">
    <span id="smoothing-label">Smoothing of ordered modes</span>
    <div class="row">
      <select
        aria-labelledby="smoothing-label"
        value={value === null ? 'none' : value === 'auto' ? 'auto' : 'width'}
        onChange={event => {
          const chosen = event.currentTarget.value
          set({ smoothing: chosen === 'none' ? null : chosen === 'auto' ? 'auto' : 1 }, 'smoothing')
        }}
      >
        <option value="none">None</option>
        <option value="auto">Width found by cross-validation</option>
        <option value="width">This width:</option>
      </select>
      {typeof value === 'number' && (
        <NumberField
          label="Width of smoothing, in labels"
          unseen
          value={value}
          allowed={width => width > 0 && Number.isFinite(width)}
          wanted="A number above 0 is needed"
          min={0.1}
          step={0.1}
          onValue={width => set({ smoothing: width }, 'width')}
        />
      )}
    </div>
    <span class="small muted">Neighbouring labels (ages, hours, bins) then have similar probabilities.</span>
  </div>
)

interface NumberProps {
  readonly label: string
  /** What is in force; null where nothing is, which an empty field says. */
  readonly value: number | null
  /** Whether a number can be used. */
  readonly allowed: (value: number) => boolean
  /** What can, in words. */
  readonly wanted: string
  readonly onValue: (value: number) => void
  /** Where the field may be empty. */
  readonly onNone?: () => void
  readonly hint?: string
  /** Whether the label is only read out. */
  readonly unseen?: boolean
  readonly min?: number
  readonly max?: number
  readonly step?: number
}

/** A number. What is typed and cannot be used gives way to what is in force when the field is left, and it is said why. */
const NumberField = ({
  label,
  value,
  allowed,
  wanted,
  onValue,
  onNone,
  hint,
  unseen,
  min,
  max,
  step = 1,
}: NumberProps) => {
  // What is being typed, which may not be of use yet.
  const [draft, setDraft] = useState<string | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const id = useId()
  const shown = value === null ? '' : `${value}`
  /** The number in the field; null where it is empty, undefined where it is of no use. */
  const read = ({ value: text, validity }: HTMLInputElement): number | null | undefined => {
    if (text === '') return onNone === undefined || validity.badInput ? undefined : null
    return allowed(Number(text)) ? Number(text) : undefined
  }
  return (
    <div class="number-field">
      <label class="field">
        <span class={unseen ? 'hidden' : ''}>{label}</span>
        <input
          type="number"
          min={min}
          max={max}
          step={step}
          value={draft ?? shown}
          placeholder={onNone === undefined ? undefined : 'none'}
          aria-describedby={fault === null ? undefined : id}
          onInput={({ currentTarget }) => {
            setDraft(currentTarget.value)
            setFault(null)
            const typed = read(currentTarget)
            if (typed === null) onNone?.()
            else if (typed !== undefined) onValue(typed)
          }}
          onBlur={({ currentTarget }) => {
            if (read(currentTarget) === undefined) setFault(`${wanted}: it stays ${shown || 'none'}.`)
            setDraft(null)
            currentTarget.value = shown
          }}
        />
        {hint !== undefined && <span class="small muted">{hint}</span>}
      </label>
      <span id={id} class="small fault" aria-live="polite">
        {fault}
      </span>
    </div>
  )
}
