import { whereText } from '@polyad/core/stats'
import { type FitFigures, foundSentences } from 'polyad/report'
import { SearchFigures } from '../../components/verdict.tsx'
import { shownModel } from '../../state/results/class-profiles.ts'
import { chosenFit } from '../../state/store/store.ts'
import { Coefficients, LinkedCoefficients } from './coefficients.tsx'
import { Evidence } from './evidence.tsx'
import { Classification, Figures } from './figures-table.tsx'
import { independence, namedReport, report, reports } from './on-demand-results.ts'
import { OnDemandStatistics } from './on-demand-tests.tsx'
import { Failed, Part } from './profiles-tab.tsx'

/** How well the model fits, how it was found, and tests on demand. */
export const FitTab = () => {
  const [model, fit] = [shownModel.value, chosenFit.value]
  if (model === null || fit === null) return null
  return (
    <div class="stack">
      <Words figures={fit.figures} />
      {report.value?.covariates && <Coefficients model={model} covariates={report.value.covariates} />}
      {report.value?.linked?.effects?.map(effect => (
        <LinkedCoefficients key={effect.on} model={model} effect={effect} />
      ))}
      <div class="fit-columns">
        <Part title="Fit statistics" words={FIGURES[independence.value === undefined ? 'alone' : 'compared']}>
          <Figures figures={fit.figures} one={independence.value} />
        </Part>
        <div class="stack">
          <Part title="Standard errors and tests" words="These take a while, so they run when you ask.">
            <OnDemandStatistics model={model} />
          </Part>
          {model.rank > 1 && <Classification model={model} rows={fit.figures.averagePosteriors} />}
        </div>
      </div>
      <Evidence />
    </div>
  )
}

const FIGURES = {
  alone: 'This model.',
  compared: 'This model, and the one-class (independence) model for comparison.',
}

const Words = ({ figures }: { readonly figures: FitFigures }) => {
  const { identification } = figures
  const [report, state] = [namedReport.value, reports.chosen.value]
  if (state?.state === 'failed') return <Failed message={state.message} />
  if (report === null) return <output class="muted">Reading the data …</output>
  const where = identification.atFit
  return (
    <section aria-label="Summary">
      <h2>Summary</h2>
      {foundSentences(report).map(sentence => (
        <p key={sentence}>{sentence}</p>
      ))}
      <p>
        {IDENTIFIED[identification.verdict]}
        {where !== undefined && where.classes.length > 0 && ` This affects ${whereText(where)}.`}
      </p>
      <SearchFigures figures={figures} />
    </section>
  )
}

const IDENTIFIED: Readonly<Record<FitFigures['identification']['verdict'], string>> = {
  identified: 'All parameters are identified: the data can tell them apart.',
  'not identified': 'Not all parameters are identified: other values fit equally well.',
  boundary: 'The model is identified in general, but not at this solution, where some probabilities are 0.',
  'not checked': 'The model is too large to check identification.',
}
