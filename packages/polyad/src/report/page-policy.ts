import { sha256 } from '../table/view/sha256.ts'
import { type Html, html, trusted } from './html.ts'

/**
 * What a file of HTML may do, said to the browser that opens it: it has one style sheet, known by its digest, and charts with style
 * attributes. It runs no script and loads nothing, whatever gets into it.
 */
const policyOf = (style: string): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${btoa(String.fromCharCode(...sha256(style)))}'`,
    "style-src-attr 'unsafe-inline'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')

/** The head of a file of HTML with a style sheet of its own: the policy comes before everything that it is about. */
export const policedStyle = (style: string): Html =>
  html`<meta http-equiv="Content-Security-Policy" content="${trusted(policyOf(style))}">
<style>${trusted(style)}</style>`
