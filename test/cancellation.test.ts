import { writeFileSync } from 'node:fs'
import {
  bootstrap,
  bootstrapDistal,
  bootstrapOutcome,
  bootstrapRegress,
  chooseRank,
  evaluate,
  fit,
  fitCovariates,
  fitGroups,
  fitJoined,
  fitStructured,
  principalComponent,
  standardErrors,
  testRanks,
  updateModel,
} from '@polyad/core'
import { withoutModes } from '@polyad/core/model'
import * as optionTables from '@polyad/core/options'
import { explainedBootstrap, replicateErrors, residualsWithin } from '@polyad/core/stats'
import { classifyTable, imputeTable, openData, openSqlTable, readTensor, updateTable } from 'polyad'
import { afterAll, describe, expect, it } from 'vitest'
import { csvOf, scratchFolder } from './run-polyad.ts'
import { gss82 as survey } from './tables.ts'

/** One contract, held by every function that takes a signal: `stopped: true` if there is something to return, else an `AbortError`. */

const scratch = scratchFolder()
afterAll(scratch.remove)
const file = scratch.path('survey.csv')
writeFileSync(file, csvOf(survey))
const { model } = await fit(survey, { rank: 2, seed: 1, threads: 1 })
const [first, second, third] = survey.modes.map(({ name }) => name)
const { model: answersOnly } = await fit(withoutModes(survey, [first]), { rank: 2, seed: 1, threads: 1 })
const { model: fewAnswers } = await fit(withoutModes(survey, [first, second]), { rank: 2, seed: 1, threads: 1 })
const { explained } = await fitStructured(survey, { rank: 2, covariates: [first], starts: 1, threads: 1 })
const halves = [0, 1].map(r => survey.values.map((value, cell) => (cell % 2 === r ? 2 * value : 0)))

interface Limits {
  readonly signal?: AbortSignal
  readonly maxSeconds?: number
}

/** Work that would take minutes; its table of options, where there is one. */
const CASES: Record<string, { run: (limits: Limits) => Promise<unknown>; table?: keyof typeof optionTables }> = {
  fit: { run: limits => fit(survey, { rank: 4, starts: 1e6, threads: 1, ...limits }), table: 'FIT_OPTIONS' },
  chooseRank: {
    run: limits => chooseRank(survey, { starts: 1e6, threads: 1, ...limits }),
    table: 'CHOOSE_RANK_OPTIONS',
  },
  testRanks: {
    run: limits => testRanks(survey, { rank: 2, replicates: 1e5, all: true, threads: 1, ...limits }),
    table: 'TEST_RANKS_OPTIONS',
  },
  bootstrap: {
    run: limits => bootstrap(survey, model, { replicates: 1e6, threads: 1, ...limits }),
    table: 'BOOTSTRAP_OPTIONS',
  },
  bootstrapRegress: {
    run: limits =>
      bootstrapRegress(survey, answersOnly, { covariates: [first], replicates: 1e5, threads: 1, ...limits }),
    table: 'STEP_BOOTSTRAP_OPTIONS',
  },
  bootstrapOutcome: {
    run: limits => {
      const options = { outcome: first, covariates: [second], replicates: 1e5 }
      return bootstrapOutcome(survey, fewAnswers, { ...options, threads: 1, ...limits })
    },
  },
  bootstrapDistal: {
    run: limits => {
      const answers = survey.indices.map(column => [...column])
      const data = { model, answers, outcome: answers[0].map((_, i) => i % 5), counts: survey.values }
      return bootstrapDistal(data, { replicates: 1e5, threads: 1, ...limits })
    },
  },
  explainedBootstrap: { run: limits => explainedBootstrap(explained!, { replicates: 1e6, threads: 1, ...limits }) },
  replicateErrors: {
    run: limits =>
      replicateErrors(survey, model, {
        replicates: Array.from({ length: 50_000 }, (_, r) => halves[r % 2]),
        ...{ kind: 'brr', threads: 1, ...limits },
      }),
    table: 'REPLICATE_ERROR_OPTIONS',
  },
  fitStructured: {
    run: limits => fitStructured(survey, { rank: 3, covariates: [first], starts: 1e6, threads: 1, ...limits }),
    table: 'STRUCTURED_FIT_OPTIONS',
  },
  fitCovariates: {
    run: limits => fitCovariates(survey, { rank: 3, covariates: [first], starts: 1e6, threads: 1, ...limits }),
    table: 'COVARIATE_FIT_OPTIONS',
  },
  fitGroups: { run: limits => fitGroups(survey, { rank: 2, groups: first, starts: 1e6, threads: 1, ...limits }) },
  fitJoined: {
    run: limits => fitJoined(survey, { rank: 2, join: [[second, third]], starts: 1e6, threads: 1, ...limits }),
  },
}

/** Work that is over at once on data as small as this: a signal that has fired is seen before it begins. */
const QUICK: Record<
  string,
  { run: (limits: Pick<Limits, 'signal'>) => Promise<unknown>; table?: keyof typeof optionTables }
> = {
  standardErrors: { run: limits => standardErrors(survey, model, limits), table: 'STANDARD_ERROR_OPTIONS' },
  evaluate: { run: limits => evaluate(survey, model, limits) },
  residualsWithin: { run: limits => residualsWithin(survey, model, limits) },
  updateModel: { run: limits => updateModel(principalComponent(survey), survey, limits), table: 'UPDATE_OPTIONS' },
  readTensor: { run: limits => readTensor(file, { count: 'n', ...limits }) },
  openData: { run: limits => openData(file, { count: 'n', ...limits }) },
  openSqlTable: { run: limits => openSqlTable(file, { count: 'n', ...limits }) },
  classifyTable: { run: limits => classifyTable(model, file, { count: 'n', ...limits }) },
  imputeTable: { run: limits => imputeTable(model, file, limits) },
  updateTable: { run: limits => updateTable(model, file, { count: 'n', ...limits }) },
}

/** What the contract allows. */
const outcome = async (work: Promise<unknown>, reason: unknown) =>
  work.then(
    result => expect(result).toMatchObject({ stopped: true }),
    error => expect(error).toMatchObject({ name: 'AbortError', code: 'POLYAD_ABORT', cause: reason }),
  )

describe('cancellation', () => {
  it.each(Object.entries({ ...CASES, ...QUICK }))('%s does not begin if the signal has fired', async (_, { run }) => {
    const reason = new Error('enough')
    await expect(run({ signal: AbortSignal.abort(reason) })).rejects.toMatchObject({
      name: 'AbortError',
      cause: reason,
    })
  })

  it.each(Object.entries(CASES))('%s ends when the signal fires', async (_, { run }) => {
    const controller = new AbortController()
    const work = run({ signal: controller.signal })
    setTimeout(() => controller.abort('enough'), 60)
    await outcome(work, 'enough')
  })

  it.each(Object.entries(CASES))('%s ends when the time is over', async (_, { run }) => {
    await outcome(
      run({ maxSeconds: 0.06 }),
      expect.objectContaining({ message: 'the time limit of 0.06 s has passed' }),
    )
  })

  it.each(['readTensor', 'openData', 'openSqlTable', 'classifyTable', 'updateTable'])(
    '%s ends while it reads',
    async name => {
      const controller = new AbortController()
      const work = QUICK[name].run({ signal: controller.signal })
      controller.abort('enough')
      await expect(work).rejects.toMatchObject({ name: 'AbortError', cause: 'enough' })
    },
  )

  it('is tested for every function whose options have a signal', () => {
    const tables = Object.entries(optionTables).filter(
      ([name, table]) => name.endsWith('_OPTIONS') && 'signal' in table,
    )
    const tested = [...Object.values(CASES), ...Object.values(QUICK)].map(({ table }) => table)
    expect(tables.map(([name]) => name).filter(name => !tested.includes(name as never))).toEqual([])
  })

  it('leaves a result without limits as it is', async () => {
    const plain = await fit(survey, { rank: 3, seed: 4, threads: 1 })
    const watched = await fit(survey, {
      rank: 3,
      seed: 4,
      threads: 1,
      signal: new AbortController().signal,
      maxSeconds: 1e6,
    })
    expect(watched).toEqual(plain)
    expect(plain.stopped).toBe(false)
  })
})
