import type { Parameters } from '../../model/parameters.ts'
import type { Statistics } from '../engine.ts'
import type { RecordShape } from './lane-tables.ts'
import type { Plan } from './layout.ts'
import { mergeParts, type Part } from './merge.ts'
import type { Share } from './share.ts'
import { addListed, readRecord } from './statistics.ts'

/** A sum of lanes and the memory its record lies in, of this thread or shared by another. */
export interface HeldPart extends Part {
  readonly memory: Float64Array
}

/** Before a pass: listed modes are added up label by label, and begin at zero. */
export const clearListed = (plan: Plan, into: Statistics): void => {
  for (let n = 0; n < plan.listed.length; n++) if (plan.listed[n]) into.factors[n].fill(0)
}

/** The pass over shares of this thread; their lanes must come before those of all others. */
export const runHere = (shares: readonly Share[], { weights, factors }: Parameters, into: Statistics): HeldPart[] => {
  const parts: HeldPart[] = []
  for (const share of shares) {
    share.run(weights, factors, (_lane, mode, labels, table) => {
      addListed(into.factors[mode], labels, table, into.rank, share.shape.padded)
    })
    const memory = share.arena.f64
    for (const { first, count, at } of share.parts) parts.push({ first, count, at, memory })
  }
  return parts
}

/** Adds up all lanes, in the fixed order, and writes the sum. */
export const totalInto = (parts: readonly HeldPart[], shape: RecordShape, plan: Plan, into: Statistics): Statistics => {
  const { memory, at } =
    parts.length === 1 ? parts[0] : mergeParts(parts, (target, source) => add(target, source, shape.length))
  readRecord(memory, at, shape, plan, into)
  return into
}

const add = (target: HeldPart, source: HeldPart, length: number): void => {
  const { memory: a, at: to } = target
  const { memory: b, at: from } = source
  for (let i = 0; i < length; i++) a[to + i] += b[from + i]
}
