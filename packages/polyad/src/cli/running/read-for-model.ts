import { OptionError, type StandardErrorOptions, type StandardErrors, standardErrors } from '@polyad/core'
import type { StoredModel } from '../../output/model-store.ts'
import { groupedData, isArrayFile, type ModelData, modelTensor, tensorForModel } from '../../scoring/model-tensor.ts'
import { ownDesignNotes, sampleTable } from '../../scoring/table-sample.ts'
import { readTensor } from '../../source/read-tensor.ts'
import type { ModelDataOptions } from '../options/model-options.ts'
import type { SampleOptions } from '../options/sample-options.ts'
import type { Call } from './define-command.ts'
import { withModelTable } from './model-table.ts'

/** Data with the modes of a model: cells as they are, rows as the model's recipe reads them, weighed and chosen as the model's own data was. */
export const readForModel = async (
  call: Pick<Call, 'terminal' | 'line'>,
  stored: StoredModel,
  paths: readonly string[],
  options: ModelDataOptions & SampleOptions,
): Promise<ModelData> => {
  const { model, path, run } = stored
  const complete = options.complete ?? stored.complete ?? false
  const data = isArrayFile(paths, options)
    ? tensorForModel((await readTensor(paths)).tensor, model)
    : await withModelTable(call, path, paths, { ...options, complete }, async (tables, table) => {
        const sample = await sampleTable(tables, table, stored, options)
        for (const note of ownDesignNotes(sample, options)) call.terminal.note(note)
        if (stored.weights !== undefined && sample.weights.column === undefined && options.weights === undefined)
          call.terminal.warn(
            `the data has no column ${stored.weights}, the sampling weights of the model's own data: results are unweighted`,
          )
        return modelTensor(tables, table, model, sample)
      })
  const { groups } = (run?.result ?? {}) as { readonly groups?: { readonly mode: string } }
  const isMode = model.modes.some(({ name }) => name === groups?.mode)
  return groups !== undefined && isMode ? groupedData(data, model, groups.mode) : data
}

/** The standard errors of a model that was kept, from data of its modes. */
export const modelErrors = (
  { model, run, recipe }: Pick<StoredModel, 'model' | 'run' | 'recipe'>,
  { tensor, sample }: ModelData,
  wanted: StandardErrorOptions,
): Promise<StandardErrors> => {
  const { covariates, constraints, known } = (run.options ?? {}) as Record<string, unknown>
  if (recipe.covariates !== undefined || [covariates, constraints, known].some(each => each !== undefined))
    throw new OptionError(
      '--se works here only for models without covariates, known classes and constraints: use polyad fit --se',
    )
  return standardErrors(sample?.data ?? tensor, model, { ...wanted, ...sample?.options })
}
