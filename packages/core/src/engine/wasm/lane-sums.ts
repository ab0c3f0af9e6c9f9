/**
 * Lanes are added up in a fixed binary tree: lanes 0 and 1, lanes 2 and 3, then those two sums, and so on. A thread adds what
 * lies in its own lanes and hands on the rest; the sums are the same bits however many threads there are.
 */

/** The sum of `count` lanes from `first` on, a whole branch of the tree. */
export interface Branch {
  readonly first: number
  readonly count: number
}

/** A sum of lanes, and where in its memory its record lies, in doubles. */
export interface Part extends Branch {
  readonly at: number
}

/** What is done after a lane: which slot held it, and which slots are then added (target, source). */
export interface MergeStep {
  readonly slot: number
  readonly adds: readonly (readonly [number, number])[]
}

export interface Merges {
  readonly steps: readonly MergeStep[]
  readonly parts: readonly (Branch & { readonly slot: number })[]
  /** How many records are needed at once. */
  readonly slots: number
}

/** The merges of consecutive lanes done one after the other. */
export const planMerges = (lanes: readonly number[]): Merges => {
  const stack: (Branch & { slot: number })[] = []
  let slots = 0
  const steps = lanes.map(lane => {
    const slot = stack.length
    slots = Math.max(slots, slot + 1)
    stack.push({ first: lane, count: 1, slot })
    const adds: [number, number][] = []
    while (stack.length > 1 && isBranch(stack[stack.length - 2], stack[stack.length - 1])) {
      const right = stack.pop()!
      const left = stack.pop()!
      adds.push([left.slot, right.slot])
      stack.push({ first: left.first, count: 2 * left.count, slot: left.slot })
    }
    return { slot, adds }
  })
  return { steps, parts: stack, slots }
}

const isBranch = (left: Branch, right: Branch): boolean =>
  left.count === right.count && left.first % (2 * left.count) === 0 && left.first + left.count === right.first

/** Adds the parts of several threads, in the tree's order, into the first of them; all lanes must be there. */
export const mergeParts = <T extends Branch>(parts: readonly T[], add: (target: T, source: T) => void): T => {
  const byFirst = new Map(parts.map(part => [part.first, part]))
  const total = parts.reduce((sum, part) => sum + part.count, 0)
  const sum = (first: number, count: number): T => {
    const part = byFirst.get(first)!
    if (part.count === count) return part
    const left = sum(first, count / 2)
    add(left, sum(first + count / 2, count / 2))
    return left
  }
  return sum(0, total)
}
