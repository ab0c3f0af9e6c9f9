import { type Html, html } from '../html.ts'
import type { Report } from '../record/report.ts'
import { figureOf } from './charts.ts'
import { paperHtml } from './tables.ts'

/** How classes change over time, and how they differ between groups. */

/** Moves between waves, and the tables of class sizes and transitions. */
export const changeSection = ({ charts, tables }: Report, document: Document): Html | null =>
  tables.transitions === null
    ? null
    : html`${figureOf(document, 'flows', charts.flows, {
        title: 'Moves between waves',
        caption:
          'A bar for each wave, with the class sizes in %. Bands are as wide as the part of all people who move that way.',
        room: 'wide',
      })}
${paperHtml(tables.transitions)}
${figureOf(document, 'transitions', charts.transitions, {
  title: 'Transitions',
  caption: 'For those in a class (rows), the probability of each class at the next wave (columns), in %.',
  room: 'wide',
})}`

/** The class sizes within each class of groups. */
export const mixesSection = ({ charts, tables }: Report, document: Document): Html | null =>
  tables.mixes === null
    ? null
    : html`${figureOf(document, 'mixes', charts.mixes, {
        title: 'Class sizes by group class',
        caption: 'A bar for each class of groups: the class sizes of its members, in %.',
        room: 'wide',
      })}
${paperHtml(tables.mixes)}`
