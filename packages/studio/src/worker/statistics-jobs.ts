import {
  bootstrap,
  DataError,
  type Model,
  OptionError,
  type StandardErrorOptions,
  standardErrors,
  type Tensor,
  testRanks,
} from '@polyad/core'
import { defined, omit } from '@polyad/core/options'
import { isLinkedData, isModelData, type LinkedData, type ModelData } from '@polyad/core/stats'
import { prepare, rankedStructure } from 'polyad/analysis'
import { makeReport, pairsTested, testsOf } from 'polyad/report'
import { dataFor, held, preparedFor, readData } from './current-data.ts'
import { openModel } from './models.ts'
import type { JobHandler } from './protocol.ts'

/** The data that is read, for a model that was fitted to it. */
const ownData = (model: Model): Tensor | ModelData | LinkedData => {
  const found = dataFor(model)
  if (found !== undefined) return found
  throw new DataError('the data now has other variables than this model: fit again')
}

/** Of sampling weights, where the data has them: standard errors need their squares. Data in the form of a model has them already. */
const squares = (data: ReturnType<typeof ownData>): { readonly squares?: Float64Array } => {
  const values = held.read?.squares?.values
  return values === undefined || isLinkedData(data) || isModelData(data) ? {} : { squares: values }
}

/** Standard errors by the design of the sample, if it has one. */
const errorsOf = (model: Model, data: ReturnType<typeof ownData>, options: StandardErrorOptions) => {
  const { design } = readData().whole ?? {}
  if (design === undefined || isLinkedData(data)) return standardErrors(data, model, { ...options, ...squares(data) })
  const covariates = model.structure.given.map(({ name }) => name)
  const { sample } = preparedFor(covariates.length > 0 ? { covariates } : {})
  return standardErrors(sample.data as Tensor, model, { ...options, ...sample.options, kind: 'sandwich' })
}

const errors: JobHandler<'errors'> = async ({ signal }, handle, kind, confidence) => {
  const { model } = openModel(handle)
  const data = ownData(model)
  const found = await errorsOf(model, data, { kind, confidence, signal })
  return omit(found, 'covariance', 'covariates')
}

const testRank: JobHandler<'testRank'> = async ({ signal, progress }, rank, replicates, seed, structure) => {
  const { tensor, rowWeights } = prepare(readData(), { structure })
  const test = await testRanks(tensor as Tensor, {
    rank,
    ...rankedStructure(tensor, structure),
    ...defined({ rowWeights }),
    replicates,
    seed,
    signal,
    onReplicate: progress,
  })
  return {
    rank: test.rank,
    against: test.against,
    statistic: test.statistic,
    pValue: test.pValue,
    interval: test.interval,
    replicates: test.replicates,
    warnings: test.warnings,
  }
}

const goodness: JobHandler<'goodness'> = async ({ signal, progress }, handle, replicates, seed) => {
  const { model } = openModel(handle)
  const own = ownData(model)
  const data = isLinkedData(own) ? (readData().tensor as Tensor) : own
  const { rowWeights } = readData()
  const found = await bootstrap(data, model, {
    ...(rowWeights !== undefined && !isModelData(data) && { rowWeights }),
    replicates,
    seed,
    signal,
    onReplicate: progress,
  })
  return {
    tests: testsOf(found).map(([key, { pValue, interval }]) => [key, { pValue, interval }]),
    pairs: pairsTested(found) ?? null,
    replicates: found.replicates,
    stopped: found.stopped,
  }
}

/** The data that a model was fitted to; data that was read with other settings since is not what it is of. */
const sameData = (model: Model): Tensor | ModelData | LinkedData | undefined => {
  const variables = held.read?.tensor.modes.filter(({ name }) => model.modes.some(mode => mode.name === name)) ?? []
  if (!variables.every(({ size }, n) => size === model.modes[n]?.size)) return undefined
  try {
    return dataFor(model)
  } catch (error) {
    if (error instanceof DataError || error instanceof OptionError) return undefined
    throw error
  }
}

const report: JobHandler<'report'> = async ({ signal }, handle, { errors: kind, ...options }) => {
  const { model, run } = openModel(handle)
  const found = sameData(model)
  const intervals =
    kind === undefined || found === undefined ? undefined : await errorsOf(model, found, { kind, signal })
  const data =
    isLinkedData(found) || (found !== undefined && isModelData(found))
      ? { data: found.items, placed: found }
      : defined({ data: found })
  return makeReport(model, {
    ...options,
    run,
    ...data,
    ...defined({ errors: intervals }),
  })
}

const tableFiles: JobHandler<'tableFiles'> = async (_, kind, handles, formats, names) => {
  const files = await import('./table-files.ts')
  return files.tableFiles(kind, handles, formats, names)
}

type StatisticsJob = 'errors' | 'testRank' | 'goodness' | 'report' | 'tableFiles'

export const statisticsJobs: { readonly [J in StatisticsJob]: JobHandler<J> } = {
  errors,
  testRank,
  goodness,
  report,
  tableFiles,
}
