import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { button, fitted, hasBrowser, saved, studioInBrowser } from '../studio-browser.ts'

const current = (page: Page) => page.getByRole('navigation', { name: 'Steps' }).locator('[aria-current=page]')

describe.skipIf(!hasBrowser)('Back and Forward', () => {
  const here = studioInBrowser()

  it('move between the steps, whose titles say where one is, and loading the page again stays there', async () => {
    const { page, context, faults } = await here.visit()
    const at = async (step: string) => {
      await current(page).getByText(step).waitFor()
      await expect.poll(() => page.title()).toBe(`${step} · carcinoma.csv · Polyad`)
    }
    expect(await page.title()).toBe('Polyad studio')
    await button(page, /^Carcinoma/).click()
    await at('Data')
    await button(page, 'Find the classes →').click()
    await at('Fit')
    await page.getByRole('spinbutton', { name: 'to', exact: true }).fill('2')
    await button(page, 'Find the classes').click()
    await fitted(page)
    await button(page, 'See the results').click()
    await at('Results')
    await page.goBack()
    await at('Fit')
    await page.goBack()
    await at('Data')
    await page.goForward()
    await at('Fit')
    await page.goForward()
    await at('Results')
    await page.getByRole('tab', { name: 'Profiles' }).waitFor()
    expect(page.url()).not.toMatch(/token/)
    await saved(page)
    await page.reload()
    await at('Results')
    await page.goBack()
    await at('Fit')
    // What is not there any more cannot be come back to.
    await page.locator('.menu > summary').click()
    await button(page, 'New project').click()
    await button(page, 'Choose a file').waitFor()
    await page.goBack()
    await current(page).getByText('Data').waitFor()
    await expect.poll(() => page.title()).toBe('Polyad studio')
    expect(faults).toEqual([])
    await context.close()
  })
})
