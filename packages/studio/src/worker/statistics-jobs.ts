import { bootstrap, DataError, type Model, standardErrors, type Tensor, testRanks } from '@polyad/core'
import { makeReport } from 'polyad/report'
import { dataFor, held, readData } from './held.ts'
import { openModel } from './models.ts'
import type { JobHandler, SimulatedTest } from './protocol.ts'

/** The data that is read, for a model that was fitted to it. */
const ownData = ({ modes }: Model): Tensor => {
  const found = dataFor(modes.map(({ name }) => name))
  if (found !== undefined) return found
  throw new DataError('the data now has other variables than this model: fit again')
}

/** Of sampling weights, where the data has them: standard errors need their squares. */
const squares = (): { readonly squares?: Float64Array } => {
  const values = held.read?.squares?.values
  return values === undefined ? {} : { squares: values }
}

const errors: JobHandler<'errors'> = async ({ signal }, handle, kind, confidence) => {
  const { model } = openModel(handle)
  const { covariance: _covariance, ...found } = await standardErrors(ownData(model), model, {
    kind,
    confidence,
    signal,
    ...squares(),
  })
  return found
}

const testRank: JobHandler<'testRank'> = async ({ signal, progress }, rank, replicates, seed) => {
  const test = await testRanks(readData().tensor, {
    rank,
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
  }
}

const goodness: JobHandler<'goodness'> = async ({ signal, progress }, handle, replicates, seed) => {
  const { model } = openModel(handle)
  const found = await bootstrap(ownData(model), model, {
    replicates,
    seed,
    signal,
    onReplicate: progress,
  })
  const simulated = (test: SimulatedTest | undefined) =>
    test === undefined ? null : { pValue: test.pValue, interval: test.interval }
  return {
    gSquared: simulated(found.gSquared),
    chiSquared: simulated(found.chiSquared),
    replicates: found.replicates,
    stopped: found.stopped,
  }
}

const report: JobHandler<'report'> = async ({ signal }, handle, { errors: kind, ...options }) => {
  const { model, run } = openModel(handle)
  const found = dataFor(model.modes.map(({ name }) => name))
  // Data that was read with other settings since is not what the model is of.
  const data = found?.shape.every((size, n) => size === model.modes[n].size) ? found : undefined
  const intervals =
    kind === undefined || data === undefined
      ? undefined
      : await standardErrors(data, model, { kind, signal, ...squares() })
  return makeReport(model, {
    ...options,
    run,
    ...(data !== undefined && { data }),
    ...(data !== undefined && held.read?.digest && { digest: held.read.digest }),
    ...(intervals !== undefined && { errors: intervals }),
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
