import { describe, expect, it } from 'vitest'
import { button, fitted, hasBrowser, keepMessages, studioInBrowser } from '../studio-browser.ts'

describe.skipIf(!hasBrowser)('the layout of the studio', () => {
  const here = studioInBrowser()

  it('of one step is not changed by the styles of another; percentages have the same digits', async () => {
    const { page, context, faults } = await here.visit({ viewport: { width: 1600, height: 1000 } })
    await button(page, /^Carcinoma/).click()
    await button(page, 'Find the classes →').click()
    await page.getByRole('spinbutton', { name: 'to', exact: true }).fill('3')
    await keepMessages(page)
    await button(page, 'Find the classes').click()
    await fitted(page)
    await button(page, 'See the results').click()
    await page.getByRole('tab', { name: 'Profiles' }).waitFor()
    // The message goes with the step, not only with time.
    await page.getByRole('status').filter({ hasText: 'classes found' }).waitFor({ state: 'detached' })
    await button(page, /\d\. Classify$/).click()
    await page.locator('.class-bars .number').first().waitFor()
    for (const text of await page.locator('.class-bars .number').allTextContents()) expect(text).toMatch(/^\d+\.\d%$/)
    // The styles of Results are there now.
    await button(page, /\d\. Data$/).click()
    const details = page.locator('.details.beside')
    await details.waitFor()
    const widths = await details.evaluate(panel =>
      [...panel.children].map(part => part.getBoundingClientRect().width / panel.clientWidth),
    )
    for (const width of widths) expect(width).toBeGreaterThan(0.8)
    expect(faults).toEqual([])
    await context.close()
  })
})
