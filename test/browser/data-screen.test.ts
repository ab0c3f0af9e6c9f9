import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { button, drop, hasBrowser, startStudio, studioInBrowser, useOf, visit } from '../studio-browser.ts'

/** The columns of a table, what can be said of them, and of the file they are in. */

const SCALE = ['low', 'middle', 'high']

/** A survey of so many questions, a number of 36 values, a weight, and a code that means missing. */
const survey = (questions: number): string => {
  const names = Array.from({ length: questions }, (_, q) => `q${q + 1}`)
  const rows = Array.from({ length: 200 }, (_, i) => [
    ...names.map((_, q) => ((i * (q + 3)) % 17 === 0 ? '' : SCALE[(((i + 1) * (q * 7919 + 104_729)) % 1_000_003) % 3])),
    i % 10 === 0 ? '-99' : `${1 + (i % 5)}`,
    `${20 + ((i * 7) % 36)}`,
    (0.5 + (i % 13) / 9).toFixed(3),
  ])
  return `${[...names, 'trust', 'minutes', 'weight'].join(',')}\n${rows.map(row => row.join(',')).join('\n')}\n`
}

const row = (page: Page, column: string) => page.locator(`li[data-column="${column}"] .column`)
/** What is said of a column in its row. */
const notes = (page: Page, column: string) => row(page, column).locator('.column-notes')
const bars = (page: Page, column: string) =>
  row(page, column)
    .locator('.sparkline rect')
    .evaluateAll(rects => rects.map(rect => Number(rect.getAttribute('height'))))

describe.skipIf(!hasBrowser)('the Data screen', () => {
  const here = studioInBrowser()

  it('has a row of 44 pixels for each column, so that sixty fit three screens, and proposes bins and weights', async () => {
    const { page, context, faults } = await here.visit()
    await drop(page, 'survey.csv', survey(57))
    await row(page, 'weight').waitFor()
    const heights = await page
      .locator('.column')
      .evaluateAll(all => all.map(each => each.getBoundingClientRect().height))
    expect(new Set(heights)).toEqual(new Set([44]))
    expect(heights).toHaveLength(60)
    expect(await page.locator('.columns').evaluate(list => list.getBoundingClientRect().height)).toBeLessThan(2700)
    await expect.poll(() => useOf(page, 'weight').inputValue()).toBe('weight')
    await notes(page, 'minutes').getByText('5 bins').waitFor()
    // One click makes frequencies of it; another takes that back.
    await button(page, 'Details of weight').click()
    await page.getByRole('group', { name: 'Use weight as' }).getByRole('button', { name: 'Frequency' }).click()
    await expect.poll(() => useOf(page, 'weight').inputValue()).toBe('count')
    await button(page, 'Reset to suggestion (weights)').click()
    await expect.poll(() => useOf(page, 'weight').inputValue()).toBe('weight')
    expect(faults).toEqual([])
    await context.close()
  })

  it('shows the figures of a column anew as soon as a code means missing', async () => {
    const { page, context, faults } = await here.visit()
    await drop(page, 'survey.csv', survey(3))
    await notes(page, 'trust').getByText('6 categories').waitFor()
    await expect.poll(() => bars(page, 'trust')).toHaveLength(6)
    await button(page, 'Treat as missing').click()
    await notes(page, 'trust').getByText('5 categories · 10% missing').waitFor()
    await expect.poll(() => bars(page, 'trust')).toHaveLength(5)
    await button(page, 'Undo').click()
    await notes(page, 'trust').getByText('6 categories').waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it('draws scales in their order, and rows as often as they count', async () => {
    const { page, context } = await here.visit()
    const table = 'q,r,n\nhigh,a,40\nlow,a,10\nmiddle,a,20\nlow,b,10\nmiddle,b,60\nhigh,b,20\n'
    await drop(page, 'counted.csv', table)
    await expect.poll(() => useOf(page, 'n').inputValue()).toBe('count')
    // low 20, middle 80, high 60 of 160.
    await expect.poll(async () => (await bars(page, 'q')).map(height => Math.round(height))).toEqual([6, 25, 19])
    await useOf(page, 'n').selectOption('ignore')
    await expect.poll(async () => new Set(await bars(page, 'q')).size).toBe(1)
    await context.close()
  })

  it('finds columns, selects several by mouse and by keyboard, and changes them together', async () => {
    const { page, context, faults } = await here.visit()
    await drop(page, 'survey.csv', survey(20))
    await row(page, 'q20').waitFor()
    const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
    const selected = page.getByRole('toolbar', { name: 'Selected columns' })
    await box('q2').click()
    await box('q5').click({ modifiers: ['Shift'] })
    await selected.getByText('4 selected').waitFor()
    await box('q5').press('Shift+ArrowDown')
    await selected.getByText('5 selected').waitFor()
    await selected.getByRole('button', { name: 'Exclude' }).click()
    await expect.poll(() => useOf(page, 'q6').inputValue()).toBe('ignore')
    await expect.poll(() => useOf(page, 'q7').inputValue()).toBe('mode')
    await button(page, 'Undo').click()
    await expect.poll(() => useOf(page, 'q6').inputValue()).toBe('mode')
    await selected.getByLabel('Use the selected columns as').selectOption('covariate')
    await expect.poll(() => useOf(page, 'q2').inputValue()).toBe('covariate')
    await page.getByLabel('Search columns by name or label').fill('q1')
    await expect.poll(() => page.locator('.column').count()).toBe(11)
    await page.getByRole('checkbox', { name: 'Select all columns that are listed' }).click()
    await selected.getByText('11 selected').waitFor()
    await page.getByLabel('Search columns by name or label').fill('')
    await box('q12').press('Escape')
    await selected.waitFor({ state: 'detached' })
    await box('trust').click()
    await box('minutes').click()
    await selected.getByText('Missing codes').click()
    await selected.getByLabel('Codes to treat as missing').fill('-99, 55')
    await selected.getByRole('button', { name: 'Apply to 2 columns' }).click()
    await notes(page, 'trust').getByText('10% missing').waitFor()
    await notes(page, 'minutes').getByText('missing').waitFor()
    await selected.getByText('Bins', { exact: true }).click()
    await selected.getByLabel('Cut into bins').selectOption('width')
    // The width is that of the answers 1 to 5, without the codes that mean missing.
    const width = selected.getByRole('spinbutton', { name: 'Width' })
    await expect.poll(() => width.inputValue()).toBe('1')
    await expect.poll(() => notes(page, 'trust').textContent()).toBe('5 bins · 10% missing')
    await expect.poll(() => notes(page, 'minutes').textContent()).toMatch(/^35 bins · 3% missing$/)
    await width.fill('2')
    await expect.poll(() => notes(page, 'trust').textContent()).toBe('3 bins · 10% missing')
    expect(faults).toEqual([])
    await context.close()
  })

  it('makes only the rows in view of several hundred columns', async () => {
    const { page, context, faults } = await here.visit()
    await drop(page, 'wide.csv', survey(497))
    await row(page, 'q1').waitFor()
    expect(await page.locator('.column').count()).toBeLessThan(130)
    await page.locator('.columns').evaluate(list => scrollTo(0, list.getBoundingClientRect().bottom + scrollY - 900))
    await row(page, 'weight').waitFor()
    await expect.poll(() => row(page, 'q1').count()).toBe(0)
    await expect.poll(() => useOf(page, 'weight').inputValue()).toBe('weight')
    expect(faults).toEqual([])
    await context.close()
  })

  it('reads a file as a person says it is written, and shows what that makes of it', async () => {
    const { page, context, faults } = await here.visit()
    const lines = Array.from({ length: 30 }, (_, i) => `p${i};${i % 7},5;${i % 3}`)
    await drop(page, 'titled.csv', `\nA survey\nName;Score;Group\n${lines.join('\n')}\n`)
    // It cannot be read as it is: what it looks like is shown, with what can be said about it.
    await page.getByRole('alert').getByText('titled.csv').waitFor()
    await expect.poll(() => page.locator('.raw-lines li').allTextContents()).toContain('Name;Score;Group')
    await page.getByLabel('Rows to skip').fill('2')
    await useOf(page, 'Group').waitFor()
    await expect.poll(() => page.locator('.unopened').count()).toBe(0)
    const options = page.locator('.file-options')
    await options.locator('summary').click()
    // The rows of the file are shown, and which of them names the columns.
    const names = () => options.locator('tr.names bdi').allTextContents()
    await expect.poll(names).toEqual(['Name', 'Score', 'Group'])
    await useOf(page, 'Name').selectOption('class')
    await options.getByLabel('Rows to skip').fill('3')
    await options.getByLabel('Column names').selectOption('false')
    await useOf(page, 'column3').waitFor()
    expect(await names()).toEqual([])
    const first = () => options.locator('tr.data').first().locator('bdi').allTextContents()
    await expect.poll(first).toEqual(['p0', '0,5', '0'])
    // What cannot be read so is said here, and the table stays as it was.
    await options.getByLabel('Rows to skip').fill('99')
    await options.getByRole('alert').getByText('has nothing after').waitFor()
    await useOf(page, 'column3').waitFor()
    await button(page, 'Row 3 names the columns').click()
    await useOf(page, 'Group').waitFor()
    expect(await options.getByLabel('Rows to skip').inputValue()).toBe('2')
    expect(await names()).toEqual(['Name', 'Score', 'Group'])
    await options.getByLabel('Decimal separator').selectOption('.')
    // With points for decimals, 0,5 is no number.
    await row(page, 'Score').getByRole('img', { name: 'Text' }).waitFor()
    await options.getByLabel('Decimal separator').selectOption('')
    await row(page, 'Score').getByRole('img', { name: 'Numbers' }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it('reads a table of an older spreadsheet, and says how', async () => {
    const { page, context } = await here.visit()
    await drop(page, 'umfrage.csv', new Uint8Array(Buffer.from('Partei;n\nGr\xfcne;3\nSPD;4\nGr\xfcne;5\n', 'latin1')))
    await page.getByRole('heading', { name: 'umfrage.csv', exact: true }).waitFor()
    await page.getByRole('cell', { name: 'Grüne' }).first().waitFor()
    await page.locator('.file-options summary').getByText('windows-1252').waitFor()
    await page.getByText('umfrage.csv is read as Western European text (Windows-1252).').waitFor()
    await context.close()
  })

  it('shows the labels of variables, and finds columns by them', async () => {
    const { page, context, faults } = await here.visit()
    const file = new URL('../data/survey/pspp-windows-1252.sav', import.meta.url)
    await drop(page, 'survey.sav', new Uint8Array(readFileSync(file)))
    await page.getByRole('heading', { name: 'survey.sav' }).waitFor()
    const titled = page.locator('li:has(.column-title)').first()
    const title = (await titled.locator('.column-title').textContent()) ?? ''
    expect(title.length).toBeGreaterThan(3)
    await titled.locator('.column-name').click()
    await page.locator('.details-title').getByText(title).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it('says how far a large file is on its way to the server, and can be cancelled', async () => {
    const limited = await startStudio(['--page-limit', '1KB'])
    const { page, context, faults } = await visit(here.browser, limited.url)
    const held: (() => Promise<void>)[] = []
    await page.route('**/api/files*', route => void held.push(() => route.continue()))
    await drop(page, 'large.csv', survey(5))
    await page.locator('.waiting progress').waitFor()
    await page.locator('output', { hasText: 'sending large.csv to the server' }).waitFor()
    await button(page, 'Cancel').click()
    await page.locator('.waiting').waitFor({ state: 'detached' })
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    await button(page, 'Choose a file').waitFor()
    await page.unroute('**/api/files*')
    await drop(page, 'large.csv', survey(5))
    await page.getByRole('heading', { name: 'large.csv' }).waitFor()
    await page.getByText('read by the server').waitFor()
    // What means missing changes the figures here, too.
    await notes(page, 'trust').getByText('6 categories').waitFor()
    await button(page, 'Treat as missing').click()
    await notes(page, 'trust').getByText('5 categories · 10% missing').waitFor()
    expect(faults).toEqual([])
    await context.close()
    await limited.end()
  })

  it('sends a large file to the server, though it is dropped before the page knows that there is one', async () => {
    const limited = await startStudio(['--page-limit', '1KB'])
    const context = await here.browser.newContext({ viewport: { width: 1280, height: 900 } })
    const page = await context.newPage()
    let release = () => {}
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    await page.route('**/api/studio', async route => {
      await released
      await route.continue()
    })
    const asked = page.waitForRequest('**/api/studio')
    await page.goto(limited.url)
    await asked
    await page.locator('.open-file').first().waitFor()
    await drop(page, 'large.csv', survey(5))
    release()
    await page.getByText('read by the server').waitFor()
    await context.close()
    await limited.end()
  })

  it('says how far the server is with reading, which can be cancelled', async () => {
    const limited = await startStudio(['--page-limit', '1KB'])
    const { page, context, faults } = await visit(here.browser, limited.url)
    await drop(page, 'large.csv', survey(5))
    await page.getByRole('heading', { name: 'large.csv' }).waitFor()
    const held: (() => Promise<void>)[] = []
    await page.route('**/api/read', route => void held.push(() => route.continue()))
    await page.route('**/api/readings/*', route => route.fulfill({ json: { percent: 37.4 } }))
    await button(page, 'Find the classes →').click()
    await page.locator('.waiting', { hasText: '37%' }).waitFor()
    await button(page, 'Cancel').click()
    await page.locator('.waiting').waitFor({ state: 'detached' })
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.unrouteAll()
    await button(page, 'Find the classes →').click()
    await page.getByRole('spinbutton', { name: 'to', exact: true }).waitFor()
    expect(faults).toEqual([])
    await context.close()
    await limited.end()
  })

  it('takes a file that is dropped anywhere', async () => {
    const { page, context, faults } = await here.visit()
    const transfer = await page.evaluateHandle(text => {
      const data = new DataTransfer()
      data.items.add(new File([text], 'anywhere.csv'))
      return data
    }, survey(2))
    await page.locator('h1').dispatchEvent('dragenter', { dataTransfer: transfer })
    await page.getByText('Drop the file to open it').waitFor()
    await page.locator('h1').dispatchEvent('drop', { dataTransfer: transfer })
    await page.getByRole('heading', { name: 'anywhere.csv' }).waitFor()
    await expect.poll(() => page.locator('.drop-overlay').count()).toBe(0)
    expect(faults).toEqual([])
    await context.close()
  })
})
