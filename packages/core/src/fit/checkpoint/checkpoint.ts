import { DataError } from '../../errors.ts'
import { exactBytes } from '../../file/exact-values.ts'
import { checkedOptions, is, type OptionTable } from '../../options.ts'
import type { PlatformSignal } from '../../platform-types.ts'
import { type DataMark, refuseOtherData } from './data-mark.ts'
import { refuseDifference } from './differences.ts'
import { type Facts, Journal, UNIT_KINDS, type UnitKind } from './journal.ts'

/** Options of a checkpoint, from which long work resumes in another process. */
export interface CheckpointOptions {
  /**
   * Stores the bytes, in place of those before. Called every so many seconds, sooner in the first minute, and when the work is stopped; never twice at a
   * time. If it fails, the work goes on, and a note of the result says so.
   */
  readonly store: (bytes: Uint8Array) => void | Promise<void>
  /** The seconds between two stores; 0 stores after every unit of work. Default 30. */
  readonly every?: number
  /** What was stored last: the work goes on from there, and ends with the same bits as if it had never been interrupted. */
  readonly resume?: Uint8Array
  /** Called when storing fails for the first time, in place of the note. */
  readonly onFailure?: (error: unknown) => void
  /** What messages call it. Default 'the checkpoint'. */
  readonly name?: string
  /** What the run is asked for, by name: a checkpoint of another run is refused with the first difference. Default: the options. */
  readonly facts?: Facts
}

/** Whether something can be written into a checkpoint and compared. */
const isFacts = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false
  try {
    return exactBytes(value).length > 0
  } catch {
    return false
  }
}

/** The options of a checkpoint. */
export const CHECKPOINT_OPTIONS = {
  store: { check: is.function, required: true },
  every: { check: is.nonNegative, default: 30, unit: 'seconds' },
  resume: { check: is.thing('bytes (a Uint8Array)', value => (value as unknown) instanceof Uint8Array) },
  onFailure: { check: is.function },
  name: { check: is.text, default: 'the checkpoint' },
  facts: { check: is.thing('an object of texts, numbers, booleans and lists of them', isFacts) },
} as const satisfies OptionTable<CheckpointOptions>

/** A unit of work. */
export interface UnitOfWork {
  readonly kind: UnitKind
  readonly key: string
  /** The key of the unit that it is a part of. */
  readonly within: string | undefined
}

/** The longest delay that a timer takes, in milliseconds. */
const LONGEST = 2 ** 31 - 1

/** Seconds before the first store; each further wait is twice as long, up to `every`: work that is killed soon has something to resume, too. */
const FIRST = 2

/**
 * An open checkpoint. Several functions can share it. The caller must close it.
 * @example
 * let bytes: Uint8Array | undefined
 * const checkpoint = openCheckpoint({ every: 0, store: stored => { bytes = stored } })
 * await fit(answers, { rank: 2, starts: 3, threads: 1, checkpoint })
 * await checkpoint.close()
 */
export class Checkpoint {
  /** How many units of each kind were there when it was opened. */
  readonly resumed: Readonly<Record<UnitKind, number>>
  readonly #journal: Journal
  readonly #store: CheckpointOptions['store']
  readonly #every: number
  readonly #name: string
  readonly #onFailure: ((error: unknown) => void) | undefined
  #found = 0
  #done = 0
  #changed: boolean
  #storing: Promise<boolean> | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #wait = FIRST
  #closed = false
  #failed = false
  #note: string | undefined

  /** @param facts what the run is asked for, unless the options say it */
  constructor(options: CheckpointOptions, facts: Facts = {}) {
    const given = checkedOptions('checkpoint', CHECKPOINT_OPTIONS, options)
    const asked = given.facts ?? facts
    this.#store = given.store
    this.#every = given.every
    this.#name = given.name
    this.#onFailure = given.onFailure
    this.#changed = given.resume === undefined
    this.#journal = given.resume === undefined ? new Journal(asked) : Journal.read(given.resume, given.name)
    const { data, ...before } = this.#journal.facts
    refuseDifference(given.name, before, asked)
    this.resumed = Object.freeze(
      Object.fromEntries(UNIT_KINDS.map(kind => [kind, this.#journal.count(kind)])) as Record<UnitKind, number>,
    )
  }

  /** How many units of work were found in it, and how many were done and put there. */
  get units(): { readonly found: number; readonly done: number } {
    return { found: this.#found, done: this.#done }
  }

  /** What went wrong with storing, if anything did. */
  get notes(): readonly string[] {
    return this.#note === undefined ? [] : [this.#note]
  }

  /** Refuses a checkpoint of other data; the data of the first work is what counts. */
  see(mark: DataMark): void {
    const { facts } = this.#journal
    if (facts.data === undefined) this.#journal.facts = { ...facts, data: mark }
    else if (!this.#seen) refuseOtherData(this.#name, facts.data, mark)
    this.#seen = true
  }
  #seen = false

  /** What a unit ended with, if it is known. @param check throws a `DataError` if it cannot be */
  find<T>(key: string, check: (value: unknown) => T): T | undefined {
    try {
      const value = this.#journal.find(key)
      if (value === undefined) return undefined
      const found = check(value)
      this.#found++
      return found
    } catch (error) {
      if (!(error instanceof DataError)) throw error
      throw new DataError(
        `${this.#name} is damaged (${error.message}): remove it, and the run starts from the beginning`,
        {},
        { cause: error },
      )
    }
  }

  /** Keeps what a unit ended with; what is known of its parts is dropped. */
  keep({ kind, key, within }: UnitOfWork, cost: number, value: unknown): void {
    this.#journal.add(key, kind, within, cost, value)
    this.#done++
    this.#changed = true
    if (this.#every === 0 || (kind === 'part' && this.#due)) void this.#save()
    else this.#arm()
    if (kind === 'part') this.#due = false
  }

  /** Drops what is no longer needed. */
  forget(key: string): void {
    this.#journal.delete(key)
  }

  /** Whether it is time for a descent under way to say how far it has come. */
  get due(): boolean {
    return this.#every === 0 || this.#due
  }
  #due = false

  /** Has the time looked at, though nothing has changed yet: a descent is under way. */
  watch(): void {
    if (this.#every > 0) this.#arm()
  }

  /** Does a unit of work, or finds what it ended with. What was stopped, or is not usable, is not kept. */
  async once<T>(
    unit: UnitOfWork,
    {
      signal,
      check,
      usable = () => true,
    }: {
      readonly signal: PlatformSignal | undefined
      readonly check: (value: unknown) => T
      readonly usable?: (value: T) => boolean
    },
    work: () => Promise<T>,
    plain: (value: T) => unknown = value => value,
  ): Promise<T> {
    const known = this.find(unit.key, check)
    if (known !== undefined) return known
    const value = await work()
    if (!signal?.aborted && usable(value)) this.keep(unit, 0, plain(value))
    return value
  }

  /** Stores what has changed, without waiting for the next time. */
  async save(): Promise<void> {
    await this.#storing
    if (this.#changed) await this.#save()
  }

  /** Ends it. @param store whether what has changed is stored once more: if the work was stopped, or failed */
  async close({ store = true }: { readonly store?: boolean } = {}): Promise<void> {
    clearTimeout(this.#timer)
    // Nothing is stored any more but what is stored here.
    this.#closed = true
    await this.#storing
    if (store && this.#changed) await this.#write()
  }

  #arm(): void {
    if (this.#timer !== undefined || this.#closed) return
    const fire = () => {
      this.#timer = undefined
      this.#due = true
      if (this.#changed) void this.#save()
      else this.#arm()
    }
    this.#timer = setTimeout(fire, Math.min(LONGEST, 1000 * Math.min(this.#wait, this.#every)))
    this.#wait *= 2
  }

  async #save(): Promise<void> {
    // One at a time: what has changed in the meantime is stored after it.
    if (this.#closed || this.#storing !== undefined) return
    this.#storing = this.#write()
    const stored = await this.#storing
    this.#storing = undefined
    if (this.#every > 0) this.#arm()
    // What could not be stored is tried again with the next change.
    else if (this.#changed && !this.#closed && stored) await this.#save()
  }

  /** Whether it was stored. */
  async #write(): Promise<boolean> {
    this.#changed = false
    try {
      await this.#store(this.#journal.bytes())
      return true
    } catch (error) {
      this.#changed = true
      if (this.#failed) return false
      this.#failed = true
      if (this.#onFailure !== undefined) this.#onFailure(error)
      else
        this.#note = `${this.#name} could not be stored (${error instanceof Error ? error.message : String(error)}): the work went on without it`
      return false
    }
  }
}

/**
 * Opens a checkpoint for several functions, such as a fit and its bootstrap. For one function, the options are enough.
 * @example
 * const checkpoint = openCheckpoint({ store: bytes => { } })
 * checkpoint.units // { found: 0, done: 0 }
 */
export const openCheckpoint = (options: CheckpointOptions): Checkpoint => new Checkpoint(options)
