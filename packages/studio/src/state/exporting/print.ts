/** Prints a report: in this page, since the browser lets it load no other. */

/** The style sheet of a report for a part of a page. */
const within = (css: string): string =>
  css
    .replace(/:root\b/g, ':host')
    .replace(/(^|[\s{}])body \{/g, '$1:host {')
    .replace(/(^|[\s{}])html \{[^}]*\}/g, '$1')

/** Style sheets of a page: taken out before it is parsed, since the studio lets no text be a style sheet. */
const STYLES = /<style>([\s\S]*?)<\/style>/g

/** Shows a report to the printer alone, and asks for the printer: most can save as PDF. */
export const printPage = (page: string): void => {
  const parsed = new DOMParser().parseFromString(page.replace(STYLES, ''), 'text/html')
  const host = document.createElement('div')
  host.className = 'printed'
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(within([...page.matchAll(STYLES)].map(([, css]) => css).join('\n')))
  root.adoptedStyleSheets = [sheet]
  root.append(...parsed.body.childNodes)
  const title = document.title
  // Printers propose it as the name of the file.
  document.title = parsed.title
  document.body.append(host)
  addEventListener(
    'afterprint',
    () => {
      host.remove()
      document.title = title
    },
    { once: true },
  )
  print()
}
