import { random } from '@polyad/core/numeric'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { button, drop, fitted, hasBrowser, studioInBrowser } from '../studio-browser.ts'

/** 120 people of 12 places in three waves, some of whom move between two groups. */
const asked = (): string => {
  const { uniform } = random(5, 'data')
  const rows = Array.from({ length: 120 }, (_, id) => {
    let k = Number(uniform() < (id % 12 < 6 ? 0.2 : 0.7))
    return ['2020', '2021', '2022'].map((wave, t) => {
      if (t > 0 && uniform() < 0.2) k = 1 - k
      const answers = [0.9, 0.85, 0.8, 0.75].map(p => (uniform() < (k === 0 ? p : 1 - p) ? 'yes' : 'no'))
      return [`p${id}`, wave, `place ${id % 12}`, ...answers].join()
    })
  }).flat()
  return `id,wave,place,a,b,c,d\n${rows.join('\n')}\n`
}

describe.skipIf(!hasBrowser)('rows that belong together', () => {
  const here = studioInBrowser()
  let page: Page
  let faults: string[]
  const use = (column: string, as: string) =>
    page.getByLabel(`Use of ${column}`, { exact: true }).selectOption({ label: as })
  const command = async (): Promise<string> =>
    (await page.locator('pre', { hasText: 'polyad' }).first().textContent()) ?? ''
  const fitTwo = async () => {
    await button(page, /2\. Fit/).click()
    await button(page, 'I know how many').click()
    await page.getByRole('spinbutton', { name: 'Classes', exact: true }).fill('2')
    await button(page, /^(Find the classes|Fit again)$/).click()
    await fitted(page)
    await button(page, 'See the results').click()
  }

  beforeAll(async () => {
    ;({ page, faults } = await here.visit({ viewport: { width: 1440, height: 1000 } }))
    await drop(page, 'asked.csv', asked())
    await page.getByRole('heading', { name: 'asked.csv' }).waitFor()
    await use('place', 'Excluded')
  }, 120_000)

  it('are waves of persons by their roles, which need each other', async () => {
    await use('id', 'Person')
    await use('wave', 'Excluded')
    await page.getByText('Choose a Time column').first().waitFor()
    await use('wave', 'Time')
    await fitTwo()
    await page.getByRole('tab', { name: 'Fit & tests' }).click()
    await page.getByText('describe 360 observations of 120 persons at 3 waves').waitFor()
  })

  it('have a tab with the moves between waves and the transitions', async () => {
    await page.getByRole('tab', { name: 'Change' }).click()
    await page.getByRole('img', { name: 'Moves between 2 classes over 3 waves, 2020 to 2022' }).waitFor()
    const matrix = page.getByRole('region', { name: 'Transitions' })
    await matrix.getByRole('img').getByText('2021 → 2022').waitFor()
    await matrix.getByText('Show table').click()
    expect(await matrix.getByRole('row').count()).toBe(5)
    // The rows have classes given all waves of the person.
    await page.getByRole('tab', { name: 'Rows' }).click()
    await page.getByText('p0', { exact: true }).first().waitFor()
  })

  it('are the same in the command, and in the tables to export', async () => {
    await button(page, /5\. Export/).click()
    await expect.poll(command).toContain('--person id --time wave')
    await page.getByRole('heading', { name: 'Transitions' }).first().waitFor()
  })

  it('are members of groups with classes by another role', async () => {
    await button(page, /1\. Data/).click()
    // Who belongs to a group is no person over time.
    await use('place', 'Group')
    expect(await page.getByLabel('Use of id', { exact: true }).inputValue()).toBe('ignore')
    await fitTwo()
    await page.getByRole('tab', { name: 'Groups' }).click()
    await page.getByRole('img', { name: 'Class sizes within 2 classes of groups' }).waitFor()
    await button(page, /5\. Export/).click()
    await expect.poll(command).toContain('--within place --group-classes 2')
    expect(faults).toEqual([])
  })
})
