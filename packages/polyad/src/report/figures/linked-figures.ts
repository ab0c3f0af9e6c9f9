import type { Estimated, Label, LinkCoefficient, LinkEffects, LinkedResult, Model, StandardErrors } from '@polyad/core'
import { defined } from '@polyad/core/options'
import type { LinkedData } from '@polyad/core/stats'
import { type WithNulls, withNulls } from '../with-nulls.ts'

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
    readonly persons?: number
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
    readonly groups?: number
    readonly sizes: readonly ProbabilityFigure[]
    readonly mixes: readonly (readonly ProbabilityFigure[])[]
  }
  /** The part of the persons who never change, and their class sizes. */
  readonly stayers?: { readonly share: ProbabilityFigure; readonly sizes: readonly ProbabilityFigure[] }
  /** What covariates explain. */
  readonly effects?: readonly EffectFigures[]
  /** Rows without a person, a wave, a group or any answer. */
  readonly unlinked?: number
}

/** The coefficients of covariates on the classes of linked rows. */
export interface EffectFigures extends Pick<LinkEffects, 'covariates'> {
  readonly on: LinkEffects['part']
  readonly reference: number | null
  readonly coefficients: readonly (WithNulls<Omit<LinkCoefficient, 'error'>> & {
    readonly standardError: number | null
  })[]
  readonly tests: readonly WithNulls<LinkEffects['tests'][number]>[]
}

const effectFigures = (effects: readonly LinkEffects[]): EffectFigures[] =>
  effects.map(({ part, reference, covariates, coefficients, tests }) => ({
    on: part,
    reference: reference ?? null,
    covariates,
    coefficients: coefficients.map(({ error, ...each }) => ({ ...withNulls(each), standardError: error ?? null })),
    tests: tests.map(({ covariate, test }) => ({ covariate, test: test ?? null })),
  }))

const estimated = ({ value, error, interval }: Estimated): ProbabilityFigure => ({
  probability: value,
  standardError: error ?? null,
  interval: interval ?? null,
})

const noError = (value: number): Estimated => ({ value, error: undefined, interval: undefined })

/** How many units a fit had. */
type LinkedCounts = Pick<LinkedFigures, 'persons'> & {
  /** By wave. */
  readonly rowsAt?: readonly number[]
  readonly groups?: number
}

const countsOf = ({ links, labels, sources, observations, wide }: LinkedData): LinkedCounts => {
  if (links.kind === 'nested') return { groups: labels.length }
  const rowsAt = new Array<number>(links.waves).fill(0)
  const { starts, weights } = links.rows
  // Equal persons of a wide table are one unit.
  const persons = (unit: number) => (wide === undefined ? 1 : weights[unit])
  for (let unit = 0; unit + 1 < starts.length; unit++)
    for (let row = starts[unit]; row < starts[unit + 1]; row++)
      if (sources[row] >= 0) rowsAt[row - starts[unit]] += persons(unit)
  return { persons: Math.round(wide === undefined ? labels.length : observations), rowsAt: rowsAt.map(Math.round) }
}

/** What the tables of a model say; of a model that is not of linked rows nothing. */
export const structureFigures = (
  { structure }: Pick<Model, 'structure'>,
  standardErrors?: StandardErrors,
  { persons, rowsAt, groups }: LinkedCounts = {},
): LinkedFigures => {
  const effects = standardErrors?.effects && { effects: effectFigures(standardErrors.effects) }
  const plain = (values: readonly number[]) => values.map(value => estimated(noError(value)))
  if (structure.kind === 'nested') {
    const { within, groupSizes, mixes } = structure
    const errors = standardErrors?.nested
    return {
      groupClasses: {
        within,
        ...defined({ groups }),
        sizes: errors?.groupSizes.map(estimated) ?? plain(groupSizes),
        mixes: errors?.mixes.map(row => row.map(estimated)) ?? mixes.map(plain),
      },
      ...effects,
    }
  }
  if (structure.kind !== 'chain') return {}
  const errors = standardErrors?.chain
  const { waves, initial, transitions } = structure
  const tables =
    errors?.transitions.map(step => step.map(row => row.map(estimated))) ?? transitions.map(step => step.map(plain))
  return {
    ...defined({ persons }),
    waves: waves.map((wave, t) => ({
      wave,
      ...defined({ persons: rowsAt?.[t] }),
      sizes: errors?.sizes[t].map(estimated) ?? plain(structure.sizes(t)),
    })),
    initial: errors?.initial.map(estimated) ?? plain(initial),
    transitions: tables.map((probabilities, t) => ({
      from: structure.same ? null : waves[t],
      to: structure.same ? null : waves[t + 1],
      probabilities,
    })),
    ...(structure.stayers && {
      stayers: {
        share: estimated(errors?.stayers?.share ?? noError(structure.stayers.share)),
        sizes: errors?.stayers?.sizes.map(estimated) ?? plain(structure.stayers.sizes),
      },
    }),
    ...effects,
  }
}

/** @param unusable rows that were omitted before */
export const linkedFigures = ({ model, standardErrors, data }: LinkedResult, unusable = 0): LinkedFigures => ({
  ...structureFigures(model, standardErrors, countsOf(data)),
  unlinked: data.dropped + unusable,
})
