import type { ChartKind } from '@polyad/charts'
import type { GlossaryTerm } from 'polyad/report'
import { shownModel } from '../../state/results/class-profiles.ts'
import { charts, leftOut, plainOptions } from './on-demand-results.ts'
import { PointChart } from './point-chart.tsx'
import { Legend, Part } from './profiles-tab.tsx'

interface Exhibit {
  readonly kind: Extract<ChartKind, 'losses' | 'optima' | 'residuals' | 'certainty' | 'posteriors' | 'anomalies'>
  readonly title: string
  readonly words: string
  readonly term?: GlossaryTerm
}

const EXHIBITS: readonly Exhibit[] = [
  {
    kind: 'certainty',
    title: 'Certainty of assignment',
    words: 'Observations by the probability of the class they are assigned to.',
  },
  {
    kind: 'posteriors',
    term: 'posterior',
    title: 'Class probabilities',
    words: 'How probable each class is for each observation; similar observations are grouped.',
  },
  {
    kind: 'residuals',
    term: 'residual',
    title: 'Bivariate residuals',
    words:
      'For every pair of variables, X² divided by its degrees of freedom: usually below 1 if the classes explain their association.',
  },
  {
    kind: 'anomalies',
    title: 'Largest deviations',
    words: 'Combinations seen far more or far less often than the model expects.',
  },
  {
    kind: 'losses',
    term: 'loss',
    title: 'Loss of each run',
    words: 'The loss along the best run, and where each run ended. Lower is better.',
  },
  {
    kind: 'optima',
    term: 'reliability',
    title: 'Solutions found',
    words: 'How often each solution was reached. The best should be reached more than once.',
  },
]

/** Charts of how well the model fits. */
export const Evidence = () => {
  const [drawn, model] = [charts.value, shownModel.value]
  if (drawn === null) return null
  return (
    <div class="stack evidence">
      {model !== null && model.rank > 1 && <Legend model={model} />}
      <div class="exhibits">
        {EXHIBITS.map(({ kind, title, words, term }) => {
          const data = drawn[kind]
          return (
            data !== null && (
              <Part key={kind} title={title} words={words} term={term}>
                <PointChart kind={kind} data={data} options={plainOptions.value} />
              </Part>
            )
          )
        })}
      </div>
      {leftOut.value.map(text => (
        <p key={text} class="small muted">
          {text}
        </p>
      ))}
    </div>
  )
}
