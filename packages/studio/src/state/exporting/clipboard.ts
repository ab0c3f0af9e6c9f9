import { showError, showMessage } from '../page/messages.ts'

/** What a person copies, in the form that other programs take. */

const BLOCKED = 'The browser blocked copying. Save the file instead.'

/** A picture; as the text of its SVG file if the browser copies no pictures. */
export const copyPicture = async (svg: Promise<string>, png: (svg: string) => Promise<Blob>): Promise<void> => {
  try {
    // The browser must be asked while the key is still pressed: what is copied may come later.
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': svg.then(png) })])
    showMessage('Copied as a picture.')
  } catch {
    try {
      await navigator.clipboard.writeText(await svg)
      showMessage('Copied as SVG text: this browser cannot copy pictures.')
    } catch {
      showError(BLOCKED)
    }
  }
}

/** Three lines and the places of numbers, as attributes: the studio lets no text be a style sheet, and Word reads these as well. */
const LOOKS: Readonly<Record<string, string>> = {
  table: 'border-collapse:collapse;border-top:1.5pt solid;border-bottom:1.5pt solid',
  thead: 'border-bottom:0.75pt solid',
  td: 'text-align:right;padding:1pt 6pt',
  th: 'text-align:left;font-weight:normal;padding:1pt 6pt',
}

/** A page with a table, as it is pasted. */
const pasted = (page: string): string =>
  page
    .replace(/<style>[\s\S]*?<\/style>/g, '')
    .replace(/<(table|thead|td|th)\b/g, (tag, name: string) => `${tag} style="${LOOKS[name]}"`)

/** A table: documents take it as HTML, spreadsheets as cells with tabs between them. */
export const copyTable = async (files: Promise<readonly [html: string, tsv: string]>): Promise<void> => {
  const part = (i: 0 | 1, type: string) =>
    files.then(found => new Blob([i === 0 ? pasted(found[0]) : found[1]], { type }))
  try {
    await navigator.clipboard.write([
      new ClipboardItem({ 'text/html': part(0, 'text/html'), 'text/plain': part(1, 'text/plain') }),
    ])
    showMessage('Copied. Paste the table into a document or a spreadsheet.')
  } catch {
    try {
      await navigator.clipboard.writeText((await files)[1])
      showMessage('Copied as plain text.')
    } catch {
      showError(BLOCKED)
    }
  }
}
