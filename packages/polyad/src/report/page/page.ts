import { classColour } from '@polyad/charts'
import { type Html, html, inText, prose, trusted } from '../html.ts'
import { capital } from '../prose.ts'
import type { Report } from '../report.ts'
import { cautions } from './cautions.ts'
import { evidenceSection, figuresSection, repeatSection } from './evidence.ts'
import { classSheets, figureOf, profilesFigure } from './figures.ts'
import { howToReport, references, undescribed } from './how-to-report.ts'
import { STYLE } from './style.ts'
import { classSentences, heldOf, summary } from './summary.ts'

export interface PageOptions {
  /** Where elements are made: a page's own document, or one of a library. */
  readonly document: Document
}

/**
 * A report as one page of HTML that needs nothing else: no network, no script.
 * @example
 * const page = reportPage(await makeReport(model), { document })
 * page.startsWith('<!doctype html>') // true
 */
export const reportPage = (report: Report, { document }: PageOptions): string => {
  const sections: readonly (readonly [id: string, title: string, content: Html | null])[] = [
    ['classes', 'The classes', classesSection(report, document)],
    ['labels', 'Modes with many labels', labelsSection(report, document)],
    ['evidence', 'Evidence', evidenceSection(report, document)],
    ['figures', 'Figures of fit', figuresSection(report)],
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
<style>${trusted(STYLE)}</style>
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

const subtitle = ({ classes, variables, origin }: Report): string =>
  `A report of ${classes.length === 1 ? 'one class' : `${classes.length} classes`} in ${variables === 1 ? 'one variable' : `${variables} variables`}, by Polyad${origin.version === null ? '' : ` ${origin.version}`}`

/** In words first. */
const wordsSection = (report: Report): Html => {
  const careful = cautions(report)
  return html`<section aria-labelledby="words-title"><h2 id="words-title">In words</h2>
<div class="words">${summary(report).map(
    (sentence, i) => html`<p${trusted(i === 0 ? ' class="lead"' : '')}>${prose(sentence)}</p>
`,
  )}</div>
${classCards(report)}
<h3>What to be careful about</h3>
${
  careful.length === 0
    ? html`<p>Nothing that can be seen from these figures.</p>`
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

const headline = (name: string, k: number): string =>
  name === `class ${k + 1}` ? capital(name) : `${k + 1}. ${inText(name)}`

const classesSection = ({ charts, classes, data }: Report, document: Document): Html | null =>
  html`${
    classes.length === 1
      ? null
      : figureOf(document, 'shares', charts.shares, {
          title: 'How large the classes are',
          caption: `Each class as a part of ${heldOf(data)}.`,
        })
  }
${profilesFigure(document, charts.profiles, {
  title: 'Class profiles',
  caption:
    'The probability of each label within each class. Modes whose labels are in order are drawn as lines, the others as bars, and as a heat map where bars would be too many.',
})}
${figureOf(document, 'lines', charts.lines, {
  title: 'The classes over the items',
  caption: 'One line for each class. Where lines lie apart, an item tells the classes apart.',
  room: 'wide',
})}
${figureOf(document, 'curves', charts.curves, {
  title: 'Membership by covariate',
  caption: 'The probability of each class along each covariate, over the others as they were observed.',
})}`

const labelsSection = ({ charts, classes }: Report, document: Document): Html | null =>
  charts.top === null
    ? null
    : html`${figureOf(document, 'top', charts.top, {
        title: 'Labels that mark the classes',
        caption:
          'Of modes with many labels, those that are more frequent in a class than the independence of all modes would have it, the strongest for each class. The others are in the model file.',
        parts: charts.top.modes.map(mode => ({ data: { classes, modes: [mode] } })),
      })}
${charts.time.map(({ each, ...data }) =>
  figureOf(document, 'time', data, {
    title: `${inText(data.mode.name)}, in order`,
    caption: `The probability of each label within each class, in the order of the labels${each === 1 ? '' : `; ${each} neighbouring labels together make a point`}.`,
    room: 'wide',
  }),
)}
${figureOf(document, 'pairs', charts.pairs, {
  title: charts.pairs === null ? '' : `${inText(charts.pairs.modes[0].name)} × ${inText(charts.pairs.modes[1].name)}`,
  caption:
    'For each class, how probable two labels are together: the most frequent of the two modes with the most labels.',
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
