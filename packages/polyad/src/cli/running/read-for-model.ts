import { OptionError, type StandardErrorOptions, type StandardErrors, standardErrors, type Tensor } from '@polyad/core'
import type { StoredModel } from '../../output/model-store.ts'
import { groupedData, type ModelData, modelTensor, tensorForModel } from '../../scoring/model-tensor.ts'
import { readTensor } from '../../source/read-tensor.ts'
import { formatOfName, isTableFormat } from '../../table/files/formats.ts'
import type { ModelDataOptions } from '../options/model-options.ts'
import type { Call } from './define-command.ts'
import { withModelTable } from './model-table.ts'

/** Data with the modes of a model: cells as they are, rows as the model's recipe reads them. */
export const readForModel = async (
  call: Pick<Call, 'terminal' | 'line'>,
  stored: StoredModel,
  paths: readonly string[],
  options: ModelDataOptions,
): Promise<ModelData> => {
  checkRepeatable(stored)
  const { model, path, run } = stored
  const data = isArray(paths, options)
    ? tensorForModel((await readTensor(paths)).tensor, model)
    : await withModelTable(call, path, paths, options, (tables, table) => modelTensor(tables, table, model))
  const { groups } = (run?.result ?? {}) as { readonly groups?: { readonly mode: string } }
  return groups === undefined ? data : groupedData(data, model, groups.mode)
}

/** Refuses data that would not be counted as it was for the fit. */
const checkRepeatable = ({ run, weights, path }: StoredModel): void => {
  const asked = (run?.options ?? {}) as Record<string, unknown>
  const flag = weights !== undefined ? '--weights' : asked.complete === true ? '--complete' : undefined
  if (flag !== undefined)
    throw new OptionError(
      `${path} was fitted with ${flag}, which is not done again here: leave the data out, or write the report with the fit (polyad fit … --report)`,
    )
}

const isArray = (paths: readonly string[], { format, sql }: ModelDataOptions): boolean =>
  sql === undefined && paths.length === 1 && !isTableFormat(format ?? formatOfName(paths[0]) ?? 'csv')

/** The standard errors of a model that was kept, from data of its modes. */
export const modelErrors = (
  { model, run }: Pick<StoredModel, 'model' | 'run'>,
  tensor: Tensor,
  wanted: StandardErrorOptions,
): Promise<StandardErrors> => {
  const { covariates, constraints } = (run.options ?? {}) as Record<string, unknown>
  if (covariates !== undefined || constraints !== undefined)
    throw new OptionError('--se is for models without covariates and constraints')
  return standardErrors(tensor, model, wanted)
}
