import { readdirSync, readFileSync, statSync, unlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { decodeRead } from 'polyad/studio-wire'
import { describe, expect, it } from 'vitest'
import { startStudio } from '../packages/polyad/src/studio/server.ts'
import {
  api,
  ask,
  errorOf,
  file,
  folder,
  foldersOf,
  namedFile,
  pageOptions,
  path,
  post,
  serveStudio,
  studio,
  survey,
  tokenOf,
  until,
  upload,
} from './studio-client.ts'

serveStudio()

/** The files of a studio: those of the page, those that were named, those that are sent. */

describe('the files of the page', () => {
  it('have their types', async () => {
    const types: Record<string, string> = {
      '/': 'text/html; charset=utf-8',
      '/index.html': 'text/html; charset=utf-8',
      '/assets/main-AbCd_123.js': 'text/javascript; charset=utf-8',
      '/assets/kernel.wasm': 'application/wasm',
      '/examples/iris.csv': 'text/csv; charset=utf-8',
      '/drawing.svg': 'image/svg+xml; charset=utf-8',
      '/data.json': 'application/json; charset=utf-8',
    }
    for (const [target, type] of Object.entries(types))
      expect((await ask(target)).headers['content-type'], target).toBe(type)
  })

  it('are compressed where that is worth it, and asked for', async () => {
    const target = '/assets/main-AbCd_123.js'
    const whole = readFileSync(path('page/assets/main-AbCd_123.js'))
    const packed = await ask(target, { headers: { 'Accept-Encoding': 'gzip, br' } })
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(packed.body.length).toBeLessThan(whole.length / 5)
    expect(gunzipSync(packed.body)).toEqual(whole)
    const plain = await ask(target)
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.body).toEqual(whole)
    expect(
      (await ask('/examples/iris.csv', { headers: { 'Accept-Encoding': 'gzip' } })).headers['content-encoding'],
    ).toBeUndefined()
  })

  it.each([
    '/../beside/secret.txt',
    '/assets/../../beside/secret.txt',
    '/%2e%2e/beside/secret.txt',
    '/..%2fbeside%2fsecret.txt',
    '/%2e%2e%2fbeside%2fsecret.txt',
    '/%252e%252e%252fbeside%252fsecret.txt',
    '/..\\beside\\secret.txt',
    '/..%5cbeside%5csecret.txt',
    '/index.html%00.txt',
    '/beside/secret.txt%00.html',
    '//beside/secret.txt',
    '/./../beside/secret.txt',
    '/%c0%ae%c0%ae/beside/secret.txt',
    '/linked.txt',
    '/linked/secret.txt',
    '/assets',
    '/assets/',
    '/__proto__',
    '/%',
  ])('do not lead out of their folder: %s', async target => {
    const { status, body } = await ask(target)
    expect([400, 404]).toContain(status)
    expect(body.toString()).not.toContain('secret')
  })

  it('must have been built', async () => {
    await expect(startStudio({ page: path('beside') })).rejects.toThrow('npm run build')
  })
})

describe('the files of the user', () => {
  it('are named, and their paths are not', async () => {
    const answer = await api('/api/studio')
    const text = await answer.text()
    const { version, files, limits } = JSON.parse(text)
    expect(version).toMatch(/^\d+\.\d+\.\d+/)
    expect(files).toEqual([
      { id: expect.stringMatching(/^[\w-]{22}$/), name: 'survey.csv', size: survey.length, format: 'csv' },
    ])
    expect(limits).toEqual({ upload: 100_000, page: 100_000_000 })
    expect(text).not.toContain(path('.').slice(0, -2))
    expect(await (await api(`/api/files/${files[0].id}`)).text()).toBe(survey)
  })

  it('stay where they are', async () => {
    const answer = await api(`/api/files/${await namedFile()}`, { method: 'DELETE' })
    expect([answer.status, (await errorOf(answer)).kind]).toEqual([409, 'request'])
    expect(readFileSync(path('survey.csv'), 'utf8')).toBe(survey)
  })

  it.each(['x', '..', '%2e%2e%2fsurvey.csv', 'constructor', '%00'])(
    'are found by their id only, not by %s',
    async id => {
      const { status } = await ask(`/api/files/${id}`)
      expect(status).toBe(404)
    },
  )

  it.each([
    ['is not there', () => path('none.csv'), 'there is no file'],
    ['is a folder', () => path('beside'), 'is a folder'],
    ['is empty', () => file('empty.csv', ''), 'is empty'],
    ['is of another program', () => file('data.xls', 'PK'), 'password-protected spreadsheet'],
    ['is no plain file', () => '/dev/null', 'more than once'],
    ['is standard input', () => '-', 'standard input'],
  ])('are refused before anything is started where one %s', async (_, named, reason) => {
    const before = foldersOf(process.pid)
    await expect(startStudio({ ...pageOptions(), files: [path('survey.csv'), named()] })).rejects.toThrow(reason)
    expect(foldersOf(process.pid)).toEqual(before)
  })

  it('are one file each, whatever characters their names have', async () => {
    // As a pattern, this name would find the other file.
    file('part1.csv', 'other,columns\n1,2\n')
    const other = await startStudio({ ...pageOptions(), files: [file('part[1].csv', survey)] })
    const answer = await post('/api/read', { file: await namedFile(other) }, other)
    expect(decodeRead(new Uint8Array(await answer.arrayBuffer())).tensor.modes.map(({ name }) => name)).toEqual([
      'age',
      'vote',
    ])
    await other.close()
  })

  it('that have gone since are mentioned by name', async () => {
    const other = await startStudio({ ...pageOptions(), files: [file('gone.csv', survey)] })
    const id = await namedFile(other)
    unlinkSync(path('gone.csv'))
    for (const answer of [
      await api(`/api/files/${id}`, {}, other),
      await post('/api/read', { file: id }, other),
      await post('/api/inspect', { file: id }, other),
    ]) {
      expect(answer.status).toBe(422)
      expect(await errorOf(answer)).toEqual({ kind: 'data', message: 'there is no file gone.csv' })
    }
    await other.close()
  })
})

describe('sending a file', () => {
  const kept = () => readdirSync(folder)

  it('keeps it in a folder that nobody else may read, and gives it back', async () => {
    const answer = await upload('täbelle 1.csv', survey)
    expect(answer.status).toBe(201)
    const sent = (await answer.json()) as { id: string }
    expect(sent).toEqual({
      id: expect.stringMatching(/^[\w-]{22}$/),
      name: 'täbelle 1.csv',
      size: survey.length,
      format: 'csv',
    })
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(kept()).toHaveLength(1)
    expect(statSync(join(folder, kept()[0])).mode & 0o777).toBe(0o600)
    expect(await (await api(`/api/files/${sent.id}`)).text()).toBe(survey)
    expect((await api(`/api/files/${sent.id}`, { method: 'DELETE' })).status).toBe(204)
    expect(kept()).toEqual([])
    for (const method of ['GET', 'DELETE']) expect((await api(`/api/files/${sent.id}`, { method })).status).toBe(404)
  })

  it.each([
    ['../../x', 'x'],
    ['/etc/passwd', 'passwd'],
    ['C:\\Users\\me\\x.csv', 'x.csv'],
    ["'); DROP TABLE x; --.csv", "'); DROP TABLE x; --.csv"],
    ['two\nlines\r\n.csv', 'two lines .csv'],
    ['\u0000\u001b[31mred\u202e.csv', '[31mred .csv'],
    ['<img src=x onerror=alert(1)>.csv', '<img src=x onerror=alert(1)>.csv'],
    ['..', '..'],
    ['...///', 'data'],
    ['', 'data'],
    [`${'n'.repeat(300)}.csv`, 'n'.repeat(255)],
    ['*.csv', '*.csv'],
    ['a.csv.gz/../b.tsv', 'b.tsv'],
  ])('takes a name literally: %j', async (given, name) => {
    const answer = await upload(given, survey)
    expect(answer.status).toBe(201)
    const sent = (await answer.json()) as { id: string; name: string }
    expect(sent.name).toBe(name)
    expect(kept()).toHaveLength(1)
    expect(kept()[0]).toMatch(/^[\w-]{22}(\.[a-z0-9]+){0,2}$/)
    await api(`/api/files/${sent.id}`, { method: 'DELETE' })
  })

  it('is refused beyond the limit: by what is announced, and by what comes', async () => {
    const announced = await ask('/api/files?name=x.csv', { method: 'POST', headers: { 'Content-Length': '100001' } })
    expect(announced.status).toBe(413)
    expect(announced.body.toString()).toContain('at most 100,000 bytes')
    const blocks = new ReadableStream<Uint8Array>({
      pull: controller => controller.enqueue(new Uint8Array(10_000).fill(65)),
    })
    const unannounced = await api('/api/files?name=x.csv', { method: 'POST', body: blocks, duplex: 'half' })
    expect([unannounced.status, (await errorOf(unannounced)).kind]).toEqual([413, 'request'])
    expect(kept()).toEqual([])
    const most = await upload('x.csv', 'a'.repeat(100_000))
    expect(most.status).toBe(201)
    await api(`/api/files/${((await most.json()) as { id: string }).id}`, { method: 'DELETE' })
  })

  it('is refused where there is no room for it, before it has come', async () => {
    const other = await startStudio({ ...pageOptions(), uploadLimit: Number.MAX_SAFE_INTEGER })
    const headers = { 'Content-Length': String(Number.MAX_SAFE_INTEGER) }
    const { status, body } = await ask('/api/files?name=x.csv', { to: other, method: 'POST', headers })
    expect(status).toBe(507)
    expect(body.toString()).toContain('too little space for x.csv')
    await other.close()
  })

  it('is refused where it is empty, of another program, or without a name', async () => {
    for (const [answer, reason] of [
      [await upload('x.csv', ''), 'x.csv is empty'],
      [await upload('x.xls', 'PK'), 'x.xls is an old (.xls, .xlsb) or password-protected spreadsheet'],
      [await api('/api/files', { method: 'POST', body: survey }), 'name what is sent'],
    ] as const) {
      expect([400, 422]).toContain(answer.status)
      expect((await errorOf(answer)).message).toContain(reason)
    }
    expect(kept()).toEqual([])
  })

  it('leaves nothing where it is cut off in the middle', async () => {
    const before = kept()
    const head =
      `POST /api/files?name=x.csv HTTP/1.1\r\nHost: 127.0.0.1:${studio.port}\r\nOrigin: http://127.0.0.1:${studio.port}\r\n` +
      `Cookie: polyad-${studio.port}=${tokenOf(studio)}\r\n`
    for (const request of [
      `${head}Content-Length: 50000\r\n\r\n${'a'.repeat(20_000)}`,
      `${head}Transfer-Encoding: chunked\r\n\r\n4e20\r\n${'a'.repeat(20_000)}\r\n`,
    ]) {
      const socket = connect(studio.port, '127.0.0.1', () => socket.write(request))
      expect(await until(() => kept().length === before.length + 1)).toBe(true)
      socket.destroy()
      expect(await until(() => kept().length === before.length)).toBe(true)
    }
  })
})
