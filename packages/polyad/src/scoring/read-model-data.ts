import { Model } from '@polyad/core'
import { isLinked } from '@polyad/core/model'
import { isLinkedData } from '@polyad/core/stats'
import { choice, grouped, warning } from '../table/values/note.ts'
import { countModelRows, type ModelData, modelTensor } from './model-tensor.ts'
import { smallWithNewLabels, withNewLabels } from './new-labels.ts'
import { countSmallRows } from './small-counts.ts'
import { sampleSmallTable } from './small-model-table.ts'
import { ownDesignNotes, type SampleNames, type SampleRequest, sampleTable } from './table-sample.ts'
import { type ModelRequest, type ModelTableReading, withModelTable } from './with-model-table.ts'

export interface ModelDataOptions extends SampleRequest {
  /** The mode of known groups. */
  readonly groups?: string | undefined
  /** Whether labels that the model has never seen become labels. */
  readonly newLabels?: boolean
}

/** Data of a table seen through a model, and the columns by which its rows were counted and weighed. */
export interface TableData extends ModelData {
  readonly count: string | undefined
  readonly weights: string | undefined
}

/** Rows that belong together are read with the column of their persons or groups: they are the clusters. */
const unitsOf = ({ model, linked = false }: ModelRequest): SampleRequest => {
  if (!linked || typeof model === 'string') return {}
  const { structure } = model instanceof Model ? model : model.model
  if (!isLinked(structure)) return {}
  return { cluster: structure.kind === 'chain' ? structure.person : structure.within, unclustered: true }
}

/** Reads a table as a tensor of a model's modes, weighed and chosen as the model's own data was. */
export const readModelData = (
  request: ModelRequest,
  { onNote = () => {}, ...reading }: ModelTableReading,
  { groups, newLabels = false, ...design }: ModelDataOptions,
): Promise<TableData> => {
  const asked = { ...design, ...unitsOf(request) }
  const tell = (sample: SampleNames, own: string | undefined) => {
    for (const note of ownDesignNotes(sample, asked)) onNote(choice(note))
    if (own !== undefined && sample.weights.column === undefined && asked.weights === undefined)
      onNote(
        warning(
          'weights-ignored',
          `the data has no column ${own}, the sampling weights of the model's own data: results are unweighted`,
        ),
      )
  }
  /** Rows that cannot be placed are told of. */
  const placed = (data: ModelData): ModelData => {
    const left = isLinkedData(data.placed) ? data.placed.dropped : 0
    if (left > 0)
      onNote(
        warning(
          'rows-left-out',
          `${grouped(left)} left out: the person, the wave, the group or a covariate is missing, or the model does not know the wave`,
        ),
      )
    return data
  }
  return withModelTable(
    request,
    { onNote, ...reading },
    {
      large: async (tables, opened, stored) => {
        const sample = await sampleTable(tables, opened, stored, asked)
        tell(sample, stored.weights)
        const { table, model } = newLabels
          ? await withNewLabels(tables, opened, stored)
          : { table: opened, model: stored.model }
        const counted = await countModelRows(tables, table, model, sample, groups)
        return { ...placed(modelTensor(model, counted)), count: table.count, weights: sample.weights.column }
      },
      small: async (opened, stored) => {
        const sample = await sampleSmallTable(opened, stored, asked)
        tell(sample, stored.weights)
        const { table, model } = newLabels
          ? await smallWithNewLabels(opened, stored)
          : { table: opened, model: stored.model }
        const counted = countSmallRows(table, model, sample, groups)
        return { ...placed(modelTensor(model, counted)), count: table.count, weights: sample.weights.column }
      },
    },
  )
}
