import type { IncomingMessage } from 'node:http'
import { OptionError } from '@polyad/core'
import { checked } from '@polyad/core/options'
import type { DialectOptions } from '../table/files/csv-dialect.ts'
import type { TableOptions } from '../table/reading/read-view.ts'
import { READING_OPTIONS } from '../table/reading/reading-options.ts'
import { RequestFault } from './request-fault.ts'

/** How a page may have a table read. Whatever is not named there is refused: queries, formats and paths above all. */
export type ReadOptions = Omit<TableOptions, 'design' | 'replicateWeights'> & DialectOptions

/** Bytes of a body of JSON: names and labels fit in many times over. */
const MOST_JSON = 1 << 20

/** The blocks of a body, up to so many bytes in all. The connection stays open, so that the refusal can be told. */
export async function* blocksOf(incoming: IncomingMessage, most: number, refusal: string): AsyncGenerator<Buffer> {
  const tooLarge = () => new RequestFault(413, refusal)
  if (Number(incoming.headers['content-length'] ?? 0) > most) throw tooLarge()
  let size = 0
  for await (const block of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += block.length
    if (size > most) throw tooLarge()
    yield block
  }
}

/** A body of JSON, of at most so many bytes. */
export const jsonBody = async (incoming: IncomingMessage, most = MOST_JSON): Promise<unknown> => {
  if (!/^application\/json\b/i.test(incoming.headers['content-type'] ?? ''))
    throw new RequestFault(415, 'the body must be application/json')
  const blocks: Buffer[] = []
  for await (const block of blocksOf(incoming, most, `a body of JSON has at most ${most} bytes`)) blocks.push(block)
  return jsonOf(Buffer.concat(blocks).toString('utf8'))
}

export interface ReadRequest {
  readonly file: string
  readonly options: ReadOptions
  /** A name by which the page asks how far the reading is. */
  readonly watch?: string
}

/** The file and the options that a body names, checked. */
export const readRequest = async (incoming: IncomingMessage): Promise<ReadRequest> => {
  const body = await jsonBody(incoming)
  const { file, options = {}, watch, ...rest } = (isObject(body) ? body : {}) as Record<string, unknown>
  if (typeof file !== 'string' || file.length > 100 || Object.keys(rest).length > 0)
    throw new RequestFault(400, 'the body must be an object with a file, and options if there are any')
  if (watch !== undefined && (typeof watch !== 'string' || !/^[0-9a-f]{1,64}$/.test(watch)))
    throw new RequestFault(400, 'watch must be a text of at most 64 hexadecimal digits')
  if (!isObject(options)) throw new OptionError('options must be an object')
  const unknown = Object.keys(options).filter(name => !Object.hasOwn(READING_OPTIONS, name))
  if (unknown.length > 0)
    throw new OptionError(`${unknown.map(name => JSON.stringify(name)).join(', ')} cannot be set by a page`)
  for (const [name, value] of Object.entries(options))
    checked(name, READING_OPTIONS[name as keyof typeof READING_OPTIONS].check, value)
  return { file, options, ...(watch !== undefined && { watch }) }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const jsonOf = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    throw new RequestFault(400, 'the body is not JSON')
  }
}
