import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { type RunningStudio, type StudioOptions, startStudio } from '../packages/polyad/src/studio/server.ts'
import { testFolder } from './test-folder.ts'

let files: ReturnType<typeof testFolder>
export const path = (name: string): string => files.path(name)
export const file = (name: string, content: string | Uint8Array): string => files.file(name, content)
const faults: unknown[] = []
export let studio: RunningStudio
/** The folder of the studio's own, in which files are kept that were sent to it. */
export let folder = ''

export const foldersOf = (pid: number): string[] => readdirSync(tmpdir()).filter(name => name.includes(`-${pid}-`))

export const survey = 'age,vote,n\nyoung,yes,3\nyoung,no,5\nold,yes,2\nold,no,7\n'
export const pageOptions = (): StudioOptions => ({
  page: path('page'),
  projects: path('projects'),
  onFault: error => faults.push(error),
})

/** A studio for the tests of a file: with a page of a few files, and a table. An unexpected error fails the test. */
export const serveStudio = (options: StudioOptions = {}): void => {
  files = testFolder()
  beforeAll(async () => {
    for (const name of ['page/assets', 'page/examples', 'beside']) mkdirSync(path(name), { recursive: true })
    file(
      'page/index.html',
      '<!doctype html><title>The page</title><script type="module" src="/assets/main-AbCd_123.js"></script>',
    )
    file('page/assets/main-AbCd_123.js', `document.title = 'It runs'\n${'// filling\n'.repeat(200)}`)
    file('page/assets/kernel.wasm', new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))
    file('page/examples/iris.csv', 'a,b\n1,2\n')
    file('page/drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"></svg>')
    file('page/data.json', '{}')
    file('beside/secret.txt', 'a secret')
    symlinkSync(path('beside/secret.txt'), path('page/linked.txt'))
    symlinkSync(path('beside'), path('page/linked'))
    file('survey.csv', survey)
    const before = foldersOf(process.pid)
    studio = await startStudio({ ...pageOptions(), files: [path('survey.csv')], uploadLimit: 100_000, ...options })
    folder = join(tmpdir(), foldersOf(process.pid).find(name => !before.includes(name)) as string)
  })
  afterAll(() => studio?.close())
  afterEach(() => expect(faults.splice(0)).toEqual([]))
}

export const tokenOf = ({ url }: RunningStudio): string => new URL(url).searchParams.get('token') as string

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Sends bytes as they are, and gives what comes back until the other side closes. */
export const send = (port: number, request: string | Buffer): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const blocks: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    socket.on('data', block => blocks.push(block)).on('error', reject)
    socket.on('close', () => resolve(answerOf(Buffer.concat(blocks))))
  })

const answerOf = (bytes: Buffer): Answer => {
  const end = bytes.indexOf('\r\n\r\n')
  const [first, ...lines] = bytes.subarray(0, end).toString().split('\r\n')
  const headers = Object.fromEntries(
    lines.map(line => [line.split(':')[0].toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  )
  return { status: Number(first?.split(' ')[1]), headers, body: bytes.subarray(end + 4) }
}

export interface Asked {
  readonly to?: RunningStudio
  readonly method?: string
  readonly host?: string
  readonly cookie?: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

/** A request as a browser would make it, but for what is said otherwise. */
export const ask = (target: string, asked: Asked = {}): Promise<Answer> => {
  const { to = studio, method = 'GET', body = '' } = asked
  const host = asked.host ?? `127.0.0.1:${to.port}`
  const cookie = asked.cookie === undefined ? `polyad-${to.port}=${tokenOf(to)}` : asked.cookie
  const headers = {
    Host: host,
    ...(cookie === null ? {} : { Cookie: cookie }),
    ...(method === 'GET' ? {} : { Origin: `http://${host}`, 'Content-Length': String(Buffer.byteLength(body)) }),
    Connection: 'close',
    ...asked.headers,
  }
  const lines = Object.entries(headers).flatMap(([name, value]) => (value === '' ? [] : `${name}: ${value}\r\n`))
  return send(
    to.port,
    Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`), Buffer.from(body)]),
  )
}

/** A request of the page, with `fetch`. */
export const api = (target: string, init: RequestInit & { duplex?: 'half' } = {}, to = studio): Promise<Response> => {
  const origin = `http://127.0.0.1:${to.port}`
  const headers = { Cookie: `polyad-${to.port}=${tokenOf(to)}`, Origin: origin, Connection: 'close', ...init.headers }
  return fetch(`${origin}${target}`, { ...init, headers })
}

export const post = (target: string, body: unknown, to = studio): Promise<Response> =>
  api(target, { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }, to)

export const upload = (name: string, body: string | Uint8Array<ArrayBuffer>): Promise<Response> =>
  api(`/api/files?name=${encodeURIComponent(name)}`, { method: 'POST', body })

export const errorOf = async (answer: Response): Promise<{ kind: string; message: string; place?: object }> =>
  ((await answer.json()) as { error: { kind: string; message: string } }).error

export const namedFile = async (to = studio): Promise<string> =>
  ((await (await api('/api/studio', {}, to)).json()) as { files: { id: string }[] }).files[0].id

export const until = async (holds: () => boolean | Promise<boolean>, seconds = 20): Promise<boolean> => {
  for (let i = 0; i < seconds * 20 && !(await holds()); i++) await wait(50)
  return holds()
}
