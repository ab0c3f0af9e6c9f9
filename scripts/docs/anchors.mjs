// @ts-check
// Headings and their anchors, as code hosts make them: used by the site and by the test that follows links.

/** @param {string} title */
export const slug = title =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

/** Gives each heading of a page its anchor: a second one of the same name gets a number. @returns {(title: string) => string} */
export const anchors = () => {
  /** @type {Map<string, number>} */
  const seen = new Map()
  return title => {
    const name = slug(title)
    const times = seen.get(name) ?? 0
    seen.set(name, times + 1)
    return times === 0 ? name : `${name}-${times}`
  }
}
