import type { ChartKind } from '@polyad/charts'
import { charts, leftOut, plainOptions } from './findings.ts'
import { PointChart } from './point-chart.tsx'
import { Part } from './profiles-tab.tsx'

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

/** The charts that speak for the model and against it. */
export const Evidence = () => {
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
