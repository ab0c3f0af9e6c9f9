import { intervalText } from '@polyad/core/model'
import { useMemo, useState } from 'preact/hooks'
import { counted, percent } from '../../components/numbers.ts'
import { described, type ShownModel, shownModel } from '../../state/results/class-profiles.ts'
import { findLabels, type ListedLabel } from '../../state/results/label-figures.ts'
import { pinLabel, pinnedLabel } from './highlight.ts'
import { LabelPanel } from './label-panel.tsx'

/** Labels that are listed at once. */
const SHOWN = 100

/** All labels of all modes: a label shows its classes. */
export const LabelsTab = () => {
  const [model, all] = [shownModel.value, described.value]
  const [text, setText] = useState('')
  const [most, setMost] = useState(SHOWN)
  const found = useMemo(() => (model === null || all === null ? [] : findLabels(all, model, text)), [model, all, text])
  if (model === null) return null
  return (
    <div class="with-aside">
      <div class="stack">
        <label class="field search">
          <span>Search variables and categories</span>
          <input
            type="search"
            value={text}
            onInput={event => {
              setText(event.currentTarget.value)
              setMost(SHOWN)
            }}
          />
        </label>
        <output class="small muted">
          {counted(found.length, 'category', 'categories')}{' '}
          {model.rank > 1 && ', each with its frequency and its most likely class'}
        </output>
        {groups(found.slice(0, most)).map(labels => (
          <section key={labels[0].mode} aria-label={labels[0].of}>
            <h2>
              <bdi>{labels[0].of}</bdi>
            </h2>
            <ul class="label-list">
              {labels.map(each => (
                <LabelItem key={each.label} own={each} model={model} />
              ))}
            </ul>
          </section>
        ))}
        {found.length > most && (
          <div>
            <button type="button" onClick={() => setMost(most + 5 * SHOWN)}>
              Show more of {counted(found.length, 'category', 'categories')}
            </button>
          </div>
        )}
      </div>
      <aside class="stack" aria-label="The category and its classes">
        <LabelPanel model={model} hint="Choose a category to see its classes here." />
      </aside>
    </div>
  )
}

/** The labels of each mode by themselves: they come mode by mode. */
const groups = (labels: readonly ListedLabel[]): ListedLabel[][] => {
  const found: ListedLabel[][] = []
  for (const label of labels) {
    const last = found[found.length - 1]
    if (last?.[0].mode === label.mode) last.push(label)
    else found.push([label])
  }
  return found
}

const LabelItem = ({ own, model }: { readonly own: ListedLabel; readonly model: ShownModel }) => {
  const { mode, label, name, overall, class: k, posterior } = own
  const pinned = pinnedLabel.value
  return (
    <li>
      <button
        type="button"
        aria-pressed={pinned?.mode === mode && pinned.label === label}
        style={{ '--colour': model.classes[k].colour }}
        onClick={() => pinLabel({ mode, label })}
      >
        <bdi class="label-name">{intervalText(name)}</bdi>
        <span class="small muted unbroken">{percent(overall)}</span>
        {model.rank > 1 && (
          <span class="small label-class">
            <span class="swatch" /> <bdi>{model.classes[k].name}</bdi>{' '}
            <span class="unbroken">{percent(posterior, 0)}</span>
          </span>
        )}
      </button>
    </li>
  )
}
