import type { StandardErrorKind, StandardErrors } from '@polyad/core'
import { DEFAULT_STANDARD_ERRORS, STANDARD_ERROR_KINDS } from '@polyad/core/stats'
import { type GlossaryTerm, SPARSE_TESTS, testName } from 'polyad/report'
import { type ComponentChildren, Fragment } from 'preact'
import { useState } from 'preact/hooks'
import { count, counted, fixed, percent, simulatedP } from '../../components/numbers.ts'
import { TermButton } from '../../components/term.tsx'
import type { ShownModel } from '../../state/results/class-profiles.ts'
import { chosenFit, table } from '../../state/store/store.ts'
import {
  errors,
  type Finding,
  goodness,
  intervals,
  isClustered,
  isWeighted,
  type OnDemand,
  rankTest,
} from './on-demand-results.ts'

/** Replicates that can be asked for, the usual number first. */
const REPLICATES = [199, 499, 999]

/** Standard errors and tests, computed when they are asked for. */
export const OnDemandStatistics = ({ model }: { readonly model: ShownModel }) => {
  if (table.value === null)
    return <p class="panel">Standard errors and tests need the data, and this model was opened without it.</p>
  return (
    <div class="stack">
      {/* Another rank has findings of its own. */}
      <ErrorsDemand key={`errors ${model.rank}`} model={model} />
      <Tests model={model} />
    </div>
  )
}

const Tests = ({ model }: { readonly model: ShownModel }) => (
  <>
    {isClustered.value && (
      <p class="note warning">
        Bootstrap tests draw people one by one. If people in the same cluster are alike, their p-values are too small.
      </p>
    )}
    <TestDemand
      key={`goodness ${model.rank}`}
      title="Does the model fit? Bootstrap tests"
      words="Simulates data from the model and fits it again. p is the share of simulated data sets that fit as badly as yours."
      demand={goodness}
      result={found => (
        <>
          {found.pairs !== null && <p>Pairs of variables: {found.pairs}.</p>}
          {found.tests.length === 0 ? (
            <p>G² and X² are not defined because values are missing.</p>
          ) : (
            <>
              <p>
                {found.tests.map(([key, test], i) => (
                  <Fragment key={key}>
                    {i > 0 && '; '}p of {testName(key)}:{' '}
                    <strong>{simulatedP({ ...test, replicates: found.replicates })}</strong>
                  </Fragment>
                ))}
              </p>
              {chosenFit.value?.figures.sparse && <p class="small">{SPARSE_TESTS}</p>}
            </>
          )}
          <p class="small muted">{replicated(found.replicates, found.stopped)}</p>
        </>
      )}
    />
    <TestDemand
      key={`rank ${model.rank}`}
      title={`Is another class needed? ${model.rank} against ${model.rank + 1}`}
      words="Fits both models to data simulated from the smaller one. p is how often the larger model gains as much as it does here. A small p means that another class is needed."
      demand={rankTest}
      result={found =>
        found.replicates === 0 ? (
          <p>Stopped before the first replicate.</p>
        ) : (
          <>
            <p>
              Likelihood-ratio statistic = {fixed(found.statistic, 2)}, p by bootstrap:{' '}
              <strong>{simulatedP(found)}</strong>
            </p>
            {found.warnings.map(text => (
              <p key={text} class="note">
                {text}
              </p>
            ))}
            <p class="small muted">{replicated(found.replicates, false)} Stops early once the conclusion is clear.</p>
          </>
        )
      }
    />
  </>
)

const replicated = (replicates: number, stopped: boolean): string =>
  `${counted(replicates, 'replicate')}${stopped ? ', then stopped' : ''}.`

const KINDS: Readonly<Record<StandardErrors['kind'], string>> = {
  empirical: 'empirical (scores)',
  observed: 'observed (curvature)',
  sandwich: 'robust (sandwich)',
  replicates: 'replicate weights',
}

/** With sampling weights or clusters only what is robust holds. */
const SAMPLED_KINDS: readonly StandardErrorKind[] = ['sandwich']

const LEVEL = 0.95

const ErrorsDemand = ({ model }: { readonly model: ShownModel }) => {
  const kinds = isWeighted.value || isClustered.value ? SAMPLED_KINDS : STANDARD_ERROR_KINDS
  const [chosen, setKind] = useState(DEFAULT_STANDARD_ERRORS)
  const kind = kinds.includes(chosen) ? chosen : kinds[0]
  const now = errors.chosen.value
  return (
    <Demand
      title="How precise are the estimates? Standard errors"
      term="standardError"
      words="The 95% intervals are also drawn in the profiles."
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
          {now.value.reason === undefined ? (
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
                Kind: {KINDS[now.value.kind]}.{clustersText(now.value)}
                {zeros(now.value) > 0 &&
                  ` ${counted(zeros(now.value), 'probability', 'probabilities')} at 0 or 1 ${zeros(now.value) === 1 ? 'has' : 'have'} no standard error.`}
                {now.value.profile.left > 0 &&
                  ` ${counted(now.value.profile.left, 'interval')} at or near 0 or 1 ${now.value.profile.left === 1 ? 'is' : 'are'} missing or too wide: ${now.value.profile.reason}.`}
              </p>
            </>
          ) : (
            <p>Not available: {now.value.reason}.</p>
          )}
        </div>
      )}
    </Demand>
  )
}

/** The clusters by which errors were computed. */
const clustersText = ({ design }: Pick<StandardErrors, 'design'>): string => {
  if (!isClustered.value || design?.clusters === undefined) return ''
  const strata =
    design.strata !== undefined && design.strata > 1 ? ` in ${counted(design.strata, 'stratum', 'strata')}` : ''
  return ` They allow for ${counted(design.clusters, 'cluster')}${strata}.`
}

/** How many probabilities are at the boundary: one at 1 follows from others at 0. */
const zeros = ({ boundary }: Pick<StandardErrors, 'boundary'>): number =>
  boundary.filter(({ value }) => value < 0.5).length

const bounds = (interval: readonly [number, number] | undefined): string =>
  interval === undefined ? '' : ` (${percent(interval[0])} to ${percent(interval[1])})`

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
    <Demand
      title={title}
      term="bootstrap"
      words={words}
      now={now}
      onStart={() => demand.start(replicates)}
      onStop={demand.stop}
    >
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
  readonly term: GlossaryTerm
  readonly words: string
  readonly now: Finding<unknown> | undefined
  readonly onStart: () => void
  readonly onStop?: () => void
  /** What can be chosen, and what was found. */
  readonly children: readonly [ComponentChildren, ComponentChildren]
}

const Demand = ({ title, term, words, now, onStart, onStop, children: [choice, result] }: DemandProps) => (
  <section class="panel demand" aria-label={title}>
    <div class="titled">
      <h3>{title}</h3>
      <TermButton term={term} />
    </div>
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
