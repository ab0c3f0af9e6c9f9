import type { Parameters } from '../../model/parameters.ts'
import type { Statistics } from '../engine.ts'
import type { CompactedSink, LanePass, PausablePass } from './lane-pass.ts'
import { mergeParts, type Part } from './lane-sums.ts'
import type { RecordShape } from './lane-tables.ts'
import type { Plan } from './layout.ts'
import { addCompacted, readRecord } from './statistics.ts'

/** A sum of lanes and the memory its record lies in, of this thread or shared by another. */
export interface PlacedPart extends Part {
  readonly memory: Float64Array
}

/** Before a pass: compacted modes are added up label by label, and begin at zero. */
export const clearCompacted = (plan: Plan, into: Statistics): void => {
  for (let n = 0; n < plan.compacted.length; n++) if (plan.compacted[n]) into.factors[n].fill(0)
}

/** The passes over the lanes of this thread, which must come before those of all others. All cells are in memory. */
export const runHere = (passes: readonly LanePass[], parameters: Parameters, into: Statistics): PlacedPart[] => {
  const parts: PlacedPart[] = []
  for (const pass of passes) {
    pass.run(parameters, compactedInto(pass, into))
    addParts(pass, parts)
  }
  return parts
}

/** The same in steps, where some cells may be in a file or the pass may be given up. */
export function* stepsHere(
  passes: readonly LanePass[],
  parameters: Parameters,
  into: Statistics,
  parts: PlacedPart[],
): PausablePass {
  for (const pass of passes) {
    yield* pass.steps.run(parameters, compactedInto(pass, into))
    addParts(pass, parts)
  }
}

const addParts = ({ memory, parts }: LanePass, all: PlacedPart[]): void => {
  for (const { first, count, at } of parts) all.push({ first, count, at, memory })
}

const compactedInto =
  ({ shape }: LanePass, { factors, rank }: Statistics): CompactedSink =>
  (mode, labels, table) =>
    addCompacted(factors[mode], labels, table, rank, shape.padded)

/** Adds up all lanes, in the fixed order, and writes the sum. */
export const totalInto = (
  parts: readonly PlacedPart[],
  shape: RecordShape,
  plan: Plan,
  into: Statistics,
): Statistics => {
  const { memory, at } =
    parts.length === 1 ? parts[0] : mergeParts(parts, (target, source) => add(target, source, shape.length))
  readRecord(memory, at, shape, plan, into)
  return into
}

const add = (target: PlacedPart, source: PlacedPart, length: number): void => {
  const { memory: a, at: to } = target
  const { memory: b, at: from } = source
  for (let i = 0; i < length; i++) a[to + i] += b[from + i]
}
