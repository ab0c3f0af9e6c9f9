import type { Settings } from '../../state/settings.ts'
import { change, running, settings } from '../../state/store.ts'

type FitSettings = Settings['fit']

const set = (part: Partial<FitSettings>, key: string): void =>
  change({ fit: { ...settings.value.peek().fit, ...part } }, key)

/** The whole number that was typed, within limits; undefined while it is none. */
const whole = (text: string, least: number, most: number): number | undefined => {
  const value = Number(text)
  return text.trim() !== '' && Number.isInteger(value) && value >= least && value <= most ? value : undefined
}

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
              least={1}
              most={to - 1}
              onValue={value => set({ from: value }, 'from')}
            />
            <NumberField
              label="to"
              value={to}
              least={from + 1}
              most={MOST_CLASSES}
              onValue={value => set({ to: value }, 'to')}
            />
          </div>
        ) : (
          <NumberField
            label="Classes"
            value={from}
            least={1}
            most={MOST_CLASSES}
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
            least={0}
            most={2 ** 31}
            onValue={value => set({ seed: value }, 'seed')}
            hint="The same data, settings and seed give the same result, to the last digit, here and on the command line."
          />
          <label class="field">
            <span>Prior (pseudo-counts)</span>
            <input
              type="number"
              min="0"
              step="0.1"
              value={prior}
              onInput={event => {
                const value = Number(event.currentTarget.value)
                if (event.currentTarget.value !== '' && value >= 0 && Number.isFinite(value))
                  set({ prior: value }, 'prior')
              }}
            />
            <span class="small muted">
              Added to every label of every class: keeps probabilities away from 0 and 1. None by default.
            </span>
          </label>
          <SmoothingField value={smoothing} />
          <label class="field">
            <span>Time limit, in seconds</span>
            <input
              type="number"
              min="1"
              step="1"
              value={maxSeconds ?? ''}
              placeholder="none"
              onInput={event => {
                const text = event.currentTarget.value
                const value = whole(text, 1, 1e6)
                if (text === '') set({ maxSeconds: null }, 'time')
                else if (value !== undefined) set({ maxSeconds: value }, 'time')
              }}
            />
            <span class="small muted">What has been found by then is kept.</span>
          </label>
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
        <input
          type="number"
          aria-label="Width of smoothing, in labels"
          min="0.1"
          step="0.1"
          value={value}
          onInput={event => {
            const width = Number(event.currentTarget.value)
            if (width > 0 && Number.isFinite(width)) set({ smoothing: width }, 'width')
          }}
        />
      )}
    </div>
    <span class="small muted">Neighbouring labels (ages, hours, bins) then have similar probabilities.</span>
  </div>
)

interface NumberProps {
  readonly label: string
  readonly value: number
  readonly least: number
  readonly most: number
  readonly hint?: string
  readonly onValue: (value: number) => void
}

const NumberField = ({ label, value, least, most, hint, onValue }: NumberProps) => (
  <label class="field">
    <span>{label}</span>
    <input
      type="number"
      min={least}
      max={most}
      step="1"
      value={value}
      onInput={event => {
        const typed = whole(event.currentTarget.value, least, most)
        if (typed !== undefined) onValue(typed)
      }}
      onBlur={event => {
        // What could not be used gives way to what is.
        event.currentTarget.value = `${value}`
      }}
    />
    {hint !== undefined && <span class="small muted">{hint}</span>}
  </label>
)
