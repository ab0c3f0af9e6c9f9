import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { button, drop, fitted, hasBrowser, keepMessages, studioInBrowser } from '../studio-browser.ts'

/** What the studio exports: reports, tables, charts, rows. */

const ROWS = 20_000

const people = (): string => {
  const lines = ['a,b,c,d,e']
  for (let i = 1; i <= ROWS; i++) {
    const old = (i * 7919) % 101 < 40
    lines.push([5, 7, 11, 13, 17].map((step, n) => (((i * step) % 23) + n < (old ? 18 : 6) ? 'yes' : 'no')).join(','))
  }
  return `${lines.join('\n')}\n`
}

describe.skipIf(!hasBrowser)('the studio exports', () => {
  const here = studioInBrowser()
  let page: Page
  let faults: string[]
  beforeAll(async () => {
    const visited = await here.visit()
    ;({ page, faults } = visited)
    await visited.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await drop(page, 'people.csv', people())
    await page.getByRole('heading', { name: 'people.csv' }).waitFor()
    await button(page, 'Find the classes →').click()
    await page.getByText('I know how many').click()
    await page.getByRole('button', { name: 'Find the classes', exact: true }).click()
    await fitted(page)
    await page.getByRole('button', { name: '5. Export', exact: true }).click()
    await page.locator('summary', { hasText: 'Download Class sizes' }).waitFor()
  })

  const saved = async (name: string | RegExp, within: Page | ReturnType<Page['getByRole']> = page) => {
    const role = { name, includeHidden: true }
    const wanted = within.getByRole('button', role)
    // Formats are in the list of their download.
    const menu = within.locator('.download', { has: page.getByRole('button', role) })
    if (!(await wanted.isVisible())) await menu.locator('summary').click()
    const [download] = await Promise.all([page.waitForEvent('download'), wanted.click()])
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) }
  }

  it('a report that a worker draws: this thread makes none of its elements', async () => {
    // What the page itself shows is drawn by now.
    const drawn = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('.thumb')]
          .filter(thumb => thumb.getBoundingClientRect().top < innerHeight)
          .every(thumb => thumb.firstChild !== null),
      )
    await expect.poll(drawn).toBe(true)
    await page.evaluate(() => {
      const counted = globalThis as unknown as { made: number }
      counted.made = 0
      const make = document.createElementNS
      document.createElementNS = function (this: Document, ...args: [string, string]) {
        if (args[0] === 'http://www.w3.org/2000/svg') counted.made++
        return make.apply(this, args)
      } as typeof make
    })
    const workers: string[] = []
    page.on('worker', worker => workers.push(worker.url()))
    const { name, bytes } = await saved('Report (.html)')
    expect(name).toBe('people-3-report.html')
    const text = bytes.toString('utf8')
    expect(text).toContain('How to report this')
    expect(text.match(/<svg/g)?.length).toBeGreaterThan(5)
    expect(workers.some(url => /report-worker/.test(url))).toBe(true)
    expect(await page.evaluate(() => (globalThis as unknown as { made: number }).made)).toBe(0)
  })

  it('the report to a printer, in the style of its own page', async () => {
    await page.evaluate(() => {
      globalThis.print = () => {}
    })
    await button(page, 'Print or save as PDF').click()
    const shown = page.locator('.printed')
    await shown.waitFor({ state: 'attached' })
    await expect.poll(() => shown.getByText('How to report this').count()).toBeGreaterThan(0)
    await page.emulateMedia({ media: 'print' })
    await expect.poll(() => shown.isVisible()).toBe(true)
    await expect.poll(() => page.getByRole('heading', { name: 'Export', exact: true }).isVisible()).toBe(false)
    await page.emulateMedia({ media: 'screen' })
    await page.evaluate(() => dispatchEvent(new Event('afterprint')))
    await expect.poll(() => shown.count()).toBe(0)
  })

  it('tables for Word, Excel and LaTeX, and to paste', async () => {
    const word = await saved('Class profiles as Word')
    expect([word.name, word.bytes.toString('latin1', 0, 2)]).toEqual(['people-3-profiles.docx', 'PK'])
    expect(word.bytes.toString('latin1')).toContain('word/document.xml')
    expect((await saved('Model fit as Excel')).bytes.toString('latin1')).toContain('xl/workbook.xml')
    expect((await saved('Class profiles as LaTeX')).bytes.toString()).toContain('\\toprule')
    await keepMessages(page)
    await button(page, 'Copy the table Class profiles').click()
    await page.getByText('Copied. Paste the table').waitFor()
    const pasted = await page.evaluate(async () => {
      const [item] = await navigator.clipboard.read()
      return Promise.all(['text/html', 'text/plain'].map(async type => (await item.getType(type)).text()))
    })
    expect(pasted[0]).toContain('<table')
    expect(pasted[1].split('\n')[0].split('\t').slice(0, 2)).toEqual(['', 'Variable'])
  })

  it('charts with a title, a source and the size that is asked for, as they are seen', async () => {
    const svg = (await saved('SVG of Class sizes')).bytes.toString()
    expect(svg).toContain('width="680"')
    expect(svg).toContain('>Class sizes</text>')
    expect(svg).toContain('>people.csv · 20,000 observations · Polyad</text>')
    await button(page, 'Set title and size of Class sizes').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Title').fill('Two <groups>')
    await dialog.getByLabel('Size').selectOption('slide')
    await dialog.getByText('1280 × 720 px').waitFor()
    await dialog.getByRole('img', { name: 'Two <groups>: preview' }).waitFor()
    const png = await saved(/^PNG/, dialog)
    expect([png.bytes.readUInt32BE(16), png.bytes.readUInt32BE(20)]).toEqual([2560, 1440])
    const pdf = (await saved(/^PDF/, dialog)).bytes.toString('latin1')
    expect(pdf).toMatch(/^%PDF-1\.4[\s\S]*\/MediaBox \[0 0 960\.00 540\.00\]/)
    expect((await saved(/^SVG/, dialog)).bytes.toString()).toContain('>Two &#60;groups&#62;</text>')
    await dialog.getByLabel('Size').selectOption('own')
    await dialog.getByLabel('Width').fill('500')
    await dialog.getByLabel('Height').fill('333')
    await dialog.getByText('500 × 333 px').waitFor()
    await dialog.getByRole('button', { name: /^Copy/ }).click()
    await page.getByText(/^Copied as/).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  it('rows with their classes', async () => {
    const { bytes } = await saved('Rows and classes (.csv)')
    expect(bytes.toString().trim().split('\n')).toHaveLength(ROWS + 1)
  })

  it('and had nothing go wrong', () => {
    expect(faults).toEqual([])
  })
})
