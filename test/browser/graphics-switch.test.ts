import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  browserInTests,
  button,
  drop,
  fitted,
  hasAdapter,
  hasBrowser,
  NO_ADAPTER,
  openBrowser,
  saved,
  studioInTests,
  visit,
  WEBGPU_FLAGS,
} from '../studio-browser.ts'

/** The switch of the studio for the graphics device. */

const rows = Array.from({ length: 60 }, (_, i) => [7, 5, 3].map(step => ((i * step) % 11 > 4 ? 'yes' : 'no')).join(','))
const TABLE = `a,b,c\n${rows.join('\n')}\n`

const toFit = async (page: Page) => {
  await drop(page, 'small.csv', TABLE)
  await button(page, 'Find the classes →').click()
  await page.locator('summary', { hasText: 'More settings' }).click()
}

const device = (page: Page) => page.getByRole('checkbox', { name: 'Use the graphics device' })
const found = (page: Page) =>
  page
    .locator('table.ranks tbody tr')
    .evaluateAll(rows => rows.map(row => [...row.children].slice(0, -1).map(cell => cell.textContent)))

describe.skipIf(!hasBrowser)('the graphics device in the studio', () => {
  const browser = browserInTests(WEBGPU_FLAGS)
  const studio = studioInTests()

  it('is offered, and gives what the processor gives', async ({ skip }) => {
    const { page, context, faults } = await visit(browser(), studio().url)
    skip(!(await hasAdapter(page)), NO_ADAPTER)
    await toFit(page)
    await device(page).waitFor()
    expect(await device(page).isChecked()).toBe(false)
    await page.getByRole('spinbutton', { name: 'to', exact: true }).fill('3')
    await button(page, 'Find the classes').click()
    await fitted(page)
    const plain = await found(page)
    expect(plain.map(([rank]) => rank?.replace(/\D/g, ''))).toEqual(['1', '2', '3'])
    // That the device was opened is said only if it was: data as small as this is not given to it.
    const unused = page.getByText('The graphics device was not used: small tables')
    expect(await unused.count()).toBe(0)
    await device(page).check()
    await page.getByText('Results can differ slightly between devices.').waitFor()
    await button(page, 'Fit again').click()
    await unused.waitFor()
    expect(await found(page)).toEqual(plain)
    await button(page, 'Export').click()
    await page.getByText(/polyad rank small\.csv .* --engine gpu$/).waitFor()
    await page.getByText('engine: await graphicsEngine(),').waitFor()
    // It is kept with the other settings.
    await saved(page)
    await page.reload()
    await button(page, /Fit$/).click()
    await page.locator('summary', { hasText: 'More settings' }).click()
    await device(page).waitFor()
    expect(await device(page).isChecked()).toBe(true)
    expect(faults).toEqual([])
    await context.close()
  })

  it('is left to the processor if it cannot be opened, which is said', async ({ skip }) => {
    const { page, context } = await visit(browser(), studio().url)
    skip(!(await hasAdapter(page)), NO_ADAPTER)
    await toFit(page)
    await device(page).check()
    for (const worker of page.workers())
      await worker.evaluate(`GPUAdapter.prototype.requestDevice = () => Promise.reject(new Error('taken away'))`)
    await button(page, 'I know how many').click()
    await button(page, 'Find the classes').click()
    await fitted(page)
    const words =
      'The graphics device could not be used, so the fit ran on the processor: the graphics device could not'
    await page.locator('.note.warning', { hasText: words }).waitFor()
    expect((await found(page)).map(([rank]) => rank)).toEqual(['3'])
    await context.close()
  })

  it('is not offered where there is none', async () => {
    const without = await openBrowser()
    try {
      const { page, faults } = await visit(without, studio().url)
      await toFit(page)
      const adapters = page.workers().map(worker => worker.evaluate(`navigator.gpu?.requestAdapter() ?? null`))
      expect(new Set(await Promise.all(adapters))).toEqual(new Set([null]))
      await page.getByText(/60 rows/).waitFor()
      expect(await device(page).count()).toBe(0)
      expect(faults).toEqual([])
    } finally {
      await without.close()
    }
  })
})
