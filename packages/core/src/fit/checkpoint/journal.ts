import { DataError } from '../../errors.ts'
import { exactBytes, exactValue } from '../../file/exact-values.ts'
import { digestOf } from '../../numeric/digest.ts'
import { reader } from '../../reader.ts'

/** What a unit of work is: a descent of a task, or how far it has come; a task of a search, a whole fit, a fold that was left out, a replicate, a test. */
export type UnitKind = 'part' | 'run' | 'fit' | 'fold' | 'replicate' | 'test'

export const UNIT_KINDS: readonly UnitKind[] = ['part', 'run', 'fit', 'fold', 'replicate', 'test']

/** A unit of work that has ended. */
interface Unit {
  readonly kind: UnitKind
  /** The unit that it is a part of: once that has ended, this one is not needed again. */
  readonly within: string | undefined
  /** What it takes to do it again. */
  readonly cost: number
  readonly bytes: Uint8Array
}

/** What a run was asked for, by name: plain values. */
export type Facts = Readonly<Record<string, unknown>>

/** The first bytes of a checkpoint, and the version of what follows. */
const MAGIC = new TextEncoder().encode('polyadck')
const FORMAT = 1
const HEADER = MAGIC.length + 4
const DIGEST = 32

/**
 * Runs of searches under way take at most so many bytes; beyond that, those that are done again soonest are left out. What is left out is
 * computed again, with the same bits.
 */
const MOST_BYTES = 2 ** 28

/**
 * The units of work that have ended, by keys that stand for all that their results depend on. Since a unit is a pure function of that, it makes no
 * difference to the result whether a unit is found here or done again.
 */
export class Journal {
  readonly #units = new Map<string, Unit>()
  readonly #most: number
  /** What the run was asked for. */
  facts: Facts

  constructor(facts: Facts, most = MOST_BYTES) {
    this.facts = facts
    this.#most = most
  }

  /** How many units there are of each kind. */
  count(kind: UnitKind): number {
    let count = 0
    for (const unit of this.#units.values()) if (unit.kind === kind) count++
    return count
  }

  get size(): number {
    return this.#units.size
  }

  find(key: string): unknown {
    const unit = this.#units.get(key)
    return unit === undefined ? undefined : exactValue(unit.bytes)
  }

  /** Takes in a unit that has ended; its parts are dropped. */
  add(key: string, kind: UnitKind, within: string | undefined, cost: number, value: unknown): void {
    this.#drop(key)
    this.#units.set(key, { kind, within, cost, bytes: exactBytes(value).slice() })
  }

  delete(key: string): void {
    this.#units.delete(key)
  }

  /** Drops the parts of a unit. */
  #drop(key: string): void {
    const parts = [...this.#units].filter(([, { within }]) => within === key)
    for (const [part] of parts) {
      this.#units.delete(part)
      this.#drop(part)
    }
  }

  /** Leaves out the cheapest runs where there are too many. */
  #shrink(): void {
    const runs = [...this.#units].filter(([, { kind }]) => kind === 'run')
    let size = runs.reduce((sum, [, { bytes }]) => sum + bytes.length, 0)
    if (size <= this.#most) return
    runs.sort(([, a], [, b]) => a.cost - b.cost)
    for (const [key, { bytes }] of runs) {
      if (size <= this.#most) return
      this.#units.delete(key)
      size -= bytes.length
    }
  }

  bytes(): Uint8Array {
    this.#shrink()
    const units = [...this.#units].map(([key, unit]) => ({ key, ...unit }))
    const body = exactBytes({ facts: this.facts, units })
    const bytes = new Uint8Array(HEADER + DIGEST + body.length)
    bytes.set(MAGIC)
    new DataView(bytes.buffer).setUint32(MAGIC.length, FORMAT, true)
    bytes.set(new TextEncoder().encode(digestOf(body)), HEADER)
    bytes.set(body, HEADER + DIGEST)
    return bytes
  }

  /** Reads a checkpoint. @param name what messages call it */
  static read(bytes: Uint8Array, name: string, most?: number): Journal {
    const refuse = (reason: string): never => {
      throw new DataError(`${name} ${reason}`)
    }
    const again = 'remove it, and the run starts from the beginning'
    if (bytes.subarray(0, MAGIC.length).some((byte, i) => byte !== MAGIC[i]))
      refuse('is not a checkpoint of Polyad: use another file')
    const cut = `is damaged or cut short: ${again}`
    if (bytes.length < HEADER + DIGEST) refuse(cut)
    const format = new DataView(bytes.buffer, bytes.byteOffset).getUint32(MAGIC.length, true)
    if (format !== FORMAT)
      refuse(
        `has format ${format}, and this version of Polyad reads format ${FORMAT}: ${again}, or use the version that wrote it`,
      )
    const body = bytes.subarray(HEADER + DIGEST)
    const digest = new TextDecoder().decode(bytes.subarray(HEADER, HEADER + DIGEST))
    if (digestOf(body) !== digest) refuse(cut)
    try {
      return restored(exactValue(body), most)
    } catch (error) {
      if (!(error instanceof DataError)) throw error
      throw new DataError(`${name} ${cut} (${error.message})`, {}, { cause: error })
    }
  }

  /** Takes in a unit as it was read. */
  restore({ key, ...unit }: Unit & { readonly key: string }): void {
    this.#units.set(key, unit)
  }
}

const unitFields = reader.fields<Unit & { readonly key: string }>({
  key: reader.text(),
  kind: reader.oneOf(UNIT_KINDS),
  within: reader.optional(reader.text()),
  cost: reader.number,
  bytes: reader.by({ rule: 'bytes', allows: value => value instanceof Uint8Array }),
})
const content = reader.fields({ facts: reader.object, units: reader.list(unitFields) })

const restored = (value: unknown, most: number | undefined): Journal => {
  const { facts, units } = content(value, '')
  const journal = new Journal(facts, most)
  for (const unit of units) journal.restore(unit)
  return journal
}
