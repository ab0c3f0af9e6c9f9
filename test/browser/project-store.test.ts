import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningStudio, startStudio as serve } from '../../packages/polyad/src/studio/server.ts'
import { STORE_CHECKS } from '../../packages/studio/src/state/project/store-conformance.ts'
import { STUDIO_PAGE, staticHost } from '../local-servers.ts'
import { browserInTests, drop, hasBrowser, saved } from '../studio-browser.ts'
import { testFolder } from '../test-folder.ts'

/** Both stores of projects, in a page: by the server and in the browser. Both do the same. */

const state = fileURLToPath(new URL('../../packages/studio/src/state/project/', import.meta.url))

const PROGRAM = `
import { openBrowserStore } from ${JSON.stringify(join(state, 'browser-store.ts'))}
import { openServerStore } from ${JSON.stringify(join(state, 'server-store.ts'))}
import { STORE_CHECKS } from ${JSON.stringify(join(state, 'store-conformance.ts'))}
const open = { browser: openBrowserStore, server: openServerStore }
globalThis.check = async (kind, name) => STORE_CHECKS[name](await open[kind]())
globalThis.openBrowserStore = openBrowserStore
`

describe.skipIf(!hasBrowser)('stores of projects', () => {
  const folder = testFolder()
  const browser = browserInTests()
  let studio: RunningStudio
  let page: Page
  beforeAll(async () => {
    mkdirSync(folder.path('page'))
    writeFileSync(folder.path('source.ts'), PROGRAM)
    const bundle = await rolldown({
      input: folder.path('source.ts'),
      platform: 'browser',
      resolve: {
        conditionNames: ['browser', 'default'],
        modules: [fileURLToPath(new URL('../../node_modules', import.meta.url))],
      },
    })
    const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
    folder.file('page/program.js', output[0].code)
    folder.file('page/index.html', '<!doctype html><script type="module" src="/program.js"></script>')
    studio = await serve({ page: folder.path('page'), projects: folder.path('projects') })
    page = await browser().newPage()
    await page.goto(studio.url)
    await page.waitForFunction(() => 'check' in globalThis)
  })
  afterAll(() => studio?.close())

  describe.each(['browser', 'server'])('the store of the %s', kind => {
    it.each(Object.keys(STORE_CHECKS))('%s', async name => {
      await page.evaluate(`check(${JSON.stringify(kind)}, ${JSON.stringify(name)})`)
    })
  })

  it('the browser says in plain words that there is no room; the version of before stays', async () => {
    const context = await browser().newContext()
    const full = await context.newPage()
    await full.goto(studio.url)
    await full.waitForFunction(() => 'check' in globalThis)
    const session = await context.newCDPSession(full)
    await session.send('Storage.overrideQuotaForOrigin', { origin: new URL(full.url()).origin, quotaSize: 100_000 })
    const said = await full.evaluate(async () => {
      type Store = {
        create(): Promise<string>
        save(id: string, change: object): Promise<number>
        open(id: string): Promise<{ parts: { description: unknown } }>
      }
      const store = await (globalThis as unknown as { openBrowserStore(): Promise<Store> }).openBrowserStore()
      const id = await store.create()
      const change = { writer: 'one', name: null, title: 'x' }
      await store.save(id, { ...change, revision: 0, sequence: 1, description: 'before' })
      const bytes = new Uint8Array(10_000_000)
      const data = { from: 'bytes', name: 'x.csv', bytes }
      const fault = await store
        .save(id, { ...change, revision: 1, sequence: 2, description: 'after', data })
        .catch((error: Error) => error.message)
      return { fault, description: (await store.open(id)).parts.description }
    })
    expect(said).toEqual({
      fault: 'this browser has no space left for it: remove other projects',
      description: 'before',
    })
    await context.close()
  })

  it('a page without a server keeps projects in the browser, also what was done the moment before it was left', async () => {
    const host = await staticHost(STUDIO_PAGE)
    const context = await browser().newContext()
    const visitor = await context.newPage()
    await visitor.goto(host.address)
    await visitor.getByText('Projects are kept in this browser').waitFor()
    await drop(visitor, 'trees.csv', 'a,b\n1,2\n2,1\n2,2\n1,1\n')
    await visitor.getByRole('heading', { name: 'trees.csv' }).first().waitFor()
    await saved(visitor)
    await visitor.locator('.menu > summary').click()
    await visitor.getByLabel('Project name').fill('Late')
    await visitor.getByLabel('Project name').blur()
    await visitor.reload()
    await visitor.getByRole('heading', { name: 'trees.csv' }).first().waitFor()
    await visitor.locator('.menu > summary', { hasText: 'Late' }).waitFor()
    await context.close()
    host.close()
  })
})
