import type { Checkpoint } from './checkpoint.ts'

/** One descent of a task, for a checkpoint: what it ended with, or how far it has come. */
export interface RunPart<Ended> {
  /** What it ended with, if that is known. */
  readonly ended: Ended | undefined
  /** How far it had come, if that is known. @param check throws a `DataError` if it cannot be */
  state<T>(check: (value: unknown) => T): T | undefined
  /** Whether it is time to keep how far it has come. */
  readonly due: boolean
  /** Whether a state of so many numbers is kept. */
  fits(numbers: number): boolean
  keep(state: unknown): void
  end(run: Ended): void
}

/** A state that takes more bytes is not kept: the descent starts again after an interruption. */
const MOST_BYTES = 2 ** 28

/** The descents of a task that takes long, one after the other. They are dropped once the task has ended. */
export class RunParts<Ended> {
  readonly #checkpoint: Checkpoint
  readonly #task: string
  readonly #plain: (run: Ended) => unknown
  readonly #check: (value: unknown) => Ended
  #count = 0

  constructor(checkpoint: Checkpoint, task: string, plain: (run: Ended) => unknown, check: (value: unknown) => Ended) {
    this.#checkpoint = checkpoint
    this.#task = task
    this.#plain = plain
    this.#check = check
  }

  /** The next descent. */
  next(): RunPart<Ended> {
    const checkpoint = this.#checkpoint
    const key = `${this.#task} ${this.#count++}`
    const unit = (name: string) => ({ kind: 'part' as const, key: `${key} ${name}`, within: this.#task })
    checkpoint.watch()
    return {
      ended: checkpoint.find(unit('end').key, this.#check),
      state: check => checkpoint.find(unit('state').key, check),
      get due() {
        return checkpoint.due
      },
      fits: numbers => RunParts.fits(numbers),
      keep: state => checkpoint.keep(unit('state'), 0, state),
      end: run => {
        checkpoint.keep(unit('end'), 0, this.#plain(run))
        checkpoint.forget(unit('state').key)
      },
    }
  }

  /** Whether a state of so many numbers is kept. */
  static fits(numbers: number): boolean {
    return 8 * numbers <= MOST_BYTES
  }
}
