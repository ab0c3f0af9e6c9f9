import { OptionError, type StandardErrorOptions, type StandardErrors, standardErrors } from '@polyad/core'
import type { StoredModel } from '../../output/model-store.ts'
import { groupedData, isArrayFile, type ModelData, tensorForModel } from '../../scoring/model-tensor.ts'
import { readModelData } from '../../scoring/read-model-data.ts'
import { readTensor } from '../../source/read-tensor.ts'
import { recordedFit } from '../../table/view/recorded-fit.ts'
import type { Call } from '../framework/define-command.ts'
import type { ModelDataOptions } from '../options/model-options.ts'
import type { SampleOptions } from '../options/sample-options.ts'
import { modelReading } from './model-reading.ts'

/** Data with the modes of a model: cells as they are, rows as the model's recipe reads them, weighed and chosen as the model's own data was. */
export const readForModel = async (
  call: Pick<Call, 'terminal' | 'line'>,
  stored: StoredModel,
  paths: readonly string[],
  options: ModelDataOptions & SampleOptions,
): Promise<ModelData> => {
  const { model, run } = stored
  const complete = options.complete ?? stored.complete ?? false
  const { group: asked } = recordedFit(run)
  const group = model.modes.find(({ name }) => name === asked)?.name
  if (isArrayFile(paths, options)) {
    const data = tensorForModel((await readTensor(paths)).tensor, model)
    return group === undefined ? data : groupedData(data, model, group)
  }
  const { weights, cluster, strata } = options
  return modelReading(call, paths, { ...options, complete }, reading =>
    readModelData({ model: stored, paths, linked: true }, reading, { weights, cluster, strata, groups: group }),
  )
}

/** The standard errors of a model that was kept, from data of its modes, and of its covariates if it has some. */
export const modelErrors = async (
  { model, run }: Pick<StoredModel, 'model' | 'run'>,
  { tensor, sample, placed }: ModelData,
  wanted: StandardErrorOptions,
): Promise<StandardErrors> => {
  const { constraints, known } = recordedFit(run).options
  if ([constraints, known].some(each => each !== undefined))
    throw new OptionError('--se works here only for models without known classes and constraints: use polyad fit --se')
  const { squares, ...design } = sample?.options ?? {}
  return placed === undefined
    ? standardErrors(sample?.data ?? tensor, model, { ...wanted, ...sample?.options })
    : standardErrors(placed, model, { ...wanted, ...design })
}
