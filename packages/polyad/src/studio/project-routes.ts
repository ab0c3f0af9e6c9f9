import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import { DataError } from '@polyad/core'
import { reader } from '@polyad/core/options'
import { Hono } from 'hono'
import { grouped } from '../table/values/note.ts'
import type { DataFiles } from './data-files.ts'
import type { Change, ProjectFolder } from './project-folder.ts'
import { type KeptData, LONGEST_NAME, name, part, parts, whole } from './project-head.ts'
import type { Keeping } from './project-keeping.ts'
import { shownFolder } from './project-place.ts'
import { RequestFault } from './request-fault.ts'
import { blocksOf, bodyAs, jsonBody } from './requests.ts'
import { sendBytes } from './send-bytes.ts'

/** Bytes of what was chosen in a project: settings, and names of labels at most. */
const MOST_DESCRIPTION = 1 << 26

/** The requests about projects. Bodies are checked here, the folder checks ids. */
export const projectRoutes = (
  keeping: Keeping,
  files: DataFiles,
  uploadLimit: number,
): Hono<{ Bindings: HttpBindings }> => {
  const app = new Hono<{ Bindings: HttpBindings }>()

  app.get('/', async c => {
    if ('reason' in keeping) return c.json({ kept: false, reason: keeping.reason, projects: [] })
    const { folder } = keeping
    return c.json({ kept: true, folder: shownFolder(folder.root), projects: await folder.list() })
  })

  /** The folder, or a refusal: a studio that keeps nothing does so whatever a page asks. */
  const kept = (): ProjectFolder => {
    if ('reason' in keeping) throw new RequestFault(409, 'this studio does not store projects')
    return keeping.folder
  }

  app.post('/', async c => c.json({ id: await kept().create() }, 201))

  app.get('/:id', async c => {
    const [folder, id] = [kept(), c.req.param('id')]
    const { revision, head } = await folder.read(id)
    if (head === null) throw new RequestFault(404, 'nothing has been saved in this project')
    const { name, fits, models, data } = head
    const description = await folder.description(id, head)
    return c.json({ revision, name, description, fits, models, data: await lent(folder, files, id, data) })
  })

  app.get('/:id/revision', async c => {
    const { revision, head } = await kept().read(c.req.param('id'))
    return c.json({ revision, writer: head?.writer ?? null })
  })

  app.post('/:id', async c => {
    const [folder, id] = [kept(), c.req.param('id')]
    const change = await changeOf(await jsonBody(c.env.incoming, MOST_DESCRIPTION), folder, files, id)
    return c.json({ revision: await folder.save(id, change) })
  })

  app.post('/:id/name', async c => {
    const { name, title } = bodyAs('a name of a project', naming, await jsonBody(c.env.incoming))
    return c.json({ revision: await kept().rename(c.req.param('id'), name, title) })
  })

  const limit = `a part of a project has at most ${grouped(uploadLimit)} bytes (--upload-limit)`

  app.post('/:id/parts', async c => {
    const { incoming } = c.env
    const blocks = blocksOf(incoming, uploadLimit, limit)
    return c.json({ part: await kept().addPart(c.req.param('id'), blocks, lengthOf(incoming)) }, 201)
  })

  app.post('/:id/checkpoint', async c => {
    const { incoming } = c.env
    await kept().keepCheckpoint(c.req.param('id'), blocksOf(incoming, uploadLimit, limit), lengthOf(incoming))
    return c.body(null, 204)
  })

  app.get('/:id/checkpoint', async c => {
    const found = await kept().checkpoint(c.req.param('id'))
    return found === undefined ? c.body(null, 204) : sendBytes(found.path, found.bytes, c)
  })

  app.delete('/:id/checkpoint', async c => {
    await kept().dropCheckpoint(c.req.param('id'))
    return c.body(null, 204)
  })

  app.get('/:id/parts/:part', async c => {
    const { path, bytes } = await kept().partPath(c.req.param('id'), c.req.param('part'))
    return sendBytes(path, bytes, c)
  })

  app.delete('/:id', async c => {
    await kept().remove(c.req.param('id'))
    return c.body(null, 204)
  })

  return app
}

const lengthOf = ({ headers }: IncomingMessage): number => Number(headers['content-length'] ?? 0)

const { fields, optional, orNull, text } = reader

const naming = fields({ name: orNull(name), title: name })

const change = fields({
  revision: whole,
  sequence: whole,
  writer: text(64),
  name: orNull(name),
  title: name,
  description: text(MOST_DESCRIPTION),
  results: optional(fields({ fits: orNull(part), models: parts })),
  // What the page has sent as a part, or a file that the studio has.
  data: optional(orNull(reader.either(fields({ part, name }), fields({ file: name })))),
})

/** A change from a body. */
const changeOf = async (body: unknown, folder: ProjectFolder, files: DataFiles, id: string): Promise<Change> => {
  const { results, data, ...rest } = bodyAs('a project', change, body)
  return {
    ...rest,
    ...(results !== undefined && { results: { ...results, count: results.models.length } }),
    ...(data !== undefined && { data: data === null ? null : await dataOf(data, folder, files, id) }),
  }
}

/** Data that is kept with a project. A file of the user stays where it is. */
const dataOf = async (
  value: { readonly part: string; readonly name: string } | { readonly file: string },
  folder: ProjectFolder,
  files: DataFiles,
  id: string,
): Promise<KeptData> => {
  if ('part' in value) return { ...value, bytes: await folder.partSize(id, value.part), served: false }
  const { name: given, path, uploaded, lentFrom } = files.get(value.file)
  const name = given.slice(0, LONGEST_NAME)
  const { size: bytes, mtimeMs: modified } = await stat(path)
  const own = lentFrom === undefined ? undefined : folder.partAt(id, lentFrom)
  if (own !== undefined) return { name, part: own, bytes, served: true }
  if (!uploaded && !folder.holds(lentFrom ?? path)) return { name, path: lentFrom ?? path, bytes, modified }
  return { name, part: await folder.addPart(id, createReadStream(path), bytes), bytes, served: true }
}

/** What the page is told of the data: a part to fetch, or the id of a file that the studio reads for it. */
const lent = async (
  folder: ProjectFolder,
  files: DataFiles,
  id: string,
  data: KeptData | null,
): Promise<object | null> => {
  if (data === null) return null
  const { name, bytes } = data
  if ('part' in data && !data.served) return { name, bytes, part: data.part }
  try {
    if ('part' in data)
      return { name, bytes, file: await files.lend((await folder.partPath(id, data.part)).path, name) }
    const { size, mtimeMs } = await stat(data.path)
    if (size !== data.bytes || mtimeMs !== data.modified)
      throw new DataError(`${name} has changed since the project was saved: open it again`)
    return { name, bytes, file: await files.lend(data.path, name) }
  } catch (error) {
    const missing = error instanceof DataError ? error.message : `${name} is no longer where it was: open it again`
    return { name, bytes, missing }
  }
}
