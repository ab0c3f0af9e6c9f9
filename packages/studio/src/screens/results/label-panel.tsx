import { intervalText } from '@polyad/core/model'
import { fixed, percent } from '../../components/numbers.ts'
import { numeric, Table } from '../../components/table.tsx'
import { figureHeading } from '../../components/term.tsx'
import { described, type ShownModel } from '../../state/results/class-profiles.ts'
import { labelFigures } from '../../state/results/label-figures.ts'
import { highlightedLabel, pinLabel, pinnedLabel } from './highlight.ts'

/** What the model says of the label that is pointed at or chosen. */
export const LabelPanel = ({ model, hint }: { readonly model: ShownModel; readonly hint?: string }) => {
  const [place, all] = [highlightedLabel.value, described.value]
  if (place === null || all === null) return hint === undefined ? null : <p class="small muted label-hint">{hint}</p>
  const { mode, label, overall, classes } = labelFigures(all, model, place)
  return (
    <section class={`label-panel${pinnedLabel.value === null ? '' : ' pinned'}`} aria-label="Chosen category">
      <div class="row label-head">
        <h2>
          <span class="muted">
            <bdi>{mode}</bdi>:
          </span>{' '}
          <bdi>{intervalText(label)}</bdi>
        </h2>
        {pinnedLabel.value !== null && (
          <button type="button" class="plain small" aria-label="Close the category" onClick={() => pinLabel(place)}>
            ×
          </button>
        )}
      </div>
      <p class="small">
        Overall <strong>{share(overall)}</strong>
        <span class="muted"> in all classes together</span>
      </p>
      <Table
        label="The category by class"
        tableClass="label-table"
        headings={['class', numeric('in class'), figureHeading('lift', 'lift'), 'of all with it']}
      >
        {classes.map(({ probability, posterior, lift }, k) => (
          <tr key={model.classes[k].k} style={{ '--colour': model.classes[k].colour }}>
            <th scope="row">
              <span class="swatch" /> <bdi>{model.classes[k].name}</bdi>
            </th>
            <td class="number">{share(probability)}</td>
            <td class="number">{lift === null ? '–' : `${fixed(lift, lift < 10 ? 2 : 0)}×`}</td>
            <td>
              <span class="meter">
                <span style={{ width: `${100 * (posterior ?? 0)}%` }} />
              </span>
              <span class="number small">{posterior === null ? '–' : share(posterior)}</span>
            </td>
          </tr>
        ))}
      </Table>
    </section>
  )
}

const share = (value: number): string => (value < 5e-5 ? '0%' : percent(value, value < 0.01 ? 2 : 1))
