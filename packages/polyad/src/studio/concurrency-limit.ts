const givenUp = (): Error => new Error('it was cancelled before it began')

/** Work that is done a few at a time; who comes later waits, and who goes away loses the place. */
export class ConcurrencyLimit {
  readonly #most: number
  #running = 0
  readonly #waiting = new Set<() => void>()
  readonly #underWay = new Set<Promise<unknown>>()

  constructor(most: number) {
    this.#most = most
  }

  /** The result of the work once it is its turn. An aborted signal ends the waiting; the work sees to itself. */
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const result = this.#wait(signal).then(async () => {
      try {
        if (signal.aborted) throw givenUp()
        return await work()
      } finally {
        this.#running--
        this.#next()
      }
    })
    const settled = result.catch(() => {}).finally(() => this.#underWay.delete(settled))
    this.#underWay.add(settled)
    return result
  }

  /** Resolves once nothing is under way. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const gone = () => {
        this.#waiting.delete(begin)
        reject(givenUp())
      }
      const begin = () => {
        signal.removeEventListener('abort', gone)
        this.#running++
        resolve()
      }
      if (signal.aborted) return gone()
      signal.addEventListener('abort', gone, { once: true })
      this.#waiting.add(begin)
      this.#next()
    })
  }

  #next(): void {
    const [first] = this.#waiting
    if (first === undefined || this.#running >= this.#most) return
    this.#waiting.delete(first)
    first()
  }
}
