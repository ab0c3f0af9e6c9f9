/** Where the bars of classes and the bands between them stand, in shares of the whole from the top. */

export interface Bar {
  /** Which stage, from 0, and which class. */
  readonly at: number
  readonly k: number
  readonly top: number
  readonly bottom: number
}

export interface Band {
  /** From this stage to the next. */
  readonly from: number
  readonly k: number
  readonly l: number
  /** Where it begins and ends, and how wide it is at both. */
  readonly left: number
  readonly right: number
  readonly size: number
}

/** A stage: a number of classes, or a wave. */
export interface FlowStage {
  /** Each with its place from the top. */
  readonly classes: readonly { readonly k: number; readonly place: number; readonly share: number }[]
  /** How much of the whole goes from each class to each class of the next stage; null if it is not known. */
  readonly flows: readonly (readonly number[])[] | null
}

/** Bands below this part of the whole are left out: there are many, and nobody sees them. */
const LEAST = 0.004

/**
 * The bars and bands of a flow chart.
 * @example
 * const half = [{ k: 0, place: 0, share: 0.5 }, { k: 1, place: 1, share: 0.5 }]
 * flowLayout([{ classes: half, flows: [[0.5, 0], [0, 0.5]] }, { classes: half, flows: null }]).bands.length // 2
 */
export const flowLayout = (
  stages: readonly FlowStage[],
): { readonly bars: readonly Bar[]; readonly bands: readonly Band[] } => {
  const stacks = stages.map(({ classes }, at) => {
    const bars: Bar[] = []
    let top = 0
    for (const { k, share } of classes.toSorted((a, b) => a.place - b.place)) {
      bars.push({ at, k, top, bottom: top + share })
      top += share
    }
    return bars
  })
  const bands = stages.flatMap(({ flows }, from): Band[] => {
    if (flows === null || from + 1 >= stages.length) return []
    const [here, there] = [stacks[from], stacks[from + 1]]
    // What is assigned to a class is not quite its share: bands are fitted to the bars they begin and end at.
    const out = flows.map(row => row.reduce((sum, part) => sum + part, 0))
    const into = there.map((_, l) => flows.reduce((sum, row) => sum + row[l], 0))
    const begun = new Map(here.map(({ k, top }) => [k, top]))
    const ended = new Map(there.map(({ k, top }) => [k, top]))
    const found: Band[] = []
    for (const { k } of here) {
      for (const { k: l } of there) {
        const part = flows[k][l]
        if (part < LEAST) continue
        const share = (stack: readonly Bar[], of: number) => {
          const bar = stack.find(each => each.k === of) as Bar
          return bar.bottom - bar.top
        }
        const size = Math.min((part / out[k]) * share(here, k), (part / into[l]) * share(there, l))
        const [left, right] = [begun.get(k) ?? 0, ended.get(l) ?? 0]
        found.push({ from, k, l, left, right, size })
        begun.set(k, left + size)
        ended.set(l, right + size)
      }
    }
    return found
  })
  return { bars: stacks.flat(), bands }
}

/**
 * The outline of a band between two bars.
 * @example
 * bandPath({ from: 0, k: 0, l: 0, left: 0, right: 0, size: 0.5 }, 0, 10, share => 100 * share) // 'M0 0.0C5 0.0 5 0.0 10 0.0V50.0C5 50.0 5 50.0 0 50.0Z'
 */
export const bandPath = ({ left, right, size }: Band, x1: number, x2: number, y: (share: number) => number): string => {
  const middle = (x1 + x2) / 2
  const [a, b, c, d] = [y(left), y(right), y(right + size), y(left + size)].map(each => each.toFixed(1))
  return `M${x1} ${a}C${middle} ${a} ${middle} ${b} ${x2} ${b}V${c}C${middle} ${c} ${middle} ${d} ${x1} ${d}Z`
}
