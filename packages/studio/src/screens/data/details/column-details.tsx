import { intervalText } from '@polyad/core/model'
import type { ColumnFigures, InspectedColumn } from 'polyad/table'
import { count } from '../../../components/numbers.ts'
import {
  isCuttable,
  isUsable,
  resetToProposal,
  setBin,
  setRole,
  takeAsMissing,
  takeAsValue,
} from '../../../state/reading/choices.ts'
import { figures } from '../../../state/reading/column-distributions.ts'
import { binOf, isProposed, itemOf, roleOf } from '../../../state/reading/columns.ts'
import { titleOf } from '../../../state/reading/labels.ts'
import { settings } from '../../../state/store/store.ts'
import { pageWords } from '../../../worker/page-naming.ts'
import type { TableSummary } from '../../../worker/protocol.ts'
import { Categories } from '../categories/categories.tsx'
import { BinChoice } from '../columns/bin-choice.tsx'
import { openCodes, share } from '../columns/column-notes.ts'
import { KINDS, ROLE_NAMES, ROLE_ORDER, ROLE_WORDS } from '../columns/roles.ts'
import { chosen } from '../columns/selection.ts'
import { KindChoice } from './kind-choice.tsx'
import { LabelFields } from './label-fields.tsx'
import { MissingCodeField } from './missing-code-field.tsx'

/** Extra codes to treat as missing in this column, and codes that look like such. */
const MissingCodes = ({ column }: { readonly column: InspectedColumn }) => {
  const now = settings.value.value
  return (
    <MissingCodeField
      codes={now.columns[column.name]?.missing ?? []}
      within={` in ${column.name}`}
      add={code => takeAsMissing([column], [code])}
      remove={code => takeAsValue([column], code)}
    >
      {openCodes(column, now).map(code => (
        <button type="button" key={code} class="chip suggested" onClick={() => takeAsMissing([column], [code])}>
          + <bdi>{code}</bdi>
        </button>
      ))}
    </MissingCodeField>
  )
}

/** More bars than this are drawn without their names. */
const NAMED = 7

/** The distribution of numbers or dates in their bins. */
const HistogramBars = ({ figures: { name, bars } }: { readonly figures: ColumnFigures }) => {
  const most = bars.reduce((high, { count: n }) => Math.max(high, n), 0) || 1
  const many = bars.length > NAMED
  return (
    <div>
      <ol class={`histogram${many ? ' many' : ''}`} aria-label={`Rows in each bin of ${name}`}>
        {bars.map(({ label, count: n }) => (
          <li key={label} title={`${intervalText(`${label}`)}: ${count(n)}`}>
            <span class="histogram-bar" style={{ height: `${Math.max(2, (72 * n) / most)}px` }} />
            <span class={many ? 'hidden' : 'small'}>{intervalText(`${label}`)}</span>
            <span class="hidden">: {count(n)}</span>
          </li>
        ))}
      </ol>
      {many && (
        <div class="histogram-ends small muted">
          <span>{intervalText(`${bars[0].label}`)}</span>
          <span>{intervalText(`${bars[bars.length - 1].label}`)}</span>
        </div>
      )}
    </div>
  )
}

interface Props {
  readonly column: InspectedColumn
  readonly opened: TableSummary
  /** Whether it stands beside the list, not in it. */
  readonly beside: boolean
}

/** All that can be known and said of one column. */
export const ColumnDetails = ({ column, opened, beside }: Props) => {
  const { name, kind } = column
  const now = settings.value.value
  const title = titleOf(column, now)
  const [role, bin, own] = [roleOf(column, now), binOf(column, now), figures.value.get(name)]
  const isUsed = role === 'mode' || role === 'covariate'
  const item = itemOf(column, now)
  const cuttable =
    isUsed &&
    item === undefined &&
    isCuttable(column) &&
    (kind === 'date' || column.bins !== undefined || bin !== undefined)
  const isNumber = item?.kind === 'normal' || item?.kind === 'count'
  // Numbers of few values are categories; more are drawn in bins.
  const inBins =
    own !== undefined &&
    isCuttable(column) &&
    (own.cut || (bin !== undefined ? isUsed : own.distinct > own.bars.length))
  return (
    <section class={`details${beside ? ' beside' : ''}`} aria-label={`Details of ${name}`}>
      <div class="details-head">
        <div>
          <h3>
            <bdi>{name}</bdi>
          </h3>
          {title !== undefined && (
            <p class="details-title">
              <bdi>{title}</bdi>
            </p>
          )}
          <p class="small muted">{factsOf(column, opened)}</p>
        </div>
        {!beside && (
          <button
            type="button"
            class="plain"
            aria-label={`Close the details of ${name}`}
            onClick={() => {
              chosen.value = null
            }}
          >
            ×
          </button>
        )}
      </div>
      {isUsable(column) && <UseSection column={column} opened={opened} />}
      {role === 'mode' && isUsable(column) && kind !== 'date' && (
        <DetailsSection title="Treat as">
          <KindChoice column={column} opened={opened} item={item} />
        </DetailsSection>
      )}
      {cuttable && (
        <DetailsSection title="Bins">
          <BinChoice column={column} bin={bin} onBin={to => setBin([column], to, `bin ${name}`)} />
        </DetailsSection>
      )}
      {inBins && own.bars.length > 0 && (
        <DetailsSection title="Distribution">
          <HistogramBars figures={own} />
        </DetailsSection>
      )}
      {isUsable(column) && !inBins && (
        <DetailsSection title={(role === 'mode' && !isNumber) || kind === 'text' ? 'Categories' : 'Values'}>
          <Categories column={column} opened={opened} figures={own} />
        </DetailsSection>
      )}
      {isUsed && isUsable(column) && (
        <DetailsSection title="Labels in results">
          <LabelFields column={column} figures={own} hasCategories={!inBins && !isNumber} />
        </DetailsSection>
      )}
      {isUsable(column) && (
        <DetailsSection title="Missing codes">
          <MissingCodes column={column} />
        </DetailsSection>
      )}
    </section>
  )
}

const DetailsSection = ({
  title,
  children,
}: {
  readonly title: string
  readonly children: preact.ComponentChildren
}) => (
  <div class="details-section">
    <h4>{title}</h4>
    {children}
  </div>
)

const factsOf = (column: InspectedColumn, opened: TableSummary): string => {
  const { name, kind, smallest, largest } = column
  if (!isUsable(column)) return KINDS[kind]
  const own = figures.value.get(name)
  const { distinct, missing, rows } = own ?? { ...column, rows: opened.rows }
  const range =
    kind === 'number' &&
    smallest !== undefined &&
    largest !== undefined &&
    Number.isFinite(smallest) &&
    own === undefined
      ? `, ${smallest} – ${largest}`
      : ''
  const among =
    opened.length === null || (own === undefined && opened.length > opened.rows)
      ? ` in the first ${count(opened.rows)} rows`
      : ''
  return `${KINDS[kind]}: ${count(distinct)} different${range}${missing > 0 ? `, ${count(missing)} missing (${share(missing, rows)})` : ', none missing'}${among}`
}

/** What the column is used as, why, and the way back to what is suggested. */
const UseSection = ({ column, opened }: { readonly column: InspectedColumn; readonly opened: TableSummary }) => {
  const { guess, reasonWording, proposal } = column
  const now = settings.value.value
  const role = roleOf(column, now)
  return (
    <DetailsSection title="Use as">
      <fieldset class="role-choices" aria-label={`Use ${column.name} as`}>
        {ROLE_ORDER.map(each => (
          <button
            type="button"
            key={each}
            aria-pressed={role === each}
            title={ROLE_WORDS[each]}
            onClick={() => each !== role && setRole(opened, [column], each)}
          >
            {ROLE_NAMES[each]}
          </button>
        ))}
      </fieldset>
      <p class="small muted">
        {ROLE_WORDS[role]}
        {proposal.use === role &&
          (proposal.use === guess || proposal.use === 'cluster' || proposal.use === 'strata') &&
          reasonWording !== '' &&
          ` Suggested: ${pageWords(reasonWording)}.`}
        {proposal.use === 'weight' &&
          role === 'weight' &&
          ' Suggested: its name says that it holds sampling weights. If it says how often a row was seen, choose Frequency.'}
      </p>
      {!isProposed(column, now) && (
        <button type="button" class="plain small" onClick={() => resetToProposal([column])}>
          Reset to suggestion ({ROLE_NAMES[proposal.use].toLowerCase()}
          {proposal.bins !== undefined && ', in bins'})
        </button>
      )}
    </DetailsSection>
  )
}
