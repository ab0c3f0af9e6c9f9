import type { StepSums } from '../../engine/sweeps/sweeps.ts'
import { type Block, BlockSteps, type KeptSteps } from './block.ts'
import type { Iterate, StepArithmetic } from './evaluator.ts'

/**
 * Faster steps than EM's, learned from the steps already taken (limited-memory BFGS).
 *
 * The coordinates are the square roots of the parameters. In them the complete-data Fisher information, which is the
 * metric in which EM is a gradient step, is flat: 1 for a share, the class's share for an entry of its columns. Zero is
 * an interior point of a square root, so a step may cross it, and the constraint p ≥ 0 needs no care. The metric turns the
 * gradient into EM's own direction; the pairs of steps and changes of gradient turn that into Newton's. The parameters of blocks
 * are coordinates too, each block with its own metric.
 */
export interface QuasiNewton<P> {
  /** Makes the direction from a point; false if nothing is known yet or it would not descend. */
  aim(from: P): boolean
  /** Writes the point at a part of the direction's length into `to`; false where there is none. */
  step(from: P, share: number, to: P): boolean
  /** The slope of the objective along the direction, at its start. */
  readonly slope: number
  /** Learns from a step that was taken. */
  learn(from: P, to: P): void
  /** Says how the direction did: the part of it that was good, or the smallest that was not. */
  judge(good: boolean, share: number): void
  /** What was learned, in numbers, for one who stands at this point. */
  learned(at: P): Learned
  /** Goes on from what was learned. */
  recall(learned: Learned, at: P): void
  /** Starts afresh; also to be called where a point was changed in between. */
  forget(): void
}

/** Pairs whose step and change of gradient are nearly at right angles tell more of rounding than of curvature. */
const CURVED = 1e-8

/**
 * Where the objective bends downwards no pair is learned, and EM's own steps may go on for ever: after `after` steps in a row without a pair,
 * and twice as many after every attempt that failed, its direction is followed further, `growth` times as far with every step.
 */
const DOWNWARDS = { after: 4, growth: 4 }

/** A step that was taken and how the gradient changed over it, in the numbers that are known of them. */
interface Pair {
  /** Which of the pairs of arrays it is. */
  readonly slot: number
  /** The inner product of step and change. */
  curvature: number
  /** How much longer than EM's the steps along this change of gradient should be. */
  scale: number
}

/** What was learned, besides what the arrays of the sweeps hold. */
export interface Learned {
  readonly used: readonly number[]
  /** Of every slot. */
  readonly curvatures: Float64Array
  readonly scales: Float64Array
  readonly slopes: Float64Array
  readonly products: Float64Array
  readonly known: boolean
  readonly reach: number
  readonly untaught: number
  readonly patience: number
  /** One for each block. */
  readonly blocks: readonly KeptSteps[]
}

/** @param sweeps where the arrays lie: those of the points, of the direction, and of as many pairs as are to be remembered */
export const quasiNewton = <P extends Iterate>(
  sweeps: StepArithmetic<P>,
  total: number,
  blocks: readonly Block[] = [],
): QuasiNewton<P> => {
  const memory = sweeps.pairs
  const others = blocks.map(block => new BlockSteps(block, memory))
  const recordStep = (to: P, from: P, slot: number, among: readonly number[]): StepSums => {
    const sums = { ...sweeps.recordStep(to, from.shares, slot, among, slopes) }
    others.forEach((block, b) => {
      const own = block.recordStep(to.blocks[b], slot, among, slopes)
      sums.curvature += own.curvature
      sums.steps += own.steps
      sums.changes += own.changes
    })
    return sums
  }
  const pairs: Pair[] = Array.from({ length: memory }, (_, slot) => ({ slot, curvature: 0, scale: 1 }))
  /** The slots of the pairs in use, oldest first; the pair of the next step is the first that is not among them. */
  const used: number[] = []
  /** The inner products of the steps in use and the gradient at `known`. */
  const slopes = new Float64Array(memory + 1)
  /** The inner products of steps and younger changes: at the step's slot times `memory`, plus the change's. */
  const products = new Float64Array(memory * memory)
  const [taken, added, lifts] = [new Float64Array(memory), new Float64Array(memory), new Float64Array(memory)]
  let known: P | undefined
  let slope = 0
  /** The length of the direction, and the part of it that is gone at most. */
  let [length, part] = [0, 1]
  /** The limit on the length of a step: what went wrong before is not tried at full length again. */
  let reach = Number.POSITIVE_INFINITY
  /** Steps in a row that taught nothing, with nothing known, and how many of them must be. */
  let [untaught, patience] = [0, DOWNWARDS.after]

  return {
    get slope() {
      return slope
    },
    aim(from) {
      const last = used.length - 1
      if (last < 0 && untaught < patience) return false
      // The two loops of L-BFGS. With ∇ the gradient of the objective, s_j the steps, y_j the changes of ∇ and ρ_j = 1/(s_jᵀy_j):
      //   α_j = ρ_j·s_jᵀ(∇ − Σ α_i·y_i over the younger pairs i), from the youngest pair to the oldest,
      //   d = −γ·M⁻¹(∇ − Σ α_i·y_i), then d ← d − (α_j + ρ_j·y_jᵀd)·s_j, from the oldest pair to the youngest.
      // Vectors are as long as all parameters, so the loops go over their inner products: `slopes` has −s_jᵀ∇, `products` s_iᵀy_j, `taken` α,
      // `added` the coefficients of the steps in d. `addChanges` makes the first d and its products y_jᵀd, and `addSteps` adds the steps.
      for (let j = last; j >= 0; j--) {
        let along = slopes[j]
        for (let i = j + 1; i <= last; i++) along += taken[i] * products[used[j] * memory + used[i]]
        taken[j] = -along / pairs[used[j]].curvature
      }
      const scale = last < 0 ? DOWNWARDS.growth ** (1 + untaught - patience) : Math.max(1, pairs[used[last]].scale)
      let along = sweeps.addChanges(from.shares, scale, used, taken, lifts)
      for (const block of others) along += block.addChanges(scale, used, taken, lifts)
      for (let j = 0; j <= last; j++) {
        let back = lifts[j]
        for (let i = 0; i < j; i++) back += added[i] * products[used[i] * memory + used[j]]
        added[j] = -taken[j] - back / pairs[used[j]].curvature
        along += added[j] * slopes[j]
      }
      let square = sweeps.addSteps(used, added)
      for (const block of others) square += block.addSteps(used, added)
      length = Math.sqrt(square)
      part = Math.min(1, reach / length)
      slope = -4 * total * part * along
      return slope < 0
    },
    step(from, share, to) {
      for (const [b, block] of others.entries()) block.stepAlong(share * part, to.blocks[b])
      return sweeps.stepAlong(share * part, from, to)
    },
    learn(from, to) {
      if (used.length === memory) {
        used.shift()
        slopes.copyWithin(0, 1)
      }
      const { slot } = pairs.find(pair => !used.includes(pair.slot)) as Pair
      if (known !== from) recordStep(from, from, slot, [])
      // A change is the gradient before a step less that after it, and so are its inner products.
      for (let j = 0; j < used.length; j++) products[used[j] * memory + slot] = slopes[j]
      const { curvature, steps, changes } = recordStep(to, from, slot, used)
      for (let j = 0; j < used.length; j++) products[used[j] * memory + slot] -= slopes[j]
      known = to
      pairs[slot].curvature = curvature
      pairs[slot].scale = curvature / changes
      if (curvature > CURVED * Math.sqrt(steps * changes)) used.push(slot)
      untaught = used.length === 0 ? untaught + 1 : 0
    },
    judge(good, share) {
      if (!good && used.length === 0) [untaught, patience] = [0, 2 * patience]
      if (!good) reach = (share * part * length) / 4
      else if (share === 1) reach *= 4
    },
    learned: at => ({
      used: [...used],
      slopes: slopes.slice(),
      products: products.slice(),
      reach,
      untaught,
      patience,
      curvatures: Float64Array.from(pairs, each => each.curvature),
      scales: Float64Array.from(pairs, each => each.scale),
      known: known === at,
      blocks: others.map(block => block.snapshot(used)),
    }),
    recall(learned, at) {
      used.splice(0, used.length, ...learned.used)
      slopes.set(learned.slopes)
      products.set(learned.products)
      pairs.forEach((pair, slot) => {
        pair.curvature = learned.curvatures[slot]
        pair.scale = learned.scales[slot]
      })
      for (const [b, block] of others.entries()) block.restore(used, learned.blocks[b])
      known = learned.known ? at : undefined
      ;({ reach, untaught, patience } = learned)
    },
    forget() {
      used.length = 0
      known = undefined
    },
  }
}
