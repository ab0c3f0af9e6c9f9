import {
  type CovariateFigures,
  type EffectFigures,
  effectGroups,
  effectTerm,
  effectWords,
  numberedName,
  referenceLines,
  shownCoefficients,
} from 'polyad/report'
import { count, counted, fixed, levelText, pValue } from '../../components/numbers.ts'
import { numeric, Table } from '../../components/table.tsx'
import { figureHeading } from '../../components/term.tsx'
import type { ShownModel } from '../../state/results/class-profiles.ts'
import { Part } from './profiles-tab.tsx'

type Coefficient = Pick<
  ReturnType<typeof shownCoefficients>[number],
  'term' | 'estimate' | 'standardError' | 'pValue' | 'oddsRatio' | 'interval'
>

/** The level of intervals, which the page does not ask for. */
const CONFIDENCE = 0.95

/** How covariates explain the classes of persons over time, or those of groups and their members. */
export const LinkedCoefficients = ({
  model: { classes },
  effect,
}: {
  readonly model: ShownModel
  readonly effect: EffectFigures
}) => {
  const { title, reference } = effectWords(effect.on)
  const names = classes.map(({ name }) => name)
  return (
    <Part
      title={`What predicts ${effect.on === 'transitions' ? '' : 'the '}${title}`}
      words={`Multinomial logit; reference: ${reference}. An odds ratio above 1 means that the class becomes more likely than the reference as the term grows.`}
    >
      <div class="stack">
        <div class="fit-columns">
          {effectGroups(effect, names).map(({ name, coefficients }) => (
            <OfClass
              key={name}
              name={name}
              confidence={CONFIDENCE}
              coefficients={coefficients.map(each => ({ ...each, term: effectTerm(each, effect.on) }))}
            />
          ))}
        </div>
        <CovariateTests tests={effect.tests} />
      </div>
    </Part>
  )
}

/** How covariates explain membership: a table for each class but the reference class. */
export const Coefficients = ({
  model: { classes },
  covariates,
}: {
  readonly model: ShownModel
  readonly covariates: CovariateFigures
}) => {
  const { reference, confidence = 0.95, tests = [], dropped } = covariates
  const coefficients = shownCoefficients(covariates)
  const nameOf = (number: number): string => classes[number - 1]?.name ?? numberedName(number - 1)
  const explained = [...new Set(coefficients.map(each => each.class))]
  return (
    <Part
      title="What explains membership"
      words={`Logit of each class against the reference class “${nameOf(reference)}”. An odds ratio above 1 means that the class becomes more likely than the reference as the term grows.`}
    >
      <div class="stack">
        {dropped > 0 && (
          <p class="note warning">
            {counted(dropped, 'observation')} {dropped === 1 ? 'was' : 'were'} left out of the fit because a covariate
            or every answer is missing.
          </p>
        )}
        <div class="fit-columns">
          {explained.map(number => (
            <OfClass
              key={number}
              name={nameOf(number)}
              confidence={confidence}
              coefficients={coefficients.filter(each => each.class === number)}
            />
          ))}
        </div>
        {referenceLines(covariates).map(line => (
          <p key={line} class="small muted">
            <bdi>{line}</bdi>
          </p>
        ))}
        {tests.length > 0 && <CovariateTests tests={tests} />}
        {coefficients.some(({ standardError }) => standardError === null) && (
          <p class="small muted">
            –: not determined by the data. A coefficient is infinite if nobody of one kind is in a class.
          </p>
        )}
      </div>
    </Part>
  )
}

const OfClass = ({
  name,
  confidence,
  coefficients,
}: {
  readonly name: string
  readonly confidence: number
  readonly coefficients: readonly Coefficient[]
}) => (
  <Table
    label={`Coefficients of ${name}`}
    caption={<bdi>{name}</bdi>}
    headings={[
      'term',
      figureHeading('estimate'),
      figureHeading('s.e.', 'standardError'),
      figureHeading('p', 'pValue'),
      figureHeading('odds ratio', 'oddsRatio'),
      figureHeading(`${levelText(confidence)} interval`),
    ]}
  >
    {coefficients.map(({ term, estimate, standardError, pValue: p, oddsRatio, interval }) => (
      <tr key={term}>
        <th scope="row">
          <bdi>{term}</bdi>
        </th>
        <td class="number">{digits(estimate)}</td>
        <td class="number">{digits(standardError)}</td>
        <td class="number">{pValue(p)}</td>
        <td class="number">{fixed(oddsRatio, 3)}</td>
        <td class="number">{interval === null ? '–' : `${fixed(interval[0], 3)} to ${fixed(interval[1], 3)}`}</td>
      </tr>
    ))}
  </Table>
)

const CovariateTests = ({ tests }: { readonly tests: NonNullable<CovariateFigures['tests']> }) => (
  <Table
    label="Tests of the covariates"
    caption="Wald tests over all classes"
    headings={['covariate', ...['χ²', 'df', 'p'].map(numeric)]}
  >
    {tests.map(({ covariate, test }) => (
      <tr key={covariate}>
        <th scope="row">
          <bdi>{covariate}</bdi>
        </th>
        <td class="number">{fixed(test?.statistic, 3)}</td>
        <td class="number">{test === null ? '–' : count(test.degreesOfFreedom)}</td>
        <td class="number">{pValue(test?.pValue)}</td>
      </tr>
    ))}
  </Table>
)

/** Four decimals, or the leading digits of what is smaller. */
const digits = (value: number | null): string =>
  value !== null && value !== 0 && Math.abs(value) < 0.001 ? value.toExponential(2) : fixed(value, 4)
