import type { InspectedColumn } from 'polyad/table'
import { count } from '../../parts/numbers.ts'
import { binOf, roleOf } from '../../state/reading/columns.ts'
import { type ColumnChoice, ROLES, type Role } from '../../state/settings.ts'
import { change, settings } from '../../state/store.ts'
import { pageWords } from '../../worker/page-naming.ts'
import type { TableSummary } from '../../worker/protocol.ts'
import { BinField } from './bin-field.tsx'

const USES: Readonly<Record<Role, string>> = {
  mode: 'Variable',
  count: 'Frequency: how often a row counts',
  weight: 'Sampling weight',
  class: 'Known class: for comparison',
  covariate: 'Covariate: predicts membership',
  ignore: 'Excluded',
}

const choose = (name: string, part: ColumnChoice, key: string): void => {
  const { columns } = settings.value.peek()
  change({ columns: { ...columns, [name]: { ...columns[name], ...part } } }, `${key} ${name}`)
}

/** A use, with the cut that is proposed where it needs one: a number explains membership as it is, but is no mode. */
const chosen = ({ name, kind, bins }: InspectedColumn, role: Role): ColumnChoice => {
  const used = role === 'mode' || (role === 'covariate' && kind === 'date')
  const cut = settings.value.peek().columns[name]?.bin
  return used && bins !== undefined && cut === undefined ? { role, bin: bins } : { role }
}

/** Every column: what it looks like, what it is used as and why, and how it is cut. */
export const Columns = ({ opened }: { readonly opened: TableSummary }) => (
  <section aria-labelledby="columns-title">
    <div class="row columns-head">
      <h2 id="columns-title">Columns</h2>
      <AllColumns opened={opened} />
    </div>
    <ul class="columns">
      {opened.columns.map(column => (
        <Column key={column.name} column={column} opened={opened} />
      ))}
    </ul>
  </section>
)

/** Tables of a hundred columns want a word for all at once. */
const AllColumns = ({ opened }: { readonly opened: TableSummary }) => {
  const all = (role: Role | undefined) => {
    const { columns } = settings.value.peek()
    const next = opened.columns.map(({ name, kind }) => {
      const { role: _, ...rest } = columns[name] ?? {}
      return [name, role === undefined || kind === 'nested' || kind === 'empty' ? rest : { ...rest, role }] as const
    })
    change({ columns: Object.fromEntries(next) })
  }
  return opened.columns.length < 6 ? null : (
    <div class="row">
      <button type="button" class="plain" onClick={() => all('ignore')}>
        Exclude all
      </button>
      <button type="button" class="plain" onClick={() => all(undefined)}>
        Reset to suggestions
      </button>
    </div>
  )
}

const Column = ({ column, opened }: { readonly column: InspectedColumn; readonly opened: TableSummary }) => {
  const { name, title, kind, distinct, missing, values, guess, reasonWording } = column
  const now = settings.value.value
  const role = roleOf(column, now)
  // Only the first rows of a long table are looked at.
  const among = opened.length === null || opened.length > opened.rows ? ` in the first ${count(opened.rows)} rows` : ''
  const unusable = kind === 'nested' || kind === 'empty'
  // Numbers of few values are categories already.
  const cuttable =
    (role === 'mode' || role === 'covariate') &&
    (kind === 'date' || column.bins !== undefined || binOf(column, now) !== undefined)
  return (
    <li class={`column ${role}`}>
      <div class="column-name">
        <strong>
          <bdi>{name}</bdi>
        </strong>
        {title !== undefined && (
          <span class="small">
            <bdi>{title}</bdi>
          </span>
        )}
        <span class="small muted">
          {KINDS[kind]}
          {unusable ? '' : `, ${count(distinct)} different${among}`}
          {missing > 0 && !unusable ? `, ${count(missing)} missing` : ''}
        </span>
      </div>
      <div class="column-use">
        <select
          aria-label={`Use of ${name}`}
          value={role}
          disabled={unusable}
          onChange={event => choose(name, chosen(column, event.currentTarget.value as Role), 'role')}
        >
          {ROLES.map(each => (
            <option key={each} value={each}>
              {USES[each]}
            </option>
          ))}
        </select>
        {reasonWording !== '' && (
          <span class="small muted">
            {role === guess ? pageWords(reasonWording) : `suggested: ${USES[guess].split(':')[0].toLowerCase()}`}
          </span>
        )}
      </div>
      <Values column={column} values={values} rows={opened.rows} />
      {cuttable && (
        <BinField
          column={column}
          inMemory={opened.place === 'page'}
          onBin={bin => {
            const { columns } = settings.value.peek()
            const { bin: _, ...rest } = columns[name] ?? {}
            change({ columns: { ...columns, [name]: bin === undefined ? rest : { ...rest, bin } } }, `bin ${name}`)
          }}
        />
      )}
      <MissingCodes column={column} opened={opened} />
    </li>
  )
}

const KINDS: Readonly<Record<InspectedColumn['kind'], string>> = {
  text: 'text',
  number: 'numbers',
  date: 'dates or times',
  nested: 'lists or records (not supported)',
  empty: 'empty',
}

/** The most frequent values, with bars. */
const Values = ({
  column,
  values,
  rows,
}: {
  readonly column: InspectedColumn
  readonly values: InspectedColumn['values']
  readonly rows: number
}) => {
  const shown = values.slice(0, 5)
  const most = shown.reduce((high, { count: n }) => Math.max(high, n), 1)
  const rest = column.distinct - shown.length
  return (
    <ul class="values" aria-label={`Frequent values of ${column.name}`}>
      {shown.map(({ text, count: n }) => (
        <li key={text}>
          <span class="bar" style={{ width: `${(100 * n) / most}%` }} />
          <span class="value-text">
            <bdi>{text === '' ? '(empty)' : text}</bdi>
          </span>
          <span class="number small muted">{((100 * n) / Math.max(rows, 1)).toFixed(0)} %</span>
        </li>
      ))}
      {rest > 0 && <li class="small muted">and {count(rest)} more</li>}
    </ul>
  )
}

/** Values that look like codes for missing ones, to be taken as such at a click, and those that were. */
const MissingCodes = ({ column, opened }: { readonly column: InspectedColumn; readonly opened: TableSummary }) => {
  const { missing, columns } = settings.value.value
  const own = columns[column.name]?.missing ?? []
  const proposed = column.missingCodes.filter(code => !missing.includes(code) && !own.includes(code))
  if (proposed.length === 0 && own.length === 0) return null
  return (
    <p class="note warning small column-codes">
      {proposed.length > 0 && 'May be a missing code: '}
      {proposed.map(code => {
        const like = opened.columns.filter(({ missingCodes }) => missingCodes.includes(code))
        return (
          <button type="button" key={code} onClick={() => takeAsMissing(like, code)}>
            <bdi>{code}</bdi> is missing{like.length > 1 ? ` in ${count(like.length)} variables` : ''}
          </button>
        )
      })}
      {own.length > 0 && 'Treated as missing: '}
      {own.map(code => (
        <button type="button" key={code} title="treat it as a value again" onClick={() => takeAsValue(column, code)}>
          <bdi>{code}</bdi> ×
        </button>
      ))}
    </p>
  )
}

/** Makes a code missing in all columns for which it was proposed. */
const takeAsMissing = (like: readonly InspectedColumn[], code: string): void => {
  const { columns } = settings.value.peek()
  const next = like.map(({ name }) => {
    const { missing = [], ...rest } = columns[name] ?? {}
    return [name, { ...rest, missing: [...new Set([...missing, code])] }] as const
  })
  change({ columns: { ...columns, ...Object.fromEntries(next) } })
}

const takeAsValue = ({ name }: InspectedColumn, code: string): void => {
  const { columns } = settings.value.peek()
  const { missing = [], ...rest } = columns[name] ?? {}
  const left = missing.filter(each => each !== code)
  change({ columns: { ...columns, [name]: left.length === 0 ? rest : { ...rest, missing: left } } })
}
