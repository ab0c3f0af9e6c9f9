import { lastRank, sizeWarning } from 'polyad/report'
import { useEffect } from 'preact/hooks'
import { count, counted } from '../../components/numbers.ts'
import { startFit, stopFit } from '../../state/fitting/fitting.ts'
import { columnsOf, itemsOf, linksOf } from '../../state/reading/columns.ts'
import { obstacle, readData } from '../../state/reading/reading.ts'
import { begunFit, data, fits, rank, running, screen, settings, table } from '../../state/store/store.ts'
import { FitForm } from './fit-form.tsx'
import './fit.css'
import { LiveFit } from './live-fit.tsx'
import { RankTable } from './rank-table.tsx'

/** The second click of a double click would do what the button has become by then: stop the fit that the first has begun. */
const once = (act: () => unknown) => (event: MouseEvent) => {
  if (event.detail < 2) act()
}

/** How many classes, and the search for them. */
export const FitScreen = () => (
  <div class="fit-screen">
    <section class="stack" aria-labelledby="fit-title">
      <h1 id="fit-title">Find the classes</h1>
      <DataLine />
      <FitForm />
      <Size />
      {obstacle.value !== undefined && <p class="note warning">{obstacle.value}</p>}
      <div class="row">
        {running.value === null ? (
          <button type="button" class="primary" disabled={obstacle.value !== undefined} onClick={once(startFit)}>
            {fits.value === null ? 'Find the classes' : 'Fit again'}
          </button>
        ) : (
          <button type="button" class="danger" disabled={running.value.stopping} onClick={once(stopFit)}>
            {running.value.stopping ? 'Stopping …' : 'Stop, and keep the best'}
          </button>
        )}
      </div>
      <Isolation />
    </section>
    <section class="stack" aria-label="What was found">
      <output class="hidden">
        {fits.value !== null && begunFit.value === null && `${counted(rank.value ?? 0, 'class', 'classes')} found.`}
      </output>
      {running.value !== null && <LiveFit running={running.value} />}
      {fits.value === null && running.value === null && <Nothing />}
      {fits.value !== null && (
        <>
          <RankTable fits={fits.value} />
          <div class="row">
            <button
              type="button"
              class="primary"
              onClick={() => {
                screen.value = 'results'
              }}
            >
              {running.value === null ? 'See the results' : 'See the classes so far'}
            </button>
          </div>
        </>
      )}
    </section>
  </div>
)

const DataLine = () => {
  const [opened, read] = [table.value, data.value]
  if (opened === null) return null
  const modes = columnsOf(opened, settings.value.value, 'mode').length
  const covariates = columnsOf(opened, settings.value.value, 'covariate').map(({ name }) => name)
  const links = linksOf(opened, settings.value.value)
  return (
    <p class="muted">
      <bdi>{opened.name}</bdi>: {counted(modes, 'variable')}
      {read !== null && `, ${counted(read.rows, 'row')}, ${counted(read.cells, 'distinct combination')}`}
      {read !== null && read.total !== read.rows && `, total ${count(read.total)}`}
      {covariates.length > 0 && `; covariates: ${covariates.join(', ')}`}
      {links?.person !== undefined && `; persons: ${links.person}, waves: ${links.time}`}
      {links?.within !== undefined && `; groups: ${links.within}`}
    </p>
  )
}

/** What can be said of the size of the models before a fit. The data is counted for it, as it must be for the fit. */
const Size = () => {
  const [read, { from, to }] = [data.value, settings.value.value.fit]
  const unread = read === null && obstacle.value === undefined
  useEffect(() => {
    if (unread && running.peek() === null) readData()
  }, [unread])
  const covariates = table.value === null ? [] : columnsOf(table.value, settings.value.value, 'covariate')
  // Covariates are no modes of the models, and their parameters are other ones.
  const links = table.value === null ? undefined : linksOf(table.value, settings.value.value)
  if (read === null || covariates.length > 0 || links !== undefined) return null
  const size = { ...read, shape: read.modes.map(({ labels }) => labels.length) }
  const items = table.value === null ? [] : itemsOf(table.value, settings.value.value)
  const { to: last, note } = from < to ? lastRank(size, from, to) : { to, note: undefined }
  const warning = sizeWarning(size, last, Object.fromEntries(items.map(({ column, item }) => [column, item])))
  return (
    <>
      {note !== undefined && <p class="note small">{capital(note)}.</p>}
      {warning !== undefined && (
        <p class="note warning">
          {capital(counted(last, 'class', 'classes'))}: {warning}.
        </p>
      )}
    </>
  )
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const Nothing = () => (
  <div class="panel">
    <h2>How it works</h2>
    <p>
      For each number of classes, the search starts from many random points, recombines the best results, and stops once
      it keeps reaching the same solution. It then says whether the search settled, and judges the solution.
    </p>
    <p>Finally it compares the numbers of classes and recommends one.</p>
  </div>
)

/** Threads share memory only where the page is isolated from other sites. */
const Isolation = () =>
  globalThis.crossOriginIsolated ? null : (
    <p class="note small muted">
      The host of this page does not isolate it from other sites, so threads cannot share memory. Large tables take
      longer; results are the same.
    </p>
  )
