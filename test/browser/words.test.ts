import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { button, fitted, hasBrowser, studioInBrowser } from '../studio-browser.ts'

/** Words of the library, and phrases that nobody says to a colleague. */
const UNUSUAL =
  /\b(modes?|labels?|ranks?|attempts?|optim(um|a)|nats?)\b|as proposed|the numbers$|at a glance|bring forward|take home|under way|by a fault|speaks? (for|against)/i
/** What surveys call variable labels and value labels are no categories. */
const LABELS = /variable labels?|value labels?|^labels in results$/gi

/** All that the page says: what is read out too. */
const saidOn = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const texts: string[] = []
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)
    for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
      if (node instanceof Element) {
        for (const name of ['aria-label', 'title', 'placeholder']) texts.push(node.getAttribute(name) ?? '')
      } else if (node.parentElement?.closest('script, style, pre, code') === null) texts.push(node.textContent ?? '')
    }
    return texts.map(text => text.trim()).filter(text => text !== '')
  })

const expectPlain = async (page: Page, where: string): Promise<void> =>
  expect(
    (await saidOn(page)).filter(text => UNUSUAL.test(text.replace(LABELS, ''))),
    where,
  ).toEqual([])

describe.skipIf(!hasBrowser)('words of the studio', () => {
  const here = studioInBrowser()

  it('are those of people with surveys, on every step', async () => {
    const { page, context, faults } = await here.visit()
    await expectPlain(page, 'welcome')
    await button(page, /^Iris/).click()
    await page.getByRole('heading', { name: 'iris.csv' }).waitFor()
    await page.locator('summary', { hasText: 'Reading options' }).click()
    await page.locator('.next', { hasText: 'distinct combinations' }).waitFor()
    await expectPlain(page, 'Data')
    await button(page, 'Find the classes →').click()
    await page.locator('summary', { hasText: 'More settings' }).click()
    await page.getByRole('spinbutton', { name: 'to', exact: true }).fill('3')
    await expectPlain(page, 'Fit')
    await button(page, 'Find the classes').click()
    await fitted(page)
    await expectPlain(page, 'Fit, done')
    await button(page, 'See the results').click()
    for (const name of ['Profiles', 'Compare solutions', 'Categories', 'Rows', 'Fit & tests']) {
      await page.getByRole('tab', { name }).click()
      await page.getByText('Preparing the charts').waitFor({ state: 'detached' })
      await page.getByText('Reading the data').waitFor({ state: 'detached' })
      await expectPlain(page, name)
    }
    for (const name of ['Classify', 'Export']) {
      await button(page, new RegExp(`\\d\\. ${name}$`)).click()
      await page.getByText('Preparing the charts').waitFor({ state: 'detached' })
      if (name === 'Export') await page.locator('.thumb').first().waitFor({ state: 'attached' })
      // Charts are drawn once they are seen.
      for (const chart of await page.locator('.thumb').all()) {
        await chart.scrollIntoViewIfNeeded()
        await chart.locator('svg').first().waitFor()
      }
      await expectPlain(page, name)
    }
    expect(faults).toEqual([])
    await context.close()
  })
})
