import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { button, drop, fitted, hasBrowser, studioInBrowser } from '../studio-browser.ts'

/** Lists of rows in the studio, of the data and of rows that are classified. */

const ROWS = 100_000

/** Two groups of people, and an identifier that is no variable. */
const people = (): string => {
  const lines = ['id,a,b,c,d']
  for (let i = 1; i <= ROWS; i++) {
    const old = i % 3 === 0
    const answers = [5, 7, 11, 13].map((step, n) => (((i * step) % 17) + n < (old ? 14 : 5) ? 'yes' : 'no'))
    lines.push([`p${i}`, ...answers].join(','))
  }
  return `${lines.join('\n')}\n`
}

const listOf = (page: Page) => page.getByRole('region', { name: 'Rows with their classes' })
const firstRow = (page: Page) => listOf(page).getByRole('rowheader').first()

describe.skipIf(!hasBrowser)('a hundred thousand rows', () => {
  const here = studioInBrowser()
  let page: Page
  let faults: string[]
  beforeAll(async () => {
    ;({ page, faults } = await here.visit())
    await drop(page, 'people.csv', people())
    await page.getByRole('heading', { name: 'people.csv' }).waitFor()
    await button(page, 'Find the classes →').click()
    await page.getByText('I know how many').click()
    await button(page, 'Find the classes').click()
    await fitted(page)
    await page.getByRole('button', { name: '3. Results', exact: true }).click()
    await page.getByRole('tab', { name: 'Rows' }).click()
    await firstRow(page).waitFor()
  })

  const rowAt = (index: number) => listOf(page).locator(`tr[aria-rowindex="${index + 1}"] th`)

  it('are a list of which only the rows in view are made, and whose length is told', async () => {
    expect(await listOf(page).getByRole('table').getAttribute('aria-rowcount')).toBe(String(ROWS + 1))
    expect(await listOf(page).locator('tr[aria-rowindex]').count()).toBeLessThan(60)
    const heights = await listOf(page).evaluate(({ scrollHeight, clientHeight }) => ({ scrollHeight, clientHeight }))
    expect(heights.scrollHeight).toBeGreaterThan(ROWS * 30)
    expect(heights.clientHeight).toBeLessThan(1000)
  })

  it('are sorted by the titles of the columns', async () => {
    const title = listOf(page).getByRole('button', { name: 'Row', exact: true })
    await title.click()
    await expect.poll(() => firstRow(page).textContent()).toBe('1')
    const heading = listOf(page).getByRole('columnheader', { name: 'Row', exact: true })
    await expect.poll(() => heading.getAttribute('aria-sort')).toBe('ascending')
    await title.click()
    await expect.poll(() => firstRow(page).textContent()).toBe('100,000')
    await expect.poll(() => heading.getAttribute('aria-sort')).toBe('descending')
    await expect
      .poll(() => page.getByLabel('Order').locator('option:checked').textContent())
      .toBe('File order, last first')
    await title.click()
    await expect.poll(() => firstRow(page).textContent()).toBe('1')
  })

  it('are reached by keyboard and by the scroll bar', async () => {
    await listOf(page).focus()
    await page.keyboard.press('End')
    await expect.poll(() => rowAt(ROWS).textContent()).toBe('100,000')
    await page.keyboard.press('PageUp')
    await page.keyboard.press('Home')
    await expect.poll(() => rowAt(1).textContent()).toBe('1')
    await listOf(page).evaluate(element => {
      element.scrollTop = element.scrollHeight / 2
    })
    await expect.poll(() => rowAt(50_001).textContent()).toBe('50,001')
    expect(await listOf(page).locator('tr[aria-rowindex]').count()).toBeLessThan(60)
  })

  it('are found by a text', async () => {
    await page.getByLabel('Find text').fill('P77777')
    await page.getByText('1 row', { exact: true }).waitFor()
    await expect.poll(() => firstRow(page).textContent()).toBe('77,777')
    await page.getByLabel('Find text').fill('nobody')
    await page.getByText('No matching rows.').waitFor()
    await page.getByLabel('Find text').fill('')
    await page.getByText('100,000 rows').waitFor()
  })

  it('that are classified are the same list', async () => {
    await page.getByRole('button', { name: '4. Classify', exact: true }).click()
    await page.getByLabel(/paste rows/).fill('a,b,c,d\nyes,yes,yes,yes\nno,no,no,no\n')
    await button(page, 'Classify these rows').click()
    await rowAt(2).waitFor()
    await expect.poll(() => listOf(page).getByRole('rowheader').allTextContents()).toEqual(['1', '2'])
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, /^Download all rows/).click()])
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\n')
    expect(lines).toHaveLength(3)
    expect(lines[0]).toMatch(/^a,b,c,d,class,class_probability,log_likelihood,posterior_/)
  })

  it('had nothing go wrong', () => {
    expect(faults).toEqual([])
  })
})
