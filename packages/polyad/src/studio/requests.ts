import type { IncomingMessage } from 'node:http'
import { DataError, OptionError } from '@polyad/core'
import { checked, type Read, reader } from '@polyad/core/options'
import type { DialectOptions } from '../table/files/csv-dialect.ts'
import type { TableOptions } from '../table/reading/read-view.ts'
import { DESIGN_OPTION, READING_OPTIONS } from '../table/reading/reading-options.ts'
import { RequestFault } from './request-fault.ts'

/** How a page may have a table read. Whatever is not named there is refused: queries, formats and paths above all. */
export type ReadOptions = Omit<TableOptions, 'replicateWeights'> & DialectOptions

/** What a page can say of how a table is read. */
const OPTIONS = { ...READING_OPTIONS, design: DESIGN_OPTION }

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

/** A body as a reader wants it. @param what it should be */
export const bodyAs = <T>(what: string, read: Read<T>, body: unknown): T => {
  try {
    return read(body, '')
  } catch (error) {
    if (!(error instanceof DataError)) throw error
    throw new RequestFault(
      400,
      `the body is not ${what} (${error.message}): the page may be from another version; reload it`,
    )
  }
}

export interface ReadRequest {
  readonly file: string
  readonly options: ReadOptions
  /** A name by which the page asks how far the reading is. */
  readonly watch?: string
}

const WATCH = {
  rule: 'a text of at most 64 hexadecimal digits',
  allows: (value: unknown) => typeof value === 'string' && /^[0-9a-f]{1,64}$/.test(value),
}

const request = reader.onlyFields<Omit<ReadRequest, 'options'> & { readonly options?: object }>({
  file: reader.text(100),
  options: reader.optional(reader.object),
  watch: reader.optional(reader.by(WATCH)),
})

/** The file and the options that a body names, checked. */
export const readRequest = async (incoming: IncomingMessage): Promise<ReadRequest> => {
  const { options = {}, ...rest } = bodyAs('a file to read', request, await jsonBody(incoming))
  const unknown = Object.keys(options).filter(name => !Object.hasOwn(OPTIONS, name))
  if (unknown.length > 0)
    throw new OptionError(`${unknown.map(name => JSON.stringify(name)).join(', ')} cannot be set by a page`)
  for (const [name, value] of Object.entries(options)) checked(name, OPTIONS[name as keyof typeof OPTIONS].check, value)
  return { ...rest, options }
}

const jsonOf = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    throw new RequestFault(400, 'the body is not JSON')
  }
}
