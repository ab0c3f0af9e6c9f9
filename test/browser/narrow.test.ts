import { describe, expect, it } from 'vitest'
import { button, fitted, hasBrowser, keepMessages, studioInBrowser } from '../studio-browser.ts'

describe.skipIf(!hasBrowser)('the studio at 390 pixels', () => {
  const here = studioInBrowser()

  it('has a header of one row, and messages that say what was found and cover no next step', async () => {
    const viewport = { width: 390, height: 844 }
    const { page, context, faults } = await here.visit({ viewport })
    await button(page, /^Carcinoma/).click()
    const next = button(page, 'Find the classes →')
    await next.click()
    const header = await page.locator('header .bar').boundingBox()
    expect(header?.height).toBeLessThan(64)
    for (const step of await page.getByRole('navigation', { name: 'Steps' }).getByRole('button').all()) {
      const box = await step.boundingBox()
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(viewport.width)
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width)
    // What stands in the bar of wide screens is in the menu.
    await page.locator('.menu > summary').click()
    await button(page, 'Undo').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('spinbutton', { name: 'to', exact: true }).fill('2')
    await keepMessages(page)
    await button(page, 'Find the classes').click()
    await fitted(page)
    // It is said, but by nothing that could cover the button.
    await page.getByRole('status').filter({ hasText: '2 classes found.' }).waitFor({ state: 'attached' })
    expect(await page.locator('.message').count()).toBe(0)
    await button(page, 'See the results').click({ trial: true })
    expect(faults).toEqual([])
    await context.close()
  })

  it('links from what was found to it; hints describe fields and do not name them', async () => {
    const { page, context } = await here.visit()
    await button(page, /^Carcinoma/).click()
    await button(page, 'Find the classes →').click()
    await page.locator('summary', { hasText: 'More settings' }).click()
    const seed = page.getByRole('spinbutton', { name: 'Seed', exact: true })
    const described = await seed.evaluate(field =>
      (field.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map(id => document.getElementById(id)?.textContent ?? '')
        .join(' '),
    )
    expect(described).toMatch(/give the same result, here/)
    await page.getByRole('spinbutton', { name: 'to', exact: true }).fill('2')
    await keepMessages(page)
    await button(page, 'Find the classes').click()
    await button(page, 'See the results').click()
    await page.getByRole('tab', { name: 'Profiles' }).waitFor()
    await context.close()
  })
})
