import { type Html, html } from '../html.ts'
import type { Report } from '../report.ts'
import { figureOf } from './figures.ts'
import { paperHtml } from './tables.ts'

/** What a model has besides its classes, in full view: covariates with their odds ratios, groups and joined variables with their tests. */

/** How membership depends on covariates. */
export const covariatesSection = ({ charts, tables }: Report, document: Document): Html | null =>
  tables.odds === null
    ? null
    : html`${paperHtml(tables.odds)}
${figureOf(document, 'curves', charts.curves, {
  title: 'Membership by covariate',
  caption: 'The probability of each class along each covariate, averaged over the others as they were observed.',
})}`

/** The models that were compared, and the tests between them. */
export const comparisonSection = ({ tables, groups, covariates }: Report): Html | null =>
  tables.comparison === null
    ? null
    : html`${paperHtml(tables.comparison)}
${
  groups !== null && covariates === null
    ? html`<p class="aside">These models are conditional on the group. The fit statistics below are for the table in which the group is one more variable.</p>`
    : null
}`

export const comparisonTitle = ({ groups }: Report): string => (groups === null ? 'Joined variables' : 'Known groups')
