import type { ClassifiedRow, RowPage } from '../../worker/protocol.ts'

/** Rows of a slice, which is what the worker is asked for at once. */
const SLICE = 100
/** Slices that are kept; those asked for longest ago are forgotten. */
const KEPT = 100

/** The rows of one query, of which only those that were in view are here. Slices are asked for one after the other. */
export class RowSlices {
  /** How many rows there are; null until the first slice is here. */
  found: number | null = null
  columns: readonly string[] = []
  /** The first rows that came, by which columns get their widths. */
  sample: readonly ClassifiedRow[] = []
  failure: string | null = null
  readonly #slices = new Map<number, readonly ClassifiedRow[]>()
  readonly #ask: (from: number, count: number) => Promise<RowPage>
  readonly #changed: () => void
  #wanted: readonly number[] = []
  #asking = false
  #stopped = false

  /** @param changed called when rows have come, or when they will not */
  constructor(ask: (from: number, count: number) => Promise<RowPage>, changed: () => void) {
    this.#ask = ask
    this.#changed = changed
  }

  row(i: number): ClassifiedRow | undefined {
    return this.#slices.get(Math.floor(i / SLICE))?.[i % SLICE]
  }

  /** Asks for rows that are not here. What was wanted before, and has not been asked for yet, no longer is. */
  want(from: number, to: number): void {
    const first = Math.floor(from / SLICE)
    const last = Math.max(first, Math.ceil(to / SLICE) - 1)
    this.#wanted = Array.from({ length: last - first + 1 }, (_, i) => first + i)
    if (!this.#asking) void this.#work()
  }

  /** No more is told. */
  stop(): void {
    this.#stopped = true
  }

  async #work(): Promise<void> {
    this.#asking = true
    for (;;) {
      const slice = this.#wanted.find(each => !this.#slices.has(each))
      if (slice === undefined || this.#stopped || this.failure !== null) break
      await this.#fetch(slice)
    }
    this.#asking = false
  }

  async #fetch(slice: number): Promise<void> {
    try {
      const { found, columns, rows } = await this.#ask(slice * SLICE, SLICE)
      if (this.found === null) this.sample = rows
      this.found = found
      this.columns = columns
      this.#slices.set(slice, rows)
      for (const old of this.#slices.keys()) {
        if (this.#slices.size <= KEPT) break
        if (!this.#wanted.includes(old)) this.#slices.delete(old)
      }
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error)
    }
    if (!this.#stopped) this.#changed()
  }
}
