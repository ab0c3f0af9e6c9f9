import type { Session } from '../../engine/engine.ts'
import { DataError } from '../../errors.ts'
import { exactBytes } from '../../file/exact-values.ts'
import { randomStart } from '../../model/random.ts'
import { Digest } from '../../numeric/digest.ts'
import { reader } from '../../reader.ts'
import type { Mode } from '../../tensor/mode.ts'
import { hasCells } from '../../tensor/tensor.ts'

/** What data is known by, wherever its cells are. */
export interface DataMark {
  readonly digest: string
  /** Σ y·log p of a fixed random model, if the digest does not know the cells because passes do not repeat to the last bit. */
  readonly probe?: number
}

/** Probes of the same data agree to this, relatively: passes in a database add in any order. */
const AGREE = 1e-9

const bytesOf = (array: ArrayBufferView): Uint8Array => new Uint8Array(array.buffer, array.byteOffset, array.byteLength)

const described = ({ name, size, labels, ordered }: Mode) => [name, size, labels ?? [], ordered]

/**
 * The mark of a session's data: of the cells themselves if they are in memory. Else of the sums of a pass with a fixed random model, which
 * no other cells have.
 */
export const markOf = async (session: Session): Promise<DataMark> => {
  const { data, traits } = session
  const { modes, shape, cells } = data
  const known = [modes.map(described), [...shape], cells, traits.precision, session.single?.traits.precision]
  const digest = new Digest().add(exactBytes(known))
  if (hasCells(data)) {
    for (const array of [...data.indices, data.values]) digest.add(bytesOf(array))
    return { digest: digest.end() }
  }
  const { sizes, factors, logLikelihood } = await session.pass(randomStart(shape, 2, 1, 0))
  if (!traits.reproducible) return { digest: digest.end(), probe: logLikelihood }
  for (const array of [sizes, ...factors, Float64Array.of(logLikelihood, data.total)]) digest.add(bytesOf(array))
  return { digest: digest.end() }
}

/** Refuses a checkpoint of other data. @param name what messages call it */
export const refuseOtherData = (name: string, before: unknown, now: DataMark): void => {
  const { digest, probe } = reader.fieldsOf(before)
  const near =
    typeof probe === 'number' && now.probe !== undefined
      ? Math.abs(probe - now.probe) <= AGREE * Math.abs(now.probe)
      : probe === now.probe
  if (digest === now.digest && near) return
  throw new DataError(
    `${name} belongs to other data: the cells or the labels differ. Use another file, or remove it to start from the beginning`,
  )
}
