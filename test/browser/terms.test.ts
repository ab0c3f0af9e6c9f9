import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { button, fitted, hasBrowser, studioInBrowser } from '../studio-browser.ts'

describe.skipIf(!hasBrowser)('terms of the studio', () => {
  const here = studioInBrowser()
  let [page, faults] = [undefined as unknown as Page, [] as string[]]
  beforeAll(async () => {
    ;({ page, faults } = await here.visit())
    await button(page, /^Carcinoma/).click()
    await button(page, 'Find the classes →').click()
    await page.getByRole('spinbutton', { name: 'to', exact: true }).fill('3')
    await button(page, 'Find the classes').click()
    await fitted(page)
  })

  it('are explained by click and by keyboard, and Escape closes them', async () => {
    const [ask, words] = [button(page, 'What is BIC?'), page.getByRole('dialog', { name: 'BIC' })]
    await ask.click()
    await words.getByText('the lowest BIC is the usual choice').waitFor()
    await expect.poll(() => ask.getAttribute('aria-expanded')).toBe('true')
    await page.keyboard.press('Escape')
    await words.waitFor({ state: 'hidden' })
    await expect.poll(() => ask.evaluate(own => own === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await words.waitFor()
    // They stand within the page, however narrow it is.
    const box = await words.boundingBox()
    expect(box?.x).toBeGreaterThanOrEqual(0)
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(1280)
    await page.getByRole('heading', { name: 'What was found' }).click()
    await words.waitFor({ state: 'hidden' })
    await expect.poll(() => ask.getAttribute('aria-expanded')).toBe('false')
  })

  it('come after the verdict, whose figures are behind it', async () => {
    const line = page.getByText(/The search settled\..* \d+ of \d+ starts .*reached this solution\./)
    await line.waitFor()
    const figures = page.getByText(/starts .*reached the best solution; estimated chance/)
    expect(await figures.isVisible()).toBe(false)
    await page.getByText('Figures of the search').click()
    await figures.waitFor()
    // Before the table of all numbers of classes.
    const [above, below] = await Promise.all([line, page.locator('table.ranks')].map(each => each.boundingBox()))
    expect(above?.y).toBeLessThan(below?.y ?? 0)
  })

  it('are all in the glossary, which opens at the term', async () => {
    await button(page, 'What is Relative entropy?').click()
    await button(page, 'Open the glossary').click()
    const glossary = page.getByRole('dialog', { name: 'Glossary' })
    await glossary.locator('.asked', { hasText: 'Relative entropy' }).waitFor()
    for (const term of ['AIC', 'G² and X²', 'Lift', 'Standard error', 'Class probability (posterior)'])
      expect(await glossary.getByText(term, { exact: true }).count(), term).toBe(1)
    await page.keyboard.press('Escape')
    await glossary.waitFor({ state: 'detached' })
    await button(page, 'Glossary').click()
    await glossary.getByRole('button', { name: 'Close' }).click()
    await glossary.waitFor({ state: 'detached' })
  })

  it('have a "?" wherever figures of fit are', async () => {
    await button(page, 'See the results').click()
    await page.getByRole('tab', { name: 'Fit & tests' }).click()
    for (const term of ['BIC', 'G² and X²', 'Bivariate residual', 'Standard error', 'Held-out log-likelihood'])
      await button(page, `What is ${term}?`).first().waitFor()
    await page.getByRole('tab', { name: 'Categories' }).click()
    await page.locator('.label-list button').first().click()
    await button(page, 'What is Lift?').click()
    await page.getByRole('dialog', { name: 'Lift' }).getByText('twice as frequent').waitFor()
    expect(faults).toEqual([])
  })
})
