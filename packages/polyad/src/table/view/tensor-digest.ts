import type { Tensor } from '@polyad/core'
import type { LabelList, PackedLabels } from '@polyad/core/model'
import { type Hash, Sha256 } from './sha256.ts'

/** The digest of data, begun with the names and labels of its modes; the bytes of its cells are to follow. The same in Node and in pages. */
export const dataHash = (modes: readonly NamedMode[], shape: readonly number[]): Hash => {
  const hash = nodeHash() ?? new Sha256()
  // As JSON, of which very many labels are made a piece at a time: no text becomes a string.
  modes.forEach((mode, n) => {
    hash.update(encoder.encode(`${n === 0 ? '[' : ','}${JSON.stringify([mode.name, shape[n]]).slice(0, -1)},`))
    for (const piece of jsonOfLabels(mode)) hash.update(piece)
    hash.update(encoder.encode(n === modes.length - 1 ? ']]' : ']'))
  })
  return hash
}

const encoder = new TextEncoder()

/** A mode, or what is known of it: its labels are read only if they are not packed. */
interface NamedMode {
  readonly name: string
  readonly labels?: LabelList | undefined
  readonly packed?: PackedLabels | undefined
}

const jsonOfLabels = (mode: NamedMode): Iterable<Uint8Array> => {
  if (mode.packed !== undefined) return mode.packed.json()
  const { labels } = mode
  if (labels !== undefined && 'json' in labels) return labels.json()
  return [encoder.encode(JSON.stringify(labels?.map(String) ?? null))]
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
