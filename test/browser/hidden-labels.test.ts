import { describe, expect, it } from 'vitest'
import { CHROMIUM, drop, hasBrowser, studioInBrowser } from '../studio-browser.ts'

/** Labels that hide characters, or turn the text around them, as the studio shows them. */

describe.skipIf(!hasBrowser)(`labels with hidden characters (skipped where ${CHROMIUM} is absent)`, () => {
  const here = studioInBrowser()

  it('are shown with escapes, in the page and in what is read aloud', async () => {
    const { page, context, faults } = await here.visit()
    const rows = Array.from({ length: 40 }, (_, i) => `${i % 2 ? 'yes\u202eon' : 'n\u200bo'},${i % 3}`)
    await drop(page, 'hidden.csv', `na\u202eme,b\n${rows.join('\n')}\n`)
    for (const shown of ['na\\u202eme', 'yes\\u202eon', 'n\\u200bo']) await page.getByText(shown).first().waitFor()
    const raw = await page.evaluate(() => {
      const hidden = /[\u200b\u202a-\u202e]/
      const read = [...document.querySelectorAll('*')].flatMap(each => [
        ...['title', 'aria-label', 'alt'].map(name => each.getAttribute(name) ?? ''),
        ...[...each.childNodes].filter(node => node.nodeType === Node.TEXT_NODE).map(node => node.nodeValue ?? ''),
      ])
      return read.filter(text => hidden.test(text))
    })
    expect(raw).toEqual([])
    expect(faults).toEqual([])
    await context.close()
  })
})
