import type { Label, Tensor } from '@polyad/core'
import { type Hash, Sha256 } from './sha256.ts'

/** The digest of data, begun with the names and labels of its modes; the bytes of its cells are to follow. The same in Node and in pages. */
export const dataHash = (
  modes: readonly { readonly name: string; readonly labels?: readonly Label[] | undefined }[],
  shape: readonly number[],
): Hash => {
  const hash = nodeHash() ?? new Sha256()
  const named = JSON.stringify(modes.map(({ name, labels }, n) => [name, shape[n], labels?.map(String) ?? null]))
  hash.update(new TextEncoder().encode(named))
  return hash
}

interface NodeHash {
  update(bytes: Uint8Array): unknown
  digest(encoding: 'hex'): string
}

/** Node's own is faster. */
const nodeHash = (): Hash | undefined => {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } }
  const crypto = process?.getBuiltinModule?.('node:crypto') as { createHash(name: string): NodeHash } | undefined
  const hash = crypto?.createHash('sha256')
  return hash && { update: bytes => void hash.update(bytes), hex: () => hash.digest('hex') }
}

/** The digests that were computed: a model is saved twice, first before its statistics. */
const known = new WeakMap<Tensor, string>()

/**
 * SHA-256 of data as it was fitted: the names and labels of its modes, and its cells. Cells are in a fixed order, so that it does
 * not depend on the order of the rows, on the file's format or on its name.
 * @example
 * tensorDigest(answers).length // 64
 */
export const tensorDigest = (tensor: Tensor): string => {
  const before = known.get(tensor)
  if (before !== undefined) return before
  const { modes, shape, indices, values } = tensor
  const hash = dataHash(modes, shape)
  // Bytes as they lie in memory: little-endian wherever this runs.
  for (const array of [...indices, values])
    hash.update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
  const digest = hash.hex()
  known.set(tensor, digest)
  return digest
}
