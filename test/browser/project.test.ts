import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { modelFromNpz } from '@polyad/core/file'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  drop,
  hasBrowser,
  projectMenu,
  saved,
  slowTable,
  startStudio,
  studioInBrowser,
  visit,
} from '../studio-browser.ts'

/** Coming back to what was done: by what the server keeps, by a file, in two tabs. */

const ROWS = Array.from({ length: 120 }, (_, i) => {
  const kind = i % 3
  const answer = (n: number) => ((i * 7 + n * 5) % 11 < 9 ? `${'abc'[kind]}${n}` : `${'abc'[(kind + 1) % 3]}${n}`)
  return [answer(1), answer(2), answer(3), ['oak', 'elm', '<img src=x onerror=alert(1)>'][kind]]
})
const CSV = `first,second,third,tree\n${ROWS.map(row => row.join(',')).join('\n')}\n`

const step = (page: Page, name: string) => page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name })

/** Opens the table, and fits one to three classes. */
const work = async (page: Page, table = CSV): Promise<void> => {
  await drop(page, 'trees.csv', table)
  await page.getByRole('heading', { name: 'trees.csv' }).first().waitFor()
  await step(page, 'Fit').click()
  await page.getByLabel('to', { exact: true }).fill('3')
  await page.getByRole('button', { name: 'Find the classes' }).click()
  await page.getByRole('heading', { name: 'What was found' }).waitFor()
}

const OTHER = 'a,b\n1,2\n2,1\n2,2\n1,1\n'

/** What is said of the saving, with the reason. */
const state = (page: Page) => page.locator('.saved-state').textContent()

/** The choice of a theme that is in view: narrow windows have it in the menu. */
const colours = (page: Page) => page.getByRole('combobox', { name: 'Colours' })

const notices = (page: Page) => page.locator('.notices')
const projects = (page: Page) => page.getByRole('dialog', { name: 'Projects' })
const openProjects = async (page: Page): Promise<void> => {
  await projectMenu(page).click()
  await page.getByRole('button', { name: 'All projects…' }).click()
  await projects(page).waitFor()
}

/** What is in the browser. */
const stored = (page: Page) =>
  page.evaluate(async () => ({
    databases: (await indexedDB.databases()).map(({ name }) => name),
    keys: Object.keys(localStorage),
  }))

const modelBytes = async (page: Page): Promise<Uint8Array> => {
  const button = page.getByRole('button', { name: 'Model (.npz)' })
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  return new Uint8Array(readFileSync(await download.path()))
}

describe.skipIf(!hasBrowser)('coming back to the studio', () => {
  const here = studioInBrowser()

  it('a page that is loaded again is where it was, and a file brings it back once all is cleared', async () => {
    const { page, context, faults } = await here.visit()
    await work(page)
    await step(page, 'Export').click()
    const before = await modelBytes(page)
    await saved(page)

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
    await projectMenu(page).click()
    await page.getByRole('button', { name: 'Remove this project…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the project' }).click()
    await page.getByRole('button', { name: 'Choose a file' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Choose a file' }).waitFor()
    await expect.poll(() => step(page, 'Export').isDisabled()).toBe(true)

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
    const { page, context, faults } = await here.visit()
    await work(page)
    await projectMenu(page).click()
    const zip = Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(26), Buffer.from('project.json{}')])
    await page
      .getByLabel('The file of a project or a model')
      .setInputFiles({ name: 'x.polyad-project', mimeType: 'application/zip', buffer: zip })
    await page.getByRole('alert').getByText('this is not a usable project file').waitFor()
    await expect.poll(() => page.getByRole('heading', { name: 'What was found' }).isVisible()).toBe(true)
    expect(faults).toEqual([])
    await context.close()
  })

  it('a name that was given the moment before the page was left is there again', async () => {
    const { page, context, faults } = await here.visit()
    await work(page)
    await step(page, 'Results').click()
    await saved(page)
    await page.getByLabel('Name of class 1').fill('Birches')
    await page.reload()
    await page.getByLabel('Name of class 1').waitFor()
    await expect.poll(() => page.getByLabel('Name of class 1').inputValue()).toBe('Birches')
    expect(faults).toEqual([])
    await context.close()
  })

  it('another file begins another project; a fit under way is stopped only if that is meant', async () => {
    const { page, context, faults } = await here.visit()
    await work(page, slowTable(3000))
    await step(page, 'Fit').click()
    await page.getByLabel('to', { exact: true }).fill('60')
    await page.getByRole('button', { name: 'Fit again' }).click()
    await page.getByRole('button', { name: 'Stop, and keep the best' }).waitFor()
    await step(page, 'Data').click()
    await drop(page, 'other.csv', OTHER)
    const asked = page.getByRole('dialog')
    await asked.getByText('will be stopped').waitFor()
    await asked.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => page.getByRole('heading', { name: 'trees.csv' }).first().isVisible()).toBe(true)
    await drop(page, 'other.csv', OTHER)
    await asked.getByRole('button', { name: 'Open', exact: true }).click()
    await page.getByRole('heading', { name: 'other.csv' }).first().waitFor()
    await expect.poll(() => step(page, 'Results').isDisabled()).toBe(true)
    await saved(page)

    // What was found is in the list, and nothing is asked where nothing would be lost.
    await openProjects(page)
    await projects(page)
      .getByRole('button', { name: /^trees/ })
      .first()
      .click()
    await step(page, 'Results').click()
    await page
      .getByText(/classes of 3,000/)
      .last()
      .waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it('a label as long as a table comes back with all the rest', async () => {
    const { page, context, faults } = await here.visit()
    const long = 'x'.repeat(30_000)
    await drop(page, 'long.csv', CSV.replaceAll(',oak', `,${long}`))
    await page.getByRole('heading', { name: 'long.csv' }).first().waitFor()
    await step(page, 'Fit').click()
    await page.getByLabel('to', { exact: true }).fill('2')
    await page.getByRole('button', { name: 'Find the classes' }).click()
    await page.getByRole('heading', { name: 'What was found' }).waitFor()
    await saved(page)
    await page.reload()
    await page.getByRole('heading', { name: 'What was found' }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it('a fit that was under way goes on, also if nothing was kept of it yet', async () => {
    const { page, context } = await here.visit()
    await drop(page, 'trees.csv', slowTable(3000))
    await page.getByRole('heading', { name: 'trees.csv' }).first().waitFor()
    await step(page, 'Fit').click()
    await page.getByLabel('to', { exact: true }).fill('40')
    await page.route('**/api/projects/*/checkpoint', route => (route.request().method() === 'POST' ? route.abort() : route.continue())) // biome-ignore format: one line
    await page.getByRole('button', { name: 'Find the classes' }).click()
    await page.getByRole('button', { name: 'Stop, and keep the best' }).waitFor()
    await saved(page)
    await page.reload()
    await page.getByRole('button', { name: 'Stop, and keep the best' }).waitFor()
    await expect.poll(() => page.getByLabel('to', { exact: true }).inputValue()).toBe('40')
    await page.getByRole('button', { name: 'Stop, and keep the best' }).click()
    await page.getByRole('heading', { name: 'What was found' }).waitFor()
    await expect.poll(() => page.getByText('A fit was running').isVisible()).toBe(false)
    await context.close()
  })

  it('two tabs do not write over each other', async () => {
    const { page: first, context } = await here.visit()
    await work(first)
    await step(first, 'Results').click()
    await saved(first)
    const second = await context.newPage()
    await second.goto(first.url())
    await second.getByText('open in another tab', { exact: false }).first().waitFor()
    await second.getByLabel('Name of class 1').fill('Of the second')
    await second.getByLabel('Name of class 1').blur()
    await expect.poll(() => state(second)).toBe('Not saved: open in another tab')
    await first.getByLabel('Name of class 1').fill('Of the first')
    await first.getByLabel('Name of class 1').blur()
    await saved(first)
    await first.reload()
    await first.getByLabel('Name of class 1').waitFor()
    await expect.poll(() => first.getByLabel('Name of class 1').inputValue()).toBe('Of the first')
    await saved(first)

    await second.getByRole('button', { name: "Keep this tab's work instead" }).click()
    await saved(second)
    await first.getByText('open in another tab', { exact: false }).first().waitFor()
    await first.close()
    await second.reload()
    await second.getByLabel('Name of class 1').waitFor()
    await expect.poll(() => second.getByLabel('Name of class 1').inputValue()).toBe('Of the second')
    await saved(second)
    await context.close()
  })

  it('tabs of two browsers, which hear nothing of each other, do not either', async () => {
    const one = await here.visit()
    await work(one.page)
    await step(one.page, 'Results').click()
    await saved(one.page)
    const two = await here.visit()
    const id = new URL(one.page.url()).searchParams.get('project')
    await two.page.goto(`${two.page.url()}?project=${id}`)
    await two.page.getByLabel('Name of class 1').fill('Of the second')
    await two.page.getByLabel('Name of class 1').blur()
    await saved(two.page)
    await one.page.getByLabel('Name of class 1').fill('Of the first')
    await one.page.getByLabel('Name of class 1').blur()
    await one.page.getByText('This project is open in another tab').waitFor()
    await two.page.reload()
    await two.page.getByLabel('Name of class 1').waitFor()
    await expect.poll(() => two.page.getByLabel('Name of class 1').inputValue()).toBe('Of the second')
    await one.context.close()
    await two.context.close()
  })

  it('says why work is not saved, goes on, and saves it when it can', async () => {
    const { page, context } = await here.visit()
    const full = { error: { kind: 'request', message: 'the disk is full: free some space' } }
    // The last that is tried: what was found.
    let triedAll = () => {}
    const tried = new Promise<void>(resolve => {
      triedAll = resolve
    })
    await page.route('**/api/projects/*/parts', async route => {
      await route.fulfill({ status: 507, json: full })
      if (route.request().postData()?.startsWith('{') === true) triedAll()
    })
    await work(page)
    await tried
    await page.getByText('Your work is not saved: the disk is full').waitFor()
    await expect.poll(() => state(page)).toBe('Not saved: the disk is full: free some space')
    await page.unroute('**/api/projects/*/parts')
    await page.getByRole('button', { name: 'Try again' }).click()
    await saved(page)
    await step(page, 'Export').click()
    await saved(page)
    await page.reload()
    await page.getByRole('heading', { name: 'Export' }).waitFor()
    await context.close()
  })

  it('projects are listed, renamed, opened and removed', async () => {
    const own = await startStudio()
    const { page, context, faults } = await visit(here.browser, own.url)
    await work(page)
    await saved(page)
    await projectMenu(page).click()
    await page.getByLabel('Project name').fill('Forest')
    await page.getByRole('button', { name: 'New project' }).click()
    await page.getByRole('button', { name: 'Choose a file' }).waitFor()
    const list = page.getByRole('region', { name: 'Your projects' })
    await list.getByRole('button', { name: /^Forest 3 fits · .* KB · today/ }).waitFor()
    await list.getByRole('button', { name: 'Rename Forest' }).click()
    await list.getByLabel('New name').fill('Wood')
    await list.getByRole('button', { name: 'Rename' }).click()
    await list.getByRole('button', { name: /^Wood/ }).click()
    await page.getByRole('heading', { name: 'What was found' }).waitFor()
    await page.locator('.menu > summary', { hasText: 'Wood' }).waitFor()
    await saved(page)

    // A table that is only looked at leaves no project behind when another takes its place.
    await step(page, 'Data').click()
    for (const name of ['one.csv', 'two.csv']) {
      await drop(page, name, OTHER)
      await page.getByRole('heading', { name }).first().waitFor()
      await saved(page)
    }
    await openProjects(page)
    await projects(page)
      .getByRole('button', { name: /^two .*open here/ })
      .waitFor()
    await expect.poll(() => projects(page).getByRole('listitem').count()).toBe(2)
    await projects(page).getByRole('button', { name: 'Remove Wood' }).click()
    await projects(page).getByRole('button', { name: 'Remove', exact: true }).click()
    await projects(page).getByRole('button', { name: 'Remove Wood' }).waitFor({ state: 'detached' })
    await expect.poll(() => readdirSync(own.projects as string)).toHaveLength(1)

    // One that is damaged is said to be, and can be removed.
    const [id] = readdirSync(own.projects as string)
    const [revision] = readdirSync(join(own.projects as string, id)).filter(name => name.startsWith('r'))
    writeFileSync(join(own.projects as string, id, revision, 'project.json'), 'nonsense')
    await page.reload()
    await page.getByRole('alert').getByText('this project is damaged').waitFor()
    await page.getByText('It cannot be opened').waitFor()
    await page.getByRole('button', { name: 'Remove Damaged project' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('It cannot be opened').waitFor({ state: 'detached' })
    await expect.poll(() => readdirSync(own.projects as string)).toEqual([])
    expect(faults.filter(each => !each.includes('422'))).toEqual([])
    await context.close()
    await own.end()
  })

  it('a studio that is started again, on another port, has the project; the browser has nothing', async () => {
    const projects = mkdtempSync(join(tmpdir(), 'polyad-test-again-'))
    const first = await startStudio(['--projects', projects])
    const { page, context } = await visit(here.browser, first.url)
    await work(page)
    await saved(page)
    expect(await stored(page)).toEqual({ databases: [], keys: ['polyad-theme'] })
    // The theme is remembered too, although the page has another origin then.
    await Promise.all([
      page.waitForResponse(answer => answer.url().endsWith('/api/preferences') && answer.ok()),
      colours(page).selectOption('dark'),
    ])
    await first.end()
    await context.close()

    const second = await startStudio(['--projects', projects])
    expect(new URL(second.url).port).not.toBe(new URL(first.url).port)
    const again = await visit(here.browser, second.url)
    await again.page.getByRole('button', { name: /^trees 3 fits/ }).click()
    await again.page.getByRole('heading', { name: 'What was found' }).waitFor()
    await expect.poll(() => colours(again.page).inputValue()).toBe('dark')
    await expect.poll(() => again.page.locator('html').getAttribute('data-theme')).toBe('dark')
    await again.context.close()
    await second.end()

    // With the same file named, it goes on where it was; with another of that name and size, it begins anew.
    const table = join(projects, 'trees.csv')
    writeFileSync(table, CSV)
    const third = await startStudio([table, '--projects', projects])
    const named = await visit(here.browser, third.url)
    await named.page.getByRole('heading', { name: 'What was found' }).waitFor()
    await named.context.close()
    await third.end()
    writeFileSync(table, CSV.replaceAll('oak', 'ash'))
    const fourth = await startStudio([table, '--projects', projects])
    const other = await visit(here.browser, fourth.url)
    await other.page.getByRole('heading', { name: 'trees.csv' }).first().waitFor()
    await expect.poll(() => step(other.page, 'Results').isDisabled()).toBe(true)
    await other.context.close()
    await fourth.end()
    rmSync(projects, { recursive: true })
  })

  it('keeps nothing where that is chosen, on the command line or in the tab', async () => {
    const own = await startStudio(['--keep-nothing'])
    expect(own.projects).toBeNull()
    const { page, context } = await visit(here.browser, own.url)
    await notices(page).getByText('Nothing is kept: the studio was started with --keep-nothing').waitFor()
    await page.getByRole('button', { name: 'OK' }).click()
    await work(page)
    await expect.poll(() => state(page)).toBe('Not kept: the studio was started with --keep-nothing')
    expect(await stored(page)).toEqual({ databases: [], keys: ['polyad-theme'] })
    // Here something would be lost: it is asked.
    await step(page, 'Data').click()
    await drop(page, 'other.csv', OTHER)
    const save = page.getByRole('dialog').getByRole('button', { name: 'Save the project and open' })
    await Promise.all([page.waitForEvent('download'), save.click()])
    await page.getByRole('heading', { name: 'other.csv' }).first().waitFor()
    await context.close()
    await own.end()

    const keeping = await startStudio()
    const tab = await visit(here.browser, keeping.url)
    await tab.page.getByRole('button', { name: 'Keep nothing in this tab' }).click()
    await work(tab.page)
    await expect.poll(() => state(tab.page)).toBe('Not kept')
    await tab.page.reload()
    await notices(tab.page).getByText('Nothing in this tab is kept.').waitFor()
    await work(tab.page)
    expect(readdirSync(keeping.projects as string)).toEqual([])
    // The choice can be taken back, and made later: then what was kept can go.
    await tab.page.locator('.notices').getByRole('button', { name: 'Keep this project' }).click()
    await saved(tab.page)
    await expect.poll(() => readdirSync(keeping.projects as string)).toHaveLength(1)
    await projectMenu(tab.page).click()
    await tab.page.getByRole('button', { name: 'Keep nothing in this tab…' }).click()
    await tab.page.getByRole('button', { name: 'Keep nothing, remove what is kept' }).click()
    await notices(tab.page).getByText('Nothing in this tab is kept.').waitFor()
    await expect.poll(() => readdirSync(keeping.projects as string)).toEqual([])
    await tab.context.close()
    await keeping.end()
  })

  it('a model of the command line opens without its data, and with that of nothing else', async () => {
    const { page, context, faults } = await here.visit()
    await work(page)
    await step(page, 'Export').click()
    const bytes = await modelBytes(page)
    await projectMenu(page).click()
    await page
      .getByLabel('The file of a project or a model')
      .setInputFiles({ name: 'forest.npz', mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) })
    await page.getByText('classes of 120 observations').last().waitFor()
    await step(page, 'Export').click()
    await expect.poll(() => page.getByRole('button', { name: 'Rows and classes (.csv)' }).isDisabled()).toBe(true)
    expect(await modelBytes(page)).toEqual(bytes)
    await step(page, 'Classify').click()
    await page.getByRole('combobox', { name: 'first' }).selectOption('a1')
    await page.getByRole('heading', { name: /^Most probably/ }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it('examples are shown once the list of projects above them is there, so that none moves under the pointer', async () => {
    const { page, context, faults } = await here.visit()
    await work(page)
    await saved(page)
    await projectMenu(page).click()
    await page.getByRole('button', { name: 'New project' }).click()
    let release = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    await page.route('**/api/projects', async route => {
      await held
      await route.continue()
    })
    const asked = page.waitForRequest('**/api/projects')
    await page.reload()
    await asked
    await page.getByRole('button', { name: 'Choose a file' }).waitFor()
    const example = page.getByRole('button', { name: 'Carcinoma' })
    expect(await example.count()).toBe(0)
    release()
    await example.waitFor()
    await page.getByRole('region', { name: 'Your projects' }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it('new rows count as often as the column says by which the model was counted', async () => {
    const { page, context } = await here.visit()
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
    const { page, context } = await here.visit()
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
    const { page, context } = await here.visit()
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
