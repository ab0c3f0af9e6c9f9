// The search of the documentation, for its pages and for `polyad docs WORDS`: passages of all pages, by their words.
{
  /** @typedef {{ title: string, page: string, summary?: string, address: string, text: string }} Passage */
  /** @typedef {Passage & { terms: string[] }} Found */

  /** Words that say nothing of what is looked for. */
  const STOP = new Set(
    (
      'a about all an and any are as at be but by can could did do does for from get give had handle deal has have how i if in into is it its ' +
      'just like make many me much my need not of on one or our out polyad should so some tell than that the their them then there ' +
      'these they this to use using want was way we were what when where which who why will with work would you your'
    ).split(' '),
  )

  /** What newcomers call things, and the words of the pages. */
  const SYNONYMS = {
    anova: 'outcome',
    chi: 'goodness fit',
    citation: 'cite',
    citing: 'cite',
    cluster: 'class',
    clustering: 'latent class',
    confidential: 'privacy',
    continuous: 'numbers',
    gdpr: 'privacy',
    hmm: 'panel',
    hierarchical: 'nested',
    'k-means': 'latent class',
    kmeans: 'latent class',
    lca: 'latent class analysis',
    license: 'licence',
    likert: 'ordinal scale',
    longitudinal: 'panel',
    lpa: 'latent profile',
    lta: 'latent transition',
    mixture: 'latent class',
    multilevel: 'nested',
    na: 'missing',
    ordinal: 'scale',
    reference: 'cite',
    relabel: 'rename',
    reproduce: 'reproducibility',
    segment: 'class',
    segmentation: 'latent class',
    spreadsheet: 'excel',
    update: 'upgrade',
    uninstall: 'remove',
    waves: 'panel',
  }

  const words = (/** @type {string} */ text) => text.split(/[^\p{L}\p{N}_-]+/u).filter(word => word !== '')
  const term = (/** @type {string} */ word) => word.toLowerCase().replace(/^-+/, '') || null

  /** What explains comes before lists of options and declarations. @param {unknown} _ @param {string} __ @param {any} stored */
  const boostDocument = (_, __, stored) =>
    stored.address.startsWith('library/') ? 0.2 : /^reference\/(cli|commands)/.test(stored.address) ? 0.5 : 1

  /**
   * @param {any} MiniSearch @param {Passage[]} passages
   * @returns {(query: string) => Found[]} all passages that have every word; if there is none, those that have some
   */
  const polyadFind = (MiniSearch, passages) => {
    const index = new MiniSearch({
      fields: ['title', 'page', 'summary', 'text'],
      storeFields: ['title', 'page', 'address', 'text'],
      searchOptions: {
        boost: { title: 4, page: 2, summary: 3 },
        bm25: { k: 1.2, b: 0.3, d: 0.5 },
        prefix: (/** @type {string} */ each) => each.length > 2,
        fuzzy: (/** @type {string} */ each) => (each.length > 4 ? 0.15 : false),
        boostDocument,
      },
      tokenize: words,
      processTerm: term,
    })
    index.addAll(passages.map((passage, id) => ({ id, ...passage })))
    /** A word, or what it is called in the pages. @param {string} word */
    const either = word => {
      const other = /** @type {Record<string, string>} */ (SYNONYMS)[word]
      return other === undefined
        ? word
        : {
            combineWith: 'OR',
            queries: [word, { combineWith: 'AND', queries: words(other), boost: { title: 4, page: 2 } }],
          }
    }
    return query => {
      const given = words(query).flatMap(word => term(word) ?? [])
      const meant = given.filter(word => !STOP.has(word))
      const queries = (meant.length > 0 ? meant : given).map(either)
      if (queries.length === 0) return []
      const all = index.search({ combineWith: 'AND', queries })
      return all.length > 0 ? all : index.search({ combineWith: 'OR', queries })
    }
  }

  /** A part of a text around the first of some words, from the beginning of a word to the end of one. @param {string} text @param {string[]} terms */
  const polyadExcerpt = (text, terms, length = 170) => {
    const lower = text.toLowerCase()
    const places = terms.map(each => lower.indexOf(each)).filter(at => at >= 0)
    const near = Math.max(0, Math.min(...places, text.length) - 60)
    const start = places.length === 0 || near === 0 ? 0 : text.indexOf(' ', near) + 1
    const stop = start + length >= text.length ? text.length : text.lastIndexOf(' ', start + length)
    return `${start > 0 ? '… ' : ''}${text.slice(start, stop).trim()}${stop < text.length ? ' …' : ''}`
  }

  Object.assign(globalThis, { polyadFind, polyadExcerpt })
}
