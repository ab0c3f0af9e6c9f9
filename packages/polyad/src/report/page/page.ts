import { classColour, isHeatMap } from '@polyad/charts'
import { labelsIn } from '../../table/values/codebook.ts'
import { numberedName } from '../figures/class-names.ts'
import { type Html, html, inText, prose, trusted } from '../html.ts'
import { policedStyle } from '../page-policy.ts'
import type { Report } from '../record/report.ts'
import { cautions } from './cautions.ts'
import { classSheets, figureOf, profilesFigure } from './charts.ts'
import { fitSection } from './fit-section.ts'
import { howToReport, references, undescribed } from './how-to-report.ts'
import { judgements } from './judgements.ts'
import { changeSection, mixesSection } from './linked-section.ts'
import { repeatSection, searchSection } from './search-section.ts'
import { STYLE } from './style.ts'
import { classSentences, foundSentences, heldOf } from './summary.ts'
import { paperHtml, tableHtml } from './tables.ts'

/** What a model has besides its classes, in full view: covariates with their odds ratios, groups and joined variables with their tests. */

/** How membership depends on covariates. */
const covariatesSection = ({ charts, tables }: Report, document: Document): Html | null =>
  tables.odds === null
    ? null
    : html`${paperHtml(tables.odds)}
${figureOf(document, 'curves', charts.curves, {
  title: 'Membership by covariate',
  caption: 'The probability of each class along each covariate, averaged over the others as they were observed.',
})}`

/** The models that were compared, and the tests between them. */
const comparisonSection = ({ tables, groups, covariates }: Report): Html | null =>
  tables.comparison === null
    ? null
    : html`${paperHtml(tables.comparison)}
${
  groups !== null && covariates === null
    ? html`<p class="aside">These models are conditional on the group. The fit statistics below are for the table in which the group is one more variable.</p>`
    : null
}`

const comparisonTitle = ({ groups }: Report): string => (groups === null ? 'Joined variables' : 'Known groups')

export interface PageOptions {
  /** Where elements are made: a page's own document, or one of a library. */
  readonly document: Document
}

/**
 * A report as one page of HTML that needs nothing else: no network, no script. Its Content-Security-Policy forbids both.
 * @example
 * const page = reportPage(await makeReport(model), { document })
 * page.startsWith('<!doctype html>') // true
 */
export const reportPage = (report: Report, { document }: PageOptions): string => {
  const sections: readonly (readonly [id: string, title: string, content: Html | null])[] = [
    ['classes', 'Class sizes', sizesSection(report, document)],
    ['profiles', 'Class profiles', profilesSection(report, document)],
    ['change', 'Change over time', changeSection(report, document)],
    ['group-classes', 'Classes of groups', mixesSection(report, document)],
    ['covariates', 'Covariates', covariatesSection(report, document)],
    ['comparison', comparisonTitle(report), comparisonSection(report)],
    ['tables', 'Table of the profiles', report.tables.profiles && paperHtml(report.tables.profiles)],
    ['variables', 'Variables and their labels', variablesSection(report)],
    ['fit', 'Model fit', fitSection(report, document)],
    ['search', 'How the solution was found', searchSection(report, document)],
    ['report-this', 'How to report this', reportingSection(report)],
    ['repeat', 'How to repeat this', repeatSection(report)],
  ]
  const shown = sections.filter(([, , content]) => content !== null)
  const title = `Polyad: ${inText(report.title, 80)}`
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Polyad${report.origin.version === null ? '' : ` ${report.origin.version}`}">
<title>${title}</title>
${policedStyle(STYLE)}
</head>
<body>
<div class="page">
<header>
<h1><bdi>${inText(report.title, 80)}</bdi></h1>
<p>${subtitle(report)}</p>
<nav aria-label="Sections"><ul>${shown.map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></nav>
</header>
<main>
${wordsSection(report)}
${shown.map(
  ([id, name, content]) => html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${name}</h2>
${content}</section>
`,
)}</main>
</div>
</body>
</html>
`)
}

/** What variables are called, and how they were asked for. */
const variablesSection = ({ labels, modes }: Report): Html | null => {
  const shown = labelsIn(labels)
  const named = modes.filter(({ name }) => shown.title(name) !== undefined)
  if (named.length === 0) return null
  const questions = new Map(
    Object.entries(labels).map(([name, { question }]) => [name.toLowerCase(), question ?? null]),
  )
  const asked = named.some(({ name }) => questions.get(name.toLowerCase()) != null)
  return tableHtml({
    caption: 'Variables and their labels',
    columns: ['Variable', 'Label', ...(asked ? ['Question'] : [])],
    rows: named.map(({ name }) => [
      name,
      shown.title(name) ?? '',
      ...(asked ? [questions.get(name.toLowerCase()) ?? null] : []),
    ]),
  })
}

const subtitle = ({ classes, variables, origin }: Report): string =>
  `A report of ${classes.length === 1 ? 'one class' : `${classes.length} classes`} in ${variables === 1 ? 'one variable' : `${variables} variables`}, by Polyad${origin.version === null ? '' : ` ${origin.version}`}`

/** In words first. */
const wordsSection = (report: Report): Html => {
  const careful = cautions(report)
  return html`<section aria-labelledby="words-title"><h2 id="words-title">Summary</h2>
<div class="words">${foundSentences(report).map(
    (sentence, i) => html`<p${trusted(i === 0 ? ' class="lead"' : '')}>${prose(sentence)}</p>
`,
  )}</div>
<dl class="judgements">${judgements(report).map(
    ({ question, answer, level, evidence }) => html`<div class="${level}"><dt>${question}</dt>
<dd><strong>${prose(answer)}</strong> ${prose(evidence.join(' '))}</dd></div>
`,
  )}</dl>
${classCards(report)}
<h3>Cautions</h3>
${
  careful.length === 0
    ? html`<p>No problems found.</p>`
    : html`<ul class="careful">${careful.map(
        sentence => html`<li>${prose(sentence)}</li>
`,
      )}</ul>`
}</section>
`
}

const classCards = (report: Report): Html | null =>
  report.classes.length === 1
    ? null
    : html`<ol class="classes">${report.classes.map(
        ({ name }, k) => html`<li style="--colour: ${classColour(k)}"><h3><bdi>${headline(name, k)}</bdi></h3>
${classSentences(report, k).map(sentence => html`<p>${prose(sentence)}</p>`)}</li>
`,
      )}</ol>`

const headline = (name: string, k: number): string => (name === numberedName(k) ? name : `${k + 1}. ${inText(name)}`)

const sizesSection = ({ charts, classes, data }: Report, document: Document): Html | null =>
  classes.length === 1
    ? null
    : figureOf(document, 'shares', charts.shares, {
        title: 'How large the classes are',
        caption: `Each class as a share of ${heldOf(data)}.`,
      })

/** More panels than this cannot be taken in at once. */
const MANY_VARIABLES = 20

const profilesSection = (report: Report, document: Document): Html | null => {
  const { charts, classes } = report
  const lines = figureOf(document, 'lines', charts.lines, {
    title: 'Overview of the variables',
    caption: isHeatMap(classes.length, charts.lines?.items.length ?? 0)
      ? 'The darker a cell, the larger its value. Variables whose cells differ tell the classes apart.'
      : 'One line for each class. Variables at which the lines lie apart tell the classes apart.',
    room: 'wide',
  })
  const panels = profilesFigure(document, charts.profiles, {
    title: 'Each variable',
    caption: panelsCaption(report),
  })
  const many = manySection(report, document)
  if (lines === null && panels === null && many === null) return null
  // Many panels cannot be taken in at once: then the heat map of all variables comes first.
  const isLong = report.modes.length > MANY_VARIABLES
  return html`${isLong ? lines : panels}
${isLong ? panels : lines}
${many}`
}

const panelsCaption = ({ charts }: Report): string => {
  const modes = charts.profiles?.modes ?? []
  const numbers = modes.filter(({ number }) => number !== undefined).length
  return [
    ...(numbers === modes.length ? [] : ['The probability of each category within each class.']),
    ...(numbers === 0
      ? []
      : [
          `${numbers === modes.length ? 'Of each variable' : 'Of each number'}, the mean within each class, with one standard deviation to either side.`,
        ]),
  ].join(' ')
}

const manySection = ({ charts, classes }: Report, document: Document): Html | null =>
  charts.top === null
    ? null
    : html`${figureOf(document, 'top', charts.top, {
        title: 'Categories that mark the classes',
        caption:
          'For variables with many categories: those that are more frequent in a class than overall, the strongest for each class. The others are in the model file.',
        parts: charts.top.modes.map(mode => ({ data: { classes, modes: [mode] } })),
      })}
${charts.time.map(({ each, ...data }) =>
  figureOf(document, 'time', data, {
    title: `${inText(data.mode.name)}, in order`,
    caption: `The probability of each category within each class, in order${each === 1 ? '' : `; ${each} neighbouring categories together make a point`}.`,
    room: 'wide',
  }),
)}
${figureOf(document, 'pairs', charts.pairs, {
  title: charts.pairs === null ? '' : `${inText(charts.pairs.modes[0].name)} × ${inText(charts.pairs.modes[1].name)}`,
  caption:
    'For each class, how probable two categories are together: the most frequent ones of the two variables with the most categories.',
  ...(charts.pairs !== null && { parts: classSheets(charts.pairs) }),
})}`

const reportingSection = (report: Report): Html => html`<div class="prose">${
  undescribed(report) === null
    ? html`<blockquote>${prose(howToReport(report).join(' '))}</blockquote>`
    : html`<p>${prose(undescribed(report) as string)}</p>`
}
<h3>References</h3>
<ul>${references(report).map(
  text => html`<li>${text}</li>
`,
)}</ul></div>`
