import { openCheckpoint } from '@polyad/core'
import { modelFromNpz } from '@polyad/core/file'
import { analyze, compareRanks, prepare } from 'polyad/analysis'
import { beforeAll, describe, expect, it } from 'vitest'
import { readData } from './current-data.ts'
import { fitCheckpoint, fitFacts } from './fit-checkpoint.ts'
import { fitJobs, refuseTooLarge } from './fit-jobs.ts'
import { type FitOutcome, type FitRequest, libraryOptions } from './protocol.ts'
import { tableJobs } from './table-jobs.ts'

/** Fits of the worker that go on from a state in which they were interrupted. */

const ROWS = Array.from({ length: 90 }, (_, i) => {
  const answer = (n: number) => `${'abc'[(i * 7 + n * 5) % 11 < 8 ? i % 3 : (i + n) % 3]}${n}`
  return [answer(1), answer(2), answer(3), answer(4), i % 5 < 3 ? 'city' : 'land'].join(',')
})
const bytesOf = (rows: readonly string[]) => new TextEncoder().encode(`v1,v2,v3,v4,home\n${rows.join('\n')}\n`)
const READ = { modes: ['v1', 'v2', 'v3', 'v4'], include: ['home'], count: 'none' }
const several: FitRequest = {
  from: 1,
  to: 2,
  seed: 1,
  prior: 0,
  smoothing: null,
  maxSeconds: null,
  covariates: [],
  line: '',
}
const explained: FitRequest = { ...several, from: 2, to: 2, covariates: ['home'] }

const heard: unknown[] = []
const context = {
  signal: new AbortController().signal,
  store: async () => true,
  progress: (news: unknown) => void heard.push(news),
}

const open = async (request: FitRequest, rows: readonly string[] = ROWS) => {
  await tableJobs.open(context, { from: 'bytes', name: 'x.csv', bytes: bytesOf(rows) }, {})
  await tableJobs.read(context, request.covariates.length > 0 ? READ : { modes: READ.modes, count: 'none' })
}

/** All states of a fit, as the page would get them if it were told of each. */
const statesOf = async (request: FitRequest): Promise<Uint8Array[]> => {
  const states: Uint8Array[] = []
  const checkpoint = openCheckpoint({
    every: 0,
    facts: fitFacts(request),
    store: bytes => void states.push(bytes.slice()),
  })
  const { from, to, covariates } = request
  const fit = libraryOptions(request)
  if (covariates.length > 0) {
    const asked = { rank: from, fit, structure: { covariates } }
    await analyze(prepare(readData(), asked), asked, { checkpoint })
  } else
    await compareRanks({ tensor: readData().tensor, session: undefined }, { from, to, folds: 5, fit }, { checkpoint })
  await checkpoint.close()
  return states
}

/** What was found, but for the time that it took. */
const bitsOf = ({ fits, ...rest }: FitOutcome) => ({
  ...rest,
  fits: fits.map(({ file, figures: { seconds: _, ...figures }, ...fit }) => ({
    ...fit,
    figures,
    parameters: modelFromNpz(file).model.parameters,
  })),
})

const dropped = () => heard.flatMap(news => ((news as { dropped?: string }).dropped === undefined ? [] : [news]))

describe.each([
  ['several numbers of classes', several],
  ['covariates', explained],
])('a fit that was interrupted: %s', (_, request) => {
  let [undisturbed, states] = [undefined as unknown as FitOutcome, [] as Uint8Array[]]
  beforeAll(async () => {
    await open(request)
    undisturbed = await fitJobs.fit(context, request)
    states = await statesOf(request)
  })

  it('ends with the same bits, from whatever state it goes on', async () => {
    expect(states.length).toBeGreaterThan(8)
    for (const at of [0.1, 0.5, 0.9]) {
      heard.length = 0
      const state = states[Math.floor(at * states.length)]
      expect(bitsOf(await fitJobs.fit(context, request, [], state))).toEqual(bitsOf(undisturbed))
      expect(dropped()).toEqual([])
    }
  })

  it('starts anew, and says why, if the state is of another fit, of other data, or damaged', async () => {
    const state = states[Math.floor(states.length / 2)]
    const begun = async (asked: FitRequest, from: Uint8Array) => {
      heard.length = 0
      const found = await fitJobs.fit(context, asked, [], from)
      return { found, said: dropped() }
    }
    const damaged = await begun(request, state.subarray(0, -1))
    expect(damaged.said).toEqual([{ dropped: 'it is damaged or cut short' }])
    expect(bitsOf(damaged.found)).toEqual(bitsOf(undisturbed))
    const other = await begun({ ...request, seed: 7 }, state)
    expect(other.said).toEqual([{ dropped: 'it belongs to a run with seed 1, and this run has seed 7' }])
    expect(bitsOf(other.found)).toEqual(bitsOf(await fitJobs.fit(context, { ...request, seed: 7 })))
    // A time limit is no difference.
    expect((await begun({ ...request, maxSeconds: 1000 }, state)).said).toEqual([])
    await open(request, ROWS.slice(1))
    expect((await begun(request, state)).said).toEqual([
      { dropped: 'it belongs to other data: the cells or the labels differ' },
    ])
    await open(request)
  })
})

it('a fit that has ended does not wait for a page that never stores its state', async () => {
  const { checkpoint, end } = fitCheckpoint(several, { ...context, store: () => new Promise(() => {}) }, null)
  void checkpoint.save()
  await end()
})

it('a state that the page could not store is handed over again', async () => {
  let calls = 0
  const { checkpoint, end } = fitCheckpoint(several, { ...context, store: async () => ++calls > 1 }, null)
  await checkpoint.save()
  await checkpoint.save()
  expect(calls).toBe(2)
  await checkpoint.save()
  await end()
  expect(calls).toBe(2)
})

it('a fit that needs more memory than a page has is refused before it starts', () => {
  const size = { ...readData().tensor, shape: [1_000_000, 7] }
  refuseTooLarge(size, 20, 8)
  expect(() => refuseTooLarge(size, 80, 8)).toThrow(
    /^80 classes of 1,000,007 categories need about \d+\.\d GB of memory, more than a page has: use fewer classes, or polyad fit --memory on the command line$/,
  )
  expect(() => refuseTooLarge(size, 20, 4)).toThrow('20 classes of 1,000,007 categories need about 7.4 GB of memory')
})
