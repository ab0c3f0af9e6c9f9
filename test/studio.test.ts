import { readFileSync } from 'node:fs'
import { modelFromNpz } from '@polyad/core/file'
import { describe, expect, it } from 'vitest'
import { objectOf, polyad } from './run-polyad.ts'
import { button, drop, fitted, hasBrowser, studioInBrowser, survey, useOf } from './studio-browser.ts'
import { testFolder } from './test-folder.ts'

/** The whole way through the studio, as a person would go it. The rest is in test/browser. */

describe.skipIf(!hasBrowser)('the studio', () => {
  const folder = testFolder()
  const here = studioInBrowser()

  it('goes from a dropped CSV to the bits that the command line gives', async () => {
    const { page, context, faults } = await here.visit()
    await drop(page, 'survey.csv', survey())
    await page.getByRole('heading', { name: 'survey.csv' }).waitFor()
    // As the command line guesses: the identifier is no variable. Of many ages it advises to cut them, and so they are here.
    await expect.poll(() => useOf(page, 'id').inputValue()).toBe('ignore')
    await expect.poll(() => useOf(page, 'trust').inputValue()).toBe('mode')
    await useOf(page, 'group').selectOption('class')
    await expect.poll(() => useOf(page, 'age').inputValue()).toBe('mode')
    await button(page, 'Details of age').click()
    const cut = page.getByLabel('Cut into bins')
    await expect.poll(() => cut.inputValue()).toBe('quantiles')
    await cut.selectOption('no bins')
    await expect.poll(() => cut.inputValue()).toBe('')
    await button(page, 'Undo').click()
    await expect.poll(() => cut.inputValue()).toBe('quantiles')
    // What is said of the data is of the present settings.
    await page.locator('.next', { hasText: 'distinct combinations of 400 rows' }).waitFor()
    await button(page, 'Treat as missing').click()
    await page.locator('.histogram li').first().waitFor()
    await button(page, 'Find the classes →').click()
    await button(page, 'I know how many').click()
    await page.getByRole('spinbutton', { name: 'Classes' }).fill('2')
    await button(page, 'Find the classes').click()
    await fitted(page)
    // Settings that change are said beside the classes at once; taken back, they are as they were.
    await button(page, '1. Data').click()
    await useOf(page, 'trust').selectOption('ignore')
    await button(page, '3. Results').click()
    await page.getByText('have changed since').waitFor()
    await button(page, '4. Classify').click()
    const known = page.locator('section[aria-labelledby=known-title]').getByLabel('Known class')
    expect(await known.locator('option').allTextContents()).toEqual(['none', 'group'])
    await button(page, 'Undo').click()
    await page.getByText('have changed since').waitFor({ state: 'detached' })
    await button(page, '5. Export').click()
    const waiting = page.waitForEvent('download')
    await button(page, /\.npz/).click()
    const download = await waiting
    const path = folder.path('page.npz')
    await download.saveAs(path)
    const mine = modelFromNpz(readFileSync(path))
    const data = folder.file('survey.csv', survey())
    const model = folder.path('line.npz')
    const line = ['fit', data, '-k', '2', '--modes', 'trust,vote,"news, how often",age', '--bin', 'age:q5']
    objectOf(await polyad([...line, '--missing', 'vote:99', '-o', model, '--json']), 'fit')
    const theirs = modelFromNpz(readFileSync(model))
    expect(mine.run.digest).toBe(theirs.run.digest)
    expect(mine.model.parameters).toEqual(theirs.model.parameters)
    expect(mine.run.recipe).toEqual(theirs.run.recipe)
    expect(faults).toEqual([])
    await context.close()
  })
})
