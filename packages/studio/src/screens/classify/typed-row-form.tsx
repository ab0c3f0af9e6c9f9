import type { Label, Mode } from '@polyad/core'
import { intervalText, isNumber } from '@polyad/core/model'
import type { ModeRecipe } from 'polyad/table'
import { useState } from 'preact/hooks'
import { ClassBars } from '../../components/class-bars.tsx'
import { count, fixed, percent } from '../../components/numbers.ts'
import { chosenLabels, chosenModel, chosenRecipe, classNames } from '../../state/results/chosen.ts'
import {
  classifyTyped,
  inIntervals,
  intervalOf,
  isNumberBinning,
  type TypedResult,
  type TypedRow,
} from '../../state/results/typed-row.ts'

/** More labels than this are typed, with proposals. */
const MOST_OPTIONS = 40
/** Proposals of a field; a list of many thousands is slow, and nobody reads it. */
const MOST_PROPOSALS = 500

interface Field {
  readonly name: string
  readonly labels: readonly Label[]
  /** A number: as a covariate, or as a variable. */
  readonly number?: boolean | undefined
  /** A variable that was cut: it is asked for as a number. */
  readonly cut?: { readonly mode: Mode; readonly binning: NonNullable<ModeRecipe['binning']> }
}

/** One row, typed, and what the model says of it at once. */
export const TypedRowForm = () => {
  const [row, setRow] = useState<TypedRow>({})
  const [opened, recipe] = [chosenModel.value, chosenRecipe.value]
  if (opened === null || recipe === null) return null
  const { model } = opened
  const fields: Field[] = [
    ...model.modes.map((mode, n) => {
      const { binning } = recipe.modes[n] ?? {}
      return {
        name: mode.name,
        labels: mode.labels ?? Array.from({ length: mode.size }, (_, j) => mode.label(j)),
        ...(isNumberBinning(binning) && { cut: { mode, binning } }),
        number: model.items[n] !== undefined && isNumber(model.items[n].spec),
      }
    }),
    ...model.structure.given.map(({ name, labels, numeric }) => ({ name, labels, number: numeric })),
  ]
  const result = classifyTyped(model, inIntervals(model, recipe, row))
  const set = (name: string, value: string) => setRow({ ...row, [name]: value })
  return (
    <section class="typed" aria-labelledby="typed-title">
      <div class="stack">
        <h2 id="typed-title">Classify one row</h2>
        <p class="muted">Choose what you know and leave the rest unknown.</p>
        <form class="answers" onSubmit={event => event.preventDefault()}>
          {fields.map((field, n) => (
            <FieldOf
              key={field.name}
              list={`labels-${n}`}
              field={field}
              value={row[field.name] ?? ''}
              onValue={v => set(field.name, v)}
            />
          ))}
        </form>
        <div class="row">
          <button type="button" onClick={() => setRow({})} disabled={Object.values(row).every(value => value === '')}>
            Clear answers
          </button>
        </div>
      </div>
      <Result result={result} />
    </section>
  )
}

interface FieldProps {
  readonly field: Field
  /** Of its proposals: a name that no other has. */
  readonly list: string
  readonly value: string
  readonly onValue: (value: string) => void
}

const FieldOf = ({ field: { name, labels, number, cut }, list, value, onValue }: FieldProps) => {
  const shown = chosenLabels.value
  const called = <bdi>{shown.name(name)}</bdi>
  if (cut)
    return (
      <label class="field">
        {called}
        <input
          type="number"
          step="any"
          value={value}
          placeholder="unknown"
          onInput={event => onValue(event.currentTarget.value)}
        />
        <span class="small muted">{intervalWords(cut, value)}</span>
      </label>
    )
  if (number)
    return (
      <label class="field">
        {called}
        <input
          type="number"
          step="any"
          value={value}
          placeholder="unknown"
          onInput={event => onValue(event.currentTarget.value)}
        />
      </label>
    )
  if (labels.length <= MOST_OPTIONS)
    return (
      <label class="field">
        {called}
        <select value={value} onChange={event => onValue(event.currentTarget.value)}>
          <option value="">unknown</option>
          {labels.map(label => (
            <option key={`${label}`} value={`${label}`}>
              {intervalText(shown.value(name, label))}
            </option>
          ))}
        </select>
      </label>
    )
  return (
    <label class="field">
      {called}
      <input
        type="text"
        list={list}
        value={value}
        placeholder="unknown"
        onInput={event => onValue(event.currentTarget.value)}
      />
      <datalist id={list}>
        {labels.slice(0, MOST_PROPOSALS).map(label => (
          <option key={`${label}`} value={`${label}`} />
        ))}
      </datalist>
      <span class="small muted">one of {count(labels.length)} categories</span>
    </label>
  )
}

/** The interval that a number falls into, or all of them. */
const intervalWords = ({ mode, binning }: NonNullable<Field['cut']>, value: string): string => {
  if (value === '')
    return `a number; cut into ${count(mode.size)} bins: ${intervalText(`${mode.label(0)}`)}, …, ${intervalText(`${mode.label(mode.size - 1)}`)}`
  const label = intervalOf(mode, binning, value)
  return label === undefined ? 'outside the bins of the model' : `in the bin ${intervalText(`${label}`)}`
}

/** Answers that are named: the clearest ones. */
const NAMED = 8

const Result = ({ result }: { readonly result: TypedResult }) => {
  const { probabilities, class: best, logLikelihood, answers, unseen, lacking } = result
  const name = classNames.value[best]
  const possible = Number.isFinite(logLikelihood)
  return (
    <div class="panel stack" aria-live="polite">
      <h3>
        {answers.length === 0 ? (
          'No answers yet'
        ) : possible ? (
          <>
            Most probably <bdi>{name}</bdi>: {percent(probabilities[best])}
          </>
        ) : (
          'Impossible under this model'
        )}
      </h3>
      <ClassBars parts={probabilities} />
      {answers.length === 0 && lacking.length === 0 && unseen.length === 0 && (
        <p class="small muted">The bars show the class sizes.</p>
      )}
      {answers.length > 0 && !possible && (
        <p class="note warning">No class allows this combination of answers. The bars show the class sizes.</p>
      )}
      {unseen.length > 0 && (
        <p class="note warning">
          The model has never seen these answers and treats them as unknown: {unseen.join(', ')}.
        </p>
      )}
      {lacking.length > 0 && (
        <p class="note warning">
          Membership depends on {lacking.join(', ')}, which is unknown here. The class sizes are used instead.
        </p>
      )}
      {answers.length > 0 && possible && (
        <>
          <p class="small muted">
            Log-probability of these answers: {fixed(logLikelihood, 3)} (probability{' '}
            {Math.exp(logLikelihood).toPrecision(3)})
          </p>
          {probabilities.length > 1 && <Evidence answers={answers} name={name} />}
        </>
      )}
    </div>
  )
}

const Evidence = ({ answers, name }: { readonly answers: TypedResult['answers']; readonly name: string }) => (
  <div>
    <h3>
      Evidence for <bdi>{name}</bdi>
    </h3>
    <ul class="evidence">
      {answers.slice(0, NAMED).map(({ mode, label, times }) => (
        <li key={mode}>
          <span aria-hidden="true">{times > 1.05 ? '+' : times < 0.95 ? '−' : '≈'}</span>{' '}
          <bdi>{chosenLabels.value.name(mode)}</bdi>: <bdi>{intervalText(chosenLabels.value.value(mode, label))}</bdi>,{' '}
          {inWords(times)}
        </li>
      ))}
    </ul>
    {answers.length > NAMED && <p class="small muted">and {count(answers.length - NAMED)} weaker ones</p>}
  </div>
)

const inWords = (times: number): string => {
  if (times === Number.POSITIVE_INFINITY) return 'found in no other class'
  if (times === 0) return 'never found in this class'
  if (times > 0.95 && times < 1.05) return 'as frequent as in the other classes'
  return times > 1
    ? `${short(times)} times as frequent as in the other classes`
    : `${short(1 / times)} times less frequent than in the other classes`
}

const short = (times: number): string =>
  times >= 1000 ? 'over 1,000' : `${Number(times.toPrecision(times < 10 ? 2 : 3))}`
