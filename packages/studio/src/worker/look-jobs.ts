import { type Model, matchClasses, type Tensor } from '@polyad/core'
import { mostProbable, posteriorInto, sameModes } from '@polyad/core/model'
import { classMarks } from '@polyad/core/stats'
import { classNamesOf, describeClasses } from 'polyad/report'
import { dataFor } from './held.ts'
import { openModel } from './models.ts'
import type { JobHandler, Looked } from './protocol.ts'

/** Marks of a class that are told. */
const MARKS = 8
/** Up to this much work (cells × modes × classes of all models) every cell is assigned to the classes of all models. */
const MOST_WORK = 1e8

const look: JobHandler<'look'> = (_, handles) => {
  const models = handles.map(handle => openModel(handle).model).sort((a, b) => a.rank - b.rank)
  const assigned = assignedClasses(models)
  return {
    modes: (models[0]?.modes ?? []).map(mode => ({
      name: mode.name,
      labels: Array.from({ length: mode.size }, (_, j) => String(mode.label(j))),
      ordered: mode.ordered,
    })),
    models: models.map((model, i): Looked['models'][number] => {
      const next = models[i + 1]
      const marks = model.shares.map((_, k) => classMarks(model, k, MARKS))
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

export const lookJobs = { look }

/**
 * The most probable class of every cell by every model; null where the cells are not at hand or too many. Data that is read with
 * covariates has other modes than its models, whose classes the cells alone do not tell.
 */
const assignedClasses = (models: readonly Model[]) => {
  const data = models.length < 2 ? undefined : dataFor(models[0].modes.map(({ name }) => name))
  const classes = models.reduce((sum, { rank }) => sum + rank, 0)
  if (data === undefined || data.cells * data.modes.length * classes > MOST_WORK) return null
  if (!models.every(({ modes }) => sameModes(modes, data.modes))) return null
  const assigned = models.map(model => assign(data, model))
  return {
    between: (i: number): number[][] => {
      const parts = Array.from({ length: models[i].rank }, () => new Array<number>(models[i + 1].rank).fill(0))
      for (let cell = 0; cell < data.cells; cell++)
        parts[assigned[i][cell]][assigned[i + 1][cell]] += data.values[cell] / data.total
      return parts
    },
  }
}

const assign = ({ cells, indices }: Tensor, { parameters, rank }: Model): Int32Array => {
  const out = new Float64Array(rank)
  return Int32Array.from({ length: cells }, (_, cell) => {
    posteriorInto(parameters, indices, cell, out)
    return mostProbable(out)
  })
}
