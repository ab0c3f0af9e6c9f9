import { type FitFigures, reliabilityOf } from 'polyad/report'
import { useEffect, useRef } from 'preact/hooks'
import { FitsRemarks } from '../../parts/fits-head.tsx'
import { counted } from '../../parts/numbers.ts'
import { TermButton } from '../../parts/term.tsx'
import { TryMore } from '../../parts/try-more.tsx'
import { starredRank } from '../../state/fitting/edge.ts'
import { lookAtFits, looked, shownModel } from '../../state/results/looked.ts'
import { chosenFit, fits, isRunning, rank } from '../../state/store.ts'
import { ClassCards } from './class-cards.tsx'
import { reports } from './findings.ts'
import { FitTab } from './fit-tab.tsx'
import { letGo } from './front.ts'
import { LabelsTab } from './labels-tab.tsx'
import './results.css'
import { ProfilesTab } from './profiles-tab.tsx'
import { RanksTab } from './ranks-tab.tsx'
import { RowsTab } from './rows-tab.tsx'
import { SizesBar } from './sizes-bar.tsx'
import { Tabs } from './tabs.tsx'

const TABS = [
  { id: 'profiles', title: 'Profiles', Content: ProfilesTab },
  { id: 'ranks', title: 'Compare solutions', Content: RanksTab },
  { id: 'labels', title: 'Categories', Content: LabelsTab },
  { id: 'rows', title: 'Rows', Content: RowsTab },
  { id: 'fit', title: 'Fit & tests', Content: FitTab },
] as const

export const Results = () => {
  const root = useRef<HTMLDivElement>(null)
  const [found, fit, model] = [fits.value, chosenFit.value, shownModel.value]
  useEffect(() => {
    lookAtFits()
  }, [found, looked.value])
  useEffect(() => {
    if (fit !== null && reports.chosen.value === undefined) reports.start()
  }, [fit, reports.chosen.value === undefined])
  useEffect(() => {
    const element = root.current
    const onEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape') letGo()
    }
    element?.addEventListener('keydown', onEscape)
    return () => element?.removeEventListener('keydown', onEscape)
  }, [])
  return (
    <div class="results stack" ref={root}>
      <div class="row results-head">
        <h1>
          {fit === null
            ? 'Results'
            : `${counted(fit.rank, 'class', 'classes')} of ${counted(fit.figures.total, 'observation')}`}
        </h1>
        <RankButtons />
      </div>
      <FitsRemarks />
      {model === null ? (
        <output class="muted">
          {found === null
            ? 'Nothing has been fitted yet.'
            : `Opening the models${isRunning.value ? ', after the fit' : ''} …`}
        </output>
      ) : (
        <>
          {fit !== null && <Verdict figures={fit.figures} />}
          <SizesBar model={model} />
          <ClassCards model={model} />
          <Tabs tabs={TABS} label="Results" />
        </>
      )}
    </div>
  )
}

/** How far the solution can be relied on: the first thing to know of it. */
const Verdict = ({ figures }: { readonly figures: FitFigures }) => {
  const { level, words } = reliabilityOf(figures)
  return (
    <p class={`verdict ${level}`}>
      <span class="verdict-mark" aria-hidden="true" />
      {words} <TermButton term="reliability" />
    </p>
  )
}

const RankButtons = () => {
  const found = fits.value
  if (found === null || found.fits.length < 2) return null
  return (
    <fieldset class="row rank-buttons">
      <legend class="small muted">Number of classes</legend>
      {found.fits.map(({ rank: each }) => (
        <button
          type="button"
          key={each}
          aria-pressed={each === chosenFit.value?.rank}
          onClick={() => {
            rank.value = each
          }}
        >
          {each}
          {each === starredRank(found) && (
            <>
              <span aria-hidden="true"> ★</span>
              <span class="hidden">, recommended</span>
            </>
          )}
        </button>
      ))}
      <TryMore />
    </fieldset>
  )
}
