import { count, counted, percent } from '../../components/numbers.ts'
import { named, numeric, Table } from '../../components/table.tsx'
import { classColours, classNames } from '../../state/results/chosen.ts'
import { matchKnown } from '../../state/results/match-known.ts'
import type { Confusion } from '../../worker/protocol.ts'

/** More known classes than this are none: the column holds something else. */
const MOST_KNOWN = 100

interface Props {
  readonly confusion: Confusion
  /** Whose rows they are. */
  readonly of: string
}

/** Known classes beside those of the model, and how far they agree. */
export const ConfusionTable = ({ confusion, of }: Props) => {
  const { column, known, table } = confusion
  const unit = confusion.count === null ? 'row' : 'observation'
  if (known.length === 0) return <p class="muted">The column {column} is empty: there is nothing to compare with.</p>
  if (known.length > MOST_KNOWN)
    return (
      <p class="note warning">
        The column {column} has {count(known.length)} different values: too many for known classes.
      </p>
    )
  const { standsFor, agreeing, rows } = matchKnown(confusion)
  return (
    <div class="stack">
      <p>
        <strong>
          {count(agreeing)} of {counted(rows, unit)} agree ({percent(agreeing / (rows || 1))})
        </strong>{' '}
        if each class is matched with the value of <bdi>{column}</bdi> that it fits best
        {known.length === 1 ? '' : ', each value once'}.
      </p>
      <Table
        label={`Rows of ${of} by ${column} and class`}
        tableClass="confusion"
        headings={[
          named(column),
          ...classNames.value.map((name, k) =>
            numeric(
              <>
                <span class="swatch" style={{ '--colour': classColours.value[k] }} /> <bdi>{name}</bdi>
                <br />
                <span class="small muted">{likeOf(known, standsFor[k])}</span>
              </>,
            ),
          ),
          numeric(`${unit}s`),
        ]}
      >
        {known.map((value, i) => {
          const sum = table[i].reduce((total, each) => total + each, 0)
          return (
            <tr key={value}>
              <th scope="row">
                <bdi>{value}</bdi>
              </th>
              {table[i].map((each, k) => (
                <td key={`${k}`} class={standsFor[k] === i ? 'number matched' : 'number'}>
                  {each === 0 ? <span class="muted">0</span> : count(each)}
                </td>
              ))}
              <td class="number">{count(sum)}</td>
            </tr>
          )
        })}
      </Table>
    </div>
  )
}

const likeOf = (known: readonly string[], like: number | null) =>
  like === null ? (
    'no match'
  ) : (
    <>
      = <bdi>{known[like]}</bdi>
    </>
  )
