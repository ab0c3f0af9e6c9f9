import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer as createSocketServer, type Server } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type RunningStudio, startStudio } from '../../packages/polyad/src/studio/server.ts'
import { polyad, signalWhen } from '../run-polyad.ts'
import {
  api,
  ask,
  file,
  foldersOf,
  namedFile,
  pageOptions,
  path,
  post,
  serveStudio,
  studio,
  until,
} from '../studio-client.ts'

serveStudio()

/** How a studio begins and ends: its port, its command, and what is left behind. */

/** Takes DuckDB a while to read. */
const largeFile = (): string => {
  const lines = Array.from({ length: 1_000_000 }, (_, i) => `${i % 7},${(i * 31) % 997},${(i * 17) % 5003},${i}`)
  return file('large.csv', `a,b,c,d\n${lines.join('\n')}\n`)
}

const childrenOf = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean) // biome-ignore format: one chain

/** Whether a process is there, and is more than its number: one whose parent is gone is taken away by the system when it likes. */
const isRunning = (pid: string): boolean => {
  const status = `/proc/${pid}/status`
  return existsSync(status) && !/^State:\s*Z/m.test(readFileSync(status, 'utf8'))
}

describe.runIf(process.platform === 'linux')('whatever ends it', () => {
  let large = ''
  const children: ChildProcess[] = []
  beforeAll(() => {
    large = largeFile()
  })
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })

  const command = fileURLToPath(new URL('../../packages/polyad/bin/polyad.js', import.meta.url))

  /** The command as a process, once it has said where it is. */
  const started = async (
    args: readonly string[] = [],
  ): Promise<{ child: ChildProcess; pid: number; to: RunningStudio; ended: Promise<unknown[]> }> => {
    const child = spawn(
      process.execPath,
      [command, 'studio', ...args, '--page', path('page'), '--no-open', '--port', '0', '--json'],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    children.push(child)
    const ended = new Promise<unknown[]>(resolve => child.on('exit', (...how) => resolve(how)))
    let said = ''
    for await (const block of child.stdout as AsyncIterable<Buffer>) {
      said += block
      if (said.trimEnd().endsWith('}')) break
    }
    return { child, pid: child.pid as number, to: { ...JSON.parse(said), close: async () => {} }, ended }
  }

  /** A request that is under way: the server is in the middle of it. */
  const busy = async (what: 'upload' | 'read', pid: number, to: RunningStudio): Promise<void> => {
    if (what === 'upload') {
      const body = new ReadableStream<Uint8Array>({
        pull: async controller => {
          await wait(10)
          controller.enqueue(new Uint8Array(1000))
        },
      })
      api('/api/files?name=x.csv', { method: 'POST', body, duplex: 'half' }, to).catch(() => {})
      const folderOf = () => join(tmpdir(), foldersOf(pid)[0])
      expect(await until(() => readdirSync(folderOf()).some(name => name.endsWith('.csv')))).toBe(true)
    } else {
      post('/api/read', { file: await namedFile(to), options: { modes: ['a', 'b', 'c', 'd'] } }, to).catch(() => {})
      expect(await until(() => childrenOf(pid).length === 1)).toBe(true)
    }
  }

  it.each([
    ['SIGINT', 'upload', 130],
    ['SIGINT', 'read', 130],
    ['SIGTERM', 'upload', 143],
    ['SIGTERM', 'read', 143],
    ['SIGHUP', 'upload', 129],
    ['SIGHUP', 'read', 129],
    ['SIGQUIT', 'upload', 131],
    ['SIGQUIT', 'read', 131],
  ] as const)('%s (during: %s) leaves no process, no folder and no port', async (signal, what, code) => {
    const { child, pid, to, ended } = await started([large])
    await busy(what, pid, to)
    const readers = childrenOf(pid)
    child.kill(signal)
    expect(await ended).toEqual([code, null])
    expect(await until(() => !readers.some(isRunning))).toBe(true)
    expect(foldersOf(pid)).toEqual([])
    await expect(ask('/', { to })).rejects.toThrow('ECONNREFUSED')
  })

  it('an error that nobody caught leaves nothing either', async () => {
    const server = new URL('../../packages/polyad/dist/studio/server.js', import.meta.url)
    const program = `
      import { startStudio } from ${JSON.stringify(server.href)}
      await startStudio({ page: ${JSON.stringify(path('page'))} })
      console.log('started')
      process.stdin.once('data', () => { throw new Error('nobody expects this') })`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    children.push(child)
    const ended = new Promise(resolve => child.on('exit', resolve))
    await new Promise(resolve => child.stdout?.once('data', resolve))
    expect(foldersOf(child.pid as number)).toHaveLength(1)
    child.stdin?.write('now\n')
    expect(await ended).toBe(1)
    expect(foldersOf(child.pid as number)).toEqual([])
  })

  it('a caller that goes away ends the process that reads for it', async () => {
    const { pid, to } = await started([large])
    const id = await namedFile(to)
    const gone = new AbortController()
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, signal: gone.signal }
    const body = JSON.stringify({ file: id, options: { modes: ['a', 'b', 'c', 'd'] } })
    const answers = Array.from({ length: 4 }, () => api('/api/read', { ...init, body }, to).catch(error => error.name))
    // Two at a time; the others wait.
    expect(await until(() => childrenOf(pid).length === 2)).toBe(true)
    gone.abort()
    expect(await Promise.all(answers)).toEqual(Array(4).fill('AbortError'))
    expect(await until(() => childrenOf(pid).length === 0)).toBe(true)
    // Its own folder is left, and it goes on.
    expect(await until(() => foldersOf(pid).length === 1)).toBe(true)
    expect((await post('/api/inspect', { file: id }, to)).status).toBe(200)
  })

  it('close ends what is under way', async () => {
    const before = foldersOf(process.pid)
    const other = await startStudio({ ...pageOptions(), files: [large] })
    const reading = post('/api/read', { file: await namedFile(other) }, other).catch(error => error)
    expect(
      await until(() => childrenOf(process.pid).length > 0 && foldersOf(process.pid).length > before.length + 1),
    ).toBe(true)
    await other.close()
    expect(await reading).toBeInstanceOf(Error)
    expect(foldersOf(process.pid)).toEqual(before)
  })
})

/** Whether this machine has loopback of version 6. */
const hasSixth = (): boolean =>
  Object.values(networkInterfaces()).some(each => each?.some(({ address }) => address === '::1'))

describe('the port', () => {
  const occupied = async (port: number): Promise<Server> => {
    const server = createSocketServer()
    await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
    return server
  }

  it('is on loopback only', async () => {
    for (const addresses of Object.values(networkInterfaces()))
      for (const { address, internal, scopeid } of (addresses ?? []) as {
        address: string
        internal: boolean
        scopeid?: number
      }[]) {
        if (address === '127.0.0.1' || address === '::1' || scopeid) continue
        const reached = await new Promise<boolean>(resolve => {
          const socket = connect(studio.port, address, () => resolve(true)).on('error', () => resolve(false))
          socket.setTimeout(1000, () => resolve(false))
          socket.on('close', () => socket.destroy())
        })
        expect(reached, `${address}${internal ? ' (loopback)' : ''}`).toBe(false)
      }
    if (process.platform !== 'linux') return
    const hex = studio.port.toString(16).toUpperCase().padStart(4, '0')
    const sockets = ['tcp', 'tcp6'].flatMap(name =>
      existsSync(`/proc/net/${name}`) ? readFileSync(`/proc/net/${name}`, 'utf8').split('\n') : [],
    )
    const listening = sockets
      .map(line => line.trim().split(/\s+/))
      .filter(([, local, , state]) => state === '0A' && local.endsWith(`:${hex}`))
    const both = [`0100007F:${hex}`, `00000000000000000000000001000000:${hex}`]
    expect(listening.map(([, local]) => local)).toEqual(hasSixth() ? both : both.slice(0, 1))
  })

  it.runIf(hasSixth())('is in use if another server has it on ::1: browsers would go there first', async () => {
    const server = createSocketServer()
    await new Promise<void>(resolve => server.listen({ port: 0, host: '::1', ipv6Only: true }, resolve))
    const { port } = server.address() as AddressInfo
    await expect(startStudio({ ...pageOptions(), port })).rejects.toThrow(`port ${port} is in use`)
    await new Promise(resolve => server.close(resolve))
    const studio = await startStudio({ ...pageOptions(), port })
    const answered = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, '::1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')).on('error', reject)
      socket.once('data', block => resolve(String(block)))
    })
    expect(answered).toContain('403')
    await studio.close()
    const again = createSocketServer()
    await new Promise<void>((resolve, reject) => again.on('error', reject).listen({ port, host: '::1' }, resolve))
    again.close()
  })

  it('that is asked for and in use is an error that names it', async () => {
    const before = foldersOf(process.pid)
    await expect(startStudio({ ...pageOptions(), port: studio.port })).rejects.toThrow(`port ${studio.port} is in use`)
    expect(foldersOf(process.pid)).toEqual(before)
    const { code, stdout, stderr } = await polyad([
      'studio',
      '--page',
      path('page'),
      '--no-open',
      '--port',
      String(studio.port),
    ])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toBe(`error: port ${studio.port} is in use: choose another with --port, or leave it out\n`)
  })

  it('is the one asked for where it is free, and the next where nobody asked', async () => {
    const server = await occupied(0)
    const { port } = server.address() as AddressInfo
    await new Promise(resolve => server.close(resolve))
    const asked = await startStudio({ ...pageOptions(), port })
    expect(asked.port).toBe(port)
    const next = await startStudio(pageOptions())
    expect(next.port).not.toBe(studio.port)
    expect(next.port).not.toBe(port)
    await Promise.all([asked.close(), next.close()])
    await expect(ask('/', { to: asked })).rejects.toThrow('ECONNREFUSED')
  })
})

describe('the command', () => {
  it('refuses what it can before it starts', async () => {
    const page = ['--page', path('page'), '--no-open']
    for (const [args, code, reason] of [
      [[path('none.csv'), ...page], 1, 'there is no file'],
      [['--page', path('beside')], 1, 'npm run build'],
      [['--port', '65536', ...page], 2, 'it must be a port'],
      [['--port', 'x', ...page], 2, 'it must be a port'],
      [['--upload-limit', 'much', ...page], 2, 'a size such as 4GB'],
      [['--upload-limit', '0', ...page], 2, 'a size such as 4GB'],
    ] as const) {
      const ended = await polyad(['studio', ...args])
      expect(ended.stderr).toContain(reason)
      expect([ended.code, ended.stdout]).toEqual([code, ''])
    }
  })

  it('says the link on one line, however narrow the terminal, and how to stop it', async () => {
    const when = [signalWhen('Ctrl-C')]
    const { code, stdout, stderr } = await polyad(['studio', '--page', path('page'), '--no-open', '--upload-limit', '1.5GB'], { when, env: { COLUMNS: '40' } }) // biome-ignore format: one call
    expect(code).toBe(130)
    expect(stdout).toMatch(/^Polyad studio: http:\/\/[a-z2-7]{16}\.localhost:\d+\/\?token=[\w-]{43}\n$/)
    const { hostname } = new URL(stdout.slice('Polyad studio: '.length))
    expect(stderr.replace(/\s+/g, ' ')).toBe(
      `note: In Safari, replace ${hostname} in the link with 127.0.0.1 Press Ctrl-C to stop `,
    )
  })
})
