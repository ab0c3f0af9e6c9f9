import { CRITERIA } from '@polyad/core/stats'
import type { FitFigures } from 'polyad/report'
import { count, counted, fixed, percent, pValue } from '../../parts/numbers.ts'
import { numeric, Table } from '../../parts/table.tsx'
import { FigureName } from '../../parts/term.tsx'
import type { ShownModel } from '../../state/results/looked.ts'
import { ClassTable } from './class-table.tsx'
import { isWeighted } from './findings.ts'
import { Part } from './profiles-tab.tsx'

/** The figures of a fit, beside those of one class where they are of the same data. */
export const Figures = ({ figures, one }: { readonly figures: FitFigures; readonly one: FitFigures | undefined }) => {
  const both = (of: (figures: FitFigures) => string): readonly [string, string] => [
    of(figures),
    one === undefined ? '–' : of(one),
  ]
  const p = ({ pValue: value, sparse }: FitFigures) => `${pValue(value)}${sparse && value !== null ? ' *' : ''}`
  const entries: readonly (readonly [name: string, values: readonly [string, string]])[] = [
    ['observations', both(({ total }) => count(total))],
    ['distinct combinations', both(({ cells }) => count(cells))],
    ['log-likelihood', both(({ logLikelihood }) => fixed(logLikelihood, 4))],
    ['free parameters', both(({ parameters }) => count(parameters))],
    ['degrees of freedom', both(({ degreesOfFreedom }) => count(degreesOfFreedom))],
    ...CRITERIA.flatMap(({ key, title }) =>
      figures.criteria[key] === undefined
        ? []
        : [[title, both(({ criteria }) => fixed(criteria[key], key === 'heldOut' ? 4 : 2))] as const],
    ),
    ['G²', both(({ gSquared }) => fixed(gSquared, 2))],
    ['X²', both(({ chiSquared }) => fixed(chiSquared, 2))],
    ['Cressie–Read', both(({ cressieRead }) => fixed(cressieRead, 2))],
    ['p (G²)', both(p)],
    ['relative entropy', both(({ rank, relativeEntropy }) => (rank === 1 ? '–' : fixed(relativeEntropy, 3)))],
    ['classification error', both(({ classificationError }) => percent(classificationError))],
    ['smallest class', both(({ smallestClass }) => percent(smallestClass))],
  ]
  return (
    <>
      <Table
        label="Fit statistics"
        headings={[
          null,
          ...[counted(figures.rank, 'class', 'classes'), ...(one === undefined ? [] : ['one class'])].map(numeric),
        ]}
      >
        {entries.map(([name, [own, other]]) => (
          <tr key={name}>
            <th scope="row">
              <FigureName name={name} />
            </th>
            <td class="number">{own}</td>
            {one !== undefined && <td class="number">{other}</td>}
          </tr>
        ))}
      </Table>
      {figures.sparse && figures.pValue !== null && (
        <p class="small muted">
          * Unreliable: the table is too sparse for this test.
          {isWeighted.value ? '' : ' Use the bootstrap test instead.'}
        </p>
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
