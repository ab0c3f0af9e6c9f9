import type { FileHead } from 'polyad/table'
import { Scrolled } from '../../../components/table.tsx'

interface Props {
  readonly head: FileHead
  /** Says that a row, counted from 0, names the columns. */
  readonly onNames: (row: number) => void
}

/** What a row of the file is taken for. */
const partOf = (row: number, { names: [from, to] }: FileHead): 'title' | 'names' | 'data' =>
  row < from ? 'title' : row < to ? 'names' : 'data'

const PARTS = { title: 'left out', names: 'names', data: 'data' } as const

/** The first rows as they stand in the file, and what each is taken for; a click says which one names the columns. */
export const HeadRows = ({ head, onNames }: Props) => {
  const width = head.rows.reduce((most, row) => Math.max(most, row.length), 0)
  return (
    <div class="head-rows">
      <p class="small muted">The first rows of the file. Click the row that names the columns.</p>
      <Scrolled label="The first rows of the file">
        <table class="preview">
          <tbody>
            {head.rows.map((row, i) => {
              const part = partOf(i, head)
              return (
                <tr key={i} class={part} onClick={() => onNames(i)}>
                  <th scope="row">
                    <button
                      type="button"
                      class="plain small"
                      aria-pressed={part === 'names'}
                      aria-label={`Row ${i + 1} names the columns`}
                      onClick={event => {
                        event.stopPropagation()
                        onNames(i)
                      }}
                    >
                      {i + 1}
                    </button>
                  </th>
                  <td class="small muted">{PARTS[part]}</td>
                  {Array.from({ length: width }, (_, j) => (
                    <td key={j}>
                      <bdi>{row[j]}</bdi>
                    </td>
                  ))}
                </tr>
              )
            })}
          </tbody>
        </table>
      </Scrolled>
    </div>
  )
}
