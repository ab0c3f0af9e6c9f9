// @ts-check
// `npm run docs`: the documentation as a static site, which needs no server and no network.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pageHtml } from './layout.mjs'
import { libraryPages } from './library.mjs'
import { AS_IT_IS, articleOf } from './markdown.mjs'
import { sectionsOf, targetOf } from './pages.mjs'

/** @typedef {import('./pages.mjs').Page} Page */

const here = dirname(fileURLToPath(import.meta.url))
const root = dirname(dirname(here))

/** Colours, radius and fonts of the studio: all that its style sheet has before its first rule for elements. */
const studioVariables = () => {
  const text = readFileSync(join(root, 'packages/studio/src/style/studio.css'), 'utf8').replace(/^@import.*\n/gm, '')
  return text.slice(0, text.search(/^\* \{/m))
}

/** A source file as a page. @param {string} source */
const sourcePage = source => {
  const language = source.slice(source.lastIndexOf('.') + 1)
  const fence = '`'.repeat(8)
  return `# ${source}\n\n${fence}${language}\n${readFileSync(join(root, source), 'utf8')}\n${fence}\n`
}

/** @param {string} folder where the site is written; what was there is removed @returns {{ pages: number }} */
export const buildSite = folder => {
  const library = libraryPages(root)
  const { version } = JSON.parse(readFileSync(join(root, 'packages/polyad/package.json'), 'utf8'))
  const sections = [...sectionsOf(root), { title: 'Library', pages: library.pages }]
  rmSync(folder, { recursive: true, force: true })
  const write = (/** @type {string} */ target, /** @type {string} */ text) => {
    const path = join(folder, target)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  /** @type {Page[]} */
  const queue = [
    { source: 'docs/README.md', target: 'index.html', title: 'Polyad' },
    ...sections.flatMap(({ pages }) => pages),
  ]
  const listed = queue.length
  const known = new Set(queue.map(({ source }) => source))
  /** @type {{ address: string, page: string, title: string, summary?: string, text: string }[]} */
  const passages = []
  for (let at = 0; at < queue.length; at++) {
    const page = queue[at]
    const text =
      page.text ??
      (page.source.endsWith('.md') ? readFileSync(join(root, page.source), 'utf8') : sourcePage(page.source))
    const article = articleOf(text, { root, page, names: library.names })
    write(page.target, pageHtml(page, article, sections, version))
    if (at < listed && at > 0)
      for (const passage of article.passages)
        passages.push({
          address: page.target + (passage.anchor === '' ? '' : `#${passage.anchor}`),
          page: page.title,
          title: passage.title,
          ...(passage.anchor === '' && page.summary !== undefined ? { summary: page.summary } : {}),
          text: passage.text.replace(/\s+/g, ' ').trim(),
        })
    // What is linked to is on the site too: other documents and sources as pages, pictures and data as they are.
    for (const file of article.linked) {
      if (known.has(file)) continue
      known.add(file)
      if (AS_IT_IS.test(file)) {
        const to = join(folder, targetOf(file).replace(/\.html$/, ''))
        mkdirSync(dirname(to), { recursive: true })
        cpSync(join(root, file), to)
      } else queue.push({ source: file, target: targetOf(file), title: file })
    }
  }
  write('assets/style.css', `${studioVariables()}\n${readFileSync(join(here, 'assets/style.css'), 'utf8')}`)
  for (const script of ['page.js', 'find.js', 'search.js'])
    cpSync(join(here, 'assets', script), join(folder, 'assets', script))
  write('assets/passages.js', `globalThis.polyadPassages = ${JSON.stringify(passages)}\n`)
  cpSync(join(root, 'node_modules/minisearch/dist/umd/index.js'), join(folder, 'assets/minisearch.js'))
  cpSync(join(root, 'packages/studio/public/icon.svg'), join(folder, 'assets/icon.svg'))
  return { pages: queue.length }
}

if (
  process.argv[1] !== undefined &&
  existsSync(process.argv[1]) &&
  fileURLToPath(import.meta.url) === process.argv[1]
) {
  const folder = process.argv[2] ?? join(root, 'packages/polyad/site')
  const { pages } = buildSite(folder)
  process.stderr.write(`polyad: wrote ${pages} pages of documentation: open ${join(folder, 'index.html')}\n`)
}
