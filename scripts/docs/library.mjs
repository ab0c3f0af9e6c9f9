// @ts-check
// The reference of the library: a page for every entry of the packages, from the doc comments of what it exports.
import { readFileSync } from 'node:fs'
import { declarationsOf } from './declarations.mjs'

/** @typedef {import('./declarations.mjs').Declaration} Declaration */
/** @typedef {import('./pages.mjs').Page} Page */

/** What each entry is for. An entry without a line here fails the build, so that none is forgotten. @type {Readonly<Record<string, string>>} */
const ENTRIES = {
  '@polyad/core': 'What an analysis is written with: tensors, fits, models, statistics.',
  '@polyad/core/engine': 'Engines, cells in files, and what an engine of your own needs.',
  '@polyad/core/stats': 'Parts and lists of the statistics.',
  '@polyad/core/model': 'Work on models and tensors: align, sample, revive, compare.',
  '@polyad/core/file': 'Model files, NumPy arrays and zip archives.',
  '@polyad/core/numeric': 'Random numbers, special functions, assignment, small matrices.',
  '@polyad/core/options': 'The table of every function’s options, and messages about options.',
  '@polyad/core/conformance': 'The test suite that every engine has to pass.',
  '@polyad/charts': 'Charts as functions from plain data to SVG, in Node and in a page.',
  '@polyad/charts/label-text': 'Labels as text that fits a line, a column or a chart.',
  '@polyad/charts/visible-text': 'Labels as text whose every character is seen, and how wide it is.',
  polyad: 'The command line as functions for Node: read, fit, classify, write.',
  'polyad/analysis': 'A fit and its statistics from one request, in Node and in a page.',
  'polyad/report': 'Reports and tables in Node and in a page.',
  'polyad/table': 'Read tables without DuckDB: in a page or in Node.',
  'polyad/numbers': 'Numbers as a person reads them.',
  'polyad/studio-wire': 'Tables on their way from the server of the studio to its page.',
}
/** Scripts and data, which export nothing. */
const SCRIPTS = ['@polyad/core/worker', 'polyad/schema/*']

const KINDS = /** @type {const} */ ([
  ['function', 'Functions'],
  ['class', 'Classes'],
  ['constant', 'Constants'],
  ['type', 'Types'],
])

/** Long signatures with a line for each parameter. @param {string} code */
const broken = code => {
  if (code.includes('\n') || code.length <= 96) return code
  let depth = 0
  let out = ''
  for (let at = 0; at < code.length; at++) {
    const each = code[at]
    const before = depth
    if ('({[<'.includes(each)) depth++
    if (')}]'.includes(each) || (each === '>' && code[at - 1] !== '=')) depth--
    if (each === '(' && before === 0) out += '(\n  '
    else if (each === ')' && depth === 0) out += ',\n)'
    else if (each === ',' && depth === 1) out += ',\n '
    else out += each
  }
  return out.replaceAll(/\(\n {2},\n\)/g, '()')
}

/** @param {Declaration} declaration */
const entryText = ({ name, code, summary, example, params }) => [
  `### ${name}`,
  '',
  ...(summary === '' ? [] : [summary, '']),
  `\`\`\`ts declaration ${name}`,
  broken(code),
  '```',
  '',
  ...(params.length === 0 ? [] : [...params.map(param => `- \`${param.name}\`: ${param.text}`), '']),
  ...(example === '' ? [] : ['```ts', example, '```', '']),
]

/** @param {string} root @returns {{ entry: string, summary: string, declarations: Declaration[] }[]} */
export const libraryEntries = root =>
  ['core', 'charts', 'polyad'].flatMap(folder => {
    const manifest = JSON.parse(readFileSync(`${root}/packages/${folder}/package.json`, 'utf8'))
    const exported = /** @type {[string, { types: string }][]} */ (Object.entries(manifest.exports))
    return exported.flatMap(([path, { types }]) => {
      const entry = `${manifest.name}${path.slice(1)}`
      if (SCRIPTS.includes(entry)) return []
      const summary = ENTRIES[entry]
      if (summary === undefined) throw new Error(`scripts/docs/library.mjs does not say what ${entry} is for`)
      return [{ entry, summary, declarations: declarationsOf(`${root}/packages/${folder}/${types}`) }]
    })
  })

/**
 * The pages of the library, and where on the site each name is explained.
 * @param {string} root @returns {{ pages: Page[], names: Map<string, string> }}
 */
export const libraryPages = root => {
  /** @type {Map<string, string>} */
  const names = new Map()
  const pages = libraryEntries(root).map(({ entry, summary, declarations }) => {
    const target = `library/${entry.replace('@polyad/', '').replaceAll('/', '-')}.html`
    for (const { name } of declarations) if (!names.has(name)) names.set(name, `${target}#${name.toLowerCase()}`)
    const text = [
      `# ${entry}`,
      '',
      summary,
      '',
      ...KINDS.flatMap(([kind, title]) => {
        const some = declarations.filter(each => each.kind === kind).sort((a, b) => a.name.localeCompare(b.name, 'en'))
        return some.length === 0 ? [] : [`## ${title}`, '', ...some.flatMap(entryText)]
      }),
    ].join('\n')
    return { source: `library/${entry}`, target, title: entry, summary, text }
  })
  return { pages, names }
}
