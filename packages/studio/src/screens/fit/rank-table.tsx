import { isDoubtful, NO_GROUPS, statisticsOn } from 'polyad/report'
import { counted } from '../../components/numbers.ts'
import { rankWords } from '../../components/page-words.ts'
import { Table } from '../../components/table.tsx'
import { figureHeading } from '../../components/term.tsx'
import { EdgeNote, withoutEdge } from '../../components/try-more.tsx'
import { VerdictOf } from '../../components/verdict.tsx'
import { starredRank } from '../../state/fitting/extend-range.ts'
import { isOutdated } from '../../state/reading/reading.ts'
import { begunFit, type Fits, lookAt, rank } from '../../state/store/store.ts'
import type { GraphicsUse } from '../../worker/protocol.ts'

/** What was found for each number of classes, side by side. */
export const RankTable = ({ fits }: { readonly fits: Fits }) => {
  const { recommended, reason, stopped, warnings = [], graphics } = fits
  const starred = starredRank(fits)
  const shown = rank.value ?? fits.fits[0]?.rank
  const chosen = fits.fits.find(each => each.rank === shown)
  return (
    <div class="stack">
      <h2>{begunFit.value === null ? 'What was found' : 'Found so far'}</h2>
      {isOutdated.value && <p class="note warning">The data settings have changed since these fits were made.</p>}
      {stopped && <p class="note warning">The fit was stopped early. These are the best solutions so far.</p>}
      {warnings.map(text => (
        <p key={text} class="note warning">
          {text}
        </p>
      ))}
      {chosen !== undefined && (
        <div class="panel">
          {reason !== '' && (
            <p class="recommended">
              {recommended !== null && (
                <strong>
                  {counted(recommended, 'class', 'classes')} {starred === recommended ? 'recommended' : 'so far'}.{' '}
                </strong>
              )}
              {recommended === 1 && fits.fits.length > 1 && `${NO_GROUPS} `}
              {capital(withoutEdge(rankWords(reason)))}.
            </p>
          )}
          <h3>Solution with {counted(chosen.rank, 'class', 'classes')}</h3>
          <VerdictOf figures={chosen.figures} />
        </div>
      )}
      <Table
        label="Numbers of classes compared"
        tableClass="ranks"
        headings={['classes', ...statisticsOn('fits').map(({ name, term }) => figureHeading(name, term))]}
      >
        {fits.fits.map(({ rank: each, figures }) => (
          <tr key={each} class={each === shown ? 'chosen' : ''}>
            <th scope="row">
              <button type="button" aria-pressed={each === shown} onClick={() => lookAt(each)}>
                {each}
                {each === starred && fits.fits.length > 1 ? ' ★' : ''}
                {each === starred && fits.fits.length > 1 && <span class="hidden">recommended</span>}
              </button>
            </th>
            {statisticsOn('fits').map(({ key, text }) => (
              <td key={key} class="number">
                {text(figures)}
                {isDoubtful(key, figures) && ' *'}
              </td>
            ))}
          </tr>
        ))}
      </Table>
      {fits.fits.some(({ figures }) => isDoubtful('pValue', figures)) && (
        <p class="small muted">
          * Unreliable: the table is too sparse. Run the bootstrap test under Results, Fit & tests.
        </p>
      )}
      {graphics !== undefined && <p class="small muted">{GRAPHICS[graphics]}</p>}
      <EdgeNote />
    </div>
  )
}

/** What the graphics device did, if it was asked for and could be used. */
const GRAPHICS: Readonly<Record<GraphicsUse, string>> = {
  used: 'Fitted on the graphics device and finished in double precision on the processor.',
  unused: 'The graphics device was not used: small tables, and fits with smoothing, are fitted on the processor.',
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
