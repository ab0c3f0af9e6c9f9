import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { type RunningStudio, type StudioOptions, startStudio } from '../packages/polyad/src/studio/server.ts'
import { ask, folder, pageOptions, serveStudio, studio, tokenOf, until } from './studio-client.ts'

serveStudio()

/** Connections of those who have no token, and requests that never come to their end. Limits are short here: no test waits for 30 s. */

const opened: Socket[] = []
const processes: ChildProcess[] = []
let other: RunningStudio | undefined
afterEach(async () => {
  for (const child of processes.splice(0)) child.kill()
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

/**
 * Opens so many connections from a process of its own, since an ordinary user may have about a thousand files open in each; gives how many
 * of them are closed by now, once all have been opened.
 */
const openElsewhere = async (count: number, port: number, text: string): Promise<() => number> => {
  const script = `
    const { connect } = require('node:net')
    let [seen, closed] = [0, 0]
    const said = () => process.send({ seen, closed })
    for (let i = 0; i < ${count}; i++) {
      const socket = connect(${port}, '127.0.0.1')
      socket.on('error', () => {})
      socket.once('connect', () => { if (${JSON.stringify(text)}) socket.write(${JSON.stringify(text)}); seen++; said() })
      socket.once('close', () => { closed++; said() })
    }`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  processes.push(child)
  let now = { seen: 0, closed: 0 }
  child.on('message', message => {
    now = message as typeof now
  })
  await until(() => now.seen === count, 90)
  expect(now.seen).toBe(count)
  return () => now.closed
}

describe('connections without the token', () => {
  it.each([
    ['silent', () => ''],
    ['with half a request', () => `GET / HTTP/1.1\r\nHost: 127.0.0.1:${studio.port}\r\n`],
  ])('1,200 of them, %s, do not keep the owner out', async (_, text) => {
    const closed = await Promise.all([1, 2].map(() => openElsewhere(600, studio.port, text())))
    expect((await ask('/api/studio')).status).toBe(200)
    expect((await ask(`/?token=${tokenOf(studio)}`, { cookie: null })).status).toBe(200)
    // Only the last of them are left.
    expect(await until(() => closed.reduce((sum, count) => sum + count(), 0) >= 1200 - 64)).toBe(true)
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
