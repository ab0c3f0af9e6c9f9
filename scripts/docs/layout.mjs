// @ts-check
// A whole page of the site around an article.
import { escapeHtml } from './highlight.mjs'
import { addressFrom } from './markdown.mjs'

/** @typedef {import('./pages.mjs').Page} Page */
/** @typedef {import('./pages.mjs').Section} Section */
/** @typedef {import('./markdown.mjs').Article} Article */

/** Before anything is drawn: the theme that was chosen, and that there are scripts. */
const EARLY = `document.documentElement.classList.add('js');try{const t=localStorage.getItem('polyad-docs-theme');if(t)document.documentElement.dataset.theme=t}catch{}`

/** The list of pages, section by section; folded, but for the one that is read. @param {Page} page @param {Section[]} sections */
const navigation = (page, sections) =>
  sections
    .map(({ title, pages }) => {
      const links = pages.map(each => {
        const here = each.target === page.target
        return `<li><a href="${addressFrom(page.target, each.target)}"${here ? ' aria-current="page"' : ''}>${escapeHtml(each.title)}</a></li>`
      })
      const open =
        pages.some(({ target }) => target === page.target) || (page.target === 'index.html' && title === FIRST)
      return `<details${open ? ' open' : ''}><summary class="section">${escapeHtml(title)}</summary>\n<ul>${links.join('\n')}</ul></details>`
    })
    .join('\n')

/** The section that the front page opens. */
const FIRST = 'Start'

/** @param {Article} article */
const contents = ({ headings }) => {
  const levels = headings.filter(({ level }) => level === 2 || level === 3)
  if (levels.length < 2) return ''
  const links = levels.map(
    ({ level, title, anchor }) => `<li class="level-${level}"><a href="#${anchor}">${escapeHtml(title)}</a></li>`,
  )
  return `<nav class="contents" aria-label="On this page"><details open><summary>On this page</summary><ul>${links.join('')}</ul></details></nav>`
}

/** The pages before and after this one. @param {Page} page @param {Section[]} sections */
const neighbours = (page, sections) => {
  const all = sections.flatMap(({ pages }) => pages)
  const at = all.findIndex(({ target }) => target === page.target)
  const link = (/** @type {Page | undefined} */ to, /** @type {string} */ name, /** @type {string} */ rel) =>
    to === undefined
      ? '<span></span>'
      : `<a rel="${rel}" class="${rel}" href="${addressFrom(page.target, to.target)}"><span>${name}</span> ${escapeHtml(to.title)}</a>`
  if (at < 0)
    return page.target === 'index.html'
      ? `<nav class="neighbours" aria-label="Next page"><span></span>${link(all[0], 'Next', 'next')}</nav>`
      : ''
  return `<nav class="neighbours" aria-label="Previous and next page">${link(all[at - 1], 'Previous', 'prev')}${link(all[at + 1], 'Next', 'next')}</nav>`
}

/** @param {Page} page @param {Article} article @param {Section[]} sections @param {string} version of Polyad */
export const pageHtml = (page, article, sections, version) => {
  const to = (/** @type {string} */ target) => addressFrom(page.target, target)
  const home = page.target === 'index.html'
  const title = home ? 'Polyad documentation' : `${article.title} · Polyad`
  return `<!doctype html>
<html lang="en" data-root="${to('index.html').replace(/index\.html$/, '')}">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
${page.summary === undefined ? '' : `<meta name="description" content="${escapeHtml(page.summary)}">\n`}<link rel="icon" href="${to('assets/icon.svg')}">
<link rel="stylesheet" href="${to('assets/style.css')}">
<script>${EARLY}</script>
<script src="${to('assets/page.js')}" defer></script>
<script src="${to('assets/search.js')}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header class="top">
<button type="button" class="menu" aria-expanded="false" aria-controls="pages">Menu</button>
<a class="brand" href="${to('index.html')}">Polyad <span class="version">${escapeHtml(version)}</span></a>
<button type="button" class="search">Search <kbd>/</kbd></button>
<button type="button" class="theme">Dark</button>
</header>
<div class="columns">
<nav id="pages" class="pages" aria-label="Pages">
${navigation(page, sections)}
</nav>
<main id="content" tabindex="-1">
${contents(article)}
<article>
${article.html}</article>
${neighbours(page, sections)}
</main>
</div>
</body>
</html>
`
}
