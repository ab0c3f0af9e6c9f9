import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { button, drop, hasBrowser, saved, slowTable, studioInBrowser } from '../studio-browser.ts'

/** Whatever order things happen in, a person gets what they asked for last, and loses nothing. */

const CSV = `a,b,c\n${Array.from({ length: 60 }, (_, i) => [7, 5, 3].map(step => (i * step) % 11 > 4).join(',')).join('\n')}\n`

describe.skipIf(!hasBrowser)('the studio, in any order', () => {
  const here = studioInBrowser()

  it('keeps a table that was only looked at, if the file that was to replace it cannot be read', async () => {
    const { page, context } = await here.visit()
    await drop(page, 'small.csv', CSV)
    await saved(page)
    await drop(page, 'broken.sav', 'this is not a file of SPSS')
    await page.getByRole('heading', { name: 'broken.sav could not be read' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'small.csv' }).first().waitFor()
    await context.close()
  })

  it('removes such a table from the list once another one is there', async () => {
    const { page, context } = await here.visit()
    await drop(page, 'small.csv', CSV)
    await saved(page)
    const id = new URL(page.url()).searchParams.get('project') as string
    const kept = () => readdirSync(here.studio.projects as string)
    expect(kept()).toContain(id)
    await drop(page, 'other.csv', CSV)
    await page.getByRole('heading', { name: 'other.csv' }).first().waitFor()
    await expect.poll(kept).not.toContain(id)
    await context.close()
  })

  it('begins a fit by a double click, and does not stop it', async () => {
    const { page, context, faults } = await here.visit()
    await drop(page, 'slow.csv', slowTable(3000))
    await button(page, 'Find the classes →').click()
    await page.getByRole('spinbutton', { name: 'to', exact: true }).fill('40')
    // The data has been read: the fit begins at once.
    await page.getByText('3,000 rows').first().waitFor()
    await button(page, 'Find the classes').dblclick()
    await button(page, 'Stop, and keep the best').waitFor()
    await page.getByText('time so far').waitFor()
    expect(await button(page, 'Stopping …').count()).toBe(0)
    await button(page, 'Stop, and keep the best').click()
    await page.getByRole('heading', { name: 'What was found' }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it('shows the file that was opened last, though another one was slower', async () => {
    const { page, context, faults } = await here.visit()
    let release = () => {}
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    await page.route('**/examples/carcinoma.csv', async route => {
      await released
      await route.continue().catch(() => {})
    })
    const asked = page.waitForRequest('**/examples/carcinoma.csv')
    await button(page, /^Carcinoma/).click()
    await asked
    await drop(page, 'small.csv', CSV)
    // Long enough for the file to be opened, if nothing waited.
    await page.waitForTimeout(500)
    const answered = page.waitForResponse('**/examples/carcinoma.csv')
    release()
    await answered
    // And for the other one to be opened after it.
    await page.waitForTimeout(1000)
    await page.getByRole('heading', { name: 'small.csv' }).first().waitFor()
    // The worker has the same table as the page.
    await button(page, 'Find the classes →').click()
    await page.getByText('60 rows').first().waitFor()
    await expect.poll(() => page.title()).toBe('Fit · small.csv · Polyad')
    expect(faults).toEqual([])
    await context.close()
  })
})
