import type { IncomingMessage } from 'node:http'
import { RequestFault } from './request-fault.ts'

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
