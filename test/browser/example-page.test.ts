import { execFileSync } from 'node:child_process'
import type { Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserInTests, CHROMIUM, hasBrowser } from '../studio-browser.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The page of `npm run example web-page`: one script without a bundler, on a static server. */

describe.skipIf(!hasBrowser)(`the example page in headless Chromium (skipped where ${CHROMIUM} is absent)`, () => {
  const browser = browserInTests()
  let page: { readonly server: Server; readonly address: string }
  beforeAll(async () => {
    // As the command serves it: the compiled program finds the files beside itself.
    execFileSync(process.execPath, ['node_modules/@typescript/native/bin/tsc', '-p', 'examples/tsconfig.json'], {
      cwd: root,
    })
    const { servePage } = await import(/* @vite-ignore */ `${root}examples/dist/web-page/serve.js`)
    page = await servePage()
  })
  afterAll(() => void page?.server.close())

  it('fits the survey when it opens, and a file that is chosen', async () => {
    const tab = await browser().newPage()
    const wrong: string[] = []
    tab.on('pageerror', error => wrong.push(error.message))
    tab.on('console', message => message.type() === 'error' && wrong.push(message.text()))
    await tab.goto(page.address)
    await tab.getByRole('columnheader', { name: 'class 1: 56.0%' }).waitFor()
    expect(await tab.getByRole('columnheader').allTextContents()).toEqual([
      '',
      'class 1: 56.0%',
      'class 2: 24.3%',
      'class 3: 19.6%',
    ])
    expect(await tab.getByRole('status').textContent()).toContain('reached the best solution')
    const file = fileURLToPath(new URL('../../packages/studio/public/examples/hair-eye-colour.csv', import.meta.url))
    await tab.getByLabel(/^CSV file/).setInputFiles(file)
    await tab.getByLabel('Classes').fill('2')
    await tab.getByRole('button', { name: 'Fit' }).click()
    await tab.getByRole('rowheader', { name: 'hair: Black' }).waitFor()
    expect(await tab.getByRole('columnheader').count()).toBe(3)
    expect(wrong).toEqual([])
    await tab.close()
  })
})
