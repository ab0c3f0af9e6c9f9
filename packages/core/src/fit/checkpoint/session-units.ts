import type { Session } from '../../engine/engine.ts'
import { exactBytes } from '../../file/exact-values.ts'
import { digestOf } from '../../numeric/digest.ts'
import type { Checkpoint } from './checkpoint.ts'
import { markOf } from './data-mark.ts'
import type { UnitKind } from './journal.ts'

/** The units of work on the data of a session: their keys begin with what the data is known by. */
export class SessionUnits {
  readonly checkpoint: Checkpoint
  readonly #data: () => Promise<string>
  #known: Promise<string> | undefined

  constructor(checkpoint: Checkpoint, from: Session | (() => Promise<string>)) {
    this.checkpoint = checkpoint
    this.#data =
      typeof from === 'function'
        ? from
        : async () => {
            const mark = await markOf(from)
            checkpoint.see(mark)
            return mark.digest
          }
  }

  /** Of the same cells with other values. */
  reweighted(values: Float64Array): SessionUnits {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
    const digest = digestOf(bytes)
    return new SessionUnits(this.checkpoint, async () => `${await this.#mark()} ${digest}`)
  }

  /** The key of a unit of work: a digest of the data and of all else that its result depends on. */
  async key(kind: UnitKind, ...parts: readonly unknown[]): Promise<string> {
    return digestOf(exactBytes([kind, await this.#mark(), ...parts]))
  }

  /** The keys of units that have something in common. */
  async keys(kind: UnitKind, common: unknown, each: readonly unknown[]): Promise<string[]> {
    const shared = await this.key(kind, common)
    return each.map(part => digestOf(exactBytes([shared, part])))
  }

  #mark(): Promise<string> {
    this.#known ??= this.#data()
    return this.#known
  }
}
