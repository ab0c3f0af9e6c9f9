import type { ChartKind } from '@polyad/charts'
import { CRITERIA, STANDARD_ERROR_KINDS, type StandardErrorKind, whereText } from '@polyad/core'
import { cautions, type FitFigures, summary } from 'polyad/report'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { count, counted, fixed, percent, pValue } from '../../parts/numbers.ts'
import { type ShownModel, shownModel } from '../../state/looked.ts'
import { chosenFit, table } from '../../state/store.ts'
import { Coefficients } from './coefficients.tsx'
import {
  charts,
  errors,
  type Finding,
  goodness,
  hasCovariates,
  independence,
  intervals,
  isWeighted,
  leftOut,
  namedReport,
  type OnDemand,
  plainOptions,
  rankTest,
  report,
  reports,
} from './findings.ts'
import { PointChart } from './point-chart.tsx'
import { Failed, Part } from './profiles-tab.tsx'

/** How well the model fits, how it was found, and tests on demand. */
export const FitTab = () => {
  const [model, fit] = [shownModel.value, chosenFit.value]
  if (model === null || fit === null) return null
  return (
    <div class="stack">
      <Words figures={fit.figures} />
      {report.value?.covariates && <Coefficients model={model} covariates={report.value.covariates} />}
      <div class="fit-columns">
        <Part title="Figures" words={FIGURES[hasCovariates.value ? 'alone' : 'compared']}>
          <Figures figures={fit.figures} one={independence.value} />
        </Part>
        <div class="stack">
          <Part title="On demand" words="What takes a while is computed when you ask for it.">
            <Demands model={model} />
          </Part>
          {model.rank > 1 && <Classification model={model} rows={fit.figures.averagePosteriors} />}
        </div>
      </div>
      <Evidence />
    </div>
  )
}

const FIGURES = {
  alone: 'Of this model.',
  compared: 'This model, and for comparison one class: as if no mode had to do with another.',
}

const Words = ({ figures: { verdict, identification } }: { readonly figures: FitFigures }) => {
  const [report, state] = [namedReport.value, reports.chosen.value]
  if (state?.state === 'failed') return <Failed message={state.message} />
  if (report === null) return <output class="muted">Going through the data …</output>
  const [said, careful] = [summary(report), cautions(report).map(withoutFlags)]
  const where = identification.atFit
  return (
    <div class="fit-columns">
      <section aria-label="In words">
        <h2>In words</h2>
        {said.map(sentence => (
          <p key={sentence}>{sentence}</p>
        ))}
        <h3>How sure the search is</h3>
        <p>{capital(verdict.text)}.</p>
        <h3>Identification</h3>
        <p>
          {IDENTIFIED[identification.verdict]}
          {where !== undefined && where.classes.length > 0 && ` It concerns ${whereText(where)}.`}
        </p>
      </section>
      <section aria-label="To be careful about">
        <h2>To be careful about</h2>
        {careful.length === 0 ? (
          <p>Nothing speaks against the model.</p>
        ) : (
          careful.map(sentence => (
            <p key={sentence} class="note warning">
              {sentence}
            </p>
          ))
        )}
      </section>
    </div>
  )
}

/** Advice of the command line without its options, which a page has not. */
const withoutFlags = (sentence: string): string => sentence.replace(/ \(--[^)]*\)/g, '')

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const IDENTIFIED: Readonly<Record<FitFigures['identification']['verdict'], string>> = {
  identified: 'The data can tell all parameters of the model apart.',
  'not identified': 'The data cannot tell all parameters of the model apart: other parameters fit as well.',
  boundary: 'In general the parameters can be told apart, but not at those found, of which some are 0.',
  'not checked': 'The model is too large for it to be checked whether all parameters can be told apart.',
}

const Figures = ({ figures, one }: { readonly figures: FitFigures; readonly one: FitFigures | undefined }) => {
  const both = (of: (figures: FitFigures) => string): readonly [string, string] => [
    of(figures),
    one === undefined ? '–' : of(one),
  ]
  const p = ({ pValue: value, sparse }: FitFigures) => `${pValue(value)}${sparse && value !== null ? ' *' : ''}`
  const entries: readonly (readonly [name: string, values: readonly [string, string]])[] = [
    ['observations', both(({ total }) => count(total))],
    ['distinct combinations', both(({ cells }) => count(cells))],
    ['log-likelihood', both(({ logLikelihood }) => fixed(logLikelihood, 4))],
    ['free parameters', both(({ parameters }) => count(parameters))],
    ['degrees of freedom', both(({ degreesOfFreedom }) => count(degreesOfFreedom))],
    ...CRITERIA.flatMap(({ key, title }) =>
      figures.criteria[key] === undefined
        ? []
        : [[title, both(({ criteria }) => fixed(criteria[key], key === 'heldOut' ? 4 : 2))] as const],
    ),
    ['G²', both(({ gSquared }) => fixed(gSquared, 2))],
    ['X²', both(({ chiSquared }) => fixed(chiSquared, 2))],
    ['Cressie–Read', both(({ cressieRead }) => fixed(cressieRead, 2))],
    ['p of G²', both(p)],
    ['entropy R²', both(({ rank, relativeEntropy }) => (rank === 1 ? '–' : fixed(relativeEntropy, 3)))],
    ['classification error', both(({ classificationError }) => percent(classificationError))],
    ['smallest class', both(({ smallestClass }) => percent(smallestClass))],
  ]
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section class="scroll" tabIndex={0} aria-label="Figures of fit">
        <table>
          <thead>
            <tr>
              <td />
              <th scope="col" class="number">
                {counted(figures.rank, 'class', 'classes')}
              </th>
              {one !== undefined && (
                <th scope="col" class="number">
                  one class
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {entries.map(([name, [own, other]]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td class="number">{own}</td>
                {one !== undefined && <td class="number">{other}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {figures.sparse && figures.pValue !== null && (
        <p class="small muted">
          * The table is too sparse for G² to follow χ², and this p means little
          {isWeighted.value ? '' : ': the bootstrap of G² has one that does'}.
        </p>
      )}
    </>
  )
}

const Classification = ({
  model,
  rows,
}: {
  readonly model: ShownModel
  readonly rows: FitFigures['averagePosteriors']
}) => (
  <Part
    title="Classification"
    words="For those assigned to a class (rows), the mean probability of each class. High on the diagonal: classes are told apart."
  >
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
    <section class="scroll" tabIndex={0} aria-label="Mean probabilities of the classes">
      <table class="confusion">
        <thead>
          <tr>
            <th scope="col">assigned to</th>
            {model.classes.map(({ k, name, colour }) => (
              <th key={k} scope="col" class="number" style={{ '--colour': colour }}>
                <span class="swatch" /> <bdi>{name}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, k) => (
            <tr key={model.classes[k].k}>
              <th scope="row">
                <bdi>{model.classes[k].name}</bdi>
              </th>
              {model.classes.map(({ k: l, colour }) => (
                <td key={l} class="number" style={{ '--colour': colour, '--part': `${45 * (row?.[l] ?? 0)}%` }}>
                  {row === null ? '–' : percent(row[l])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </Part>
)

/** Replicates that can be asked for, the usual number first. */
const REPLICATES = [199, 499, 999]

const Demands = ({ model }: { readonly model: ShownModel }) => {
  if (hasCovariates.value)
    return (
      <p class="panel">
        With covariates the coefficients come with their standard errors, above. Tests by bootstrap and intervals of the
        profiles are for models without them.
      </p>
    )
  if (table.value === null)
    return <p class="panel">Standard errors and tests need the data, and this model came without it.</p>
  return (
    <div class="stack">
      {/* Another rank has findings of its own. */}
      <ErrorsDemand key={`errors ${model.rank}`} model={model} />
      {isWeighted.value ? (
        <p class="panel">
          The bootstrap of G² and the test of one class more draw whole observations from the model. Rows with sampling
          weights are no such draws: without the weights, both can be had.
        </p>
      ) : (
        <Tests model={model} />
      )}
    </div>
  )
}

const Tests = ({ model }: { readonly model: ShownModel }) => (
  <>
    <TestDemand
      key={`goodness ${model.rank}`}
      title="Does the model hold? Bootstrap of G²"
      words="Data is drawn from the model and fitted again: p is how often it fits as badly as the real data does."
      demand={goodness}
      result={found => (
        <>
          <p>
            {found.gSquared === null ? (
              'G² is not defined here, since values are missing.'
            ) : (
              <>
                p of G² = <strong>{pValue(found.gSquared.pValue)}</strong> ({range(found.gSquared.interval)})
                {found.chiSquared !== null && `; p of X² = ${pValue(found.chiSquared.pValue)}`}
              </>
            )}
          </p>
          <p class="small muted">{replicated(found.replicates, found.stopped)}</p>
        </>
      )}
    />
    <TestDemand
      key={`rank ${model.rank}`}
      title={`Is one class more needed? ${model.rank} against ${model.rank + 1}`}
      words="Both are fitted to data drawn from the smaller model: p is how often the larger gains as much as it does here. Small: one more is needed."
      demand={rankTest}
      result={found =>
        found.replicates === 0 ? (
          <p>Stopped before anything was drawn.</p>
        ) : (
          <>
            <p>
              2 × the gain in log-likelihood = {fixed(found.statistic, 2)}, p = <strong>{pValue(found.pValue)}</strong>{' '}
              ({range(found.interval)})
            </p>
            <p class="small muted">{replicated(found.replicates, false)} It ends early where p is clear.</p>
          </>
        )
      }
    />
  </>
)

const range = ([low, high]: readonly [number, number]): string => `95 %: ${pValue(low)} to ${pValue(high)}`

const replicated = (replicates: number, stopped: boolean): string =>
  `By ${counted(replicates, 'replicate')}${stopped ? ', then stopped' : ''}.`

const KINDS: Readonly<Record<StandardErrorKind, string>> = {
  empirical: 'by the scores (empirical)',
  observed: 'by the curvature (observed)',
  sandwich: 'robust (sandwich)',
}

/** With sampling weights only what is robust holds. */
const WEIGHTED_KINDS: readonly StandardErrorKind[] = ['sandwich']

const LEVEL = 0.95

const ErrorsDemand = ({ model }: { readonly model: ShownModel }) => {
  const kinds = isWeighted.value ? WEIGHTED_KINDS : STANDARD_ERROR_KINDS
  const [chosen, setKind] = useState(kinds[0])
  const kind = kinds.includes(chosen) ? chosen : kinds[0]
  const now = errors.chosen.value
  return (
    <Demand
      title="How exact are the numbers? Standard errors"
      words="Intervals (95 %) then stand in the profiles too."
      now={now}
      onStart={() => errors.start(kind, LEVEL)}
    >
      <label class="field">
        <span>Kind</span>
        <select value={kind} onChange={event => setKind(event.currentTarget.value as StandardErrorKind)}>
          {kinds.map(each => (
            <option key={each} value={each}>
              {KINDS[each]}
            </option>
          ))}
        </select>
      </label>
      {now?.state === 'done' && (
        <div>
          {now.value.reason === null ? (
            <>
              <ul class="small">
                {model.classes.map(({ k, name, share }) => (
                  <li key={k}>
                    <bdi>{name}</bdi>: {percent(share)}
                    {bounds(intervals.value?.shares[k])}
                  </li>
                ))}
              </ul>
              <p class="small muted">
                Kind: {KINDS[now.value.kind]}.
                {now.value.boundary.length > 0 &&
                  ` ${counted(now.value.boundary.length, 'probability', 'probabilities')} at 0 or 1 ${now.value.boundary.length === 1 ? 'has' : 'have'} no standard error.`}
              </p>
            </>
          ) : (
            <p>
              There are none: {now.value.reason.replace("set kind 'observed'", `choose “${KINDS.observed}” above`)}.
            </p>
          )}
        </div>
      )}
    </Demand>
  )
}

const bounds = (interval: readonly [number, number] | null | undefined): string =>
  interval === null || interval === undefined ? '' : ` (${percent(interval[0])} to ${percent(interval[1])})`

interface TestProps<T> {
  readonly title: string
  readonly words: string
  readonly demand: OnDemand<T, [replicates: number]>
  readonly result: (found: T) => ComponentChildren
}

const TestDemand = <T,>({ title, words, demand, result }: TestProps<T>) => {
  const [replicates, setReplicates] = useState(REPLICATES[0])
  const now = demand.chosen.value
  return (
    <Demand title={title} words={words} now={now} onStart={() => demand.start(replicates)} onStop={demand.stop}>
      <label class="field">
        <span>Replicates</span>
        <select value={replicates} onChange={event => setReplicates(Number(event.currentTarget.value))}>
          {REPLICATES.map(each => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </label>
      {now?.state === 'done' && result(now.value)}
    </Demand>
  )
}

interface DemandProps {
  readonly title: string
  readonly words: string
  readonly now: Finding<unknown> | undefined
  readonly onStart: () => void
  readonly onStop?: () => void
  /** What can be chosen, and what was found. */
  readonly children: readonly [ComponentChildren, ComponentChildren]
}

const Demand = ({ title, words, now, onStart, onStop, children: [choice, result] }: DemandProps) => (
  <section class="panel demand" aria-label={title}>
    <h3>{title}</h3>
    <p class="small muted">{words}</p>
    {now?.state === 'running' ? (
      <div class="row">
        <progress
          aria-label={title}
          {...(now.progress === null ? {} : { max: now.progress.replicates, value: now.progress.done })}
        />
        {now.progress !== null && (
          <span class="small">
            {count(now.progress.done)} of {counted(now.progress.replicates, 'replicate')}
          </span>
        )}
        {onStop !== undefined && (
          <button type="button" class="danger" disabled={now.stopping} onClick={onStop}>
            {now.stopping ? 'Stopping …' : 'Stop'}
          </button>
        )}
      </div>
    ) : (
      <div class="row demand-ask">
        {choice}
        <button type="button" onClick={onStart}>
          {now === undefined ? 'Compute' : 'Compute again'}
        </button>
      </div>
    )}
    <div aria-live="polite">
      {now?.state === 'failed' && <p class="note error">{now.message}</p>}
      {result}
    </div>
  </section>
)

interface Exhibit {
  readonly kind: Extract<ChartKind, 'losses' | 'optima' | 'residuals' | 'certainty' | 'posteriors' | 'anomalies'>
  readonly title: string
  readonly words: string
}

const EXHIBITS: readonly Exhibit[] = [
  {
    kind: 'certainty',
    title: 'How certain the classes are',
    words: 'The observations by the probability of the class that they are assigned to.',
  },
  {
    kind: 'posteriors',
    title: 'Posteriors',
    words: 'How probable each class is for the observations; those nearly alike are put together.',
  },
  {
    kind: 'residuals',
    title: 'What the classes leave unexplained',
    words: 'For every two modes, X² by its degrees of freedom: about 1 where the classes explain their association.',
  },
  {
    kind: 'anomalies',
    title: 'Cells that deviate most',
    words: 'Combinations of labels seen far more often, or more rarely, than the model expects.',
  },
  {
    kind: 'losses',
    title: 'The way down',
    words: 'The loss along the run that was kept, and where every attempt ended. Lower is better.',
  },
  {
    kind: 'optima',
    title: 'The landscape of optima',
    words: 'How often each optimum was reached. The best should be reached more than once.',
  },
]

const Evidence = () => {
  const drawn = charts.value
  if (drawn === null) return null
  return (
    <div class="exhibits">
      {EXHIBITS.map(({ kind, title, words }) => {
        const data = drawn[kind]
        return (
          data !== null && (
            <Part key={kind} title={title} words={words}>
              <PointChart kind={kind} data={data} options={plainOptions.value} />
            </Part>
          )
        )
      })}
      {leftOut.value.map(text => (
        <p key={text} class="small muted">
          {text}
        </p>
      ))}
    </div>
  )
}
