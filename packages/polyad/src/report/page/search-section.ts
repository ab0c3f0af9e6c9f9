import { type Html, html } from '../html.ts'
import { count, counted, fixed, whole } from '../numbers.ts'
import { listed } from '../prose.ts'
import type { Report, SearchFacts } from '../record/report.ts'
import { figureOf } from './charts.ts'
import { tableHtml } from './tables.ts'

/** How the optimum was found, and what it takes to find it again. */

export const searchSection = ({ charts, search, statistics }: Report, document: Document): Html | null => {
  if (search === null) return null
  const entries: (readonly [string, string])[] = [
    ['solution', search.verdict.text],
    ['runs', runsText(search)],
    ['stationarity (residual)', search.stationarity.toExponential(1)],
    ['passes over the data, best run', whole(search.passes)],
    ['passes over the data, whole search', whole(search.totalPasses)],
    ...(statistics === null ? [] : [['loss f', fixed(statistics.loss, 4)] as const]),
  ]
  return html`${tableHtml({ caption: 'The search', columns: ['what', 'value'], rows: entries })}
<div class="side">
${figureOf(document, 'losses', charts.losses, {
  title: 'The loss along the search',
  caption: 'The loss along the best run, and where every run ended, against its number of passes. Lower is better.',
  room: 'beside',
})}
${figureOf(document, 'optima', charts.optima, {
  title: 'Local optima',
  caption: `How often each local optimum was reached, in ${count(search.verdict.attempts)} runs. The best should be reached more than once.`,
  room: 'beside',
})}
</div>`
}

/** How many runs there were, by their kinds. */
const runsText = ({ verdict: { attempts, starts } }: SearchFacts): string =>
  attempts === starts
    ? counted(starts, 'independent start')
    : `${count(attempts)}: ${counted(starts, 'independent start')} and ${counted(attempts - starts, 'recombination')}`

/** The command, the version, the seed and the digest. */
export const repeatSection = ({ origin, data, search }: Report): Html => {
  const { line, command, version, seed, digest, files, options } = origin
  const entries: (readonly [string, string])[] = [
    ...(version === null ? [] : [['version', `Polyad ${version}`] as const]),
    ...(command === null || line !== null ? [] : [['command', `polyad ${command}`] as const]),
    ...(seed === null ? [] : [['seed', String(seed)] as const]),
    ...(digest === null ? [] : [['digest of the data (SHA-256)', digest] as const]),
    ...(data.same === null ? [] : [['the data of this report', data.same ? 'the same' : 'other data'] as const]),
    ...(files.length === 0 ? [] : [['files', listed(files)] as const]),
    ...options.map(({ name, value }) => [`option ${name}`, value] as const),
  ]
  const byTime = search?.reason === 'stopped' || options.some(({ name }) => name === 'maxSeconds')
  return html`${line === null ? html`<p>The command line was not recorded.</p>` : html`<pre><code>${line}</code></pre>`}
${entries.length === 0 ? null : tableHtml({ caption: 'What it was made from', columns: ['what', 'value'], rows: entries })}
<p class="aside">${byTime ? 'A time limit ended the search, so its result depends on the machine.' : 'The same version, data, options and seed give the same model.'} The digest is of the counted data, not of a file: the order of rows and the format do not change it.</p>`
}
