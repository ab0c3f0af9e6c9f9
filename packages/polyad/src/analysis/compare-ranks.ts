import { type ChooseRankOptions, chooseRank, type EngineError, type Progress, type RankChoice } from '@polyad/core'
import { salvaged } from '@polyad/core/stats'
import { type FitFigures, fitFigures, rankRecord } from '../report/fit-figures.ts'
import { lastRank } from '../report/model-size.ts'
import type { Prepared } from './prepare.ts'
import type { AnalysisHooks } from './request.ts'

/** Several numbers of classes on the same data. */
export interface RankRequest
  extends Pick<ChooseRankOptions, 'by' | 'folds' | 'replicates'>,
    Required<Pick<ChooseRankOptions, 'from' | 'to'>> {
  readonly fit?: Omit<ChooseRankOptions, 'signal' | 'onProgress' | 'onReplicate' | 'engine' | 'from' | 'to'>
}

/** The fits with their figures, and what is recommended. */
export interface RankAnalysis extends RankChoice {
  readonly figures: readonly FitFigures[]
  /** What model files and reports say of the comparison. */
  readonly record: object
  /** Why fewer numbers of classes were tried than were asked for. */
  readonly note: string | undefined
  /** What the engine failed with, if that ended it: the fits are those before. */
  readonly failure: EngineError | undefined
}

/** Fits every number of classes that is worth trying, and recommends one. */
export const compareRanks = async (
  { tensor, session, rowWeights }: Pick<Prepared, 'tensor' | 'session' | 'rowWeights'>,
  { from, to: asked, fit: { threads, ...fitting } = {}, ...request }: RankRequest,
  { signal, onProgress, onReplicate, naming, engine }: AnalysisHooks = {},
): Promise<RankAnalysis> => {
  const { to, note } = lastRank(tensor, from, asked)
  const watch = stopwatch()
  const work = chooseRank(session ?? (tensor as Parameters<typeof chooseRank>[0]), {
    ...fitting,
    ...request,
    ...{ from, to },
    ...(rowWeights !== undefined && { rowWeights }),
    // A session has its own threads.
    ...(session === undefined && (engine !== undefined ? { engine } : threads !== undefined && { threads })),
    ...(signal !== undefined && { signal }),
    ...(onReplicate !== undefined && { onReplicate }),
    onProgress: progress => {
      watch.see(progress)
      onProgress?.(progress)
    },
  })
  const { found, failure } = await salvaged(work)
  const figures = found.fits.map(each => fitFigures(tensor, each.result, watch.seconds(each.rank), each, naming))
  const { recommended, reason } = found
  const record = {
    fits: figures.map(each => ({
      rank: each.rank,
      criteria: each.criteria,
      ...rankRecord(each),
      ...(each.test && { test: each.test }),
    })),
    ...{ recommended, reason },
  }
  return Object.freeze({ ...found, figures, record, note, failure })
}

/** How long each rank took, as far as its progress shows. */
const stopwatch = () => {
  const spans = new Map<number, { first: number; last: number }>()
  return {
    see: ({ rank }: Progress) => {
      const now = performance.now()
      spans.set(rank, { first: spans.get(rank)?.first ?? now, last: now })
    },
    seconds: (rank: number): number => {
      const span = spans.get(rank)
      return span === undefined ? 0 : (span.last - span.first) / 1000
    },
  }
}
