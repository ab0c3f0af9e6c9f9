import { numberOf } from '@polyad/charts'
import { type Model, matchClasses } from '@polyad/core'
import { mostProbable, posteriorInto, sameModes } from '@polyad/core/model'
import { classMarks, isLinkedData, isModelData, linkedPosteriors, passOver } from '@polyad/core/stats'
import { classNamesOf, describeClasses } from 'polyad/report'
import { labelsIn, recordedLabels } from 'polyad/table'
import { dataFor } from './current-data.ts'
import { openModel } from './models.ts'
import type { DescribedModels, JobHandler } from './protocol.ts'
import { withAverages } from './scale-means.ts'

/** Marks of a class that are told. */
const MARKS = 8
/** Up to this much work (cells × modes × classes of all models) every cell is assigned to the classes of all models. */
const MOST_WORK = 1e8

const describe: JobHandler<'describe'> = (_, handles) => {
  const files = handles.map(openModel)
  const models = files.map(({ model }) => model).sort((a, b) => a.rank - b.rank)
  const shown = labelsIn(recordedLabels(files[0]?.run ?? {}))
  const assigned = assignedClasses(models)
  return {
    modes: (models[0]?.modes ?? []).map((mode, n) => ({
      // As the charts have them.
      name: shown.name(mode.name),
      labels: Array.from({ length: mode.size }, (_, j) => shown.value(mode.name, mode.label(j))),
      ordered: mode.ordered,
      number: numberOf(models[0], n) !== undefined,
    })),
    models: models.map((model, i): DescribedModels['models'][number] => {
      const next = models[i + 1]
      const marks = model.shares.map((_, k) =>
        withAverages(
          model,
          k,
          classMarks(model, k, MARKS).map(mark => ({ ...mark, label: shown.value(mark.mode, mark.label) })),
        ),
      )
      return {
        rank: model.rank,
        shares: model.shares,
        factors: model.parameters.factors,
        marginals: model.modes.map((_, n) => Float64Array.from(model.marginal(n))),
        marks,
        names: classNamesOf(model),
        descriptions: describeClasses(marks),
        partners: next === undefined ? null : matchClasses(model, next).partner,
        flows: next === undefined || assigned === null ? null : assigned.between(i),
      }
    }),
  }
}

export const describeJobs = { describe }

/**
 * The most probable class of every cell by every model; null where the cells are not at hand or too many.
 */
const assignedClasses = (models: readonly Model[]) => {
  const found = models.length < 2 ? undefined : dataFor(models[0])
  if (found === undefined) return null
  const data = isLinkedData(found) ? found.items : isModelData(found) ? found.tensor : found
  const rows = isLinkedData(found) ? found.links.rows.cells.length : data.cells
  const classes = models.reduce((sum, { rank }) => sum + rank, 0)
  if (rows * data.modes.length * classes > MOST_WORK) return null
  if (
    !models.every(
      ({ modes }) => sameModes(modes, models[0].modes) && sameModes(modes, data.modes.slice(0, modes.length)),
    )
  )
    return null
  const assigned = models.map(model => assignedTo(model, dataFor(model)!))
  const [{ counts }] = assigned
  const total = counts.reduce((sum, count) => sum + count, 0)
  return {
    between: (i: number): number[][] => {
      const parts = Array.from({ length: models[i].rank }, () => new Array<number>(models[i + 1].rank).fill(0))
      for (let row = 0; row < counts.length; row++)
        parts[assigned[i].classes[row]][assigned[i + 1].classes[row]] += counts[row] / total
      return parts
    },
  }
}

/** The most probable class of every cell, or of every row if rows belong together, and how much of the data it is. */
const assignedTo = (
  model: Model,
  data: NonNullable<ReturnType<typeof dataFor>>,
): { readonly classes: ArrayLike<number>; readonly counts: Float64Array } => {
  if (isLinkedData(data)) {
    const rows = linkedPosteriors(model, data)
    return {
      classes: rows.map(({ probabilities }) => mostProbable(probabilities)),
      counts: Float64Array.from(rows, ({ count }) => count),
    }
  }
  const passed = passOver(model, data)
  return { classes: assign(passed), counts: passed.cells.values }
}

const assign = ({ cells: { cells, indices }, parameters }: ReturnType<typeof passOver>): Int32Array => {
  const out = new Float64Array(parameters.rank)
  return Int32Array.from({ length: cells }, (_, cell) => {
    posteriorInto(parameters, indices, cell, out)
    return mostProbable(out)
  })
}
