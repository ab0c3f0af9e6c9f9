import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, studioInBrowser } from '../studio-browser.ts'

const VARIABLES = ['sepal_length', 'sepal_width', 'petal_length', 'petal_width']

describe.skipIf(!hasBrowser)('profiles, and numbers of classes beyond the edge', () => {
  const here = studioInBrowser()
  let [page, faults] = [undefined as unknown as Page, [] as string[]]

  beforeAll(async () => {
    ;({ page, faults } = await here.visit())
    await page.getByRole('button', { name: /^Iris/ }).click()
    await page.getByRole('button', { name: /Fit$/ }).click()
    await page.getByLabel('to', { exact: true }).fill('2')
    await page.getByRole('button', { name: 'Find the classes' }).click()
    await page.getByRole('button', { name: 'See the results' }).click()
    await panel('petal_width').waitFor()
  })

  const panel = (variable: string) => page.getByRole('img', { name: new RegExp(`^${variable}: `) })
  const buttons = async () =>
    (await page.getByRole('group', { name: 'Number of classes' }).getByRole('button').allInnerTexts()).map(text =>
      text.replace(/\s+/g, ' '),
    )

  it('show every variable, by its name, in panels and in the overview', async () => {
    for (const variable of VARIABLES) await expect.poll(() => panel(variable).count()).toBe(1)
    const overview = page.getByRole('region', { name: 'Overview' }).getByRole('img')
    const label = async () => (await overview.getAttribute('aria-label')) ?? ''
    // What separates the classes most comes first, unless the order of the data is wanted.
    expect(await label()).toMatch(/^petal_width, petal_length, sepal_length, sepal_width: /)
    await page.getByLabel('Order of the variables').selectOption('Order of the data')
    await expect.poll(label).toMatch(new RegExp(`^${VARIABLES.join(', ')}: `))
    for (const variable of VARIABLES) await expect.poll(() => overview.textContent()).toContain(variable)
  })

  it('have one axis to 100%, labelled once in a row, intervals without brackets, and lines without fills', async () => {
    const rows = await page.locator('.mode-panel svg').evaluateAll(all =>
      all.map(svg => ({
        top: Math.round(svg.getBoundingClientRect().top),
        axis: [...svg.querySelectorAll('.value-axis text')].map(text => text.textContent),
        filled: [...svg.querySelectorAll('path[stroke]')].filter(
          path => getComputedStyle(path).fill !== 'none' && getComputedStyle(path).strokeWidth !== '0px',
        ).length,
        text: svg.textContent,
      })),
    )
    for (const top of new Set(rows.map(row => row.top)))
      expect(rows.filter(row => row.top === top && row.axis.length > 0).map(({ axis }) => axis)).toEqual([
        ['0%', '50%', '100%'],
      ])
    expect(rows.map(({ filled }) => filled)).toEqual([0, 0, 0, 0])
    for (const { text } of rows) {
      expect(text).toMatch(/\d – \d/)
      expect(text).not.toContain('[')
    }
  })

  it('have a table one click away, where a category can be chosen by keyboard', async () => {
    const own = page.locator('.mode-panel').filter({ has: panel('petal_length') })
    await own.getByText('Show table').click()
    await own.getByRole('region', { name: 'Table of the chart' }).waitFor()
    await own.getByLabel('Category of petal_length').selectOption({ index: 1 })
    const chosen = page.getByRole('region', { name: 'Chosen category', exact: true })
    await expect.poll(() => chosen.getByRole('heading').textContent()).toMatch(/^petal_length: \d/)
    await page.keyboard.press('Escape')
    await own.getByText('Show table').click()
  })

  it('are heat maps if one wants', async () => {
    const cells = page.locator('.mode-panel svg rect[data-class]')
    await expect.poll(() => cells.count()).toBe(0)
    await page.getByRole('button', { name: 'Heat map' }).click()
    await expect.poll(() => cells.count()).toBeGreaterThan(40)
    await page.getByRole('button', { name: 'Lines and bars' }).click()
    await expect.poll(() => cells.count()).toBe(0)
  })

  it('have one legend, and fit every window, in both themes', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const width of [390, 820, 1280, 1600]) {
        await page.setViewportSize({ width, height: 900 })
        await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
        await expect.poll(() => page.locator('.chart .legend').count()).toBe(0)
        await expect.poll(() => page.getByRole('list', { name: 'Highlight a class' }).count()).toBe(1)
      }
    }
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  it('keep the colours of classes where the system chooses all others', async () => {
    const bars = () =>
      page.locator('.sizes-bar button').evaluateAll(all => all.map(each => getComputedStyle(each).backgroundColor))
    const symbols = () =>
      page.locator('.legend-buttons path').evaluateAll(all => all.map(each => getComputedStyle(each).fill))
    const [usual, marks] = [await bars(), await symbols()]
    expect(new Set(usual).size).toBe(2)
    await page.emulateMedia({ forcedColors: 'active' })
    await expect.poll(() => bars()).toEqual(usual)
    await expect.poll(() => symbols()).toEqual(marks)
    await page.emulateMedia({ forcedColors: 'none' })
  })

  it('a number of classes at the edge has no star; what is missing is fitted, and then it has', async () => {
    await expect.poll(() => buttons()).toEqual(['1', '2', 'Try up to 4'])
    await page.getByRole('tab', { name: 'Compare solutions' }).click()
    const criteria = page.getByRole('region', { name: 'Criteria by number of classes' })
    const before = () => criteria.locator('tbody tr').allInnerTexts()
    await expect.poll(async () => (await before()).length).toBe(2)
    expect((await before()).join('')).not.toContain('★')
    await page.getByRole('group', { name: 'Number of classes' }).getByRole('button', { name: 'Try up to 4' }).click()
    await expect.poll(buttons).toEqual(['1', '2 ★ , recommended', '3', '4'])
    const grown = async () =>
      (await criteria.locator('tbody tr').allInnerTexts()).map(row =>
        row.replace(/★|●|best, /g, '').replace(/\s+/g, ' '),
      )
    await expect.poll(async () => (await grown()).length).toBe(4)
    // The held-out log-likelihood comes last.
    await page.getByText(/^Still searching/).waitFor({ state: 'detached' })
    const rows = await grown()
    // As if all had been asked for at once.
    await page.getByRole('button', { name: /Fit$/ }).click()
    await expect.poll(() => page.getByLabel('to', { exact: true }).inputValue()).toBe('4')
    // The fit may be over before one looks.
    const began = page.evaluate(
      () =>
        new Promise<void>(resolve =>
          new MutationObserver((_, observer) => {
            if (!document.body.textContent?.includes('Stop, and keep the best')) return
            observer.disconnect()
            resolve()
          }).observe(document.body, { childList: true, subtree: true }),
        ),
    )
    await page.getByRole('button', { name: 'Fit again' }).click()
    await began
    await page.getByRole('button', { name: 'Fit again' }).waitFor()
    await page.getByRole('button', { name: 'See the results' }).click()
    await page.getByRole('tab', { name: 'Compare solutions' }).click()
    await expect.poll(grown).toEqual(rows)
  })

  it('had nothing go wrong', () => {
    expect(faults.filter(fault => !fault.includes('status of 404'))).toEqual([])
  })
})
