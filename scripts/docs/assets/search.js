// The search of the documentation: passages of all pages, by their words. It works from a folder without a server, since what it
// needs comes by script elements, when it is first asked for.
{
  /** @typedef {{ title: string, page: string, summary?: string, address: string, text: string }} Passage */
  /** @typedef {Passage & { terms: string[] }} Found */

  /** As many as a list shows. */
  const SHOWN = 20
  const base = document.documentElement.dataset.root ?? ''
  const dialog = document.createElement('dialog')
  dialog.setAttribute('aria-label', 'Search the documentation')
  dialog.innerHTML = `<form method="dialog"><input type="search" aria-label="Search" placeholder="standard errors, --weights, fit …" autocomplete="off">
<button>Close</button></form><ul class="found"></ul><p class="said" role="status"></p>`
  document.body.append(dialog)
  const input = /** @type {HTMLInputElement} */ (dialog.querySelector('input'))
  const list = /** @type {HTMLElement} */ (dialog.querySelector('.found'))
  const said = /** @type {HTMLElement} */ (dialog.querySelector('.said'))

  /** @param {string} name of a script of the site */
  const load = name =>
    new Promise((resolve, reject) => {
      const script = document.createElement('script')
      script.src = `${base}assets/${name}`
      script.onload = resolve
      script.onerror = () => reject(new Error(`The search is not available: ${name} could not be loaded.`))
      document.head.append(script)
    })

  /** @type {Promise<(words: string) => Found[]> | undefined} */
  let ready
  const search = () => {
    ready ??= (async () => {
      await Promise.all([load('minisearch.js'), load('find.js'), load('passages.js')])
      const { MiniSearch, polyadFind, polyadPassages } = /** @type {any} */ (globalThis)
      return polyadFind(MiniSearch, polyadPassages)
    })()
    return ready
  }

  /** The words around the first that was found, with those that were found marked. @param {string} text @param {string[]} terms */
  const excerpt = (text, terms) => {
    const words = terms.map(term => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    const piece = document.createElement('small')
    const shown = /** @type {string} */ (/** @type {any} */ (globalThis).polyadExcerpt(text, terms))
    shown.split(new RegExp(`(${words.join('|')})`, 'i')).forEach((part, at) => {
      // What the expression has matched is at odd places.
      const node = document.createElement(at % 2 === 1 ? 'mark' : 'span')
      node.textContent = part
      piece.append(node)
    })
    return piece
  }

  /** @param {Found} found */
  const item = ({ title, page, address, text, terms }) => {
    const link = document.createElement('a')
    link.href = base + address
    const name = document.createElement('strong')
    name.textContent = title === page ? page : `${page} › ${title}`
    link.append(name, excerpt(text, terms))
    const entry = document.createElement('li')
    entry.append(link)
    return entry
  }

  const show = async () => {
    const words = input.value.trim()
    const results = words === '' ? [] : (await search())(words)
    if (words !== input.value.trim()) return
    list.replaceChildren(...results.slice(0, SHOWN).map(item))
    const found = results.length > SHOWN ? `${SHOWN} of ${results.length} shown` : `${results.length} found`
    said.textContent = words === '' ? '' : results.length === 0 ? `Nothing found for “${words}”.` : found
  }

  const open = () => {
    if (dialog.open) return
    dialog.showModal()
    input.select()
    search().catch(error => {
      said.textContent = error.message
    })
  }
  document.querySelector('.search')?.addEventListener('click', open)
  // `polyad docs WORDS` opens the page with what to search for.
  const asked = new URLSearchParams(location.hash.slice(1)).get('search')
  if (asked !== null) {
    open()
    input.value = asked
    show()
  }
  addEventListener('keydown', event => {
    const typing = event.target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)
    const asked = (event.key === '/' && !typing) || (event.key === 'k' && (event.ctrlKey || event.metaKey))
    if (!asked || event.altKey) return
    event.preventDefault()
    open()
  })
  input.addEventListener('input', show)
  input.addEventListener('keydown', event => {
    // In a field of search, the first Escape would only empty it.
    if (event.key === 'Escape') dialog.close()
    if (event.key !== 'Enter') return
    // Not the button Close, which Enter would press, but the first that was found.
    event.preventDefault()
    list.querySelector('a')?.click()
  })
  dialog.addEventListener('keydown', event => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    const all = /** @type {HTMLElement[]} */ ([input, ...list.querySelectorAll('a')])
    const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement)) + (event.key === 'ArrowDown' ? 1 : -1)
    event.preventDefault()
    all[Math.min(Math.max(at, 0), all.length - 1)].focus()
  })
  dialog.addEventListener('click', event => {
    // Beside the dialog, or on a link, which may lead to a heading of this page.
    if (event.target === dialog || (event.target instanceof Element && event.target.closest('a') !== null))
      dialog.close()
  })
}
