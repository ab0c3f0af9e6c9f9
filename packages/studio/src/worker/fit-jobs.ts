import {
  type Checkpoint,
  type Counts,
  DataError,
  OptionError,
  type Progress,
  type RankedFit,
  type Session,
} from '@polyad/core'
import { memoryOfFit } from '@polyad/core/engine'
import { modelFromNpz, modelToNpz } from '@polyad/core/file'
import { defined } from '@polyad/core/options'
import { analyze, coefficientsOf, compareRanks, comparisonOf, type Fitted } from 'polyad/analysis'
import { type FitFigures, type fitFigures, memoryText, runRecord } from 'polyad/report'
import { structuredRecipe } from 'polyad/table'
import { version } from '../../package.json'
import { preparedFor, readData } from './current-data.ts'
import { fitCheckpoint, reasonAgainst } from './fit-checkpoint.ts'
import { graphics } from './graphics.ts'
import { pageNaming } from './page-naming.ts'
import type { Context, FitNews, FitOutcome, FitProgress, FitRecord, FitRequest, JobHandler } from './protocol.ts'
import { libraryOptions, structureOf } from './protocol.ts'

/** Parts of the data for the held-out log-likelihood of several ranks, as on the command line. */
const FOLDS = 5
/** Milliseconds between two messages of progress. */
const EVERY = 50

/** The fits of a request. From the state of an interrupted fit they go on, if it is one of the same fit; else they begin anew, and say so. */
const fitRequest: JobHandler<'fit'> = async (context, request, earlier = [], resume = null) => {
  const begin = async (from: Uint8Array | null) => {
    const kept = fitCheckpoint(request, context, from)
    try {
      return await fitPlaced(request, context, earlier, kept.checkpoint)
    } finally {
      await kept.end()
    }
  }
  if (resume === null) return begin(null)
  try {
    return await begin(resume)
  } catch (error) {
    if (!(error instanceof DataError)) throw error
    context.progress({ dropped: reasonAgainst(error) } satisfies FitNews)
    return begin(null)
  }
}

/** On the graphics device if that is wanted and works, else on the processor. */
const fitPlaced = async (
  request: FitRequest,
  context: Context,
  earlier: readonly FitRecord[],
  checkpoint: Checkpoint,
): Promise<FitOutcome> => {
  if (request.graphics !== true) {
    await graphics.clear()
    return fitOn(undefined, request, context, earlier, checkpoint)
  }
  const placed = await graphics.place(readData().tensor, context.signal)
  return placed.complete(await fitOn(placed.session, request, context, earlier, checkpoint))
}

/** One number of classes, or several with one recommended. */
const fitOn = async (
  session: Session | undefined,
  request: FitRequest,
  context: Context,
  earlier: readonly FitRecord[],
  checkpoint: Checkpoint,
): Promise<FitOutcome> => {
  const read = readData()
  refuseTooLarge(read.tensor, request.to)
  const watch = watching(read.tensor.cells, context)
  const hooks = { signal: context.signal, onProgress: watch.see, naming: pageNaming, checkpoint }
  const structure = structureOf(request)
  const prepared = { ...preparedFor(structure), ...defined({ session }) }
  if (request.from === request.to) {
    const { design } = read.whole ?? {}
    const asked = { rank: request.from, fit: libraryOptions(request), structure, ...defined({ design }) }
    const found = await analyze(prepared, asked, hooks)
    const figures = { ...found.figures, seconds: watch.seconds(request.from) }
    return {
      fits: [recordOf(request, 'fit', found.tensor, found.result, figures, {}, found.sections)],
      recommended: request.from,
      reason: '',
      stopped: context.signal.aborted || found.result.reason === 'stopped',
      warnings: [...failedWith(found.failure), ...found.warnings],
    }
  }
  const found = await compareRanks(
    prepared,
    {
      from: request.from,
      to: request.to,
      folds: FOLDS,
      structure,
      fit: libraryOptions(request),
      earlier: earlier.map(each => each.figures),
    },
    { ...hooks, onRank: tellingOf(request, context, earlier) },
  )
  const { figures, recommended, reason, stopped, note } = found
  const beside = { ranks: found.record }
  const made = new Map<number, FitRecord>()
  for (const { rank, result, data } of found.fits) {
    const sections =
      data === undefined
        ? {}
        : await coefficientsOf(data, result.model, {
            unusable: prepared.unusable,
            sampled: prepared.rowWeights !== undefined,
            sample: prepared.sample,
          })
    const own = figures.find(each => each.rank === rank) as FitFigures
    made.set(rank, recordOf(request, 'rank', found.items, result, own, beside, sections))
  }
  return {
    fits: figures.map((own): FitRecord => {
      const before = earlier.find(({ rank }) => rank === own.rank)
      if (before === undefined) return made.get(own.rank) as FitRecord
      return { ...before, file: rewritten(before.file, { line: request.line, ...beside }) }
    }),
    recommended: recommended ?? null,
    reason: note === undefined ? reason : `${reason}; ${note}`,
    stopped,
    warnings: [...failedWith(found.failure), ...found.warnings],
  }
}

/** Hands every number of classes to the page as soon as it is known, and again if a better solution is found. */
const tellingOf = (request: FitRequest, context: Context, earlier: readonly FitRecord[]) => {
  const known = new Map(earlier.map(({ rank, figures }) => [rank, figures]))
  return (figures: FitFigures, { rank, result }: RankedFit, items: Counts): void => {
    const before = known.get(rank)
    known.set(rank, figures)
    // A criterion that is known later comes with the whole.
    if (before !== undefined && before.logLikelihood === figures.logLikelihood) return
    const all = [...known.values()].sort((a, b) => a.rank - b.rank)
    const { recommended, reason, record } = comparisonOf(all)
    context.progress({
      found: recordOf(request, 'rank', items, result, figures, { ranks: record }),
      recommended: recommended ?? null,
      reason,
    } satisfies FitNews)
  }
}

/** A page has about so many bytes at most. */
const PAGE_BYTES = 16e9

/** Refuses before it starts what a browser would end for want of memory. @param device gigabytes of the machine, up to 8, if the browser tells */
export const refuseTooLarge = (
  tensor: Counts,
  rank: number,
  device = (globalThis.navigator as { readonly deviceMemory?: number } | undefined)?.deviceMemory ?? 8,
): void => {
  const { usual } = memoryOfFit(tensor, { rank })
  if (usual <= (device < 8 ? device * 1e9 : PAGE_BYTES)) return
  throw new OptionError(
    `${memoryText(tensor, rank, usual)}, more than a page has: use fewer classes, or polyad fit --memory on the command line`,
  )
}

/** A model's file with something else beside the model. */
const rewritten = (file: Uint8Array, beside: object): Uint8Array => {
  const { model, run } = modelFromNpz(file)
  return modelToNpz(model, { ...run, ...beside })
}

export const fitJobs = { fit: fitRequest }

const failedWith = (failure: Error | undefined): string[] =>
  failure === undefined ? [] : [`The fit ended early: ${failure.message}. The best model so far is kept.`]

type Found = Pick<Parameters<typeof fitFigures>[1], 'model' | 'trace' | 'attempts'>

const recordOf = (
  request: FitRequest,
  command: string,
  tensor: Counts,
  { model, trace, attempts }: Found,
  figures: FitFigures,
  beside: object = {},
  { covariates, persons, waves, initial, transitions, groupClasses, unlinked }: Fitted['sections'] = {},
): FitRecord => {
  const read = readData()
  const recipe = structuredRecipe(read, model, undefined, model.structure.parts)
  const run = runRecord(
    { programVersion: version, command, line: request.line },
    { ...read, recipe, tensor },
    { rank: model.rank, ...request.links, ...libraryOptions(request), ...read.options.design },
    {
      ...figures,
      ...defined({ covariates, persons, waves, initial, transitions, groupClasses, unlinked }),
      trace,
      attempts,
    },
  )
  return { rank: model.rank, figures, file: modelToNpz(model, { ...run, ...beside }), trace, attempts }
}

interface Watch {
  readonly see: (progress: Progress) => void
  /** How long a rank took, as far as its progress shows. */
  readonly seconds: (rank: number) => number
}

/** Follows a fit and tells the page, not at every pass. */
const watching = (cells: number, { progress: tell }: Context): Watch => {
  const began = performance.now()
  const spans = new Map<number, { first: number; last: number }>()
  let [told, runs, spent] = [0, 0, { rank: 0, passes: 0, before: 0 }]
  let ended: number[] = []
  return {
    see: now => {
      const at = performance.now()
      spans.set(now.rank, { first: spans.get(now.rank)?.first ?? at, last: at })
      if (now.rank !== spent.rank) {
        spent = { rank: now.rank, passes: now.passes, before: spent.before + spent.passes }
        runs = 0
      } else spent = { ...spent, passes: now.passes }
      if (now.runs > runs) ended.push(now.loss)
      runs = now.runs
      if (at - told < EVERY) return
      told = at
      const seconds = (at - began) / 1000
      const passesPerSecond = (spent.before + spent.passes) / Math.max(seconds, 1e-3)
      tell({
        ...now,
        best: Number.isFinite(now.best) ? now.best : null,
        ended,
        passesPerSecond,
        cellsPerSecond: passesPerSecond * cells,
        seconds,
      } satisfies FitProgress)
      ended = []
    },
    seconds: rank => {
      const span = spans.get(rank)
      return span === undefined ? 0 : (span.last - span.first) / 1000
    },
  }
}
