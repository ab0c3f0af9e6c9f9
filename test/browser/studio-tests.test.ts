import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { drop, hasBrowser, studioInBrowser } from '../studio-browser.ts'

/** Three answers by a class, which depends on age; every tenth age is missing, and every row has a weight. */
const survey = `a,b,c,age,w\n${Array.from({ length: 300 }, (_, i) => {
  const age = 20 + ((i * 7) % 50)
  const first = (i * 3) % 10 < (age > 45 ? 8 : 3)
  const answer = (step: number) => ((i * step) % 10 < (first ? 9 : 2) ? 'yes' : 'no')
  return [answer(11), answer(13), answer(17), i % 10 === 0 ? '' : age, 0.5 + (i % 4) / 2].join(',')
}).join('\n')}\n`

describe.skipIf(!hasBrowser)('fit and tests', () => {
  const here = studioInBrowser()

  const uses = async (page: Page, chosen: Readonly<Record<string, string>>) => {
    await drop(page, 'survey.csv', survey)
    for (const [column, use] of Object.entries(chosen))
      await page.getByLabel(`Use of ${column}`, { exact: true }).selectOption({ value: use })
    await page.getByRole('button', { name: /Fit$/ }).click()
  }
  const two = async (page: Page) => {
    await page.getByRole('button', { name: 'I know how many' }).click()
    await page.getByLabel('Classes', { exact: true }).fill('2')
  }
  const look = async (page: Page) => {
    await page.getByRole('button', { name: 'Find the classes' }).click()
    await page.getByRole('button', { name: 'See the results' }).click()
    await page.getByRole('tab', { name: 'Fit & tests' }).click()
  }

  it('shows the coefficients of covariates, and how much was left out', async () => {
    const { page, context, faults } = await here.visit()
    await uses(page, { age: 'covariate', w: 'ignore' })
    await two(page)
    await look(page)
    const part = page.getByRole('region', { name: 'What explains membership' })
    await part.waitFor()
    expect(await part.textContent()).toContain('30 observations were left out of the fit')
    expect(await part.getByRole('rowheader').allInnerTexts()).toEqual(['intercept', 'age', 'age'])
    const cells = async (row: number) =>
      (await part.locator('tbody tr').nth(row).locator('td').allTextContents()).map(Number)
    const [[estimate, error], [statistic, freedom]] = [await cells(1), await cells(2)]
    expect(freedom).toBe(1)
    expect(statistic / (estimate / error) ** 2).toBeCloseTo(1, 1)
    // Statistics on demand are those of any model.
    for (const [name, found] of [
      [/^How precise/, 'Kind: '],
      [/^Does the model fit/, '199 replicates'],
      [/^Is another class needed/, 'p by bootstrap'],
    ] as const) {
      const region = page.getByRole('region', { name })
      await region.getByRole('button', { name: 'Compute' }).click()
      await region.getByText(found).first().waitFor({ timeout: 60_000 })
    }
    await page.getByRole('heading', { name: 'Bivariate residuals' }).waitFor()
    expect(faults.filter(fault => !fault.includes('status of 404'))).toEqual([])
    await context.close()
  })

  it('warns of models that are too large, and draws rows with their sampling weights', async () => {
    const { page, context } = await here.visit()
    await uses(page, { age: 'ignore', w: 'weight' })
    // Three answers of two labels each: eight cells, seven parameters for two classes.
    await page.getByText('4 classes fit any table of this size exactly: higher numbers are not tried.').waitFor()
    await page
      .getByText(/^4 classes: 15 parameters for a table of 8 cells: the data cannot determine them all/)
      .waitFor()
    await two(page)
    await look(page)
    const errors = page.getByRole('region', { name: /^How precise/ })
    expect(await errors.getByRole('option').allInnerTexts()).toEqual(['robust (sandwich)'])
    await errors.getByRole('button', { name: 'Compute' }).click()
    await errors.getByText(/Kind: robust|Not available: the/).waitFor()
    const goodness = page.getByRole('region', { name: /^Does the model fit/ })
    await goodness.getByRole('button', { name: 'Compute' }).click()
    await goodness.getByText(/^199 replicates\./).waitFor()
    await context.close()
  })
})
