import { classHeading, type Heading, Table } from '../../components/table.tsx'
import type { ShownModel } from '../../state/results/class-profiles.ts'

interface Props {
  readonly label: string
  /** Over the names of the rows. */
  readonly corner: Heading
  readonly model: ShownModel
  readonly rows: readonly {
    readonly name: string
    /** By class; the larger its part of 1, the more colour a cell has. */
    readonly cells: readonly { readonly text: string; readonly part: number }[]
  }[]
}

/** Rows of numbers, one for each class of the model. */
export const ClassTable = ({ label, corner, model, rows }: Props) => (
  <Table
    label={label}
    tableClass="confusion"
    headings={[corner, ...model.classes.map(({ name, colour }) => classHeading(name, colour))]}
  >
    {rows.map(({ name, cells }, i) => (
      <tr key={i}>
        <th scope="row">
          <bdi>{name}</bdi>
        </th>
        {cells.map(({ text, part }, k) => (
          <td
            key={model.classes[k].k}
            class="number"
            style={{ '--colour': model.classes[k].colour, '--part': `${45 * part}%` }}
          >
            {text}
          </td>
        ))}
      </tr>
    ))}
  </Table>
)
