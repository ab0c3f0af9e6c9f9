import { readFileSync } from 'node:fs'
import { modelFromNpz } from '@polyad/core/file'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drop, hasBrowser, openBrowser, type StartedStudio, startStudio, visit } from '../studio-browser.ts'

/** Coming back to what was done: by the browser's own storage, by a file, in two tabs. */

const ROWS = Array.from({ length: 120 }, (_, i) => {
  const kind = i % 3
  const answer = (n: number) => ((i * 7 + n * 5) % 11 < 9 ? `${'abc'[kind]}${n}` : `${'abc'[(kind + 1) % 3]}${n}`)
  return [answer(1), answer(2), answer(3), ['oak', 'elm', '<img src=x onerror=alert(1)>'][kind]]
})
const CSV = `first,second,third,tree\n${ROWS.map(row => row.join(',')).join('\n')}\n`

const step = (page: Page, name: string) => page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name })
const menu = (page: Page) => page.locator('.menu > summary')

/** Opens the table, and fits one to three classes. */
const work = async (page: Page): Promise<void> => {
  await drop(page, 'trees.csv', CSV)
  await page.getByRole('heading', { name: 'trees.csv' }).first().waitFor()
  await step(page, 'Fit').click()
  await page.getByLabel('to', { exact: true }).fill('3')
  await page.getByRole('button', { name: 'Find the classes' }).click()
  await page.getByRole('heading', { name: 'What was found' }).waitFor()
}

/** Waits until what was done is in the storage: saving waits a moment. */
const kept = (page: Page) => page.waitForTimeout(1200)

const modelBytes = async (page: Page): Promise<Uint8Array> => {
  const button = page.getByRole('button', { name: 'Model (.npz)' })
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  return new Uint8Array(readFileSync(await download.path()))
}

describe.skipIf(!hasBrowser)('coming back to the studio', () => {
  let [studio, browser] = [undefined as unknown as StartedStudio, undefined as unknown as Browser]
  beforeAll(async () => {
    ;[studio, browser] = await Promise.all([startStudio(), openBrowser()])
  })
  afterAll(async () => {
    await browser?.close()
    await studio?.end()
  })

  it('a page that is loaded again is where it was, and a file brings it back once all is cleared', async () => {
    const { page, context, faults } = await visit(browser, studio.url)
    await work(page)
    await step(page, 'Export').click()
    const before = await modelBytes(page)
    await kept(page)

    await page.reload()
    await page.getByRole('heading', { name: 'Export' }).waitFor()
    expect(await modelBytes(page)).toEqual(before)
    // The data is there too: its rows are classified.
    const rows = page.getByRole('button', { name: 'Rows and classes (.csv)' })
    const [csv] = await Promise.all([page.waitForEvent('download'), rows.click()])
    expect(readFileSync(await csv.path(), 'utf8').split('\n')).toHaveLength(ROWS.length + 2)

    const save = page.getByRole('button', { name: 'Project file' })
    const [file] = await Promise.all([page.waitForEvent('download'), save.click()])
    expect(file.suggestedFilename()).toBe('trees.polyad-project')
    await menu(page).click()
    await page.getByRole('button', { name: 'Clear everything' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Clear everything' }).click()
    await page.getByRole('button', { name: 'Choose a file' }).waitFor()
    await kept(page)
    await page.reload()
    await page.getByRole('button', { name: 'Choose a file' }).waitFor()
    expect(await step(page, 'Export').isDisabled()).toBe(true)

    await page.getByLabel('A file with a table').setInputFiles({
      name: 'mine.polyad-project',
      mimeType: 'application/octet-stream',
      buffer: readFileSync(await file.path()),
    })
    await page.getByRole('heading', { name: 'Export' }).waitFor()
    expect(await modelBytes(page)).toEqual(before)
    expect(faults).toEqual([])
    await context.close()
  })

  it('a file that is none is refused in words, and nothing is lost', async () => {
    const { page, context, faults } = await visit(browser, studio.url)
    await work(page)
    await menu(page).click()
    const zip = Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(26), Buffer.from('project.json{}')])
    await page
      .getByLabel('The file of a project or a model')
      .setInputFiles({ name: 'x.polyad-project', mimeType: 'application/zip', buffer: zip })
    await page.getByRole('alert').getByText('this is not a usable project file').waitFor()
    expect(await page.getByRole('heading', { name: 'What was found' }).isVisible()).toBe(true)
    expect(faults).toEqual([])
    await context.close()
  })

  it('a name that was given the moment before the page was left is there again', async () => {
    const { page, context, faults } = await visit(browser, studio.url)
    await work(page)
    await step(page, 'Results').click()
    await kept(page)
    await page.getByLabel('Name of class 1').fill('Birches')
    await page.reload()
    await page.getByLabel('Name of class 1').waitFor()
    expect(await page.getByLabel('Name of class 1').inputValue()).toBe('Birches')
    expect(faults).toEqual([])
    await context.close()
  })

  it('asks before another file takes the place of fits, and stops a fit under way', async () => {
    const { page, context, faults } = await visit(browser, studio.url)
    await work(page)
    await step(page, 'Data').click()
    await drop(page, 'other.csv', 'a,b\n1,2\n2,1\n2,2\n1,1\n')
    const asked = page.getByRole('dialog')
    await asked.getByText('This replaces the fits, class names and settings of trees').waitFor()
    await asked.getByRole('button', { name: 'Cancel' }).click()
    expect(await page.getByRole('heading', { name: 'trees.csv' }).isVisible()).toBe(true)
    expect(await step(page, 'Results').isEnabled()).toBe(true)

    await step(page, 'Fit').click()
    await page.getByLabel('to', { exact: true }).fill('60')
    await page.getByRole('button', { name: 'Fit again' }).click()
    await page.getByRole('button', { name: 'Stop, and keep the best' }).waitFor()
    await step(page, 'Data').click()
    await drop(page, 'other.csv', 'a,b\n1,2\n2,1\n2,2\n1,1\n')
    await asked.getByText('will be stopped').waitFor()
    const save = asked.getByRole('button', { name: 'Save the project and open' })
    const [file] = await Promise.all([page.waitForEvent('download'), save.click()])
    await page.getByRole('heading', { name: 'other.csv' }).waitFor()
    expect(await step(page, 'Results').isDisabled()).toBe(true)

    // Nothing would be lost: nothing is asked.
    await page.getByLabel('A file with a table').setInputFiles({
      name: 'saved.polyad-project',
      mimeType: 'application/octet-stream',
      buffer: readFileSync(await file.path()),
    })
    await step(page, 'Results').click()
    await page.getByRole('heading', { name: /classes of 120 observations/ }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it('a label as long as a table comes back with all the rest', async () => {
    const { page, context, faults } = await visit(browser, studio.url)
    const long = 'x'.repeat(30_000)
    await drop(page, 'long.csv', CSV.replaceAll(',oak', `,${long}`))
    await page.getByRole('heading', { name: 'long.csv' }).first().waitFor()
    await step(page, 'Fit').click()
    await page.getByLabel('to', { exact: true }).fill('2')
    await page.getByRole('button', { name: 'Find the classes' }).click()
    await page.getByRole('heading', { name: 'What was found' }).waitFor()
    await kept(page)
    await page.reload()
    await page.getByRole('heading', { name: 'What was found' }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it('a fit that was under way is said to be interrupted, and can be started again', async () => {
    const { page, context } = await visit(browser, studio.url)
    await drop(page, 'trees.csv', CSV)
    await page.getByRole('heading', { name: 'trees.csv' }).first().waitFor()
    await step(page, 'Fit').click()
    await page.getByLabel('to', { exact: true }).fill('40')
    await page.getByRole('button', { name: 'Find the classes' }).click()
    await page.getByRole('button', { name: 'Stop, and keep the best' }).waitFor()
    await kept(page)
    await page.reload()
    await page.getByText('A fit was running').waitFor()
    expect(await page.getByLabel('to', { exact: true }).inputValue()).toBe('40')
    await page.getByLabel('to', { exact: true }).fill('2')
    await page.getByRole('button', { name: 'Run it again' }).click()
    await page.getByRole('heading', { name: 'What was found' }).waitFor()
    expect(await page.getByText('A fit was running').isVisible()).toBe(false)
    await context.close()
  })

  it('two tabs do not write over each other', async () => {
    const { page: first, context } = await visit(browser, studio.url)
    await work(first)
    await kept(first)
    const second = await context.newPage()
    await second.goto(first.url())
    await second.getByText('open in another tab').waitFor()
    await drop(second, 'other.csv', CSV.replaceAll('oak', 'ash'))
    await second.getByRole('heading', { name: 'other.csv' }).first().waitFor()
    await kept(second)
    await first.reload()
    await first.getByRole('heading', { name: 'What was found' }).waitFor()

    await second.getByRole('button', { name: "Keep this tab's work instead" }).click()
    await first.getByText('open in another tab').waitFor()
    await kept(second)
    await first.close()
    await second.reload()
    await second.getByRole('heading', { name: 'other.csv' }).first().waitFor()
    expect(await second.getByText('open in another tab').isVisible()).toBe(false)
    await context.close()
  })

  it('says once where there is no room, or no storage at all, and goes on', async () => {
    const { page, context } = await visit(browser, studio.url)
    const session = await context.newCDPSession(page)
    await session.send('Storage.overrideQuotaForOrigin', { origin: new URL(page.url()).origin, quotaSize: 2000 })
    await work(page)
    await page.getByText('there is no room for it').waitFor()
    await page.getByRole('button', { name: 'OK' }).click()
    await step(page, 'Export').click()
    expect((await modelBytes(page)).length).toBeGreaterThan(1000)
    expect(await page.getByText('there is no room for it').isVisible()).toBe(false)
    await context.close()

    const without = await visit(browser, studio.url)
    await without.page.addInitScript(() => Object.defineProperty(globalThis, 'indexedDB', { value: undefined }))
    await without.page.reload()
    await without.page.getByText('This browser cannot save your work').waitFor()
    await work(without.page)
    await without.context.close()
  })

  it('a model of the command line opens without its data, and with that of nothing else', async () => {
    const { page, context, faults } = await visit(browser, studio.url)
    await work(page)
    await step(page, 'Export').click()
    const bytes = await modelBytes(page)
    await menu(page).click()
    await page
      .getByLabel('The file of a project or a model')
      .setInputFiles({ name: 'forest.npz', mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) })
    await page.getByRole('dialog').getByRole('button', { name: 'Open', exact: true }).click()
    await page.getByRole('heading', { name: 'classes of 120 observations' }).waitFor()
    await step(page, 'Export').click()
    expect(await page.getByRole('button', { name: 'Rows and classes (.csv)' }).isDisabled()).toBe(true)
    expect(await modelBytes(page)).toEqual(bytes)
    await step(page, 'Classify').click()
    await page.getByRole('combobox', { name: 'first' }).selectOption('a1')
    await page.getByRole('heading', { name: /^Most probably/ }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it('new rows count as often as the column says by which the model was counted', async () => {
    const { page, context } = await visit(browser, studio.url)
    await page.getByRole('button', { name: 'Carcinoma' }).click()
    await page.getByRole('heading', { name: 'carcinoma.csv' }).first().waitFor()
    await step(page, 'Fit').click()
    await page.getByLabel('to', { exact: true }).fill('3')
    await page.getByRole('button', { name: 'Find the classes' }).click()
    await page.getByRole('heading', { name: 'What was found' }).waitFor()
    await step(page, 'Classify').click()
    const patterns = new URL('../../packages/studio/public/examples/carcinoma.csv', import.meta.url)
    await page.getByLabel('Or paste rows').fill(readFileSync(patterns, 'utf8'))
    await page.getByRole('button', { name: 'Classify these rows' }).click()
    await page.getByText('They represent 118 observations: the column n holds their frequencies').waitFor()
    await context.close()
  })

  it('the names that classes were given are in the files', async () => {
    const { page, context } = await visit(browser, studio.url)
    await work(page)
    await step(page, 'Export').click()
    const unnamed = modelFromNpz(await modelBytes(page)).model
    expect(unnamed.classNames).toBeUndefined()
    await step(page, 'Results').click()
    await page.getByLabel('Name of class 1').fill('Ash & <b>elm</b>')
    await page.getByLabel('Name of class 1').blur()
    await step(page, 'Export').click()
    const { model } = modelFromNpz(await modelBytes(page))
    expect(model.classNames?.[0]).toBe('Ash & <b>elm</b>')
    expect(model.parameters.factors).toEqual(unnamed.parameters.factors)
    await context.close()
  })

  it('settings are undone by keyboard, but not while typing', async () => {
    const { page, context } = await visit(browser, studio.url)
    await drop(page, 'trees.csv', CSV)
    await page.getByRole('heading', { name: 'trees.csv' }).first().waitFor()
    await step(page, 'Fit').click()
    await page.getByRole('button', { name: 'I know how many' }).click()
    await page.keyboard.press('Control+z')
    await page.getByLabel('to', { exact: true }).waitFor()
    await page.keyboard.press('Control+Shift+z')
    const field = page.getByRole('spinbutton', { name: 'Classes' })
    await field.focus()
    await page.keyboard.press('Control+z')
    expect(await field.isVisible()).toBe(true)
    await context.close()
  })
})
