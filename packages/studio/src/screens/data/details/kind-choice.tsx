import type { Item } from '@polyad/core'
import type { InspectedColumn } from 'polyad/table'
import { canBe, KINDS_OF_VARIABLES, setItem, setRole } from '../../../state/reading/choices.ts'
import type { TableSummary } from '../../../worker/protocol.ts'
import { KIND_NAMES, KIND_WORDS } from '../columns/roles.ts'

interface Props {
  readonly column: InspectedColumn
  readonly opened: TableSummary
  readonly item: Item | undefined
}

/** What a variable is taken for: categories, a scale, a number or a count. */
export const KindChoice = ({ column, opened, item }: Props) => {
  const chosen = item?.kind ?? 'categorical'
  const kinds = KINDS_OF_VARIABLES.filter(kind => canBe(column, kind))
  if (kinds.length < 2) return null
  return (
    <div class="stack kind-choice">
      <fieldset class="role-choices" aria-label={`Treat ${column.name} as`}>
        {kinds.map(kind => (
          <button
            type="button"
            key={kind}
            aria-pressed={kind === chosen}
            title={KIND_WORDS[kind]}
            onClick={() => setRole(opened, [column], 'mode', kind)}
          >
            {KIND_NAMES[kind]}
          </button>
        ))}
      </fieldset>
      <p class="small muted">{KIND_WORDS[chosen]}</p>
      {item?.kind === 'normal' && <StepField column={column} step={item.step} />}
      {item?.kind === 'count' && (
        <label class="field">
          <span>Distribution</span>
          <select
            value={item.distribution ?? 'poisson'}
            onChange={event =>
              setItem(column, {
                kind: 'count',
                ...(event.currentTarget.value !== 'poisson' && { distribution: 'negative-binomial' }),
              })
            }
          >
            <option value="poisson">Poisson</option>
            <option value="negative-binomial">Negative binomial (varies more)</option>
          </select>
        </label>
      )}
    </div>
  )
}

/** To what a number was measured: 0.1 of 4.7. */
const StepField = ({ column, step }: { readonly column: InspectedColumn; readonly step: number | undefined }) => (
  <label class="field">
    <span>Measured to</span>
    <input
      type="number"
      min={0}
      step="any"
      placeholder="found in the data"
      value={step ?? ''}
      onInput={({ currentTarget: { value } }) => {
        const typed = Number(value)
        if (value === '') setItem(column, { kind: 'normal' }, `step ${column.name}`)
        else if (typed > 0 && Number.isFinite(typed))
          setItem(column, { kind: 'normal', step: typed }, `step ${column.name}`)
      }}
    />
    <span class="small muted">The distance between neighbouring values, such as 0.1.</span>
  </label>
)
