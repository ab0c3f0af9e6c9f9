import { useSignal } from '@preact/signals'
import type { InspectedColumn } from 'polyad/table'
import { isUsable } from '../../../state/reading/choices.ts'
import { figuresFault } from '../../../state/reading/column-distributions.ts'
import {
  type Draft,
  draftsOf,
  needsValue,
  TEST_NAMES,
  TESTS,
  type Test,
  textOfDrafts,
} from '../../../state/reading/filter-drafts.ts'
import type { FilterProps } from './filter-text.tsx'

/** Conditions to choose: a column, a comparison and a value. Those that lack a value are not used yet. */
export const FilterBuilder = ({ opened, where, onWhere }: FilterProps) => {
  const usable = opened.columns.filter(isUsable)
  const fresh: Draft = { column: usable[0]?.name ?? '', test: '=', value: '' }
  const own = useSignal<readonly Draft[] | null>(null)
  // What was undone, or opened with a project, takes the place of what is being put together.
  const kept = own.value !== null && textOfDrafts(own.value, usable) === where ? own.value : null
  const given = kept ?? draftsOf(where) ?? []
  const drafts = given.length === 0 ? [fresh] : given
  const set = (to: readonly Draft[]) => {
    own.value = to
    onWhere(textOfDrafts(to, usable))
  }
  const replaced = (i: number, part: Partial<Draft>) =>
    set(drafts.map((draft, j) => (j === i ? { ...draft, ...part } : draft)))
  return (
    <div class="filter-builder">
      {drafts.map((draft, i) => (
        <fieldset class="filter-line" key={i} aria-label={`Condition ${i + 1}`}>
          <span class="small muted filter-and">{i === 0 ? '' : 'and'}</span>
          <select
            aria-label="Column"
            value={draft.column}
            onChange={event => replaced(i, { column: event.currentTarget.value, value: '' })}
          >
            {usable.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
          <select
            aria-label="Comparison"
            value={draft.test}
            onChange={event => replaced(i, { test: event.currentTarget.value as Test })}
          >
            {TESTS.map(test => (
              <option key={test} value={test}>
                {TEST_NAMES[test]}
              </option>
            ))}
          </select>
          <ValueField
            draft={draft}
            column={usable.find(({ name }) => name === draft.column)}
            list={`filter-values-${i}`}
            onValue={value => replaced(i, { value })}
          />
          <button
            type="button"
            class="plain"
            aria-label={`Remove condition ${i + 1}`}
            disabled={drafts.length === 1 && draft.value === '' && needsValue(draft.test)}
            onClick={() => set(drafts.filter((_, j) => j !== i))}
          >
            ×
          </button>
        </fieldset>
      ))}
      <div>
        <button type="button" class="small" onClick={() => set([...drafts, fresh])}>
          Add condition
        </button>
      </div>
      {where !== '' && figuresFault.value !== null && (
        <p class="note error" role="status">
          {figuresFault.value}
        </p>
      )}
    </div>
  )
}

interface ValueProps {
  readonly draft: Draft
  readonly column: InspectedColumn | undefined
  /** Of its proposals: a name that no other has. */
  readonly list: string
  readonly onValue: (value: string) => void
}

const ValueField = ({ draft: { test, value }, column, list, onValue }: ValueProps) => {
  if (!needsValue(test)) return <span class="filter-value" />
  const several = test === 'in' || test === 'not in'
  return (
    <span class="filter-value">
      <input
        type="text"
        aria-label="Value"
        placeholder={several ? 'values, with commas' : 'value'}
        inputMode={column?.kind === 'number' && !several ? 'decimal' : 'text'}
        value={value}
        {...(!several && { list })}
        onInput={event => onValue(event.currentTarget.value)}
      />
      <datalist id={list}>
        {column?.values.map(({ text }) => (
          <option key={text} value={text} />
        ))}
      </datalist>
    </span>
  )
}
