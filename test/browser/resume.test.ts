import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { modelFromNpz } from '@polyad/core/file'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { button, drop, hasBrowser, saved, slowTable, studioInBrowser } from '../studio-browser.ts'

/** A page that is loaded again in the middle of a fit goes on with it, and ends with the same bits. */

/** A busy machine takes its time for them. In milliseconds. */
const LONG = { timeout: 600_000 }

const choose = async (page: Page, to: number): Promise<void> => {
  await drop(page, 'kinds.csv', slowTable(600))
  await page.getByRole('heading', { name: 'kinds.csv' }).first().waitFor()
  await page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: 'Fit' }).click()
  await page.getByLabel('to', { exact: true }).fill(String(to))
}

const begin = async (page: Page, to: number): Promise<void> => {
  await choose(page, to)
  await button(page, 'Find the classes').click()
  await button(page, 'Stop, and keep the best').waitFor()
}

const progressSaved = (page: Page) => page.getByText('Progress saved').waitFor(LONG)
const done = (page: Page) => page.getByRole('heading', { name: 'What was found' }).waitFor(LONG)

const idOf = (page: Page): string => new URL(page.url()).searchParams.get('project') ?? ''

/** What is kept of the fits of a project, but for the time that they took. */
const fitsOf = (folder: string) => {
  const [revision] = readdirSync(folder).filter(name => /^r\d+$/.test(name))
  const { models } = JSON.parse(readFileSync(join(folder, revision, 'project.json'), 'utf8')) as { models: string[] }
  return models.map(name => {
    const { model, run } = modelFromNpz(new Uint8Array(readFileSync(join(folder, name))))
    const { seconds: _, ...result } = run.result as Record<string, unknown>
    return { parameters: model.parameters, result }
  })
}

describe.skipIf(!hasBrowser)('a page that is loaded again in the middle of a fit', () => {
  const here = studioInBrowser()

  const place = (id: string) => join(here.studio.projects as string, id)

  it('goes on where it was, and ends with the same bits as one that was left alone', {
    timeout: 1_800_000,
  }, async () => {
    const alone = await here.visit()
    await begin(alone.page, 22)
    await done(alone.page)
    await saved(alone.page)
    const undisturbed = fitsOf(place(idOf(alone.page)))
    expect(undisturbed).toHaveLength(22)
    await alone.context.close()

    const { page, context, faults } = await here.visit()
    await choose(page, 22)
    await saved(page)
    const id = idOf(page)
    await button(page, 'Find the classes').click()
    await progressSaved(page)
    expect(existsSync(join(place(id), 'checkpoint'))).toBe(true)
    const asked = page.waitForResponse(answer => answer.request().method() === 'GET' && answer.url().endsWith('/checkpoint')) // biome-ignore format: one line
    await page.reload()
    expect((await asked).status()).toBe(200)
    await done(page)
    await saved(page)
    expect(fitsOf(place(id))).toEqual(undisturbed)
    // Nothing is left of the state, and nothing is asked.
    await expect.poll(() => existsSync(join(place(id), 'checkpoint'))).toBe(false)
    expect(await page.getByText('A fit was running').isVisible()).toBe(false)
    await page.reload()
    await done(page)
    expect(faults).toEqual([])
    await context.close()
  })

  it('is asked first in another tab, and starts anew if the state is damaged', { timeout: 300_000 }, async () => {
    const { page, context, faults } = await here.visit()
    await begin(page, 40)
    await saved(page)
    await progressSaved(page)
    const [id, address] = [idOf(page), page.url()]
    // A tab beside it neither goes on with the fit nor asks about it.
    const beside = await context.newPage()
    await beside.goto(address)
    await beside.getByText('This project is open in another tab').waitFor()
    await button(beside, /^(Find the classes|Fit again)$/).waitFor()
    expect(await beside.getByText('A fit was running').isVisible()).toBe(false)
    await beside.close()
    await page.close()
    writeFileSync(join(place(id), 'checkpoint'), 'damaged')
    const later = await context.newPage()
    await later.goto(address)
    await later.getByText('A fit was running when this page was closed. It can resume where it was.').waitFor()
    await button(later, 'Resume the fit').click()
    await later
      .getByText('The fit started from the beginning. Its saved progress could not be used: it is not a checkpoint')
      .waitFor(LONG)
    await progressSaved(later)
    await button(later, 'Stop, and keep the best').click()
    await done(later)
    await saved(later)
    await expect.poll(() => existsSync(join(place(id), 'checkpoint'))).toBe(false)
    expect(faults).toEqual([])
    await context.close()
  })

  it('shows the classes so far, before and after', { timeout: 600_000 }, async () => {
    const { page, context, faults } = await here.visit()
    await begin(page, 40)
    await button(page, 'See the classes so far').click(LONG)
    await page.getByText(/^Still searching: .* classes are still to come/).waitFor()
    // A model is described, and can be chosen, while others are searched for.
    await page.getByRole('heading', { level: 1, name: /^(One|Two|Three|No) / }).waitFor()
    const numbers = page.getByRole('group', { name: 'Number of classes' })
    await numbers.getByRole('button', { name: '2', exact: true }).click()
    await page.locator('.class-card').nth(1).waitFor()
    expect(await numbers.getByRole('button', { name: '40 …' }).isDisabled()).toBe(true)
    await page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: 'Fit' }).click()
    await page.getByRole('heading', { name: 'Found so far' }).waitFor()
    await button(page, 'Stop, and keep the best').click()
    await done(page)
    // Who looks at two classes goes on looking at them.
    await button(page, 'See the results').click()
    expect(await numbers.getByRole('button', { name: '2', exact: true }).getAttribute('aria-pressed')).toBe('true')
    expect(faults).toEqual([])
    await context.close()
  })

  it('says that its progress cannot be saved, and goes on', { timeout: 300_000 }, async () => {
    const { page, context } = await here.visit()
    const full = { error: { kind: 'request', message: 'the disk is full: free some space' } }
    await page.route('**/api/projects/*/checkpoint', route => route.fulfill({ status: 507, json: full }))
    await begin(page, 40)
    await page
      .getByText('The progress of this fit could not be saved: the disk is full: free some space.')
      .waitFor(LONG)
    await page.unroute('**/api/projects/*/checkpoint')
    await progressSaved(page)
    await button(page, 'Stop, and keep the best').click()
    await done(page)
    await context.close()
  })
})
