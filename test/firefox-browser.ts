import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import puppeteer, { type Browser, type BrowserContext, type Page } from 'puppeteer-core'
import { afterEach, expect } from 'vitest'
import { forTests } from './studio-browser.ts'
import { testFolder } from './test-folder.ts'

/** The system's Firefox, by WebDriver BiDi. */

export const FIREFOX = process.env.FIREFOX ?? '/usr/bin/firefox-esr'
export const hasFirefox = existsSync(FIREFOX)
/** A busy machine takes its time. In milliseconds. */
const PATIENCE = 60_000

const openFirefox = (downloads: string): Promise<Browser> =>
  puppeteer.launch({
    browser: 'firefox',
    executablePath: FIREFOX,
    // The hook of the tests has a limit of its own.
    timeout: 0,
    extraPrefsFirefox: {
      'browser.download.folderList': 2,
      'browser.download.dir': downloads,
      // Without it, a person has to allow each reading of the clipboard.
      'dom.events.testing.asyncClipboard': true,
    },
  })

/** An element by its role and its whole name, as those hear it who do not see it. */
export const byRole = (page: Page, role: string, name: string) =>
  page.locator(`::-p-aria([role="${role}"][name="${name}"])`)
export const press = (page: Page, name: string) => byRole(page, 'button', name).click()
export const text = (page: Page, words: string) => page.locator(`::-p-text(${words})`)

/** Drops a file on the page, as a person does from a folder. */
export const dropFile = async (page: Page, name: string, content: string): Promise<void> => {
  await page.waitForSelector('.open-file')
  await page.evaluate(
    (name, content) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([content], name))
      document.querySelector('.open-file')?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }))
    },
    name,
    content,
  )
}

/** A Firefox for the tests of a block. What it downloads is in a folder of its own. */
export const firefoxInTests = () => {
  const folder = testFolder()
  const browser = forTests(
    () => openFirefox(folder.path('')),
    started => started.close(),
  )
  const contexts: BrowserContext[] = []
  afterEach(() => Promise.all(contexts.splice(0).map(context => context.close())))
  return {
    /** A new page, in a context of its own until the end of its test; what goes wrong in it is kept. */
    visit: async (url: string) => {
      const context = await browser().createBrowserContext()
      contexts.push(context)
      const page = await context.newPage()
      page.setDefaultTimeout(PATIENCE)
      await page.setViewport({ width: 1280, height: 900 })
      const faults: string[] = []
      page.on('pageerror', error => faults.push(String(error)))
      page.on('console', message => {
        if (message.type() === 'error') faults.push(message.text())
      })
      await page.goto(url)
      return { page, faults }
    },
    /** The path of a file that is being downloaded, once it is whole: Firefox fills a file beside it first. */
    downloaded: async (name: string): Promise<string> => {
      const path = join(folder.path(''), name)
      await expect.poll(() => (existsSync(path) ? statSync(path).size : 0), { message: name }).toBeGreaterThan(0)
      return path
    },
  }
}
