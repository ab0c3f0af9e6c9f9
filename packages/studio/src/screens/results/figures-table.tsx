import { type FitFigures, isDoubtful, statisticsOn } from 'polyad/report'
import { count, counted, percent } from '../../components/numbers.ts'
import { numeric, Table } from '../../components/table.tsx'
import { FigureName } from '../../components/term.tsx'
import type { ShownModel } from '../../state/results/class-profiles.ts'
import { ClassTable } from './class-table.tsx'
import { Part } from './profiles-tab.tsx'

/** The figures of a fit, beside those of one class where they are of the same data. */
export const Figures = ({ figures, one }: { readonly figures: FitFigures; readonly one: FitFigures | undefined }) => {
  const all = one === undefined ? [figures] : [figures, one]
  return (
    <>
      <Table
        label="Table of fit statistics"
        headings={[
          null,
          ...[counted(figures.rank, 'class', 'classes'), ...(one === undefined ? [] : ['one class'])].map(numeric),
        ]}
      >
        <tr>
          <th scope="row">observations</th>
          {all.map(({ rank, total }) => (
            <td key={rank} class="number">
              {count(total)}
            </td>
          ))}
        </tr>
        <tr>
          <th scope="row">distinct combinations</th>
          {all.map(({ rank, cells }) => (
            <td key={rank} class="number">
              {count(cells)}
            </td>
          ))}
        </tr>
        {statisticsOn('studio').flatMap(({ key, name, term, value, text }) =>
          value(figures) === undefined
            ? []
            : [
                <tr key={key}>
                  <th scope="row">
                    <FigureName name={name} term={term} />
                  </th>
                  {all.map(each => (
                    <td key={each.rank} class="number">
                      {text(each)}
                      {isDoubtful(key, each) && ' *'}
                    </td>
                  ))}
                </tr>,
              ],
        )}
      </Table>
      {isDoubtful('pValue', figures) && (
        <p class="small muted">* Unreliable: the table is too sparse for this test. Use the bootstrap test instead.</p>
      )}
    </>
  )
}

/** How well the classes are told apart. */
export const Classification = ({
  model,
  rows,
}: {
  readonly model: ShownModel
  readonly rows: FitFigures['averagePosteriors']
}) => (
  <Part
    title="Classification"
    words="Mean class probabilities of the observations assigned to each class (rows). High values on the diagonal mean well-separated classes."
  >
    <ClassTable
      label="Mean class probabilities"
      corner="assigned to"
      model={model}
      rows={rows.map((row, k) => ({
        name: model.classes[k].name,
        cells: model.classes.map((_, l) =>
          row === null ? { text: '–', part: 0 } : { text: percent(row[l]), part: row[l] },
        ),
      }))}
    />
  </Part>
)
