import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ProjectFolder } from '../packages/polyad/src/studio/project-folder.ts'
import { projectsFolder, reasonAgainst, shownFolder } from '../packages/polyad/src/studio/project-place.ts'
import { type RunningStudio, startStudio } from '../packages/polyad/src/studio/server.ts'
import {
  api,
  ask,
  errorOf,
  file,
  namedFile,
  pageOptions,
  path,
  post,
  serveStudio,
  studio,
  survey,
} from './studio-client.ts'

serveStudio()

/** Projects that the server keeps: saved, listed, opened and removed; and whatever can go wrong with a folder. */

const json = async <T>(answer: Response | Promise<Response>): Promise<T> => (await (await answer).json()) as T
const create = async (to = studio) => (await json<{ id: string }>(post('/api/projects', {}, to))).id
const sendPart = async (id: string, body: string | Uint8Array<ArrayBuffer>, to = studio) =>
  (await json<{ part: string }>(api(`/api/projects/${id}/parts`, { method: 'POST', body }, to))).part

let sequence = 0
const change = (more: object = {}) => ({
  ...{ revision: 0, writer: 'tab', sequence: ++sequence, name: null, title: 'survey', description: '{"a":1}' },
  ...more,
})
const save = (id: string, more: object = {}, to = studio) => post(`/api/projects/${id}`, change(more), to)
const kept = async (more: object = {}, to = studio) => {
  const id = await create(to)
  expect((await save(id, more, to)).status).toBe(200)
  return id
}

interface Listed {
  readonly id: string
  readonly title?: string
  readonly fitted?: number
  readonly bytes?: number
  readonly damaged?: string
}
const listed = async (to = studio) => (await json<{ projects: Listed[] }>(api('/api/projects', {}, to))).projects
const entry = async (id: string) => (await listed()).find(each => each.id === id)
const opened = (id: string, to = studio) =>
  json<{ revision: number; description: string; data: { part?: string; file?: string; missing?: string } | null }>(
    api(`/api/projects/${id}`, {}, to),
  )
const place = (id: string, ...more: string[]) => join(path('projects'), id, ...more)

describe('a project', () => {
  it('is saved in parts, listed, opened and removed', async () => {
    const id = await create()
    // Nothing is saved in it yet: a list does not show it.
    expect(await entry(id)).toBeUndefined()
    const [data, fits, model] = [await sendPart(id, survey), await sendPart(id, '{}'), await sendPart(id, 'model')]
    const answer = await save(id, { data: { part: data, name: 'survey.csv' }, results: { fits, models: [model] } })
    expect(await json(answer)).toEqual({ revision: 1 })
    expect(await entry(id)).toMatchObject({
      ...{ revision: 1, name: null, title: 'survey', fitted: 1, data: 'survey.csv' },
      bytes: survey.length + 2 + 5 + 7,
      saved: expect.stringMatching(/^20\d\d-/),
    })
    expect(await opened(id)).toMatchObject({ revision: 1, description: '{"a":1}', fits, models: [model] })
    const bytes = await api(`/api/projects/${id}/parts/${data}`)
    expect(await bytes.text()).toBe(survey)
    expect((await api(`/api/projects/${id}`, { method: 'DELETE' })).status).toBe(204)
    expect(existsSync(place(id))).toBe(false)
    expect(await entry(id)).toBeUndefined()
    expect((await api(`/api/projects/${id}`)).status).toBe(404)
  })

  it('keeps its data where it is when something else changes, and drops what it no longer needs', async () => {
    const id = await create()
    const data = await sendPart(id, survey)
    await save(id, { data: { part: data, name: 'survey.csv' } })
    const { ino } = statSync(place(id, data))
    expect(await json(save(id, { revision: 1, description: '{"a":2}' }))).toEqual({ revision: 2 })
    expect(statSync(place(id, data)).ino).toBe(ino)
    expect((await opened(id)).description).toBe('{"a":2}')
    // One description, the data, one revision.
    expect(readdirSync(place(id))).toHaveLength(3)
    const other = await sendPart(id, 'a,b\n1,2\n')
    await save(id, { revision: 2, data: { part: other, name: 'other.csv' } })
    expect(existsSync(place(id, data))).toBe(false)
    await save(id, { revision: 3, data: null })
    expect(readdirSync(place(id))).toHaveLength(2)
  })

  it('is for its owner alone', async () => {
    const id = await create()
    await save(id, { data: { part: await sendPart(id, survey), name: 'survey.csv' } })
    const mode = (name: string) => (statSync(name).mode & 0o777).toString(8)
    expect([mode(path('projects')), mode(place(id)), mode(place(id, 'r1'))]).toEqual(['700', '700', '700'])
    for (const name of readdirSync(place(id), { recursive: true, encoding: 'utf8' }))
      if (statSync(place(id, name)).isFile()) expect(mode(place(id, name))).toBe('600')
  })

  it('is renamed without being sent again, also if it is open elsewhere', async () => {
    const id = await kept({ writer: 'one' })
    expect(await json(post(`/api/projects/${id}/name`, { name: 'Forest', title: 'Forest' }))).toEqual({ revision: 2 })
    expect(await entry(id)).toMatchObject({ name: 'Forest', title: 'Forest' })
    // The tab that saved it last goes on.
    expect((await save(id, { writer: 'one', revision: 1, name: 'Forest' })).status).toBe(200)
  })
})

describe('two tabs', () => {
  it('do not write over each other: who does not know the present revision is refused', async () => {
    const id = await kept({ writer: 'one' })
    expect((await save(id, { writer: 'two', revision: 1, description: '{"by":2}' })).status).toBe(200)
    const refused = await save(id, { writer: 'one', revision: 1, description: '{"by":1}' })
    expect([refused.status, (await errorOf(refused)).message]).toEqual([409, 'this project was saved in another tab'])
    expect((await opened(id)).description).toBe('{"by":2}')
    expect(await json(api(`/api/projects/${id}/revision`))).toEqual({ revision: 2, writer: 'two' })
    // One that knows it, and means it, may.
    expect((await save(id, { writer: 'one', revision: 2, description: '{"by":1}' })).status).toBe(200)
  })

  it('a tab does not conflict with itself, whichever of its writings arrives first', async () => {
    const id = await kept({ writer: 'one', sequence: 1 })
    // The answer to the second was lost; the third is sent with the revision of the first. Then the second arrives again.
    const again = (n: number) => save(id, { writer: 'one', revision: 1, sequence: n, description: `{"n":${n}}` })
    expect([(await again(2)).status, (await again(3)).status, (await again(2)).status]).toEqual([200, 200, 409])
    expect((await opened(id)).description).toBe('{"n":3}')
  })

  it('of many that write at once, in two studios, exactly one is let in each time', async () => {
    const other = await startStudio(pageOptions())
    const id = await kept({ writer: 'first' })
    for (let revision = 1; revision <= 5; revision++) {
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, i) =>
          save(id, { revision, writer: `tab ${i}`, description: `"${i}"` }, i % 2 === 0 ? studio : other),
        ),
      )
      const won = answers.flatMap(({ status }, i) => (status === 200 ? [i] : []))
      expect(won).toHaveLength(1)
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(7)
      expect(await opened(id)).toMatchObject({ revision: revision + 1, description: `"${won[0]}"` })
    }
    // Nothing of those that were refused is left.
    expect(readdirSync(place(id))).toHaveLength(2)
    await other.close()
  })
})

describe('the folder', () => {
  it('is found by another studio, which has another port', async () => {
    const id = await kept({ title: 'of the first' })
    const other = await startStudio(pageOptions())
    expect((await listed(other)).find(each => each.id === id)).toMatchObject({ title: 'of the first' })
    await other.close()
  })

  it.each([
    ['..', '%2e%2e'],
    ['a path', '..%2f..%2fetc%2fpasswd'],
    ['a path of Windows', '..%5c..%5csecret'],
    ['capitals', 'A'.repeat(32)],
    ['one digit too many', 'a'.repeat(33)],
    ['a zero byte', `${'a'.repeat(31)}%00`],
    ['a hidden folder', '.removed-0011223344556677'],
    ['nothing of the kind', '__proto__'],
  ])('is not left by an id that is %s', async (_, id) => {
    const before = readdirSync(path('.'))
    for (const [method, target, body] of [
      ['GET', `/api/projects/${id}`, ''],
      ['DELETE', `/api/projects/${id}`, ''],
      ['POST', `/api/projects/${id}`, JSON.stringify(change())],
      ['POST', `/api/projects/${id}/parts`, 'bytes'],
    ]) {
      const headers = { 'Content-Type': 'application/json' }
      const { status } = await ask(target, { method, headers, body })
      expect([404, 405]).toContain(status)
    }
    expect(readdirSync(path('.'))).toEqual(before)
  })

  it('gives no file that is not a part, and no part of another project', async () => {
    const [id, other] = [await create(), await create()]
    const part = await sendPart(other, 'of another')
    for (const name of [part, 'r1', 'r1%2fproject.json', '..%2fsurvey.csv', `..%2f${other}%2f${part}`])
      expect((await api(`/api/projects/${id}/parts/${name}`)).status).toBe(404)
    expect((await save(id, { data: { part, name: 'x.csv' } })).status).toBe(404)
    expect((await save(id, { results: { fits: part, models: [] } })).status).toBe(422)
    expect(await entry(id)).toBeUndefined()
  })

  it.each([
    ['a text for the revision', { revision: '0' }],
    ['a revision below nothing', { revision: -1 }],
    ['a name that is too long', { name: 'x'.repeat(501) }],
    ['a path as the data', { data: { path: '/etc/passwd', name: 'x', bytes: 1, modified: 1 } }],
    ['a path as a part', { data: { part: '../../x', name: 'x' } }],
    ['too many models', { results: { fits: null, models: Array(201).fill(`${'0'.repeat(32)}.${'0'.repeat(64)}`) } }],
    ['no description', { description: { a: 1 } }],
  ])('takes nothing with %s', async (_, wrong) => {
    const id = await create()
    expect((await save(id, wrong)).status).toBe(400)
    expect(readdirSync(place(id))).toEqual([])
  })

  it('takes no part that is too large, and nothing of it stays', async () => {
    const id = await create()
    const refused = await api(`/api/projects/${id}/parts`, { method: 'POST', body: 'x'.repeat(100_001) })
    expect([refused.status, (await errorOf(refused)).message]).toEqual([
      413,
      'a part of a project has at most 100,000 bytes (--upload-limit)',
    ])
    expect(readdirSync(place(id))).toEqual([])
  })

  it('keeps preferences with the projects, and only what it knows', async () => {
    const preferences = async () => (await json<{ preferences: unknown }>(api('/api/studio'))).preferences
    expect(await preferences()).toBeNull()
    expect((await post('/api/preferences', { theme: 'dark' })).status).toBe(204)
    expect(await preferences()).toEqual({ theme: 'dark' })
    for (const body of [{ theme: 'pink' }, { theme: 'dark', more: 1 }, [], null, 'dark'])
      expect((await post('/api/preferences', body as object)).status).toBe(400)
    expect(await preferences()).toEqual({ theme: 'dark' })
    const file = join(studio.projects as string, 'preferences.json')
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
    writeFileSync(file, '{"theme":')
    expect(await preferences()).toBeNull()
    rmSync(file)
  })

  it('needs the token, as everything does', async () => {
    const id = await kept()
    for (const [
      method,
      target,
    ] of [['GET', ''], ['POST', ''], ['GET', `/${id}`], ['DELETE', `/${id}`], ['POST', `/${id}/parts`]]) // biome-ignore format: pairs
      expect((await ask(`/api/projects${target}`, { method, cookie: null })).status).toBe(403)
    expect(await entry(id)).toBeDefined()
  })

  it('lists a project that is damaged as damaged, and removes it', async () => {
    const damage: [string, (id: string) => void][] = [
      ['its description is damaged', id => writeFileSync(place(id, 'r1', 'project.json'), '{"format":"polya')],
      ['it is not a project', id => writeFileSync(place(id, 'r1', 'project.json'), '[]')],
      ['another version', id => rewrite(id, text => text.replace('"version": 1', '"version": 2'))],
      [
        'its description is damaged',
        id => rewrite(id, text => text.replace(/"description": "/, '"description": "../')),
      ],
      ['it cannot be read', id => writeFileSync(place(id, 'r1', 'project.json'), 'x'.repeat(2 ** 20 + 1))],
      ['it cannot be read', id => rmSync(place(id, 'r1', 'project.json'))],
    ]
    const rewrite = (id: string, how: (text: string) => string) => {
      const name = place(id, 'r1', 'project.json')
      writeFileSync(name, how(readFileSync(name, 'utf8')))
    }
    const [whole, ...ids] = [await kept(), ...(await Promise.all(damage.map(() => kept())))]
    damage.forEach(([, harm], i) => void harm(ids[i]))
    for (const [i, [words]] of damage.entries()) {
      expect((await entry(ids[i]))?.damaged).toContain(words)
      const answer = await api(`/api/projects/${ids[i]}`)
      expect([answer.status, (await errorOf(answer)).message]).toEqual([422, expect.stringContaining('damaged')])
      expect((await api(`/api/projects/${ids[i]}`, { method: 'DELETE' })).status).toBe(204)
    }
    expect(await entry(whole)).toMatchObject({ title: 'survey' })
    expect((await listed()).map(({ id }) => id)).not.toEqual(expect.arrayContaining(ids))
  })

  it('does not hand out a part that is not as it was written', async () => {
    const id = await create()
    const part = await sendPart(id, survey)
    await save(id, { data: { part, name: 'survey.csv' } })
    writeFileSync(place(id, part), survey.replace('young', 'YOUNG'))
    const answer = await api(`/api/projects/${id}/parts/${part}`)
    expect([answer.status, (await errorOf(answer)).message]).toEqual([
      422,
      'this project is damaged: a part of it is not as it was written',
    ])
  })

  it('is as before after a kill between writing and renaming; what was left goes later', async () => {
    const id = await kept({ description: '"before"' })
    mkdirSync(place(id, '.new-0011223344556677'))
    writeFileSync(place(id, '.new-0011223344556677', 'project.json'), '{"half":')
    writeFileSync(place(id, '.part-00'), 'half')
    expect(await opened(id)).toMatchObject({ revision: 1, description: '"before"' })
    expect((await save(id, { revision: 1, description: '"after"' })).status).toBe(200)
    // Another process may be writing them.
    expect(existsSync(place(id, '.part-00'))).toBe(true)
    const yesterday = Date.now() / 1000 - 25 * 3600
    for (const name of ['.part-00', '.new-0011223344556677']) utimesSync(place(id, name), yesterday, yesterday)
    expect((await save(id, { revision: 2 })).status).toBe(200)
    expect(readdirSync(place(id)).filter(name => name.startsWith('.'))).toEqual([])
    // A kill after the new revision, before the old one was removed: the new one counts.
    renameSync(place(id, 'r3'), place(id, 'r4'))
    mkdirSync(place(id, 'r3'))
    writeFileSync(place(id, 'r3', 'project.json'), 'old')
    expect((await opened(id)).revision).toBe(4)
  })

  it('that is full says so, and the version before stays', async () => {
    const id = await kept({ description: '"before"' })
    const full = new ProjectFolder(path('projects'), async () => 3)
    const sent = async function* () {
      yield Buffer.from('more')
    }
    const words = /is full: free some space$/
    await expect(full.addPart(id, sent(), 4)).rejects.toMatchObject({
      status: 507,
      message: expect.stringMatching(words),
    })
    await expect(full.save(id, change({ revision: 1, description: '"after"' }))).rejects.toThrow(words)
    const broken = async function* () {
      yield Buffer.from('half')
      throw Object.assign(new Error('write'), { code: 'ENOSPC' })
    }
    await expect(full.addPart(id, broken(), 0)).rejects.toThrow(words)
    expect((await opened(id)).description).toBe('"before"')
    expect(readdirSync(place(id))).toHaveLength(2)
  })

  it.skipIf(process.getuid?.() === 0)('that cannot be written to is said once, and nothing is kept', async () => {
    mkdirSync(path('closed'), { mode: 0o500 })
    const other = await startStudio({ ...pageOptions(), projects: join(path('closed'), 'projects') })
    expect(other.projects).toBeNull()
    expect(await json(api('/api/projects', {}, other))).toMatchObject({
      kept: false,
      reason: expect.stringContaining('cannot be written'),
    })
    await other.close()
    chmodSync(path('closed'), 0o700)
  })

  it('that is a file, or open to everybody, is not used', async () => {
    expect(reasonAgainst(join(file('a file', ''), 'projects'))).toContain('is not a folder')
    mkdirSync(path('open'))
    chmodSync(path('open'), 0o777)
    expect(reasonAgainst(path('open'))).toContain('every user of this machine can write')
    const other = await startStudio({ ...pageOptions(), projects: path('a file') })
    expect(other.projects).toBeNull()
    expect(await json(api('/api/projects', {}, other))).toMatchObject({ kept: false, projects: [] })
    expect((await post('/api/projects', {}, other)).status).toBe(409)
    await other.close()
  })

  it('is not even made by a studio that keeps nothing, or in which nothing was saved', async () => {
    const nowhere = { ...pageOptions(), projects: path('nowhere') }
    const studios: RunningStudio[] = [await startStudio({ ...nowhere, keepNothing: true }), await startStudio(nowhere)]
    for (const to of studios) await listed(to)
    expect((await post('/api/projects', {}, studios[0])).status).toBe(409)
    for (const to of studios) await to.close()
    expect(existsSync(path('nowhere'))).toBe(false)
  })

  it('is where each system keeps the data of programs', () => {
    expect(projectsFolder('linux', {}, '/home/ann')).toBe('/home/ann/.local/share/polyad/projects')
    expect(projectsFolder('linux', { XDG_DATA_HOME: '/data' }, '/home/ann')).toBe('/data/polyad/projects')
    expect(projectsFolder('linux', { XDG_DATA_HOME: 'data' }, '/home/ann')).toBe(
      '/home/ann/.local/share/polyad/projects',
    )
    expect(projectsFolder('darwin', {}, '/Users/ann')).toBe('/Users/ann/Library/Application Support/Polyad/projects')
    expect(shownFolder('/home/ann/x/y', '/home/ann')).toBe('~/x/y')
    expect(shownFolder('/home/anna/x', '/home/ann')).toBe('/home/anna/x')
  })
})

describe('data that the server reads', () => {
  it('of a file that was named stays where it is, and is read again unless it has changed', async () => {
    const large = file('large.csv', survey)
    const first = await startStudio({ ...pageOptions(), files: [large] })
    const id = await kept({ data: { file: await namedFile(first) } }, first)
    expect((await listed(first)).find(each => each.id === id)?.bytes).toBe(7)
    await first.close()
    const read = async () => {
      const again = await startStudio(pageOptions())
      const { data } = await opened(id, again)
      const answer =
        data?.file === undefined
          ? data?.missing
          : (await json<{ rows: number }>(post('/api/inspect', { file: data.file }, again))).rows
      const { files } = await json<{ files: unknown[] }>(api('/api/studio', {}, again))
      expect(files).toEqual([])
      await again.close()
      return answer
    }
    expect(await read()).toBe(4)
    writeFileSync(large, `${survey}old,no,1\n`)
    expect(await read()).toBe('large.csv has changed since the project was saved: open it again')
    rmSync(large)
    expect(await read()).toBe('large.csv is no longer where it was: open it again')
  })

  it('of a file that was sent is copied, and stays when it is saved again', async () => {
    const sent = await json<{ id: string }>(api('/api/files?name=sent.csv', { method: 'POST', body: survey }))
    const id = await kept({ data: { file: sent.id } })
    const other = await startStudio(pageOptions())
    const { revision, data } = await opened(id, other)
    expect(await json(post('/api/inspect', { file: data?.file }, other))).toMatchObject({ rows: 4 })
    expect((await save(id, { revision, writer: 'two', data: { file: data?.file } }, other)).status).toBe(200)
    // Another project of the same data has its own.
    const copy = await kept({ data: { file: data?.file } }, other)
    await other.close()
    await api(`/api/projects/${id}`, { method: 'DELETE' })
    const again = (await opened(copy)).data
    expect(await json(post('/api/inspect', { file: again?.file }))).toMatchObject({ rows: 4 })
  })
})
