import {
  type ChooseRankOptions,
  type Counts,
  type Criterion,
  chooseNested,
  chooseRank,
  type EngineError,
  OptionError,
  type Progress,
  type RankChoice,
  type RankedFit,
  type Tensor,
} from '@polyad/core'
import { CHOOSE_RANK_OPTIONS, defined, omit } from '@polyad/core/options'
import { type JudgedFit, oneClass, recommend, salvaged } from '@polyad/core/stats'
import { type FitFigures, fitFigures, rankRecord } from '../report/figures/fit-figures.ts'
import { lastRank } from '../report/figures/model-size.ts'
import { columnOf, rankedStructure } from './named-columns.ts'
import type { Prepared } from './prepare.ts'
import type { AnalysisHooks, Structure } from './request.ts'

/** Several numbers of classes on the same data. */
export interface RankRequest
  extends Pick<ChooseRankOptions, 'by' | 'thorough' | 'folds' | 'replicates'>,
    Required<Pick<ChooseRankOptions, 'from' | 'to'>> {
  /** What was found before with the same data and settings: these numbers of classes are not fitted again. */
  readonly earlier?: readonly FitFigures[]
  /** What all models have besides their classes. Columns are named, in any case. */
  readonly structure?: Structure
  /** For groups with classes: the first and the last number of these, in place of that of the structure. Models are then chosen in steps. */
  readonly groupRange?: readonly [from: number, to: number]
  readonly fit?: Omit<ChooseRankOptions, 'signal' | 'onProgress' | 'onReplicate' | 'engine' | 'from' | 'to'>
}

/** The new fits, the figures of all, and what is recommended. */
export interface RankAnalysis extends RankChoice {
  /** How many classes of groups are recommended, if several numbers were compared. */
  readonly recommendedGroupClasses?: number
  /** In ascending order of rank, those found before among them. */
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
  {
    from,
    to: asked,
    earlier = [],
    structure = {},
    groupRange,
    fit: { threads, ...fitting } = {},
    ...request
  }: RankRequest,
  { signal, onProgress, onReplicate, onRank, naming, engine, checkpoint }: AnalysisHooks = {},
): Promise<RankAnalysis> => {
  const { to, note } = lastRank(tensor, from, asked)
  const watch = stopwatch()
  const isPlain = structure.covariates === undefined && structure.groups === undefined && structure.items === undefined
  const alone = isPlain ? oneClass(tensor) : undefined
  const figuresOf = (fit: RankedFit, items: Counts): FitFigures => {
    const figures = fitFigures(items, fit.result, watch.seconds(fit.rank), { ...fit, oneClass: alone }, naming)
    const { structure } = fit.result.model
    return groupRange !== undefined && structure.kind === 'nested'
      ? { ...figures, numberOfGroupClasses: structure.groupSizes.length }
      : figures
  }
  const choose = (part: Span) =>
    chooseRank(session ?? (tensor as Parameters<typeof chooseRank>[0]), {
      ...fitting,
      ...request,
      ...rankedStructure(tensor, structure),
      ...part,
      ...defined({ rowWeights }),
      // A session has its own threads.
      ...(session === undefined && (engine !== undefined ? { engine } : threads !== undefined && { threads })),
      ...defined({ signal, checkpoint, onReplicate }),
      ...(onRank && { onFit: (fit, items) => onRank(figuresOf(fit, items), fit, items) }),
      onProgress: progress => {
        watch.see(progress)
        onProgress?.(progress)
      },
    })
  const chooseBoth = (range: readonly [number, number]) => {
    if (checkpoint !== undefined)
      throw new OptionError('checkpoint', 'cannot be combined with a range of numbers of group classes')
    return chooseNested(tensor as Tensor, {
      ...fitting,
      ...request,
      ...omit(rankedStructure(tensor, structure), 'person', 'time', 'waves', 'transitions'),
      within: columnOf(tensor, structure.within!),
      groupClasses: range,
      from,
      to,
      folds: 0,
      ...defined({ rowWeights }),
      ...(engine !== undefined ? { engine } : threads !== undefined && { threads }),
      ...defined({ signal, onReplicate }),
      ...(onRank && { onFit: (fit, items) => onRank(figuresOf(fit, items), fit, items) }),
      onProgress: progress => {
        watch.see(progress)
        onProgress?.(progress)
      },
    })
  }
  const choices: RankChoice[] = []
  let failure: EngineError | undefined
  const both = groupRange && (await chooseBoth(groupRange))
  if (both !== undefined) choices.push(both)
  for (const part of both === undefined ? missingSpans(from, to, earlier) : []) {
    if (choices.length > 0 && signal?.aborted) break
    const { found, failure: broken } = await salvaged(choose(part))
    choices.push(found)
    failure = broken
    if (broken !== undefined) break
  }
  const fits = choices.flatMap(each => each.fits)
  const items = choices[0]?.items ?? tensor
  const figures = [...earlier, ...fits.map(fit => figuresOf(fit, items))].sort((a, b) => a.rank - b.rank)
  const known = choices.length === 1 && earlier.length === 0 ? choices[0] : undefined
  const { recommended, reason, record } = comparisonOf(figures, request.by, known)
  const groups = both?.recommendedGroupClasses
  return Object.freeze({
    fits,
    items,
    figures,
    recommended,
    reason,
    record: { ...record, ...defined({ recommendedGroupClasses: groups }) },
    ...defined({ recommendedGroupClasses: groups }),
    note,
    failure,
    stopped: choices.some(({ stopped }) => stopped) || earlier.some(each => each.reason === 'stopped'),
    warnings: [...choices.flatMap(({ warnings }) => warnings), ...fits.flatMap(({ test }) => test?.warnings ?? [])],
  })
}

type Recommended = Pick<RankChoice, 'recommended' | 'reason'>

/** What is recommended of fits, and what model files and reports say of it. */
export const comparisonOf = (
  figures: readonly FitFigures[],
  by: Criterion = CHOOSE_RANK_OPTIONS.by.default,
  known: Recommended = recommend(figures.map(judgedFit), by),
): Recommended & { readonly record: object } => {
  const { recommended, reason } = known
  const fits = figures.map(each => ({
    rank: each.rank,
    ...defined({ numberOfGroupClasses: each.numberOfGroupClasses }),
    criteria: each.criteria,
    ...rankRecord(each),
    ...(each.test && { test: each.test }),
  }))
  return { recommended, reason, record: { fits, recommended, reason } }
}

interface Span {
  readonly from: number
  readonly to: number
}

/** The numbers of classes that are still to be fitted, in runs of neighbours. */
const missingSpans = (from: number, to: number, earlier: readonly FitFigures[]): Span[] => {
  const known = new Set(earlier.map(({ rank }) => rank))
  const spans: { from: number; to: number }[] = []
  for (let rank = from; rank <= to; rank++) {
    const last = spans[spans.length - 1]
    if (known.has(rank)) continue
    if (last?.to === rank - 1) last.to = rank
    else spans.push({ from: rank, to: rank })
  }
  return spans
}

/** The figures of a fit as a recommendation takes them. */
const judgedFit = (figures: FitFigures): JudgedFit => {
  const { rank, criteria, identification, degreesOfFreedom, sparse, reason, converged, verdict, brief } = figures
  return {
    ...criteria,
    rank,
    identification,
    degreesOfFreedom,
    sparse,
    gSquared: figures.gSquared ?? undefined,
    pValue: figures.pValue ?? undefined,
    ...defined({ brief }),
    result: { reason, converged, verdict },
  }
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
