import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { button, drop, fitted, hasBrowser, studioInBrowser, useOf } from '../studio-browser.ts'

/** A sample of whole schools within regions, with weights, and labels that are typed. */
describe.skipIf(!hasBrowser)('a survey of schools', () => {
  const here = studioInBrowser()
  let page: Page
  let faults: string[]
  beforeAll(async () => {
    ;({ page, faults } = await here.visit({ viewport: { width: 1440, height: 1000 } }))
    await drop(page, 'survey.csv', readFileSync(new URL('../../examples/survey/survey.csv', import.meta.url), 'utf8'))
    await page.getByRole('heading', { name: 'survey.csv' }).waitFor()
  }, 120_000)

  it('has clusters and strata as suggested, which standard errors and the command know', async () => {
    const uses = ['school', 'region', 'weight', 'smoking'].map(name => useOf(page, name))
    await expect
      .poll(() => Promise.all(uses.map(each => each.inputValue())))
      .toEqual(['cluster', 'strata', 'weight', 'mode'])
    // Strata are those of clusters.
    await useOf(page, 'school').selectOption({ label: 'Excluded' })
    await page.getByText('Choose a Cluster column').first().waitFor()
    await page.keyboard.press('Control+z')
    await button(page, /2\. Fit/).click()
    await button(page, 'I know how many').click()
    await page.getByRole('spinbutton', { name: 'Classes', exact: true }).fill('2')
    await button(page, /^Find the classes$/).click()
    await fitted(page)
    await button(page, 'See the results').click()
    await page.getByRole('tab', { name: 'Fit & tests' }).click()
    const precise = page.getByRole('region', { name: /^How precise are the estimates/ })
    await precise.getByRole('button', { name: 'Compute' }).click()
    await precise.getByText('They allow for 56 clusters in 4 strata.').waitFor()
    await button(page, /5\. Export/).click()
    await page.getByText(/--cluster school --strata region/).waitFor()
  })

  it('shows labels that are typed after the fit, in results and where a row is typed', async () => {
    await button(page, /1\. Data/).click()
    await button(page, 'Details of smoking').click()
    const details = page.getByRole('region', { name: 'Details of smoking' })
    await details.getByText('Recognized as a scale, in this order.').waitFor()
    await details.getByLabel('Variable label').fill('Cigarettes')
    await details.getByLabel('Variable label').press('Enter')
    await details.getByText('Cigarettes', { exact: true }).waitFor()
    await details.getByText('Value labels').click()
    await details.getByRole('textbox', { name: 'often', exact: true }).fill('every day')
    await details.getByRole('textbox', { name: 'often', exact: true }).press('Enter')
    await button(page, /4\. Classify/).click()
    await page.getByLabel('smoking: Cigarettes').selectOption({ label: 'every day' })
    await button(page, /3\. Results/).click()
    await page.getByRole('tab', { name: 'Profiles' }).click()
    await page.locator('.chart svg text', { hasText: 'every day' }).first().waitFor()
    await page
      .locator('.class-card', { hasText: /(high|low) mean [\d.]+ of 3, overall/ })
      .first()
      .waitFor()
    expect(faults).toEqual([])
  })
})
