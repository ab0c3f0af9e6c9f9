import { type Check, FIT_OPTIONS, is } from '@polyad/core/options'
import { useEffect, useId, useState } from 'preact/hooks'
import { MOST_CLASSES } from '../../state/fitting/extend-range.ts'
import { findGraphics, hasGraphics } from '../../state/fitting/graphics.ts'
import { columnsOf, DEFAULT_GROUP_CLASSES, itemsOf, linksOf } from '../../state/reading/columns.ts'
import type { Settings } from '../../state/store/settings.ts'
import { change, running, settings, table } from '../../state/store/store.ts'

type FitSettings = Settings['fit']

const set = (part: Partial<FitSettings>, key: string): void =>
  change({ fit: { ...settings.value.peek().fit, ...part } }, key)

export const FitForm = () => {
  const { from, to, seed, prior, smoothing, maxSeconds, variances = 'free' } = settings.value.value.fit
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
              check={is.whole(1, to - 1)}
              onValue={value => set({ from: value }, 'from')}
            />
            <NumberField
              label="to"
              value={to}
              check={is.whole(from + 1, MOST_CLASSES)}
              onValue={value => set({ to: value }, 'to')}
            />
          </div>
        ) : (
          <NumberField
            label="Classes"
            value={from}
            check={is.whole(1, MOST_CLASSES)}
            onValue={value => set({ from: value, to: value }, 'rank')}
          />
        )}
        <LinkFields />
      </fieldset>
      <details>
        <summary>More settings</summary>
        <fieldset disabled={running.value !== null} class="stack">
          <legend class="hidden">More settings</legend>
          <NumberField
            label="Seed"
            value={seed}
            check={FIT_OPTIONS.seed.check}
            onValue={value => set({ seed: value }, 'seed')}
            hint="The same data, settings and seed give the same result, here and on the command line."
          />
          <NumberField
            label="Prior (pseudo-counts)"
            value={prior}
            check={FIT_OPTIONS.pseudoCounts.check}
            onValue={value => set({ prior: value }, 'prior')}
            hint="Added to every category of every class; keeps probabilities away from 0 and 1 (default: 0)."
          />
          <SmoothingField value={smoothing} />
          <VariancesField value={variances} />
          <NumberField
            label={`Time limit, in ${FIT_OPTIONS.maxSeconds.unit}`}
            value={maxSeconds}
            check={FIT_OPTIONS.maxSeconds.check}
            onValue={value => set({ maxSeconds: value }, 'time')}
            onNone={() => set({ maxSeconds: null }, 'time')}
            hint="When the time is up, the best result so far is kept."
          />
          <GraphicsField />
        </fieldset>
      </details>
    </form>
  )
}

/** A switch, if there is a graphics device. */
const GraphicsField = () => {
  useEffect(() => void findGraphics(), [])
  const id = useId()
  const { graphics = false } = settings.value.value.fit
  if (!hasGraphics.value) return null
  return (
    <div class="field">
      <label class="check">
        <input
          type="checkbox"
          checked={graphics}
          aria-describedby={id}
          onChange={event => set({ graphics: event.currentTarget.checked }, 'graphics')}
        />
        Use the graphics device
      </label>
      <span id={id} class="small muted">
        Fits large tables faster. Small tables, and fits with smoothing or covariates, stay on the processor.
        {graphics && ' Results can differ slightly between devices.'}
      </span>
    </div>
  )
}

/** Only if rows belong together: how many classes groups have, or whether transitions differ between steps. */
const LinkFields = () => {
  const [opened, now] = [table.value, settings.value.value]
  const links = opened === null ? undefined : linksOf(opened, now)
  if (opened === null || links === undefined) return null
  const { groupClasses = DEFAULT_GROUP_CLASSES, sameTransitions, movingCovariates, stayers } = now.fit
  return links.person === undefined ? (
    <NumberField
      label={`Classes of ${columnsOf(opened, now, 'group')[0].name}`}
      value={groupClasses}
      check={is.whole(1, MOST_CLASSES)}
      onValue={value => set({ groupClasses: value }, 'groupClasses')}
      hint="Groups of the same class have the same class sizes. Compare several numbers by BIC."
    />
  ) : (
    <>
      <LinkCheck name="sameTransitions" checked={sameTransitions} label="The same transitions at every step" />
      {columnsOf(opened, now, 'covariate').length > 0 && (
        <LinkCheck name="movingCovariates" checked={movingCovariates} label="Covariates predict transitions too" />
      )}
      <LinkCheck name="stayers" checked={stayers} label="Some persons never change (needs three waves or more)" />
    </>
  )
}

const LinkCheck = ({
  name,
  checked = false,
  label,
}: {
  readonly name: 'sameTransitions' | 'movingCovariates' | 'stayers'
  readonly checked: boolean | undefined
  readonly label: string
}) => (
  <label class="check">
    <input type="checkbox" checked={checked} onChange={event => set({ [name]: event.currentTarget.checked }, name)} />
    {label}
  </label>
)

/** Only if some variable is a number. */
const VariancesField = ({ value }: { readonly value: NonNullable<FitSettings['variances']> }) => {
  const [opened, now] = [table.value, settings.value.value]
  if (opened === null || itemsOf(opened, now).every(({ item }) => item.kind !== 'normal')) return null
  return (
    <label class="field">
      <span>Standard deviations of numbers</span>
      <select
        value={value}
        onChange={event => set({ variances: event.currentTarget.value as typeof value }, 'variances')}
      >
        <option value="free">Each class has its own</option>
        <option value="equal">The same in all classes</option>
      </select>
    </label>
  )
}

const SmoothingField = ({ value }: { readonly value: FitSettings['smoothing'] }) => (
  <div class="field">
    <span id="smoothing-label">Smoothing of ordered variables</span>
    <div class="row">
      <select
        aria-labelledby="smoothing-label"
        aria-describedby="smoothing-hint"
        value={value === null ? 'none' : value === 'auto' ? 'auto' : 'width'}
        onChange={event => {
          const chosen = event.currentTarget.value
          set({ smoothing: chosen === 'none' ? null : chosen === 'auto' ? 'auto' : 1 }, 'smoothing')
        }}
      >
        <option value="none">None</option>
        <option value="auto">Width chosen by cross-validation</option>
        <option value="width">Fixed width:</option>
      </select>
      {typeof value === 'number' && (
        <NumberField
          label={`Width of smoothing, in ${FIT_OPTIONS.smoothing.unit}`}
          unseen
          value={value}
          check={FIT_OPTIONS.smoothing.check}
          onValue={width => set({ smoothing: width }, 'width')}
        />
      )}
    </div>
    <span id="smoothing-hint" class="small muted">
      Gives neighbouring categories (ages, hours, bins) similar probabilities.
    </span>
  </div>
)

interface NumberProps {
  readonly label: string
  /** What is in force; null where nothing is, which an empty field says. */
  readonly value: number | null
  /** What the number must be. */
  readonly check: Check
  readonly onValue: (value: number) => void
  /** Where the field may be empty. */
  readonly onNone?: () => void
  readonly hint?: string
  /** Whether the label is only read out. */
  readonly unseen?: boolean
}

/** A number. What is typed and cannot be used gives way to what is in force when the field is left, and it is said why. */
const NumberField = ({ label, value, check, onValue, onNone, hint, unseen }: NumberProps) => {
  const { least, most, whole: inSteps = false } = check.number ?? {}
  // What is being typed, which may not be of use yet.
  const [draft, setDraft] = useState<string | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const id = useId()
  const shown = value === null ? '' : `${value}`
  const described = [...(hint === undefined ? [] : [`${id}-hint`]), ...(fault === null ? [] : [id])].join(' ')
  /** The number in the field; null where it is empty, undefined where it is of no use. */
  const read = ({ value: text, validity }: HTMLInputElement): number | null | undefined => {
    if (text === '') return onNone === undefined || validity.badInput ? undefined : null
    return check.allows(Number(text)) ? Number(text) : undefined
  }
  return (
    <div class="number-field">
      <label class="field">
        <span class={unseen ? 'hidden' : ''}>{label}</span>
        <input
          type="number"
          min={least}
          max={most === Number.POSITIVE_INFINITY ? undefined : most}
          step={inSteps ? 1 : 0.1}
          value={draft ?? shown}
          placeholder={onNone === undefined ? undefined : 'none'}
          aria-describedby={described || undefined}
          onInput={({ currentTarget }) => {
            setDraft(currentTarget.value)
            setFault(null)
            const typed = read(currentTarget)
            if (typed === null) onNone?.()
            else if (typed !== undefined) onValue(typed)
          }}
          onBlur={({ currentTarget }) => {
            if (read(currentTarget) === undefined)
              setFault(`Must be ${check.rule}${onNone === undefined ? '' : ', or empty'}. Still ${shown || 'none'}.`)
            setDraft(null)
            currentTarget.value = shown
          }}
        />
      </label>
      {hint !== undefined && (
        <span id={`${id}-hint`} class="small muted">
          {hint}
        </span>
      )}
      <span id={id} class="small fault" aria-live="polite">
        {fault}
      </span>
    </div>
  )
}
