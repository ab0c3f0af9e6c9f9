/** How long passes may run before the event loop gets its turn, in the nanoseconds that they are thought to take. */
const TURN = 4_000_000
/** What is done around a pass takes about as long as this. */
const AROUND = 5_000

/**
 * A counter of work: `due` is true once in a while, by the work done and never by a clock, so that long work reports
 * its progress and can be stopped, and short work is not slowed.
 */
export class Pace {
  #work = 0

  /** Counts a pass and what it is thought to take; true where it is time for the event loop. */
  due(nanosPerPass: number): boolean {
    this.#work += nanosPerPass + AROUND
    if (this.#work < TURN) return false
    this.#work = 0
    return true
  }
}
