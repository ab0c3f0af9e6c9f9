import type { Page, Request } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { button, drop, hasBrowser, saved, studioInBrowser } from '../studio-browser.ts'

/** The address of the page: whenever a page is loaded again, it shows its project. */

const CSV = `a,b,c\n${Array.from({ length: 60 }, (_, i) => [7, 5, 3].map(step => (i * step) % 11 > 4).join(',')).join('\n')}\n`

/** Holds requests back until they are let go. */
const hold = async (page: Page, isHeld: (request: Request) => boolean) => {
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  await page.route(/\/api\/projects(\/|$)/, async route => {
    if (isHeld(route.request())) await released
    await route.continue().catch(() => {})
  })
  return release
}

const isSaving = (request: Request) => request.method() === 'POST' && /projects\/[0-9a-f]{32}$/.test(request.url())

describe.skipIf(!hasBrowser)('the address of a project', () => {
  const here = studioInBrowser()

  it('is shown from the first saving on, though later changes are still on their way', async () => {
    const { page, context, faults } = await here.visit()
    const first = await hold(page, isSaving)
    const sent = page.waitForRequest(isSaving)
    await drop(page, 'small.csv', CSV)
    const held = await sent
    // These come while the first saving is on its way.
    await button(page, 'Find the classes →').click()
    await page.getByRole('spinbutton', { name: 'to', exact: true }).fill('3')
    // What is sent from now on does not arrive.
    const later = await hold(page, request => isSaving(request) && request !== held)
    first()
    await page.waitForURL(/project=[0-9a-f]{32}/)
    await page.reload()
    await page.waitForFunction(() => document.title.includes('small.csv'))
    later()
    expect(faults).toEqual([])
    await context.close()
  })

  it('stays while the project is being opened: the page can be loaded again at once', async () => {
    const { page, context, faults } = await here.visit()
    await drop(page, 'small.csv', CSV)
    await button(page, 'Find the classes →').click()
    await saved(page)
    const address = page.url()
    expect(address).toMatch(/project=[0-9a-f]{32}/)
    const isOpening = (request: Request) => request.method() === 'GET' && /projects\/[0-9a-f]{32}$/.test(request.url())
    const release = await hold(page, isOpening)
    const asked = page.waitForRequest(isOpening)
    await page.reload()
    await asked
    expect(page.url()).toBe(address)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.reload()
    release()
    await page.getByRole('spinbutton', { name: 'to', exact: true }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it.each(['?keep=nothing', ''])(
    'does not hold for a file that is dropped while the page is still starting (%s)',
    async query => {
      const { page, context, faults } = await here.visit()
      const address = new URL(page.url())
      address.search = query
      if (query !== '') await page.goto(address.href)
      await drop(page, 'small.csv', CSV)
      await button(page, 'Find the classes →').click()
      await page.getByRole('spinbutton', { name: 'to', exact: true }).waitFor()
      if (query === '') await saved(page)
      const isListing = (request: Request) => request.method() === 'GET' && /projects$/.test(request.url())
      const release = await hold(page, isListing)
      const asked = page.waitForRequest(isListing)
      await page.reload()
      await asked
      await drop(page, 'other.csv', CSV)
      // Long enough for the file to be opened, if nothing waited.
      await page.waitForTimeout(500)
      release()
      // The page would go to the step where it was left, or show the project of before.
      await page.getByRole('heading', { name: 'other.csv' }).first().waitFor()
      await page.waitForTimeout(500)
      expect(await page.getByRole('heading', { name: 'other.csv' }).first().isVisible()).toBe(true)
      expect(await page.title()).toBe('Data · other.csv · Polyad')
      expect(faults).toEqual([])
      await context.close()
    },
  )
})
