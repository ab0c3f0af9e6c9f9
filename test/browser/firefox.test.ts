import { readFileSync } from 'node:fs'
import { modelFromNpz } from '@polyad/core/file'
import type { Page } from 'puppeteer-core'
import { describe, expect, it } from 'vitest'
import { byRole, dropFile, FIREFOX, firefoxInTests, hasFirefox, press, text } from '../firefox-browser.ts'
import { localServer, STUDIO_PAGE, staticHost } from '../local-servers.ts'
import { objectOf, polyad } from '../run-polyad.ts'
import * as chromium from '../studio-browser.ts'
import { testFolder } from '../test-folder.ts'

/** The studio in Firefox, which keeps storage, clipboard and threads in its own ways. */

const open = async (page: Page, name: string, content: string) => {
  await dropFile(page, name, content)
  await byRole(page, 'heading', name).wait()
}

/** Up to three classes. */
const fit = async (page: Page) => {
  await press(page, 'Find the classes →')
  await byRole(page, 'spinbutton', 'to').fill('3')
  await press(page, 'Find the classes')
  await byRole(page, 'button', 'See the results').wait()
}

/** What is said of every number of classes. */
const figures = () =>
  [...document.querySelectorAll('table.ranks tr')].map(row => [...row.children].map(cell => cell.textContent))

describe.skipIf(!hasFirefox)(`the studio in Firefox (skipped where ${FIREFOX} is absent)`, () => {
  const folder = testFolder()
  const firefox = firefoxInTests()
  const studio = chromium.studioInTests()

  it.skipIf(!chromium.hasBrowser)('gives the figures that Chromium gives', async () => {
    const { page, faults } = await firefox.visit(studio().url)
    await open(page, 'survey.csv', chromium.survey())
    await fit(page)
    const browser = await chromium.openBrowser()
    try {
      const other = await chromium.visit(browser, studio().url)
      await chromium.drop(other.page, 'survey.csv', chromium.survey())
      await chromium.button(other.page, 'Find the classes →').click()
      await other.page.getByRole('spinbutton', { name: 'to', exact: true }).fill('3')
      await chromium.button(other.page, 'Find the classes').click()
      await chromium.fitted(other.page)
      const theirs = await other.page.evaluate(figures)
      expect(theirs).toHaveLength(4)
      expect(await page.evaluate(figures)).toEqual(theirs)
    } finally {
      await browser.close()
    }
    expect(faults).toEqual([])
  })

  it('downloads a model with the bits that the command line gives, rows, a report and charts', async () => {
    const { page, faults } = await firefox.visit(studio().url)
    await open(page, 'people.csv', chromium.survey())
    await press(page, 'Find the classes →')
    await press(page, 'I know how many')
    await byRole(page, 'spinbutton', 'Classes').fill('2')
    await press(page, 'Find the classes')
    await byRole(page, 'button', 'See the results').wait()
    await press(page, '5. Export')
    const download = async (button: string, name: string) => {
      await press(page, button)
      return readFileSync(await firefox.downloaded(name))
    }
    const mine = modelFromNpz(await download('Model (.npz)', 'people-2.npz'))
    const [data, model] = [folder.file('people.csv', chromium.survey()), folder.path('line.npz')]
    objectOf(await polyad(['fit', data, '-k', '2', '--bin', 'age:q5', '-o', model, '--json']), 'fit')
    expect(mine.model.parameters).toEqual(modelFromNpz(readFileSync(model)).model.parameters)
    const rows = (await download('Rows and classes (.csv)', 'people-2-rows.csv')).toString()
    expect(rows.trim().split('\n')).toHaveLength(401)
    expect((await download('Report (.html)', 'people-2-report.html')).toString()).toContain('How to report this')
    // Formats are in the list of their download.
    const formats = () => text(page, 'Download Class sizes').click()
    await formats()
    expect((await download('SVG of Class sizes', 'people-2-class-sizes.svg')).toString()).toContain(
      '>Class sizes</text>',
    )
    await formats()
    const png = await download('PNG of Class sizes', 'people-2-class-sizes.png')
    expect([png.toString('latin1', 1, 4), png.readUInt32BE(16)]).toEqual(['PNG', 1360])
    expect(faults).toEqual([])
  })

  it('goes on with a fit after the page was loaded again', async () => {
    const { page, faults } = await firefox.visit(studio().url)
    await open(page, 'kinds.csv', chromium.slowTable(600))
    await press(page, 'Find the classes →')
    await byRole(page, 'spinbutton', 'to').fill('40')
    await press(page, 'Find the classes')
    await text(page, 'Progress saved').wait()
    await page.waitForSelector('.saved-state::-p-text(Saved)')
    const checkpoint = page.waitForResponse(
      answer => answer.request().method() === 'GET' && answer.url().endsWith('/checkpoint'),
    )
    await page.reload()
    expect((await checkpoint).status()).toBe(200)
    await text(page, 'Progress saved').wait()
    await press(page, 'Stop, and keep the best')
    await byRole(page, 'heading', 'What was found').wait()
    expect(await page.$('::-p-text(started from the beginning)')).toBeNull()
    expect(faults).toEqual([])
  })

  it('copies a table to paste', async () => {
    const { page, faults } = await firefox.visit(studio().url)
    await open(page, 'survey.csv', chromium.survey())
    await fit(page)
    await press(page, '5. Export')
    await chromium.keepMessages(page)
    await press(page, 'Copy the table Class profiles')
    await text(page, 'Copied. Paste the table').wait()
    const pasted = await page.evaluate(async () => {
      const [item] = await navigator.clipboard.read()
      return Promise.all(['text/html', 'text/plain'].map(async type => (await item.getType(type)).text()))
    })
    expect(pasted[0]).toContain('<table')
    expect(pasted[1].split('\n')[0].split('\t').slice(0, 2)).toEqual(['', 'Variable'])
    expect(faults).toEqual([])
  })

  it('keeps a project on a static host, without a server and without isolation', async () => {
    const host = await staticHost(STUDIO_PAGE, '/some/folder')
    const { page, faults } = await firefox.visit(host.address)
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false)
    await open(page, 'survey.csv', chromium.survey())
    await fit(page)
    const found = await page.evaluate(figures)
    await page.waitForSelector('.saved-state::-p-text(Saved)')
    await page.reload()
    await byRole(page, 'heading', 'What was found').wait()
    expect(await page.evaluate(figures)).toEqual(found)
    expect(faults).toEqual([])
    host.close()
  })

  it('is isolated: it has shared memory, and another page on this machine gets nothing', async () => {
    const { page } = await firefox.visit(studio().url)
    const { origin } = new URL(studio().url)
    await byRole(page, 'button', 'Choose a file').wait()
    expect(await page.evaluate(() => [crossOriginIsolated, typeof SharedArrayBuffer, document.cookie])).toEqual([true, 'function', '']) // biome-ignore format: one line
    const elsewhere = await localServer((_, response) =>
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>elsewhere</p>'),
    )
    await page.goto(elsewhere.address)
    const stolen = await page.evaluate(async origin => {
      const tried = (path: string, init: RequestInit = {}) =>
        fetch(`${origin}${path}`, { credentials: 'include', ...init }).then(answer => answer.type, () => 'refused') // biome-ignore format: one chain
      return Promise.all([
        tried('/api/studio'),
        tried('/api/files?name=x.csv', { method: 'POST', body: 'a,b\n' }),
        tried('/api/studio', { mode: 'no-cors' }),
      ])
    }, origin)
    expect(stolen).toEqual(['refused', 'refused', 'refused'])
    elsewhere.close()
  })
})
