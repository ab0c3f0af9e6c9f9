import type { ShownModel } from '../../state/results/class-profiles.ts'

/** Where the bars of classes and the bands between them stand, in shares of the whole from the top. */

export interface Bar {
  /** Which model, from 0, and which class. */
  readonly at: number
  readonly k: number
  readonly top: number
  readonly bottom: number
}

export interface Band {
  /** From this model to the next. */
  readonly from: number
  readonly k: number
  readonly l: number
  /** Where it begins and ends, and how wide it is at both. */
  readonly left: number
  readonly right: number
  readonly size: number
}

type Laid = Pick<ShownModel, 'rank' | 'flows'> & {
  readonly classes: readonly Pick<ShownModel['classes'][number], 'k' | 'place' | 'share'>[]
}

/** Bands below this part of the whole are left out: there are many, and nobody sees them. */
const LEAST = 0.004

export const rankFlow = (
  models: readonly Laid[],
): { readonly bars: readonly Bar[]; readonly bands: readonly Band[] } => {
  const stacks = models.map(({ classes }, at) => {
    const bars: Bar[] = []
    let top = 0
    for (const { k, share } of classes.toSorted((a, b) => a.place - b.place)) {
      bars.push({ at, k, top, bottom: top + share })
      top += share
    }
    return bars
  })
  const bands = models.flatMap(({ flows }, from): Band[] => {
    if (flows === null || from + 1 >= models.length) return []
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
