import { serverWords } from '../../worker/server.ts'
import {
  CONFLICT,
  type ProjectChange,
  type ProjectEntry,
  type ProjectStore,
  REMOVED,
  StoreFault,
} from './project-store.ts'

/** Projects that the server of the studio keeps, in a folder of the user. Nothing of them is in the browser. */

interface Answered {
  readonly kept: boolean
  readonly reason?: string
  readonly folder?: string
  readonly projects: readonly ProjectEntry[]
}

/** The data of a project, as the server tells of it: a part to fetch, or a file that it reads for the page. */
type AnsweredData = { readonly part: string } | { readonly file: string } | { readonly missing: string }

interface AnsweredProject {
  readonly revision: number
  readonly name: string | null
  readonly description: string
  readonly fits: string | null
  readonly models: readonly string[]
  readonly data: AnsweredData | null
}

/** A browser finishes a request of a page that is gone if it has fewer bytes than this. */
const MOST_AT_LAST = 60_000
/** Longer names than this the server does not keep. */
const LONGEST_NAME = 500
/** A part may go while a project is read, since another tab saves it. */
const TRIES = 3

const at = (path: string): URL => new URL(`./api/projects${path}`, document.baseURI)
const JSON_BODY = { 'content-type': 'application/json' }

const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
  const answer = await fetch(at(path), init).catch(() => {
    throw new StoreFault('other', 'the studio does not answer. It may have been closed')
  })
  if (answer.ok) return answer
  if (answer.status === 409) throw new StoreFault('conflict', CONFLICT)
  if (answer.status === 404) throw new StoreFault('removed', REMOVED)
  throw new StoreFault('other', await serverWords(answer))
}

const post = async <T>(path: string, body: unknown): Promise<T> =>
  (await ask(path, { method: 'POST', headers: JSON_BODY, body: JSON.stringify(body) })).json()

const bytesOf = async (path: string): Promise<Uint8Array> => new Uint8Array(await (await ask(path)).arrayBuffer())

/** Sends bytes once; what they are called from then on. */
const sendPart = async (id: string, bytes: Uint8Array | string): Promise<string> => {
  const body = new Blob([bytes as BlobPart])
  return ((await (await ask(`/${id}/parts`, { method: 'POST', body })).json()) as { part: string }).part
}

/** A change as it is sent, without data and results. */
const bodyOf = ({ revision, writer, sequence, name, title, description }: ProjectChange) => ({
  revision,
  writer,
  sequence,
  name: name?.slice(0, LONGEST_NAME) ?? null,
  title: title.slice(0, LONGEST_NAME),
  description: JSON.stringify(description),
})

const readParts = async (id: string) => {
  const project = (await (await ask(`/${id}`)).json()) as AnsweredProject
  const { revision, name, fits, models, data } = project
  const part = (each: string) => bytesOf(`/${id}/parts/${each}`)
  const described = JSON.parse(project.description) as { readonly file?: object | null }
  // The studio that keeps a file for the page may be another one than last time.
  const served = data !== null && 'file' in data
  const description = served ? { ...described, file: { ...described.file, id: data.file } } : described
  const parts = {
    description,
    fits: fits === null ? null : JSON.parse(new TextDecoder().decode(await part(fits))),
    models: await Promise.all(models.map(part)),
    data: data !== null && 'part' in data ? await part(data.part) : null,
  }
  return { revision, name, parts, ...(data !== null && 'missing' in data && { lost: data.missing }) }
}

const serverStore = (folder: string): ProjectStore => ({
  place: `in ${folder}`,
  list: async () => ((await (await ask('')).json()) as Answered).projects,
  create: async () => (await post<{ id: string }>('', {})).id,
  open: async id => {
    for (let tries = 1; ; tries++) {
      try {
        return await readParts(id)
      } catch (error) {
        if (tries === TRIES || (error as StoreFault).kind !== 'removed') throw error
      }
    }
  },
  save: async (id, change) => {
    const { data, results } = change
    const sent = {
      ...bodyOf(change),
      ...(results !== undefined && {
        results: {
          fits: results.fits === null ? null : await sendPart(id, JSON.stringify(results.fits)),
          models: await Promise.all(results.models.map(model => sendPart(id, model))),
        },
      }),
      ...(data === null && { data }),
      ...(data?.from === 'server' && { data: { file: data.id } }),
      ...(data?.from === 'bytes' && {
        data: { part: await sendPart(id, data.bytes), name: data.name.slice(0, LONGEST_NAME) },
      }),
    }
    return (await post<{ revision: number }>(`/${id}`, sent)).revision
  },
  saveAtLast: (id, change) => {
    const body = JSON.stringify(bodyOf(change))
    const keepalive = body.length < MOST_AT_LAST
    fetch(at(`/${id}`), { method: 'POST', headers: JSON_BODY, body, keepalive }).catch(() => {})
  },
  revision: async id => (await ask(`/${id}/revision`)).json(),
  rename: async (id, name, title) =>
    (await post<{ revision: number }>(`/${id}/name`, { name, title: title.slice(0, LONGEST_NAME) })).revision,
  keepCheckpoint: async (id, bytes) =>
    void (await ask(
      `/${id}/checkpoint`,
      bytes === null ? { method: 'DELETE' } : { method: 'POST', body: new Blob([bytes as BlobPart]) },
    )),
  checkpoint: async id => {
    const answer = await ask(`/${id}/checkpoint`)
    return answer.status === 204 ? null : new Uint8Array(await answer.arrayBuffer())
  },
  remove: async id => void (await ask(`/${id}`, { method: 'DELETE' })),
})

/** The store of the server; a text, the reason, if it keeps nothing. */
export const openServerStore = async (): Promise<ProjectStore | string> => {
  const { kept, reason = '', folder = '' } = (await (await ask('')).json()) as Answered
  return kept ? serverStore(folder) : reason
}
