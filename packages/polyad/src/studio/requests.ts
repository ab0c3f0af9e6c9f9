import type { IncomingMessage } from 'node:http'
import { OptionError } from '@polyad/core'
import { z } from 'zod'
import { RequestFault } from './request-fault.ts'

/** What the page may ask for. Whatever is not named here is refused: queries, formats and paths above all. */

/** A long label, and more columns than anyone would name: what is beyond is a mistake. */
const text = z.string().max(10_000)
const texts = z.array(text).max(10_000).exactOptional()

const READING = z.strictObject({
  modes: texts,
  include: texts,
  exclude: texts,
  count: text.exactOptional(),
  weights: text.exactOptional(),
  bins: texts,
  top: z.int().min(1).exactOptional(),
  missing: texts,
  missingOnly: texts,
  missingAs: text.exactOptional(),
  trim: z.boolean().exactOptional(),
  ignoreCase: z.boolean().exactOptional(),
  timeZone: text.exactOptional(),
  delimiter: text.exactOptional(),
  header: z.boolean().exactOptional(),
})

const REQUEST = z.strictObject({ file: z.string().max(100), options: READING.default({}) })

/** How a page may have a table read: a part of `TableOptions`. */
export type ReadOptions = z.infer<typeof READING>

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

/** The file and the options that a body names, checked. */
export const readRequest = async (incoming: IncomingMessage): Promise<z.infer<typeof REQUEST>> => {
  if (!/^application\/json\b/i.test(incoming.headers['content-type'] ?? ''))
    throw new RequestFault(415, 'the body must be application/json')
  const blocks: Buffer[] = []
  for await (const block of blocksOf(incoming, MOST_JSON, `a body of JSON has at most ${MOST_JSON} bytes`))
    blocks.push(block)
  const parsed = REQUEST.safeParse(jsonOf(Buffer.concat(blocks).toString('utf8')))
  if (parsed.success) return parsed.data
  throw refusalOf(parsed.error.issues[0])
}

const jsonOf = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    throw new RequestFault(400, 'the body is not JSON')
  }
}

const refusalOf = (issue: z.core.$ZodIssue): Error => {
  const [place, ...path] = issue.path
  const name = path.join('.')
  if (place !== 'options') {
    const where = place === undefined ? 'the body' : String(place)
    return new RequestFault(400, `${where}: ${issue.message}`)
  }
  if (issue.code === 'unrecognized_keys')
    return new OptionError(`${issue.keys.map(key => JSON.stringify(key)).join(', ')} cannot be set by a page`)
  return new OptionError(`${name === '' ? 'options' : name}: ${issue.message}`)
}
