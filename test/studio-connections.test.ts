import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { type RunningStudio, type StudioOptions, startStudio } from '../packages/polyad/src/studio/server.ts'
import { ask, folder, pageOptions, serveStudio, studio, tokenOf, until } from './studio-client.ts'

serveStudio()

/** Connections of those who have no token, and requests that never come to their end. Limits are short here: no test waits for 30 s. */

const opened: Socket[] = []
let other: RunningStudio | undefined
afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy()
  await other?.close()
  other = undefined
})

const start = async (options: StudioOptions): Promise<RunningStudio> => {
  other = await startStudio({ ...pageOptions(), ...options })
  return other
}

/** A connection that has sent this much, and what it was answered once the studio has closed it. */
const open = async (port: number, text = ''): Promise<{ socket: Socket; closed: Promise<string> }> => {
  const socket = connect(port, '127.0.0.1')
  opened.push(socket)
  let said = ''
  socket
    .on('error', () => {})
    .on('data', block => {
      said += block
    })
  const closed = new Promise<string>(resolve => socket.on('close', () => resolve(said)))
  await new Promise<void>(resolve => socket.once('connect', resolve).once('close', resolve))
  if (text !== '') socket.write(text)
  return { socket, closed }
}

const headOf = (to: RunningStudio, length: number): string =>
  `POST /api/files?name=x.csv HTTP/1.1\r\nHost: 127.0.0.1:${to.port}\r\nOrigin: http://127.0.0.1:${to.port}\r\n` +
  `Cookie: polyad-${to.port}=${tokenOf(to)}\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`

describe('connections without the token', () => {
  it.each([
    ['silent', () => ''],
    ['with half a request', () => `GET / HTTP/1.1\r\nHost: 127.0.0.1:${studio.port}\r\n`],
  ])('1,200 of them, %s, do not keep the owner out', async (_, text) => {
    const sockets = await Promise.all(Array.from({ length: 1200 }, () => open(studio.port, text())))
    expect((await ask('/api/studio')).status).toBe(200)
    expect((await ask(`/?token=${tokenOf(studio)}`, { cookie: null })).status).toBe(200)
    // Only the last of them are left.
    expect(await until(() => sockets.filter(({ socket }) => !socket.closed).length <= 64)).toBe(true)
  })

  it('take the place of one another, never of one that has shown the token', async () => {
    const to = await start({ strangers: 3 })
    const { socket, closed } = await open(to.port, `${headOf(to, 10)}a,b\n`)
    // It has been let in once its upload has begun.
    expect((await ask('/api/studio', { to })).status).toBe(200)
    const strangers = await Promise.all(Array.from({ length: 20 }, () => open(to.port)))
    expect(await until(() => strangers.filter(each => !each.socket.closed).length === 3)).toBe(true)
    expect(socket.closed).toBe(false)
    socket.write('1,2\nx,')
    expect(await closed).toContain('201 Created')
  })
})

describe('a request that stands still', () => {
  it.each([
    ['before its first byte', ''],
    ['in the middle of its headers', 'GET / HTTP/1.1\r\nHost: x\r\n'],
  ])('is ended %s', async (_, text) => {
    const to = await start({ idleSeconds: 0.2 })
    const { closed } = await open(to.port, text)
    expect(await closed).toMatch(/^HTTP\/1\.1 408 |^$/)
    expect((await ask('/api/studio', { to })).status).toBe(200)
  })

  it('is ended in the middle of its body, and nothing of it is left', async () => {
    const before = readdirSync(folder)
    const to = await start({ idleSeconds: 0.2 })
    const { closed } = await open(to.port, `${headOf(to, 1000)}a,b\n`)
    expect(await closed).toBe('')
    expect((await ask('/api/studio', { to })).status).toBe(200)
    expect(readdirSync(folder)).toEqual(before)
  })
})
