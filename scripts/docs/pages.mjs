// @ts-check
// The list of pages: docs/README.md is the table of contents, of the site as of the folder.
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'

/**
 * @typedef {object} Page
 * @property {string} source where its text is, from the root: docs/data.md
 * @property {string} target where it is on the site: data.html
 * @property {string} title in the list of pages
 * @property {string} [summary] the words after its link in the list
 * @property {string} [text] its Markdown, if it has no file
 */
/** @typedef {{ title: string, pages: Page[] }} Section */

/** A file of the repository as a page of the site: docs is its root, everything else is below `repository`. @param {string} source */
export const targetOf = source => {
  const inside = source.startsWith('docs/') ? source.slice('docs/'.length) : `repository/${source}`
  if (!inside.endsWith('.md')) return `${inside}.html`
  return inside.replace(/(^|\/)README\.md$/, '$1index.md').replace(/\.md$/, '.html')
}

/** @param {string} root @returns {Section[]} */
export const sectionsOf = root => {
  const text = readFileSync(`${root}/docs/README.md`, 'utf8')
  return text
    .split(/^## /m)
    .slice(1)
    .map(part => {
      const [title, ...lines] = part.split('\n')
      const pages = lines.flatMap(line => {
        const [, name, path, summary] = /^- \[([^\]]+)\]\(([^)]+)\)(?:: (.*))?$/.exec(line) ?? []
        if (path === undefined) return []
        const source = posix.normalize(`docs/${path}`)
        return [{ source, target: targetOf(source), title: name, ...(summary === undefined ? {} : { summary }) }]
      })
      return { title, pages }
    })
    .filter(({ pages }) => pages.length > 0)
}
