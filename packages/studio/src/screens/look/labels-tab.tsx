import { useMemo, useState } from 'preact/hooks'
import { counted, percent } from '../../parts/numbers.ts'
import { findLabels } from '../../state/label-figures.ts'
import { looked, shownModel } from '../../state/looked.ts'
import { frontLabel, pinLabel, pinnedLabel } from './front.ts'
import { LabelPanel } from './label-panel.tsx'

/** Labels that are listed at once. */
const SHOWN = 100

/** All labels of all modes: a label shows its classes. */
export const LabelsTab = () => {
  const [model, all] = [shownModel.value, looked.value]
  const [text, setText] = useState('')
  const [most, setMost] = useState(SHOWN)
  const found = useMemo(() => (model === null || all === null ? [] : findLabels(all, model, text)), [model, all, text])
  if (model === null) return null
  return (
    <div class="beside">
      <div class="stack">
        <label class="field search">
          <span>Search labels and modes</span>
          <input
            type="search"
            value={text}
            onInput={event => {
              setText(event.currentTarget.value)
              setMost(SHOWN)
            }}
          />
        </label>
        <output class="small muted">{counted(found.length, 'label')}</output>
        <ul class="label-list">
          {found.slice(0, most).map(({ mode, label, name, of, overall, class: k, posterior }, i) => (
            <li key={`${mode} ${label}`}>
              {(i === 0 || found[i - 1].mode !== mode) && (
                <h3>
                  <bdi>{of}</bdi>
                </h3>
              )}
              <button
                type="button"
                aria-pressed={pinnedLabel.value?.mode === mode && pinnedLabel.value.label === label}
                class={frontLabel.value?.mode === mode && frontLabel.value.label === label ? 'front' : ''}
                style={{ '--colour': model.classes[k].colour }}
                onClick={() => pinLabel({ mode, label })}
              >
                <bdi class="label-name">{name}</bdi>
                <span class="small muted">{percent(overall)}</span>
                {model.rank > 1 && (
                  <span class="small label-class">
                    <span class="swatch" /> <bdi>{model.classes[k].name}</bdi> {percent(posterior, 0)}
                  </span>
                )}
              </button>
            </li>
          ))}
        </ul>
        {found.length > most && (
          <div>
            <button type="button" onClick={() => setMost(most + 5 * SHOWN)}>
              Show more of {counted(found.length, 'label')}
            </button>
          </div>
        )}
      </div>
      <aside class="stack" aria-label="The label and its classes">
        <LabelPanel model={model} hint="Choose a label to see its classes here." />
      </aside>
    </div>
  )
}
