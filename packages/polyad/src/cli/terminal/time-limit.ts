/** The time that a command was given has passed before there was anything to answer with. */
export class TimeUp extends Error {
  override readonly name = 'TimeUp'
}

/** @param when as it follows the limit: `while reading a.csv` */
export const timeUp = (seconds: number, when: string): TimeUp =>
  new TimeUp(`the time limit of ${seconds} s (--max-seconds) passed ${when}: raise it`)

/** A limit on the whole command: the clock has been running since it began. */
export interface TimeLimit {
  /** Seconds left, for the part of the work that knows how to stop; undefined where there is no limit. */
  readonly left: () => number | undefined
  /** The result of some work that cannot stop early, or `TimeUp` when the limit passes before it is there. */
  readonly within: <T>(what: string, work: Promise<T>) => Promise<T>
  /** The same of the last work that there is: a result that comes a moment late is one. @param stops whether the work has learned to stop */
  readonly whole: <T>(what: string, work: Promise<T>, stops?: () => boolean) => Promise<T>
}

/** @param onWork told what is worked on within the limit, and when that is over */
export const timeLimit = (
  seconds: number | undefined,
  began = 0,
  onWork: (what: string | undefined) => void = () => {},
): TimeLimit => {
  if (seconds === undefined) return { left: () => undefined, within: (_, work) => work, whole: (_, work) => work }
  const left = () => seconds - (performance.now() - began) / 1000
  const up = (what: string) => timeUp(seconds, `while ${what}`)
  const whole = async <T>(what: string, work: Promise<T>, stops = () => false): Promise<T> => {
    let timer: NodeJS.Timeout | undefined
    onWork(what)
    const late = new Promise<never>((_, reject) => {
      // A timer takes at most 2³¹ milliseconds.
      timer = setTimeout(() => !stops() && reject(up(what)), Math.min(2 ** 31 - 1, Math.max(0, left() * 1000)))
    })
    try {
      return await Promise.race([work, late])
    } finally {
      clearTimeout(timer)
      onWork(undefined)
    }
  }
  return {
    left,
    whole,
    within: async (what, work) => {
      const result = await whole(what, work)
      if (left() <= 0) throw up(what)
      return result
    },
  }
}
