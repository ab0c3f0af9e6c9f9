// @ts-check
// One page: from Markdown to the HTML of an article, with what the site needs to know of it.
import { existsSync, statSync } from 'node:fs'
import { posix } from 'node:path'
import markdownIt from 'markdown-it'
import { anchors } from './anchors.mjs'
import { escapeHtml, highlighted, linkedNames } from './highlight.mjs'
import { mathPlugin } from './math.mjs'
import { targetOf } from './pages.mjs'

/** @typedef {import('./pages.mjs').Page} Page */
/** @typedef {{ level: number, title: string, anchor: string }} Heading */
/** @typedef {{ anchor: string, title: string, text: string }} Passage a part of a page below one heading, for the search */
/**
 * @typedef {object} Article
 * @property {string} html @property {string} title @property {Heading[]} headings @property {Passage[]} passages
 * @property {string[]} linked files of the repository, outside of the list, that it links to or shows
 */
/** @typedef {{ root: string, page: Page, names: ReadonlyMap<string, string> }} Environment what rendering needs to know; names of the library to their pages */

const md = markdownIt({ html: true, linkify: false, typographer: false })
md.use(mathPlugin)

/** The address of one page of the site as seen from another. @param {string} from @param {string} to */
export const addressFrom = (from, to) => posix.relative(posix.dirname(from), to) || posix.basename(to)

md.renderer.rules.table_open = () => '<div class="table" tabindex="0" role="group" aria-label="table"><table>\n'
md.renderer.rules.table_close = () => '</table></div>\n'
// A short piece of code is not broken between lines.
md.renderer.rules.code_inline = (tokens, at) => {
  const { content } = tokens[at]
  return `<code${content.length <= 26 ? ' class="short"' : ''}>${escapeHtml(content)}</code>`
}
md.renderer.rules.fence = (tokens, at, _, env) => {
  const { content, info } = tokens[at]
  const [language, ...rest] = info.trim().split(/\s+/)
  const html = highlighted(content, language)
  if (rest[0] === 'declaration') {
    const { page, names } = /** @type {Environment} */ (env)
    const links = (/** @type {string} */ name) => {
      const to = names.get(name)
      return to === undefined ? undefined : addressFrom(page.target, to)
    }
    return `<pre class="declaration" tabindex="0"><code>${linkedNames(html, links, rest[1])}</code></pre>\n`
  }
  const file = /\.\w+$/.test(rest[0] ?? '') ? `<figcaption>${escapeHtml(rest[0])}</figcaption>` : ''
  return `<figure class="code${language === 'output' ? ' output' : ''}">${file}<pre tabindex="0"><code>${html}</code></pre></figure>\n`
}

/** Files that a reader saves: data, and modules of other languages. */
const DOWNLOADS = /\.(csv|tsv|tns|npz|py|R)$/

/** Files that are on the site as they are: pictures, and downloads. Everything else becomes a page. */
export const AS_IT_IS = new RegExp(`\\.(png|svg|jpg|webp)$|${DOWNLOADS.source}`)

/** A table without names of columns: Markdown wants a row of them. */
const EMPTY_HEAD = /<thead>\s*<tr>\s*(?:<th><\/th>\s*)+<\/tr>\s*<\/thead>/g

/** @param {string} href @param {string} root @param {Page} page @returns {{ href: string | undefined, file?: string }} */
const siteLink = (href, root, page) => {
  if (/^[a-z][a-z\d+.-]*:/i.test(href) || href.startsWith('#')) return { href }
  const [path, anchor] = href.split('#')
  if (page.text !== undefined) return { href }
  const file = posix.normalize(posix.join(posix.dirname(page.source), path))
  if (!existsSync(`${root}/${file}`) || statSync(`${root}/${file}`).isDirectory()) return { href: undefined }
  const target = AS_IT_IS.test(file) ? targetOf(file).replace(/\.html$/, '') : targetOf(file)
  return { href: addressFrom(page.target, target) + (anchor === undefined ? '' : `#${anchor}`), file }
}

/** @param {import('markdown-it').Token[]} tokens @param {(token: import('markdown-it').Token) => void} visit */
const visitAll = (tokens, visit) => {
  for (const token of tokens) {
    visit(token)
    if (token.children) visitAll(token.children, visit)
  }
}

/** The words of tokens, without markup. @param {import('markdown-it').Token | undefined} token @returns {string} */
const wordsOf = token =>
  (token?.children ?? [])
    .map(child =>
      ['text', 'code_inline', 'math_inline'].includes(child.type)
        ? child.content
        : child.type === 'softbreak'
          ? ' '
          : '',
    )
    .join('')

/** The same for the search: code keeps its marks, and formulas, which nobody searches for, are dots. @param {import('markdown-it').Token} token */
const searchedWords = token =>
  (token.children ?? [])
    .map(({ type, content }) =>
      type === 'code_inline'
        ? `\`${content}\``
        : type === 'math_inline'
          ? '…'
          : type === 'softbreak'
            ? ' '
            : type === 'text'
              ? content
              : '',
    )
    .join('')

/** @param {string} text @param {Environment} env @returns {Article} */
export const articleOf = (text, env) => {
  const { root, page } = env
  const tokens = md.parse(text, env)
  const anchorOf = anchors()
  /** @type {Heading[]} */
  const headings = []
  /** @type {Passage[]} */
  const passages = [{ anchor: '', title: page.title, text: '' }]
  /** @type {string[]} */
  const linked = []
  tokens.forEach((token, at) => {
    if (token.type === 'heading_open') {
      const title = wordsOf(tokens[at + 1])
      const anchor = anchorOf(tokens[at + 1].content.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'))
      token.attrSet('id', anchor)
      headings.push({ level: Number(token.tag.slice(1)), title, anchor })
      if (headings.length > 1) passages.push({ anchor, title, text: '' })
    } else if (token.type === 'inline' && tokens[at - 1]?.type !== 'heading_open') {
      passages[passages.length - 1].text += `${searchedWords(token)} `
    } else if (token.type === 'fence') passages[passages.length - 1].text += `${token.content} `
  })
  visitAll(tokens, token => {
    const name = token.type === 'link_open' ? 'href' : token.type === 'image' ? 'src' : undefined
    if (name === undefined) return
    const { href, file } = siteLink(String(token.attrGet(name)), root, page)
    if (href === undefined) token.attrs = (token.attrs ?? []).filter(([each]) => each !== name)
    else token.attrSet(name, href)
    if (file !== undefined) linked.push(file)
    if (file !== undefined && DOWNLOADS.test(file)) token.attrSet('download', '')
    if (token.type === 'image') token.attrSet('loading', 'lazy')
  })
  md.renderer.rules.heading_close = (all, at) => {
    const anchor = all[at - 2].attrGet('id')
    const title = wordsOf(all[at - 1])
    const link =
      all[at].tag === 'h1' ? '' : ` <a class="anchor" href="#${anchor}" aria-label="Link to ${escapeHtml(title)}">#</a>`
    return `${link}</${all[at].tag}>\n`
  }
  return {
    html: md.renderer.render(tokens, md.options, env).replace(EMPTY_HEAD, '').replaceAll('<th></th>', '<td></td>'),
    title: headings[0]?.title ?? page.title,
    headings,
    passages,
    linked,
  }
}
