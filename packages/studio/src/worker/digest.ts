import type { Tensor } from '@polyad/core'

/**
 * SHA-256 of data as it was fitted, as `tensorDigest` of the command line gives it; null on pages that may not compute it, those
 * of another machine without encryption.
 */
export const digestOf = async ({ modes, shape, indices, values }: Tensor): Promise<string | null> => {
  if (globalThis.crypto?.subtle === undefined) return null
  const named = JSON.stringify(modes.map(({ name, labels }, n) => [name, shape[n], labels?.map(String) ?? null]))
  const parts = [
    new TextEncoder().encode(named),
    ...[...indices, values].map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength)),
  ]
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(hash, byte => byte.toString(16).padStart(2, '0')).join('')
}
