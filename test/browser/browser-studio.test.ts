import { existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openingPage } from '../../packages/polyad/src/studio/open-browser.ts'
import { file, folder, serveStudio, studio } from '../studio-client.ts'

serveStudio()

/** A studio's server as a browser sees it. */

const origin = (): string => new URL(studio.url).origin

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']

describe.skipIf(!existsSync(CHROMIUM))(`in Chromium (skipped where ${CHROMIUM} is absent)`, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
  })
  afterAll(() => browser?.close())

  it.each(['the link', 'a file that leads to it', 'a page elsewhere that leads to it'])(
    'the page opens by %s',
    async way => {
      const elsewhere = createServer((_, response) =>
        response.setHeader('Content-Type', 'text/html').end(`<a href="${studio.url}">go</a>`),
      )
      await new Promise<void>(resolve => elsewhere.listen(0, '127.0.0.1', resolve))
      const context = await browser.newContext()
      const page = await context.newPage()
      if (way === 'the link') await page.goto(studio.url)
      else if (way.startsWith('a file')) {
        const leading = file('open.html', openingPage(new URL(studio.url).host, studio.url, studio.plainUrl))
        await page.goto(`file://${leading}`)
      } else {
        await page.goto(`http://localhost:${(elsewhere.address() as AddressInfo).port}/`)
        await page.click('a')
      }
      await page.waitForURL(`${origin()}/`)
      await page.waitForFunction(() => document.title === 'It runs')
      // It is isolated, its requests are let in, and no script sees the token.
      const seen = await page.evaluate(async () => {
        const sent = await fetch('/api/files?name=x.csv', { method: 'POST', body: 'a,b\n1,2\n' })
        const { id } = await sent.json()
        const removed = await fetch(`/api/files/${id}`, { method: 'DELETE' })
        return { isolated: crossOriginIsolated, sent: sent.status, removed: removed.status, cookie: document.cookie }
      })
      expect(seen).toEqual({ isolated: true, sent: 201, removed: 204, cookie: '' })
      await context.close()
      elsewhere.close()
    },
  )

  it.each(['url', 'plainUrl'] as const)(
    'another page on this machine gets nothing, though the browser has the cookie (%s)',
    async link => {
      const elsewhere = createServer((_, response) =>
        response.setHeader('Content-Type', 'text/html').end('<p>elsewhere</p>'),
      )
      await new Promise<void>(resolve => elsewhere.listen(0, '127.0.0.1', resolve))
      const context = await browser.newContext()
      const page = await context.newPage()
      const address = new URL(studio[link]).origin
      await page.goto(studio[link])
      await page.waitForURL(`${address}/`)
      // The same site at 127.0.0.1, by the rules of cookies: only the port differs. Its own name is nobody's site.
      await page.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`)
      const stolen = await page.evaluate(async address => {
        const tried = (target: string, init: RequestInit) =>
        fetch(`${address}${target}`, { credentials: 'include', ...init }).then(answer => answer.type, () => 'refused') // biome-ignore format: one chain
        const script = document.createElement('script')
        script.src = `${address}/assets/main-AbCd_123.js`
        const ran = new Promise(resolve => {
          script.onload = () => resolve(true)
          script.onerror = () => resolve(false)
        })
        document.head.append(script)
        const frame = document.createElement('iframe')
        frame.src = `${address}/`
        document.body.append(frame)
        return {
          read: await tried('/api/studio', {}),
          sent: await tried('/api/files?name=x.csv', { method: 'POST', body: 'a,b\n' }),
          blind: await tried('/api/files?name=x.csv', { method: 'POST', body: 'a,b\n', mode: 'no-cors' }),
          ran: await ran,
        }
      }, address)
      expect(stolen).toEqual({ read: 'refused', sent: 'refused', blind: 'refused', ran: false })
      expect(readdirSync(folder)).toEqual([])
      const framed = page.frames().find(each => each !== page.mainFrame())
      expect(await framed?.title().catch(() => '')).not.toBe('It runs')
      await context.close()
      elsewhere.close()
    },
  )
})
