import { writeFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  hasBrowser,
  openBrowser,
  projectMenu,
  type StartedStudio,
  saved,
  startStudio,
  visit,
} from '../studio-browser.ts'
import { testFolder } from '../test-folder.ts'

/** A project with more data than browsers take as one value of their storage. */

describe.skipIf(!hasBrowser)('a large project', () => {
  const folder = testFolder()
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  it.each([
    ['read in the page', ['--page-limit', '400MB'], 1],
    ['read by the server, which has it already', [], 0],
  ])('data of 140 MB is kept, and sent only once: %s', async (_, args, parts) => {
    const studio: StartedStudio = await startStudio(args)
    const { page, context } = await visit(browser, studio.url)
    const filler = 'x'.repeat(10_000)
    const rows = Array.from({ length: 14_000 }, (_, i) => `${'ab'[i % 2]},${'cd'[(i >> 1) % 2]},${i}${filler}\n`)
    writeFileSync(folder.path('large.csv'), `one,two,note\n${rows.join('')}`)
    let sent = 0
    page.on('request', request => {
      if (request.url().endsWith('/parts')) sent++
    })
    await page.getByLabel('A file with a table').setInputFiles(folder.path('large.csv'))
    await page.getByRole('heading', { name: 'large.csv' }).first().waitFor({ timeout: 120_000 })
    await saved(page)
    expect(sent).toBe(parts)
    await projectMenu(page).click()
    await page.getByLabel('Project name').fill('A large one')
    await page.getByLabel('Project name').blur()
    await page.locator('.menu > summary', { hasText: 'A large one' }).waitFor()
    await saved(page)
    expect(sent).toBe(parts)
    await page.reload()
    await page.getByRole('heading', { name: 'large.csv' }).first().waitFor({ timeout: 120_000 })
    await page.locator('.menu > summary', { hasText: 'A large one' }).waitFor()
    await context.close()
    await studio.end()
  })
})
