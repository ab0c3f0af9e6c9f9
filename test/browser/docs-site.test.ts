import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildSite } from '../../scripts/docs/build.mjs'
import { browserInTests, hasBrowser } from '../studio-browser.ts'
import { testFolder } from '../test-folder.ts'

/** The site of the documentation from a folder, without a server: accessible, on a phone and on a desk, light and dark, searched by keyboard. */

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

describe.skipIf(!hasBrowser)('the documentation in a browser', () => {
  const folder = testFolder()
  let site: string
  const address = (path: string) => `${pathToFileURL(site).href}/${path}`
  const browser = browserInTests()
  beforeAll(() => {
    site = folder.path('site')
    buildSite(site)
  })

  /** A page on which nothing may fail. */
  const visit = async (options: Parameters<Browser['newPage']>[0], work: (page: Page) => Promise<void>) => {
    const page = await browser().newPage(options)
    const faults: string[] = []
    page.on('pageerror', error => faults.push(error.message))
    page.on('requestfailed', request => {
      // A picture that was on its way when the page was left is no fault.
      if (request.failure()?.errorText !== 'net::ERR_ABORTED') faults.push(`${request.url()} failed`)
    })
    page.on('request', request => {
      if (!request.url().startsWith('file:')) faults.push(`${request.url()} was asked for`)
    })
    await work(page)
    expect(faults).toEqual([])
    await page.close()
  }

  const findings = async (page: Page) => {
    await page.evaluate(AXE)
    const { violations } = (await page.evaluate('axe.run({ preload: false })')) as {
      violations: { id: string; nodes: { html: string }[] }[]
    }
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`)
  }

  const PAGES = [
    'index.html',
    'data.html',
    'statistics/standard-errors.html',
    'library/core-file.html',
    'reference/glossary.html',
  ]
  it.each(PAGES)('axe finds nothing on %s', async name => {
    for (const [colorScheme, width] of [['light', 1280], ['dark', 390]] as const) // biome-ignore format: one line
      await visit({ colorScheme, viewport: { width, height: 900 } }, async page => {
        await page.goto(address(name))
        expect(await findings(page), `${colorScheme}, ${width} pixels`).toEqual([])
      })
  })

  it('fits a phone: no page is wider than the screen', { timeout: 600_000 }, async () => {
    const names = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.html'))
    await visit({ viewport: { width: 390, height: 844 } }, async page => {
      for (const name of names) {
        await page.goto(address(name.replaceAll('\\', '/')))
        const width = await page.evaluate(() => document.documentElement.scrollWidth)
        expect(width, name).toBeLessThanOrEqual(390)
      }
    })
  })

  it('is searched by keyboard, and the first that is found opens with Enter', async () => {
    await visit({ viewport: { width: 1280, height: 900 } }, async page => {
      await page.goto(address('data.html'))
      await page.keyboard.press('/')
      await page.getByRole('searchbox').fill('sampling weights clusters strata')
      const first = page.locator('.found a').first()
      await first.waitFor()
      expect(await findings(page)).toEqual([])
      await page.keyboard.press('ArrowDown')
      expect(await first.evaluate(link => link === document.activeElement)).toBe(true)
      const goal = await first.getAttribute('href')
      expect(goal).toContain('statistics/')
      await page.keyboard.press('Enter')
      await page.waitForURL(/statistics\//)
      // What nothing is like is said to be nowhere.
      await page.keyboard.press('Control+k')
      await page.getByRole('searchbox').fill('qqqqqqqq')
      await page.getByText('Nothing found').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    })
  })

  it('keeps the theme that was chosen from page to page', async () => {
    await visit({ colorScheme: 'light' }, async page => {
      const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
      await page.goto(address('index.html'))
      const light = await background()
      await page.getByRole('button', { name: 'Dark' }).click()
      const dark = await background()
      expect(dark).not.toBe(light)
      await page.goto(address('data.html'))
      expect(await background()).toBe(dark)
      await page.getByRole('button', { name: 'Light' }).click()
      expect(await background()).toBe(light)
    })
  })

  it('has its pages behind a button on a phone', async () => {
    await visit({ viewport: { width: 390, height: 844 } }, async page => {
      await page.goto(address('index.html'))
      const pages = page.getByRole('navigation', { name: 'Pages', exact: true })
      expect(await pages.isVisible()).toBe(false)
      await page.getByRole('button', { name: 'Menu' }).click()
      // Sections are folded.
      await pages.getByText('Statistics', { exact: true }).click()
      await pages.getByRole('link', { name: 'Criteria' }).click()
      await page.waitForURL(/criteria\.html/)
      await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('Criteria')
    })
  })

  it('reads without scripts, and on paper', async () => {
    await visit({ javaScriptEnabled: false, viewport: { width: 1280, height: 900 } }, async page => {
      await page.goto(address('statistics/criteria.html'))
      expect(await page.getByRole('navigation', { name: 'Pages', exact: true }).isVisible()).toBe(true)
      expect(await page.getByRole('button', { name: 'Search' }).isVisible()).toBe(false)
      await page.emulateMedia({ media: 'print' })
      await expect.poll(() => page.getByRole('navigation', { name: 'Pages', exact: true }).isVisible()).toBe(false)
      expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true)
    })
  })
})
