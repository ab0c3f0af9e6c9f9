import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, studioInBrowser } from '../studio-browser.ts'

describe.skipIf(!hasBrowser)('looking at classes', () => {
  const here = studioInBrowser()
  let [page, faults] = [undefined as unknown as Page, [] as string[]]

  beforeAll(async () => {
    ;({ page, faults } = await here.visit())
    await page.getByRole('button', { name: /^Carcinoma/ }).click()
    await page.getByRole('button', { name: /Fit$/ }).click()
    await page.getByRole('button', { name: 'Find the classes' }).click()
    await page.getByRole('button', { name: 'See the results' }).click()
    await page.getByRole('tab', { name: 'Profiles' }).waitFor()
    await page.locator('.mode-panel rect[data-class="1"]').first().waitFor()
  })

  const opacity = (what: string) =>
    page
      .locator(what)
      .first()
      .evaluate(element => Number(getComputedStyle(element).opacity))
  const tab = (name: string) => page.getByRole('tab', { name }).click()

  it('brings a class forward that is pointed at, or whose button has the focus, and says what a label tells', async () => {
    // The variable that separates the classes most would be first.
    await page.getByLabel('Order of the variables').selectOption('Order of the data')
    const bar = page.locator('.mode-panel [data-class="1"][data-label="0"]').first()
    await bar.hover()
    await expect.poll(() => opacity('.results .chart [data-class="0"]')).toBeLessThan(0.3)
    await expect.poll(() => opacity('.results .chart [data-class="1"]')).toBe(1)
    // P[A = 1] of the second class, and overall: 1 − 0.5593 of 118 slides.
    const panel = page.getByRole('region', { name: 'Chosen category', exact: true })
    await expect.poll(() => panel.getByRole('heading').textContent()).toBe('A: 1')
    await expect.poll(() => panel.textContent()).toMatch(/Overall 44\.1%/)
    await page.mouse.move(2, 2)
    await expect.poll(() => opacity('.results .chart [data-class="0"]')).toBe(1)
    const [, second] = await page.getByRole('list', { name: 'Highlight a class' }).getByRole('button').all()
    await page.getByRole('tab', { name: 'Profiles' }).focus()
    await second.press('Enter')
    await expect.poll(() => opacity('.results .chart [data-class="2"]')).toBeLessThan(0.3)
    await page.keyboard.press('Escape')
    await expect.poll(() => opacity('.results .chart [data-class="2"]')).toBe(1)
  })

  it('calls classes by number, with what marks them, until somebody names them', async () => {
    const [card] = await page.getByRole('list', { name: 'Classes', exact: true }).getByRole('listitem').all()
    const name = page.getByLabel('Name of class 1')
    expect(await name.inputValue()).toBe('Class 1')
    expect(await card.locator('.class-subtitle').textContent()).toMatch(/^[A-G] 2$/)
    expect(
      await page.getByRole('list', { name: 'Highlight a class' }).getByRole('button').first().textContent(),
    ).toMatch(/^Class 1 [A-G] 2$/)
    await name.fill('Healthy')
    await card.locator('.class-subtitle').waitFor({ state: 'detached' })
    await name.fill('')
    await card.locator('.class-subtitle').waitFor()
    await name.blur()
    await expect.poll(() => name.inputValue()).toBe('Class 1')
  })

  it('renames a class, refuses a name twice, and takes it back', async () => {
    const [first, second] = [1, 2].map(k => page.getByLabel(`Name of class ${k}`))
    const proposed = await first.inputValue()
    await first.fill('')
    // Letters are one step to undo unless somebody pauses: here nobody does, however slow the machine is.
    await page.evaluate(() => {
      const now = performance.now()
      performance.now = () => now
    })
    await first.pressSequentially('sure of it ')
    await page.evaluate(() => Reflect.deleteProperty(performance, 'now'))
    await first.press('Enter')
    await expect.poll(() => first.inputValue()).toBe('sure of it')
    await second.fill('sure of it')
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('Class 1')
    await second.press('Enter')
    await expect.poll(() => second.inputValue()).not.toBe('sure of it')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => first.inputValue()).toBe(proposed)
  })

  it('gives the likes of a class in other ranks its colour', async () => {
    await page.getByRole('button', { name: /^Colour of/ }).first().click() // biome-ignore format: one line
    await page.getByRole('button', { name: 'Colour 7', exact: true }).click()
    // The seventh of the light theme.
    await expect.poll(() => page.getByLabel('Custom colour').inputValue()).toBe('#a27afd')
    await page.keyboard.press('Escape')
    await tab('Compare solutions')
    const coloured = () =>
      page
        .locator('.rank-column')
        .evaluateAll(columns => columns.map(column => column.querySelectorAll('li[style*="--class-7"]').length))
    await expect.poll(coloured).toEqual([1, 1, 1, 1])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(coloured).toEqual([0, 0, 0, 0])
  })

  it('finds labels', async () => {
    await tab('Categories')
    await page.getByLabel('Search variables and categories').fill('g 2')
    await page.getByRole('button', { name: /^2\s*55\.9/ }).click()
    const chosen = page.getByRole('region', { name: 'Chosen category', exact: true })
    await expect.poll(() => chosen.getByRole('heading').textContent()).toBe('G: 2')
    await page.keyboard.press('Escape')
  })

  it('lists rows, the least likely first, and those of a class', async () => {
    await tab('Rows')
    const table = page.getByRole('region', { name: 'Rows with their classes' })
    await expect.poll(() => table.locator('tbody tr').count()).toBe(20)
    const column = async (n: number) => (await table.locator(`tbody tr > :nth-child(${n})`).allInnerTexts()).map(Number)
    const likely = await column(4)
    expect(likely).toEqual(likely.toSorted((a, b) => a - b))
    await page.getByLabel('Order').selectOption('File order')
    await expect.poll(() => column(1)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1))
    await page.getByRole('combobox', { name: 'Class', exact: true }).selectOption({ index: 1 })
    await expect.poll(() => table.locator('tbody tr').count()).toBeLessThan(20)
  })

  it('tests on demand, and stops when it is told to', async () => {
    await tab('Fit & tests')
    const goodness = page.getByRole('region', { name: /^Does the model fit/ })
    await goodness.getByLabel('Replicates').selectOption('999')
    await goodness.getByRole('button', { name: 'Compute' }).click()
    await goodness.getByText(/of 999 replicates/).waitFor()
    await goodness.getByRole('button', { name: 'Stop' }).click()
    await goodness.getByText('then stopped').waitFor()
    const errors = page.getByRole('region', { name: /^How precise/ })
    await errors.getByLabel('Kind').selectOption('observed')
    await errors.getByRole('button', { name: 'Compute' }).click()
    await errors.getByText('observed (curvature).').waitFor()
    await tab('Profiles')
    await page.getByText('Thin lines are the intervals').waitFor()
  })

  it('compares with the one-class model, unless that is the one chosen', async () => {
    const headings = () => page.locator('[aria-label="Table of fit statistics"] thead th').allInnerTexts()
    const compare = page.getByLabel('Compare with one class (independence)')
    await expect.poll(() => compare.count()).toBe(1)
    await tab('Fit & tests')
    await expect.poll(headings).toEqual(['3 classes', 'one class'])
    const numbers = page.getByRole('group', { name: 'Number of classes' })
    await numbers.getByRole('button', { name: '1', exact: true }).click()
    await expect.poll(headings).toEqual(['1 class'])
    await tab('Profiles')
    await expect.poll(() => compare.count()).toBe(0)
  })

  it('begins with the answer, its evidence and a paragraph to copy; of one class, with what that means', async () => {
    const numbers = page.getByRole('group', { name: 'Number of classes' })
    const title = page.getByRole('heading', { level: 1 })
    const questions = () => page.locator('.answer .question').allInnerTexts()
    await expect.poll(() => title.textContent()).toBe('One class is not enough.')
    await page.getByText('One class is the model without groups').waitFor()
    expect(await page.locator('.class-card').count()).toBe(0)
    await numbers.getByRole('button', { name: /^3/ }).click()
    await expect
      .poll(() => title.textContent())
      .toMatch(/^Three groups; \d+% of observations can be assigned correctly/)
    await expect
      .poll(questions)
      .toEqual(
        ['Are there groups? ', 'How sure is each assignment? ', 'Does the model fit? ', 'Did the search settle? '].map(
          each => expect.stringContaining(each.trim()),
        ),
      )
    await page.getByText('Paragraph for a paper').click()
    await page.getByText(/^A latent class model with 3 classes/).waitFor()
    await page.getByRole('button', { name: 'Copy: paragraph for a paper' }).waitFor()
  })

  it('had nothing go wrong', () => {
    // Browsers ask for /favicon.ico beside the icon that the page names.
    expect(faults.filter(fault => !fault.includes('status of 404'))).toEqual([])
  })
})
