import type { Drift } from '@polyad/core'
import type { DriftData } from './chart-data.ts'

/**
 * What has changed between two models; classes have the names of the later one, unless only the earlier one has them.
 * @example
 * driftData(modelDrift(model, model)).modes.every(({ overall }) => overall === 0) // true
 */
export const driftData = (
  { classes: pairs, modes }: Drift,
  names: { readonly before?: readonly string[] | undefined; readonly after?: readonly string[] | undefined } = {},
): DriftData => {
  // In the order of the later model, so that each has its colour there.
  const classes = pairs.toSorted((a, b) => (a.after ?? pairs.length) - (b.after ?? pairs.length))
  return {
    classes: classes.map(({ before, after, shareBefore, shareAfter }) => ({
      name:
        after === undefined
          ? `${names.before?.[before as number] ?? `class ${(before as number) + 1}`}, before`
          : (names.after?.[after] ?? `class ${after + 1}`),
      before: shareBefore ?? null,
      after: shareAfter ?? null,
    })),
    modes: modes.map(({ mode, distance, added, gone }, n) => ({
      name: mode,
      overall: distance,
      added: added.length,
      gone: gone.length,
      distances: classes.map(each => each.modes[n]?.distance ?? null),
    })),
  }
}
