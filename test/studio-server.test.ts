import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CONTENT_SECURITY_POLICY } from '../packages/polyad/src/studio/policy.ts'
import { startStudio } from '../packages/polyad/src/studio/server.ts'
import {
  type Asked,
  ask,
  folder,
  namedFile,
  pageOptions,
  send,
  serveStudio,
  studio,
  survey,
  tokenOf,
} from './studio-client.ts'

serveStudio()

/** The host that this start has for itself. */
const named = (): string => new URL(studio.url).host

/** Who is let into a studio: requests that no browser would send, and those of other pages. */

describe('the token', () => {
  it('is long, random, and in the link', () => {
    expect(studio.url).toBe(`http://${named()}/?token=${tokenOf(studio)}`)
    expect(named()).toMatch(new RegExp(`^[a-z2-7]{16}\\.localhost:${studio.port}$`))
    expect(studio.plainUrl).toBe(`http://127.0.0.1:${studio.port}/?token=${tokenOf(studio)}`)
    expect(Buffer.from(tokenOf(studio), 'base64url')).toHaveLength(32)
  })

  it('becomes a cookie at the first visit, and leaves the address', async () => {
    const { status, headers, body } = await ask(`/?token=${tokenOf(studio)}`, { cookie: null })
    expect(status).toBe(200)
    expect(headers['set-cookie']).toBe(`polyad-${studio.port}=${tokenOf(studio)}; HttpOnly; SameSite=Strict; Path=/`)
    expect(body.toString()).toContain('content="0; url=/"')
    expect(body.toString()).not.toContain(tokenOf(studio))
  })

  it('clears what another server left in the origin, once for each host: a second tab keeps what the first has', async () => {
    const to = await startStudio(pageOptions())
    const cleared = async (host: string) =>
      (await ask(`/?token=${tokenOf(to)}`, { to, host, cookie: null })).headers['clear-site-data']
    for (const host of [new URL(to.url).host, new URL(to.plainUrl).host]) {
      expect(await cleared(host)).toBe('"storage"')
      expect(await cleared(host)).toBeUndefined()
    }
    expect((await ask('/', { to })).headers['clear-site-data']).toBeUndefined()
    await to.close()
  })

  it('is not needed for the picture by which a browser sees that it resolves the name', async () => {
    const { status, headers, body } = await ask('/probe.svg', {
      host: named(),
      cookie: null,
      headers: { 'Sec-Fetch-Site': 'cross-site', Referer: 'file:///' },
    })
    expect([status, headers['content-type'], headers['set-cookie']]).toEqual([200, 'image/svg+xml', undefined])
    expect(body.toString()).not.toContain(tokenOf(studio))
    expect((await ask('/probe.svg', { cookie: null })).status).toBe(403)
    expect((await ask('/probe.svg', { host: named(), cookie: null, method: 'POST' })).status).toBe(403)
  })

  const changed = (token: string) => `${token[0] === 'A' ? 'B' : 'A'}${token.slice(1)}`
  const wrong: [string, (token: string, port: number) => Asked & { target?: string }][] = [
    ['nothing', () => ({ cookie: null })],
    ['an empty cookie', (_, port) => ({ cookie: `polyad-${port}=` })],
    ['a wrong one', (token, port) => ({ cookie: `polyad-${port}=${changed(token)}` })],
    ['one that is too short', (token, port) => ({ cookie: `polyad-${port}=${token.slice(0, -1)}` })],
    ['one that is too long', (token, port) => ({ cookie: `polyad-${port}=${token}A` })],
    ['a very long one', (_, port) => ({ cookie: `polyad-${port}=${'A'.repeat(8000)}` })],
    ['a cookie of another name', token => ({ cookie: `polyad-1=${token}; token=${token}` })],
    ['a wrong one in the link', token => ({ cookie: null, target: `/?token=${changed(token)}` })],
    ['an empty one in the link', () => ({ cookie: null, target: '/?token=' })],
    ['the right one in the link of a file', token => ({ cookie: null, target: `/index.html?token=${token}` })],
    ['the right one in the link of a request', token => ({ cookie: null, target: `/api/studio?token=${token}` })],
    ['the right one in a header', token => ({ cookie: null, headers: { Authorization: `Bearer ${token}` } })],
  ]
  it.each(wrong)('refuses %s, for whatever is asked', async (_, how) => {
    const { target, ...asked } = how(tokenOf(studio), studio.port)
    const all =
      target === undefined ? ['/', '/assets/main-AbCd_123.js', '/api/studio', '/nothing', '/api/files/x'] : [target]
    const answers = await Promise.all(all.map(each => ask(each, asked)))
    for (const { status, headers, body } of answers) {
      expect(status).toBe(403)
      expect(body.toString()).toContain('use the link that is printed in the terminal')
      expect(headers['set-cookie']).toBeUndefined()
      // The same words for what is there and for what is not.
      expect(body).toEqual(answers[0].body)
    }
  })

  it('is of one studio: the cookies of three at once do not mix', async () => {
    const others = await Promise.all([startStudio(pageOptions()), startStudio(pageOptions())])
    const all = [studio, ...others]
    expect(new Set(all.map(({ port }) => port)).size).toBe(3)
    expect(new Set(all.map(tokenOf)).size).toBe(3)
    const jar = all.map(each => `polyad-${each.port}=${tokenOf(each)}`)
    for (const to of all) {
      expect((await ask('/', { to, cookie: jar.join('; ') })).status).toBe(200)
      const foreign = jar.filter(cookie => !cookie.startsWith(`polyad-${to.port}=`))
      expect((await ask('/', { to, cookie: foreign.join('; ') })).status).toBe(403)
      // Nor does the token of another under the right name.
      const [other] = all.filter(each => each !== to)
      expect((await ask('/', { to, cookie: `polyad-${to.port}=${tokenOf(other)}` })).status).toBe(403)
    }
    await Promise.all(others.map(each => each.close()))
    expect((await ask('/')).status).toBe(200)
  })
})

describe('requests from elsewhere', () => {
  it.each([
    ['a name that was pointed here', () => `attacker.example:${studio.port}`],
    ['no port', () => '127.0.0.1'],
    ['another port', () => `127.0.0.1:${studio.port + 1}`],
    ['a name that begins alike', () => `127.0.0.1:${studio.port}.attacker.example`],
    ['a name that ends alike', () => `attacker.localhost:${studio.port}`],
    ['another loopback address', () => `127.0.0.2:${studio.port}`],
    ['IPv6', () => `[::1]:${studio.port}`],
    ['an address that means all', () => `0.0.0.0:${studio.port}`],
    ['capitals', () => `LOCALHOST:${studio.port}`],
    ['nothing', () => ''],
  ])('are refused where Host is %s', async (_, host) => {
    for (const target of ['/', '/api/studio', `/?token=${tokenOf(studio)}`])
      expect((await ask(target, { host: host() })).status).toBe(403)
  })

  it('are refused with two hosts, and with an address for a proxy', async () => {
    const cookie = `Cookie: polyad-${studio.port}=${tokenOf(studio)}\r\nConnection: close\r\n\r\n`
    const host = `127.0.0.1:${studio.port}`
    for (const request of [
      `GET / HTTP/1.1\r\nHost: ${host}\r\nHost: attacker.example\r\n${cookie}`,
      `GET http://attacker.example/ HTTP/1.1\r\nHost: ${host}\r\n${cookie}`,
      `GET http://${host}/api/studio HTTP/1.1\r\nHost: ${host}\r\n${cookie}`,
      `GET / HTTP/1.0\r\n${cookie}`,
    ])
      expect((await send(studio.port, request)).status).toBe(403)
  })

  it('are let in by the name of this start, and by both names of this machine', async () => {
    for (const host of [named(), `127.0.0.1:${studio.port}`, `localhost:${studio.port}`])
      expect((await ask('/api/studio', { host })).status).toBe(200)
  })

  it('are refused by the name of another start', async () => {
    const other = await startStudio(pageOptions())
    const [name] = new URL(other.url).host.split(':')
    await other.close()
    expect(`${name}:${studio.port}`).not.toBe(named())
    expect((await ask('/', { host: `${name}:${studio.port}` })).status).toBe(403)
  })

  it('are refused if a script for a service worker is asked for', async () => {
    for (const headers of [{ 'Service-Worker': 'script' }, { 'Sec-Fetch-Dest': 'serviceworker' }])
      for (const host of [named(), `127.0.0.1:${studio.port}`])
        for (const target of ['/assets/main-AbCd_123.js', '/', `/?token=${tokenOf(studio)}`])
          expect((await ask(target, { host, headers })).status).toBe(403)
  })

  it.each([
    ['another site', () => 'https://attacker.example'],
    ['another port', () => `http://127.0.0.1:${studio.port + 1}`],
    ['another scheme', () => `https://127.0.0.1:${studio.port}`],
    ['the other name of this machine', () => `http://localhost:${studio.port}`],
    ['nobody', () => 'null'],
  ])('are refused where Origin is %s', async (_, origin) => {
    const headers = { Origin: origin() }
    for (const method of ['GET', 'POST', 'DELETE'])
      expect(
        (await ask('/api/files?name=x.csv', { method, headers, body: method === 'POST' ? survey : '' })).status,
      ).toBe(403)
  })

  it('are refused where they change something and do not say who asks', async () => {
    for (const method of ['POST', 'DELETE', 'PUT', 'OPTIONS'])
      expect((await ask('/api/files?name=x.csv', { method, headers: { Origin: '' } })).status).toBe(403)
  })

  it.each(['cross-site', 'same-site', 'something'])('are refused where the browser says %s', async site => {
    const headers = { 'Sec-Fetch-Site': site }
    for (const target of ['/api/studio', '/%61pi/studio', '//api/studio', '/assets/main-AbCd_123.js', '/index.html'])
      expect((await ask(target, { headers })).status).toBe(403)
    // A link from elsewhere may lead to the page: with the token, or where the browser sends the cookie.
    expect((await ask(`/?token=${tokenOf(studio)}`, { headers, cookie: null })).status).toBe(200)
  })

  it('leave nothing behind: not a file was made', () => {
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('methods', () => {
  it.each(['PUT', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND'])('%s is not known', async method => {
    const { status, headers } = await ask('/', { method })
    expect(status).toBe(405)
    expect(headers.allow).toBe('GET, HEAD, POST, DELETE')
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })

  it('are known only where they are defined', async () => {
    expect((await ask('/', { method: 'POST' })).status).toBe(405)
    for (const [
      method,
      target,
    ] of [['POST', '/api/studio'], ['DELETE', '/api/files'], ['DELETE', '/api/read'], ['GET', '/api/read']]) // biome-ignore format: pairs
      expect((await ask(target, { method })).status).toBe(404)
  })

  it('HEAD has the headers and no body', async () => {
    for (const target of ['/', '/assets/main-AbCd_123.js', `/api/files/${await namedFile()}`]) {
      const { status, body, headers } = await ask(target, { method: 'HEAD' })
      expect([status, body.length]).toEqual([200, 0])
      expect(headers['content-type']).toBeDefined()
    }
  })
})

describe('every answer', () => {
  it('carries the headers that keep the page to itself', async () => {
    const answers = await Promise.all([
      ask('/'),
      ask('/api/studio'),
      ask('/api/nothing'),
      ask('/nothing'),
      ask('/', { cookie: null }),
      ask(`/?token=${tokenOf(studio)}`, { cookie: null }),
      ask('/', { method: 'PUT' }),
      ask('/assets/main-AbCd_123.js'),
      ask(`/api/files/${await namedFile()}`),
      ask('/', { headers: { Expect: 'something' } }),
      send(studio.port, 'this is not HTTP\r\n\r\n'),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 404, 403, 200, 405, 200, 200, 200, 400])
    for (const { headers } of answers) {
      expect(headers['content-security-policy']).toBe(CONTENT_SECURITY_POLICY)
      expect(headers['cross-origin-opener-policy']).toBe('same-origin')
      expect(headers['cross-origin-embedder-policy']).toBe('require-corp')
      expect(headers['cross-origin-resource-policy']).toBe('same-origin')
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['referrer-policy']).toBe('no-referrer')
    }
    const kept = answers.map(({ headers }) => headers['cache-control'])
    expect(kept[7]).toContain('immutable')
    expect(kept.toSpliced(7, 1).every(each => each === 'no-store')).toBe(true)
  })

  it('has a policy that lets nothing in from outside and runs no text', () => {
    expect(CONTENT_SECURITY_POLICY).toContain("default-src 'none'")
    expect(CONTENT_SECURITY_POLICY).toMatch(/script-src 'self' 'wasm-unsafe-eval';/)
    expect(CONTENT_SECURITY_POLICY).not.toMatch(/https?:|\*|'unsafe-eval'|script-src[^;]*'unsafe-inline'/)
  })
})
