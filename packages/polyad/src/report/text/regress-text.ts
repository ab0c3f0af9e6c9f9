import type { RegressBootstrap, RegressMethod, RegressResult } from '@polyad/core'
import type { CovariateFigures } from '../figures/covariate-figures.ts'
import { count, counted, percent } from '../numbers.ts'
import type { WithNulls } from '../with-nulls.ts'
import { covariatesText } from './covariates-text.ts'
import { MEASUREMENT_TEXT } from './measurement-text.ts'
import { type ComparedError, stepBootstrapText } from './step-bootstrap-text.ts'
import type { Page } from './text-table.ts'

/** Membership regressed on covariates, as the object of --json has it. */
export interface RegressFigures extends WithNulls<Omit<RegressResult, 'covariates'>> {
  readonly model: string
  readonly classNames: readonly string[] | null
  /** The columns of counts and of weights; null where there is none. */
  readonly count: string | null
  readonly weights: string | null
  readonly covariates: CovariateFigures
  readonly bootstrap?: WithNulls<RegressBootstrap>
  /** If a time limit or a signal ended the replicates. */
  readonly stopped?: true
  readonly notComputed?: readonly ['bootstrap']
}

/** Both standard errors of every coefficient, if there is a bootstrap. */
export const regressErrors = ({ bootstrap, covariates }: RegressFigures): ComparedError[] =>
  bootstrap === undefined
    ? []
    : bootstrap.coefficients.map((own, i) => ({
        name: `class ${own.class}, ${own.term}`,
        standardError: covariates.coefficients[i].standardError,
        bootstrap: own,
      }))

const METHODS: Readonly<Record<RegressMethod, string>> = {
  ml: 'three-step, ML-corrected',
  bch: 'three-step, BCH-corrected',
  none: 'three-step, not corrected: effects are biased towards zero',
}

export const regressText = (found: RegressFigures, page: Page): string[] => {
  const { covariates, classification, clusters, strata } = found
  const right = classification.map((row, t) => row[t])
  return [
    '',
    page.style('dim', METHODS[found.method]),
    ...covariatesText(covariates, page),
    ...(found.bootstrap === undefined ? [] : stepBootstrapText(found.bootstrap, regressErrors(found), page)),
    ...(found.classNames === null
      ? []
      : [`  classes: ${found.classNames.map((name, k) => `${k + 1} ${name}`).join(', ')}`]),
    `  ${counted(found.observations, 'observation')}${covariates.dropped === 0 ? '' : `, and ${count(covariates.dropped)} left out: a covariate is missing, or every answer is`}`,
    `  members of a class who are assigned to it: ${right.map(each => percent(each)).join(', ')}`,
    page.style('dim', `  ${MEASUREMENT_TEXT[found.measurement]}`),
    ...(clusters === null || strata === null
      ? []
      : [
          page.style(
            'dim',
            `  they account for ${counted(clusters, 'cluster')}${strata > 1 ? ` in ${counted(strata, 'stratum', 'strata')}` : ''}, ${clusters - strata} degrees of freedom`,
          ),
        ]),
  ]
}
