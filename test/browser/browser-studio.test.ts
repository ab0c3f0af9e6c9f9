import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openingPage } from '../../packages/polyad/src/studio/open-browser.ts'
import { localServer } from '../local-servers.ts'
import { browserInTests, CHROMIUM, hasBrowser } from '../studio-browser.ts'
import { file, folder, serveStudio, studio } from '../studio-client.ts'

serveStudio()

/** A studio's server as a browser sees it. */

const origin = (): string => new URL(studio.url).origin

describe.skipIf(!hasBrowser)(`in Chromium (skipped where ${CHROMIUM} is absent)`, () => {
  const browser = browserInTests()

  it.each(['the link', 'a file that leads to it', 'a page elsewhere that leads to it'])(
    'the page opens by %s',
    async way => {
      const elsewhere = await localServer((_, response) =>
        response.setHeader('Content-Type', 'text/html').end(`<a href="${studio.url}">go</a>`),
      )
      const context = await browser().newContext()
      const page = await context.newPage()
      if (way === 'the link') await page.goto(studio.url)
      else if (way.startsWith('a file')) {
        const leading = file('open.html', openingPage(new URL(studio.url).host, studio.url, studio.plainUrl))
        await page.goto(`file://${leading}`)
      } else {
        await page.goto(elsewhere.address.replace('127.0.0.1', 'localhost'))
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
      const elsewhere = await localServer((_, response) =>
        response.setHeader('Content-Type', 'text/html').end('<p>elsewhere</p>'),
      )
      const context = await browser().newContext()
      const page = await context.newPage()
      const address = new URL(studio[link]).origin
      await page.goto(studio[link])
      await page.waitForURL(`${address}/`)
      // The same site at 127.0.0.1, by the rules of cookies: only the port differs. Its own name is nobody's site.
      await page.goto(elsewhere.address)
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
