import type { Estimated, Label, LinkedResult } from '@polyad/core'

/** A probability with what is known of its error. */
export interface ProbabilityFigure {
  readonly probability: number
  readonly standardError: number | null
  readonly interval: readonly [number, number] | null
}

/** What a fit of linked rows has to say besides its classes, as `--json` and records have it. */
export interface LinkedFigures {
  /** How many persons there are. */
  readonly persons?: number
  /** The class sizes at every wave, and how many persons have a row there. */
  readonly waves?: readonly {
    readonly wave: Label
    readonly persons: number
    readonly sizes: readonly ProbabilityFigure[]
  }[]
  /** The class sizes at the first wave. */
  readonly initial?: readonly ProbabilityFigure[]
  /** For every step, or once for all (`from` and `to` are then null): a row for each class left. */
  readonly transitions?: readonly {
    readonly from: Label | null
    readonly to: Label | null
    readonly probabilities: readonly (readonly ProbabilityFigure[])[]
  }[]
  /** The classes of groups: how many groups there are, how large the classes are, and the class sizes within each. */
  readonly groupClasses?: {
    readonly within: string
    readonly groups: number
    readonly sizes: readonly ProbabilityFigure[]
    readonly mixes: readonly (readonly ProbabilityFigure[])[]
  }
  /** Rows without a person, a wave, a group or any answer. */
  readonly unlinked?: number
}

const estimated = ({ value, error, interval }: Estimated): ProbabilityFigure => ({
  probability: value,
  standardError: error ?? null,
  interval: interval ?? null,
})

/** @param unusable rows that were omitted before */
export const linkedFigures = (
  { model: { structure }, standardErrors, data }: LinkedResult,
  unusable = 0,
): LinkedFigures => {
  const unlinked = data.dropped + unusable
  const plain = (values: readonly number[]) =>
    values.map(value => estimated({ value, error: undefined, interval: undefined }))
  if (structure.kind === 'nested') {
    const { within, groupSizes, mixes } = structure
    const errors = standardErrors?.nested
    return {
      groupClasses: {
        within,
        groups: data.labels.length,
        sizes: errors?.groupSizes.map(estimated) ?? plain(groupSizes),
        mixes: errors?.mixes.map(row => row.map(estimated)) ?? mixes.map(plain),
      },
      unlinked,
    }
  }
  if (structure.kind !== 'chain') return {}
  const errors = standardErrors?.chain
  const { waves, initial, transitions } = structure
  const rowsAt = waves.map(() => 0)
  const { starts, weights } = data.links.rows
  // Equal persons of a wide table are one unit.
  const persons = (unit: number) => (data.wide === undefined ? 1 : weights[unit])
  for (let unit = 0; unit + 1 < starts.length; unit++)
    for (let row = starts[unit]; row < starts[unit + 1]; row++)
      if (data.sources[row] >= 0) rowsAt[row - starts[unit]] += persons(unit)
  const tables =
    errors?.transitions.map(step => step.map(row => row.map(estimated))) ?? transitions.map(step => step.map(plain))
  return {
    persons: Math.round(data.wide === undefined ? data.labels.length : data.observations),
    waves: waves.map((wave, t) => ({
      wave,
      persons: Math.round(rowsAt[t]),
      sizes: errors?.sizes[t].map(estimated) ?? plain(structure.sizes(t)),
    })),
    initial: errors?.initial.map(estimated) ?? plain(initial),
    transitions: tables.map((probabilities, t) => ({
      from: structure.same ? null : waves[t],
      to: structure.same ? null : waves[t + 1],
      probabilities,
    })),
    unlinked,
  }
}
