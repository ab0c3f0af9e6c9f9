import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { button, drop, fitted, hasBrowser, studioInBrowser, survey } from '../studio-browser.ts'

/** Categories that are renamed, merged and put in order on the page, rows that are filtered, and numbers for variables that were cut. */

const details = (page: Page, column: string) => page.getByRole('region', { name: `Details of ${column}` })
const categories = async (page: Page, column: string) =>
  (await details(page, column).locator('.category bdi').allTextContents()).map(text => text.trim())

describe.skipIf(!hasBrowser)('a variable on the Data screen', () => {
  const here = studioInBrowser()
  let page: Page
  let faults: string[]
  beforeAll(async () => {
    ;({ page, faults } = await here.visit({ viewport: { width: 1600, height: 1000 } }))
    await drop(page, 'survey.csv', survey())
    await page.getByRole('heading', { name: 'survey.csv' }).waitFor()
  }, 120_000)

  const choose = async (column: string) => {
    const name = page.getByRole('button', { name: new RegExp(`^Details of ${column}`) })
    if ((await name.getAttribute('aria-expanded')) !== 'true') await name.click()
    await details(page, column).waitFor()
  }

  it('has categories that are renamed, merged, moved and reset, each a step to undo', async () => {
    await choose('trust')
    const own = details(page, 'trust')
    await expect.poll(() => categories(page, 'trust')).toEqual(['low', 'middle', 'high'])
    await own.getByRole('button', { name: 'Rename low' }).click()
    await own.getByLabel('New name of low').fill('none at all')
    await own.getByLabel('New name of low').press('Enter')
    await expect.poll(() => categories(page, 'trust')).toEqual(['none at all', 'low', 'middle', 'high'])
    // Escape leaves a name as it is.
    await own.getByRole('button', { name: 'Rename middle' }).click()
    await own.getByLabel('New name of middle').fill('x')
    await own.getByLabel('New name of middle').press('Escape')
    await own.getByRole('button', { name: 'Rename middle' }).waitFor()
    await own.getByLabel('Select middle to merge').check()
    await own.getByLabel('Select high to merge').check()
    await own.getByLabel('Merge 2 categories into').fill('some')
    await own.getByRole('button', { name: 'Merge', exact: true }).click()
    await expect.poll(() => categories(page, 'trust')).toEqual(['none at all', 'low', 'some', 'middle, high'])
    await own.getByRole('button', { name: 'Move some up' }).click()
    await expect.poll(() => categories(page, 'trust')).toEqual(['some', 'middle, high', 'none at all', 'low'])
    // The row keeps the focus.
    await own.getByRole('button', { name: 'Move some down' }).press('Alt+ArrowDown')
    await expect.poll(() => categories(page, 'trust')).toEqual(['none at all', 'low', 'some', 'middle, high'])
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    await own.getByRole('button', { name: 'Restore what became some' }).click()
    await expect.poll(() => categories(page, 'trust')).toContain('high')
    await own.getByRole('button', { name: 'Reset categories' }).click()
    await expect.poll(() => categories(page, 'trust')).toEqual(['low', 'middle', 'high'])
  })

  it('is read from the rows that meet a condition, chosen or written', async () => {
    await button(page, 'Filter rows').click()
    const filter = page.getByRole('region', { name: 'Filter rows' })
    await filter.getByLabel('Column').selectOption('age')
    await filter.getByLabel('Comparison').selectOption('is at least')
    await filter.getByLabel('Value').fill('40')
    const older = survey().trimEnd().split('\n').slice(1).filter(line => Number(line.split(',')[4]) >= 40).length // biome-ignore format: one chain
    await filter.getByText(`${older} of 400 rows`).waitFor()
    await button(page, 'Edit as text').click()
    const text = filter.getByLabel('Condition')
    await expect.poll(() => text.inputValue()).toBe('age >= 40')
    await text.fill('age >= 40 or')
    await filter.getByText('A column is expected here').waitFor()
    await text.fill("age >= 40 or trust = 'low'")
    const either = survey().trimEnd().split('\n').slice(1).filter(line => Number(line.split(',')[4]) >= 40 || line.split(',')[1] === 'low').length // biome-ignore format: one chain
    await filter.getByText(`${either} of 400 rows`).waitFor()
    // It is more than a list can say.
    await expect.poll(() => button(page, 'Edit as list').isDisabled()).toBe(true)
    await button(page, 'Use all rows').click()
    await button(page, 'Filter rows').waitFor()
  })

  it('is asked for as a number where it was cut', async () => {
    await choose('trust')
    await details(page, 'trust').getByLabel('Select middle to merge').check()
    await details(page, 'trust').getByLabel('Select high to merge').check()
    await button(page, 'Merge').click()
    await button(page, 'Find the classes →').click()
    await page.getByText('I know how many').click()
    await button(page, 'Find the classes').click()
    await fitted(page)
    await page.getByRole('button', { name: '4. Classify', exact: true }).click()
    await page.getByLabel('trust').selectOption('middle / high')
    const age = page.getByRole('spinbutton', { name: /^age/ })
    await age.fill('31')
    await page.getByText(/^in the bin \d/).waitFor()
    for (const said of await page.locator('.class-bars .number').allTextContents()) expect(said).toMatch(/^\d+\.\d%$/)
    await page.getByRole('button', { name: '5. Export', exact: true }).click()
    await page.getByText(/--recode "trust:middle,high=middle \/ high"/).waitFor()
    expect(faults).toEqual([])
  })
})
