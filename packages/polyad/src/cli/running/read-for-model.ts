import type { StoredModel } from '../../output/model-store.ts'
import { type ModelData, modelTensor, tensorForModel } from '../../scoring/model-tensor.ts'
import { FORMATS, formatOfName } from '../../source/files.ts'
import { readTensor } from '../../source/read-tensor.ts'
import type { ModelDataOptions } from '../options/model-options.ts'
import type { Call } from './define-command.ts'
import { withModelTable } from './model-table.ts'

/** Data with the modes of a model: cells as they are, rows as the model's recipe reads them. */
export const readForModel = async (
  call: Pick<Call, 'terminal' | 'line'>,
  { model, path }: StoredModel,
  paths: readonly string[],
  options: ModelDataOptions,
): Promise<ModelData> =>
  isArray(paths, options)
    ? tensorForModel((await readTensor(paths)).tensor, model)
    : withModelTable(call, path, paths, options, (tables, table) => modelTensor(tables, table, model))

/** The first four formats are tables. */
const isArray = (paths: readonly string[], { format, sql }: ModelDataOptions): boolean =>
  sql === undefined && paths.length === 1 && !FORMATS.slice(0, 4).includes(format ?? formatOfName(paths[0]) ?? 'csv')
