import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { button, drop, fitted, hasBrowser, studioInBrowser } from '../studio-browser.ts'

/** 300 people in two groups: a height, a scale, a count and an answer. */
const measured = (): string => {
  const rows = Array.from({ length: 300 }, (_, i) => {
    const tall = (i * 7) % 10 > 4
    const height = (160 + (tall ? 15 : 0) + ((i * 13) % 17) / 2).toFixed(1)
    return [
      height,
      1 + ((i * 3 + (tall ? 2 : 0)) % 5),
      (i * 11) % (tall ? 7 : 3),
      (i * 5) % 10 < (tall ? 8 : 2) ? 'yes' : 'no',
    ]
  })
  return `height,mood,visits,answer\n${rows.map(row => row.join()).join('\n')}\n`
}

describe.skipIf(!hasBrowser)('variables that are no categories', () => {
  const here = studioInBrowser()
  let page: Page
  let faults: string[]
  const use = (column: string, as: string) =>
    page.getByLabel(`Use of ${column}`, { exact: true }).selectOption({ label: as })
  const details = (column: string) => page.getByRole('region', { name: `Details of ${column}` })
  const command = async (): Promise<string> =>
    (await page.locator('pre', { hasText: 'polyad' }).first().textContent()) ?? ''

  beforeAll(async () => {
    ;({ page, faults } = await here.visit({ viewport: { width: 1440, height: 1000 } }))
    await drop(page, 'measured.csv', measured())
    await page.getByRole('heading', { name: 'measured.csv' }).waitFor()
  }, 120_000)

  it('are chosen in the list or in the details, with what belongs to each', async () => {
    await use('height', 'Number')
    await page.getByRole('button', { name: /^Details of height/ }).click()
    const own = details('height')
    await own.getByLabel('Measured to').fill('0.5')
    await own.getByText('A measurement: each class has a mean and a standard deviation.').waitFor()
    // It is no longer cut, and its distribution is there.
    expect(await own.getByText('Cut into bins').count()).toBe(0)
    await own.getByLabel('Rows in each bin of height').waitFor()
    await page.getByRole('button', { name: /^Details of mood/ }).click()
    await details('mood').getByRole('button', { name: 'Scale' }).click()
    expect(await page.getByLabel('Use of mood', { exact: true }).inputValue()).toBe('mode ordinal')
    await use('visits', 'Count')
    // Text is no number.
    const uses = await page.getByLabel('Use of answer', { exact: true }).locator('option').allTextContents()
    expect(uses.slice(0, 3)).toEqual(['Variable', 'Scale', 'Covariate'])
    await page.keyboard.press('Control+z')
    expect(await page.getByLabel('Use of visits', { exact: true }).inputValue()).toBe('mode')
    await use('visits', 'Count')
  })

  it('are fitted as such, shown by their means, and classified', async () => {
    await button(page, 'Find the classes →').click()
    await page.getByRole('spinbutton', { name: 'to', exact: true }).fill('2')
    await button(page, 'Find the classes').click()
    await fitted(page)
    await button(page, 'See the results').click()
    await page.getByText('Of numbers, the mean within each class ± one standard deviation.').waitFor()
    await button(page, /5\. Export/).click()
    await expect.poll(command).toContain('--continuous height:0.5 --ordinal mood --counts visits')
    await button(page, /4\. Classify/).click()
    // A height that nobody has.
    await page.getByLabel('height').fill('181.3')
    await page.getByRole('heading', { name: /^Most probably/ }).waitFor()
    expect(await page.getByText('The model has never seen').count()).toBe(0)
  })

  it('are another model if one is chosen otherwise', async () => {
    await button(page, /1\. Data/).click()
    await details('mood').getByRole('button', { name: 'Category' }).click()
    await button(page, /3\. Results/).click()
    await page.getByText('The data settings have changed since these classes were found.').waitFor()
    expect(faults).toEqual([])
  })
})
