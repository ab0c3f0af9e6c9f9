import { describe, expect, it } from 'vitest'
import { button, fitted, hasBrowser, studioInBrowser } from '../studio-browser.ts'

describe.skipIf(!hasBrowser)('a page whose server is gone', () => {
  const here = studioInBrowser()

  it('goes on with what it has, and says that the studio was closed', async () => {
    const { page, context } = await here.visit()
    await button(page, /^Carcinoma/).click()
    await button(page, 'Find the classes →').click()
    await page.getByRole('spinbutton', { name: 'to', exact: true }).fill('2')
    await button(page, 'Find the classes').click()
    await fitted(page)
    // All of the page has been loaded by now, or is soon.
    const isLoaded = async () => {
      const files = (await (await fetch('./assets.json')).json()) as string[]
      const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
      return files.every(file => loaded.some(name => name.endsWith(`/assets/${file}`)))
    }
    await expect.poll(() => page.evaluate(isLoaded)).toBe(true)
    await here.studio.end()
    await button(page, 'See the results').click()
    await page.getByRole('tab', { name: 'Profiles' }).waitFor()
    await page.locator('.chart svg').first().waitFor()
    await button(page, '5. Export').click()
    const report = page.waitForEvent('download')
    await button(page, 'Report (.html)').click()
    expect((await report).suggestedFilename()).toBe('carcinoma-2-report.html')
    // What needs the server says so, in its own words.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await page.getByRole('alert').getByText('The studio was closed. Start it again with polyad studio').waitFor()
    expect(await page.getByText(/Failed to fetch/).count()).toBe(0)
    await context.close()
  })
})
