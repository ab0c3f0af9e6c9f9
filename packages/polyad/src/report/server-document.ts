import { parseHTML } from 'linkedom'

/**
 * An empty document to draw on, where there is no page.
 * @example
 * serverDocument().createElement('p').localName // 'p'
 */
export const serverDocument = (): Document =>
  parseHTML('<!doctype html><html><body></body></html>').document as unknown as Document
