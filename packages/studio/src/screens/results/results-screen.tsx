import './results.css'
import { useEffect, useRef } from 'preact/hooks'
import { FitsRemarks } from '../../components/fits-head.tsx'
import { percent } from '../../components/numbers.ts'
import { TryMore } from '../../components/try-more.tsx'
import { starredRank } from '../../state/fitting/extend-range.ts'
import { chosenModel } from '../../state/results/chosen.ts'
import { described, describeFits, type ShownModel, shownModel } from '../../state/results/class-profiles.ts'
import { chosenFit, fits, lookAt, pendingRanks } from '../../state/store/store.ts'
import { Answer, AnswerTitle } from './answer.tsx'
import { ChangeTab } from './change-tab.tsx'
import { ClassCards } from './class-cards.tsx'
import { FitTab } from './fit-tab.tsx'
import { clearHighlight, highlightedClass, pinClass, pointAtClass } from './highlight.ts'
import { LabelsTab } from './labels-tab.tsx'
import { reports } from './on-demand-results.ts'
import { ProfilesTab } from './profiles-tab.tsx'
import { RanksTab } from './ranks-tab.tsx'
import { RowsTab } from './rows-tab.tsx'
import { Tabs } from './tabs.tsx'

/** A part narrower than this has no room for its number. */
const LEAST = 0.05

/** How large the classes are, as parts of one bar. The cards below it say the same in words. */
const SizesBar = ({ model }: { readonly model: ShownModel }) =>
  model.rank === 1 ? null : (
    <div class="sizes-bar" aria-hidden="true">
      {model.classes.map(({ k, name, share, colour }) => (
        <button
          type="button"
          tabIndex={-1}
          key={k}
          class={highlightedClass.value !== null && highlightedClass.value !== k ? 'back' : ''}
          title={`${name}: ${percent(share)}`}
          style={{ '--colour': colour, flexGrow: share }}
          onPointerEnter={event => event.pointerType !== 'touch' && pointAtClass(k)}
          onPointerLeave={() => pointAtClass(null)}
          onClick={() => pinClass(k)}
        >
          {share >= LEAST && <span>{percent(share, 0)}</span>}
        </button>
      ))}
    </div>
  )

const TABS = [
  { id: 'profiles', title: 'Profiles', Content: ProfilesTab },
  { id: 'ranks', title: 'Compare solutions', Content: RanksTab },
  { id: 'labels', title: 'Categories', Content: LabelsTab },
  { id: 'rows', title: 'Rows', Content: RowsTab },
  { id: 'fit', title: 'Fit & tests', Content: FitTab },
] as const

/** Only if rows belong together. */
const CHANGE = { id: 'change', Content: ChangeTab } as const
const CHANGE_TITLES = { chain: 'Change', nested: 'Groups' } as const

/** The tabs that the model has something for. */
const tabsOf = (kind: string | undefined) => {
  if (kind !== 'chain' && kind !== 'nested') return TABS
  const [first, ...others] = TABS
  return [first, { ...CHANGE, title: CHANGE_TITLES[kind] }, ...others]
}

export const Results = () => {
  const root = useRef<HTMLDivElement>(null)
  const [found, fit, model] = [fits.value, chosenFit.value, shownModel.value]
  useEffect(() => {
    describeFits()
  }, [found, described.value])
  useEffect(() => {
    if (fit !== null && reports.chosen.value === undefined) reports.start()
  }, [fit, reports.chosen.value === undefined])
  useEffect(() => {
    const element = root.current
    const onEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape') clearHighlight()
    }
    element?.addEventListener('keydown', onEscape)
    return () => element?.removeEventListener('keydown', onEscape)
  }, [])
  return (
    <div class="results stack" ref={root}>
      <div class="row results-head">
        <AnswerTitle />
        <RankButtons />
      </div>
      <FitsRemarks />
      {model === null ? (
        <output class="muted">{found === null ? 'Nothing has been fitted yet.' : 'Opening the models …'}</output>
      ) : (
        <>
          <Answer />
          <SizesBar model={model} />
          {model.rank > 1 && <ClassCards model={model} />}
          <Tabs tabs={tabsOf(chosenModel.value?.model.structure.kind)} label="Results" />
        </>
      )}
    </div>
  )
}

const RankButtons = () => {
  const found = fits.value
  const coming = pendingRanks.value
  if (found === null || found.fits.length + coming.length < 2) return null
  return (
    <fieldset class="row rank-buttons">
      <legend class="small muted">Number of classes</legend>
      {found.fits.map(({ rank: each }) => (
        <button type="button" key={each} aria-pressed={each === chosenFit.value?.rank} onClick={() => lookAt(each)}>
          {each}
          {each === starredRank(found) && (
            <>
              <span aria-hidden="true"> ★</span>
              <span class="hidden">, recommended</span>
            </>
          )}
        </button>
      ))}
      {coming.map(each => (
        <button type="button" key={each} disabled title="Still searching">
          {each} …
        </button>
      ))}
      <TryMore />
    </fieldset>
  )
}
