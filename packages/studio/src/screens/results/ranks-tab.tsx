import { type CriteriaData, criteriaData } from '@polyad/charts'
import type { Criterion } from '@polyad/core'
import { intervalText } from '@polyad/core/model'
import { CRITERIA, criterionValue } from '@polyad/core/stats'
import { type FitFigures, statisticsOn } from 'polyad/report'
import { useMemo } from 'preact/hooks'
import { Chart } from '../../components/chart.tsx'
import { counted, percent } from '../../components/numbers.ts'
import { rankWords } from '../../components/page-words.ts'
import { Scrolled, Table } from '../../components/table.tsx'
import { figureHeading } from '../../components/term.tsx'
import { EdgeNote, withoutEdge } from '../../components/try-more.tsx'
import { starredRank } from '../../state/fitting/extend-range.ts'
import { type ShownModel, shownModels } from '../../state/results/class-profiles.ts'
import { chosenFit, type Fits, fits, lookAt } from '../../state/store/store.ts'
import { Part } from './profiles-tab.tsx'
import { RankFlow } from './rank-flow.tsx'

/** Marks that are told of a class beside its likes. */
const TOLD = 2

/** The models of all fitted numbers of classes next to each other. */
export const RanksTab = () => {
  const [models, found] = [shownModels.value, fits.value]
  const criteria = useMemo(() => (found === null ? null : criteriaOf(found)), [found])
  if (found === null) return null
  if (models.length < 2)
    return (
      <p class="panel">
        Only one number of classes was fitted. To compare solutions, fit several numbers of classes under Fit.
      </p>
    )
  return (
    <div class="stack">
      {criteria !== null && (
        <Part title="How many classes" words={sentence(withoutEdge(rankWords(found.reason)))}>
          <EdgeNote />
          <Chart kind="criteria" data={criteria} table={false} />
          <CriteriaTable found={found} />
        </Part>
      )}
      <Part
        title="How classes split"
        words={`Similar classes share a colour and a place.${
          models.some(({ flows }) => flows !== null)
            ? ' Bands show where the observations of a class go when a class is added.'
            : ''
        }`}
      >
        <RankFlow models={models} />
      </Part>
      <Part title="What marks the classes" words="The classes of every solution, in matched order.">
        <Scrolled label="Classes of every solution">
          <div class="rank-columns">
            {models.map(model => (
              <RankColumn key={model.rank} model={model} recommended={starredRank(found) === model.rank} />
            ))}
          </div>
        </Scrolled>
      </Part>
    </div>
  )
}

const sentence = (reason: string): string =>
  `Lower is better.${reason === '' ? '' : ` ${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`}`

const criteriaOf = (found: Fits): CriteriaData =>
  criteriaData(
    found.fits.map(({ rank: each, figures }) => ({ ...figures.criteria, rank: each })),
    starredRank(found) ?? undefined,
  )

const RankColumn = ({ model, recommended }: { readonly model: ShownModel; readonly recommended: boolean }) => (
  <section class="rank-column" aria-label={counted(model.rank, 'class', 'classes')}>
    <button type="button" aria-pressed={model.rank === chosenFit.value?.rank} onClick={() => lookAt(model.rank)}>
      {counted(model.rank, 'class', 'classes')}
      {recommended ? ' ★' : ''}
      {recommended && <span class="hidden">recommended</span>}
    </button>
    <ul>
      {model.classes
        .toSorted((a, b) => a.place - b.place)
        .map(({ k, name, share, colour, marks }) => (
          <li key={k} style={{ '--colour': colour }}>
            <span class="swatch" /> <bdi>{name}</bdi> <span class="muted unbroken">{percent(share, 0)}</span>
            <ul class="small muted">
              {marks.slice(0, TOLD).map(({ mode, label, probability }) => (
                <li key={`${mode} ${label}`} class="clamped" title={`${mode}: ${intervalText(label)}`}>
                  <bdi>{mode}</bdi>: <bdi>{intervalText(label)}</bdi>{' '}
                  <span class="unbroken">{percent(probability, 0)}</span>
                </li>
              ))}
            </ul>
          </li>
        ))}
    </ul>
  </section>
)

const CriteriaTable = ({ found }: { readonly found: Fits }) => {
  const columns = statisticsOn('criteria').filter(({ value }) =>
    found.fits.every(({ figures }) => value(figures) !== undefined),
  )
  const best = new Map(
    CRITERIA.map(({ key }) => [
      key as string,
      Math.min(...found.fits.map(({ figures }) => criterionValue(figures.criteria, key))),
    ]),
  )
  const isBest = (key: string, figures: FitFigures): boolean =>
    best.has(key) && criterionValue(figures.criteria, key as Criterion) === best.get(key)
  return (
    <Table
      label="Criteria by number of classes"
      caption={<span class="small">The best of each is marked ●. For held-out, higher is better.</span>}
      headings={[
        { title: 'classes', class: 'unbroken' },
        ...columns.map(({ title, term }) => figureHeading(title, term)),
      ]}
    >
      {found.fits.map(({ rank: each, figures }) => (
        <tr key={each}>
          <th scope="row" class="unbroken">
            {each}
            {each === starredRank(found) ? ' ★' : ''}
          </th>
          {columns.map(({ key, text }) => (
            <td key={key} class="number">
              {isBest(key, figures) && (
                <>
                  <span aria-hidden="true">● </span>
                  <span class="hidden">best, </span>
                </>
              )}
              {text(figures)}
            </td>
          ))}
        </tr>
      ))}
    </Table>
  )
}
