import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { STUDIO_PAGE, staticHost } from '../local-servers.ts'
import { browserInTests, hasBrowser, projectMenu, saved, studioInBrowser, visit } from '../studio-browser.ts'

/** For everybody: by keyboard, by ear, in the dark, on a phone, and from a host that only hands out files. */

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const BUILT = fileURLToPath(new URL('../../packages/polyad/studio', import.meta.url))

/** What axe finds on the page as it is, of what is serious. */
const findings = async (page: Page): Promise<string[]> => {
  await page.evaluate(AXE)
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } }
    interface Violation {
      readonly id: string
      readonly impact: string
      readonly nodes: readonly { readonly html: string }[]
    }
    const { violations } = await axe.run()
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`)
  })
}

const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** Presses Tab until what has the focus is called so, as somebody without a mouse does. */
const tabTo = async (page: Page, name: RegExp): Promise<void> => {
  for (let i = 0; i < 200; i++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(() => {
      const element = document.activeElement
      return `${element?.getAttribute('aria-label') ?? ''} ${element?.textContent ?? ''}`.trim()
    })
    if (name.test(focused)) return
  }
  throw new Error(`${name} was not reached by keyboard`)
}

/** Each screen and tab, and what is there once it is drawn. */
const SCREENS = [
  ['1. Data', '.sparkline rect'],
  ['2. Fit', 'table.ranks'],
  ['3. Results', '.chart svg'],
  ['4. Classify', 'main form, main select'],
  ['5. Export', 'main pre, main code'],
] as const
const TABS = [
  ['Compare solutions', '.rank-column'],
  ['Categories', '.label-name'],
  ['Rows', 'main tbody tr, main [role=row]'],
  ['Fit & tests', '.fit-columns table'],
] as const

describe.skipIf(!hasBrowser)('the studio is for everybody', () => {
  const here = studioInBrowser()

  it.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)(
    'no screen has a serious fault for those who cannot see or point: %s, %i pixels',
    async (colorScheme, width) => {
      const { page, context } = await here.visit({
        colorScheme,
        viewport: { width, height: 900 },
        reducedMotion: 'reduce',
      })
      const check = async (what: string) => {
        expect(await findings(page), what).toEqual([])
        expect(await overflow(page), what).toBeLessThanOrEqual(0)
      }
      await check('welcome')
      await page.getByRole('button', { name: /^Iris/ }).click()
      await page.getByRole('heading', { name: 'iris.csv' }).waitFor()
      await page.locator('.sparkline rect').first().waitFor()
      await check('data')
      await page.getByRole('button', { name: 'Details of petal_length' }).click()
      await page.locator('.histogram li').first().waitFor()
      await page.getByRole('checkbox', { name: 'Select petal_width' }).check()
      await page.getByRole('toolbar', { name: 'Selected columns' }).waitFor()
      await check('data, with the details of a column and a selection')
      await page.getByRole('button', { name: 'Clear selection' }).click()
      await page.getByRole('button', { name: 'Find the classes →' }).click()
      await page.getByRole('spinbutton', { name: 'to' }).fill('3')
      await page.getByRole('button', { name: 'Find the classes', exact: true }).click()
      await page.getByRole('button', { name: 'See the results' }).waitFor()
      for (const [name, drawn] of SCREENS) {
        await page.getByRole('button', { name, exact: true }).click()
        await page.locator(drawn).first().waitFor()
        await saved(page)
        await check(name)
        if (name !== '3. Results') continue
        for (const [tab, there] of TABS) {
          await page.getByRole('tab', { name: tab }).click()
          await page.locator(there).first().waitFor()
          await check(`${name}, ${tab}`)
        }
      }
      await projectMenu(page).click()
      await page.getByRole('button', { name: 'All projects…' }).waitFor()
      await check('menu of the project')
      await page.getByRole('button', { name: 'All projects…' }).click()
      await page
        .getByRole('dialog', { name: 'Projects' })
        .getByRole('button', { name: /^iris 3 fits.*open here/ })
        .waitFor()
      await check('projects')
      await context.close()
    },
  )

  it('can be used from end to end by keyboard alone', async () => {
    const { page, context } = await here.visit()
    await tabTo(page, /^Carcinoma/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'carcinoma.csv' }).waitFor()
    await tabTo(page, /^Find the classes →/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Find the classes' }).waitFor()
    await tabTo(page, /^I know how many/)
    await page.keyboard.press('Space')
    await tabTo(page, /^Find the classes$/)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'See the results' }).waitFor()
    await tabTo(page, /^See the results/)
    await page.keyboard.press('Enter')
    await page.getByRole('tab', { name: 'Profiles' }).waitFor()
    await tabTo(page, /^Profiles$/)
    await page.keyboard.press('ArrowRight')
    const compare = page.getByRole('tab', { name: 'Compare solutions' })
    await expect.poll(() => compare.getAttribute('aria-selected')).toBe('true')
    await tabTo(page, /^4\. Classify/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /row/i }).first().waitFor()
    await context.close()
  })

  it('is small before data is opened', async () => {
    const { page, context } = await here.visit()
    const loaded = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        // What comes later by itself is not needed to draw the page.
        .filter(({ startTime }) => startTime < (performance.getEntriesByName('prefetch')[0]?.startTime ?? Infinity))
        .map(({ name }) => new URL(name).pathname)
        .filter(path => !path.startsWith('/api')),
    )
    const bytes = ['/index.html', ...new Set(loaded)].reduce(
      (sum, path) => sum + gzipSync(readFileSync(join(BUILT, path))).length,
      0,
    )
    expect(bytes).toBeLessThan(300_000)
    await context.close()
  })

  it('loads few files from a drop to the results, besides what it loads ahead', async () => {
    const { page, context } = await here.visit()
    const files = new Set<string>()
    context.on('request', request => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/assets/')) files.add(pathname)
    })
    await page.route('**/assets.json', route => route.abort())
    await page.reload()
    await page.getByRole('button', { name: /^Hair and eye/ }).click()
    await page.getByRole('button', { name: 'Find the classes →' }).click()
    await page.getByRole('button', { name: 'Find the classes', exact: true }).click()
    await page.getByRole('button', { name: 'See the results' }).click()
    await page.locator('.chart svg').first().waitFor()
    expect(files.size).toBeLessThan(35)
    await context.close()
  })
})

describe.skipIf(!hasBrowser)('the studio on a static host', () => {
  const browser = browserInTests()

  it('does all by itself, from any folder, and says what the host costs', async () => {
    const host = await staticHost(STUDIO_PAGE, '/some/folder')
    const { page, context } = await visit(browser(), host.address)
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false)
    await page.getByRole('button', { name: /^Hair and eye/ }).click()
    await page.getByRole('heading', { name: 'hair-eye-colour.csv' }).waitFor()
    await page.getByRole('button', { name: 'Find the classes →' }).click()
    await page.getByText('does not isolate it from other sites').waitFor()
    await page.getByRole('button', { name: 'Find the classes', exact: true }).click()
    await page.getByRole('button', { name: 'See the results' }).waitFor()
    await context.close()
    host.close()
  })
})
