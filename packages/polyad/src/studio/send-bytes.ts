import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'

/** Headers of bytes for a script, which a browser is not to show by itself. */
export const BYTES = { 'Content-Type': 'application/octet-stream', 'Content-Disposition': 'attachment' }

/** Answers with the bytes of a file as they are on disk, with room for no more than it had when it was asked for. */
export const sendBytes = async (
  path: string,
  bytes: number,
  c: Context<{ Bindings: HttpBindings }>,
): Promise<Response> => {
  const { outgoing } = c.env
  outgoing.writeHead(200, { ...BYTES, 'Content-Length': bytes })
  if (c.req.method === 'HEAD' || bytes === 0) outgoing.end()
  // Whoever stops reading ends it; there is nobody left to be told.
  else await pipeline(createReadStream(path, { end: bytes - 1 }), outgoing).catch(() => outgoing.destroy())
  return RESPONSE_ALREADY_SENT
}
