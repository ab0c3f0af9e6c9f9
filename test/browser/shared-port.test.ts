import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext } from 'playwright-core'
import { afterEach, describe, expect, it } from 'vitest'
import { openingPage } from '../../packages/polyad/src/studio/open-browser.ts'
import { type RunningStudio, startStudio } from '../../packages/polyad/src/studio/server.ts'
import { browserInTests, CHROMIUM, hasBrowser, openBrowser } from '../studio-browser.ts'
import { file, pageOptions, serveStudio } from '../studio-client.ts'

serveStudio()

/**
 * Somebody else's server had the studio's port before it, and has it again after it. Browsers keep storage and service workers by
 * origin, and the port is part of it: on a port that is fixed, only the name of the host keeps the two apart.
 */

/** A worker that answers in the studio's place, and asks its API with the cookie of the browser. */
const WORKER = `
self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', event => event.waitUntil(self.clients.claim()))
self.addEventListener('fetch', event => event.respondWith((async () => {
  const { pathname } = new URL(event.request.url)
  if (pathname === '/stolen') {
    const answer = await fetch('/api/studio')
    return new Response(JSON.stringify({ status: answer.status, body: await answer.text() }))
  }
  return event.request.mode === 'navigate'
    ? new Response('<!doctype html><title>taken over</title>', { headers: { 'Content-Type': 'text/html' } })
    : fetch(event.request)
})()))`

describe.skipIf(!hasBrowser)(`a port that somebody else had (skipped where ${CHROMIUM} is absent)`, () => {
  const browser = browserInTests()
  let evil: Server | undefined
  let context: BrowserContext | undefined
  let studio: RunningStudio | undefined
  afterEach(async () => {
    await context?.close()
    await studio?.close()
    await stop()
    studio = context = undefined
  })

  /** What the server of somebody else was sent. */
  const requests: IncomingMessage[] = []
  const listen = async (port: number): Promise<number> => {
    const server = createServer((request, response) => {
      requests.push(request)
      const script = request.url === '/worker.js'
      response.setHeader('Content-Type', script ? 'text/javascript' : 'text/html')
      response.end(script ? WORKER : '<!doctype html><title>somebody else</title>')
    })
    evil = server
    await new Promise<void>((resolve, reject) => server.on('error', reject).listen(port, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  }
  const stop = async (): Promise<void> => {
    const server = evil
    evil = undefined
    if (server === undefined) return
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
  const HOSTS = ['127.0.0.1', 'localhost']

  it('a service worker left there neither sees the page nor asks in its name', async () => {
    const port = await listen(0)
    context = await browser().newContext()
    const page = await context.newPage()
    for (const host of HOSTS) {
      await page.goto(`http://${host}:${port}/`)
      await page.evaluate(async () => {
        await navigator.serviceWorker.register('/worker.js', { scope: '/' })
        if (navigator.serviceWorker.controller === null)
          await new Promise(resolve => navigator.serviceWorker.addEventListener('controllerchange', resolve))
      })
      // The worker is at work there: it answers, even if nobody listens.
      await page.goto(`http://${host}:${port}/`)
      expect(await page.title()).toBe('taken over')
    }
    await stop()
    studio = await startStudio({ ...pageOptions(), port })
    const sent: string[] = []
    context.on('request', request => sent.push(request.url()))
    await page.goto(studio.url)
    await page.waitForURL(`${new URL(studio.url).origin}/`)
    await page.waitForFunction(() => document.title === 'It runs')
    expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull()
    expect(sent.filter(url => HOSTS.includes(new URL(url).hostname))).toEqual([])
    // Beside the open studio, a page of the worker asks the API: the browser has no cookie for it there.
    const other = await context.newPage()
    for (const host of HOSTS) {
      await other.goto(`http://${host}:${port}/`)
      expect(await other.title()).toBe('taken over')
      const { status } = await other.evaluate(async () => (await fetch('/stolen')).json())
      expect(status).toBe(403)
    }
    // The studio hands out no script for a worker, not even to itself.
    const registered = page.evaluate(
      () =>
      navigator.serviceWorker.register('/assets/main-AbCd_123.js').then(() => 'registered', () => 'refused'), // biome-ignore format: one chain
    )
    expect(await registered).toBe('refused')
  })

  it('a server that has it afterwards finds no storage and is sent no cookie', async () => {
    studio = await startStudio({ ...pageOptions() })
    const { port } = studio
    context = await browser().newContext()
    const page = await context.newPage()
    await page.goto(studio.url)
    await page.waitForURL(`${new URL(studio.url).origin}/`)
    await page.waitForFunction(() => document.title === 'It runs')
    await page.evaluate(
      () =>
        new Promise<void>((resolve, reject) => {
          localStorage.setItem('rows', 'secret')
          const opening = indexedDB.open('rows', 1)
          opening.onupgradeneeded = () => opening.result.createObjectStore('rows').put('secret', 'first')
          opening.onsuccess = () => resolve(opening.result.close())
          opening.onerror = () => reject(opening.error)
        }),
    )
    await studio.close()
    studio = undefined
    requests.length = 0
    await listen(port)
    const other = await context.newPage()
    for (const host of HOSTS) {
      await other.goto(`http://${host}:${port}/`)
      expect(await other.title()).toBe('somebody else')
      const found = await other.evaluate(async () => [
        localStorage.getItem('rows'),
        (await indexedDB.databases()).map(({ name }) => name),
      ])
      expect(found).toEqual([null, []])
    }
    expect(requests.map(({ headers }) => headers.cookie)).toEqual(requests.map(() => undefined))
  })

  it('at 127.0.0.1, where it cannot be kept apart, the first visit clears the storage', async () => {
    const port = await listen(0)
    context = await browser().newContext()
    const page = await context.newPage()
    await page.goto(`http://127.0.0.1:${port}/`)
    await page.evaluate(() => localStorage.setItem('left', 'by somebody else'))
    await stop()
    studio = await startStudio({ ...pageOptions(), port })
    await page.goto(studio.plainUrl)
    await page.waitForURL(`http://127.0.0.1:${port}/`)
    expect(await page.evaluate(() => localStorage.length)).toBe(0)
  })

  it('a browser that does not resolve the name is led to 127.0.0.1', async () => {
    const safari = await openBrowser(['--disable-gpu', '--host-resolver-rules=MAP *.localhost ~NOTFOUND'])
    try {
      studio = await startStudio(pageOptions())
      const { url, plainUrl } = studio
      const page = await safari.newPage()
      await page.goto(`file://${file('open.html', openingPage(new URL(url).host, url, plainUrl))}`)
      await page.waitForURL(`${new URL(plainUrl).origin}/`)
      await page.waitForFunction(() => document.title === 'It runs')
    } finally {
      await safari.close()
    }
  })
})
