import { type Checkpoint, type Counts, DataError, OptionError, type Progress, type Session } from '@polyad/core'
import { memoryOfFit } from '@polyad/core/engine'
import { modelFromNpz, modelToNpz } from '@polyad/core/file'
import { MORE_CLASSES } from '@polyad/core/stats'
import { analyze, compareRanks, type Fitted, prepare } from 'polyad/analysis'
import { type FitFigures, type fitFigures, memoryText, runRecord } from 'polyad/report'
import { structuredRecipe } from 'polyad/table'
import { version } from '../../package.json'
import { readData } from './current-data.ts'
import { fitCheckpoint, reasonAgainst } from './fit-checkpoint.ts'
import { graphics } from './graphics.ts'
import { pageNaming } from './page-naming.ts'
import type { Context, FitNews, FitOutcome, FitProgress, FitRecord, FitRequest, JobHandler } from './protocol.ts'
import { libraryOptions, ranksOf } from './protocol.ts'

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
  const { tensor } = readData()
  refuseTooLarge(tensor, request.to)
  const watch = watching(tensor.cells, context)
  if (request.covariates.length > 0 || request.from === request.to)
    return fitEach(session, request, context, watch, earlier, checkpoint)
  const { from } = request
  const found = await compareRanks(
    { tensor, session },
    { from, to: request.to, folds: FOLDS, fit: libraryOptions(request), earlier: earlier.map(each => each.figures) },
    { signal: context.signal, onProgress: watch.see, naming: pageNaming, checkpoint },
  )
  const { fits, figures, recommended, reason, stopped, note } = found
  const beside = { ranks: found.record }
  return {
    fits: figures.map((own): FitRecord => {
      const before = earlier.find(({ rank }) => rank === own.rank)
      if (before !== undefined) return { ...before, file: rewritten(before.file, { line: request.line, ...beside }) }
      const { result } = fits.find(({ rank }) => rank === own.rank) as (typeof fits)[number]
      return recordOf(request, 'rank', tensor, result, own, beside)
    }),
    recommended: recommended ?? null,
    reason: note === undefined ? reason : `${reason}; ${note}`,
    stopped,
    warnings: [...failedWith(found.failure), ...found.warnings],
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

/** One number of classes after the other, each analyzed by itself; more than one only if covariates explain them. */
const fitEach = async (
  session: Session | undefined,
  request: FitRequest,
  { signal }: Context,
  watch: Watch,
  earlier: readonly FitRecord[],
  checkpoint: Checkpoint,
): Promise<FitOutcome> => {
  const read = readData()
  const { covariates } = request
  const structure = covariates.length > 0 ? { covariates } : {}
  const fits: FitRecord[] = []
  const warnings: string[] = []
  let stopped = false
  for (const rank of ranksOf(request)) {
    if (signal.aborted && fits.length > 0) break
    const before = earlier.find(each => each.rank === rank)
    if (before !== undefined) {
      fits.push({ ...before, file: rewritten(before.file, { line: request.line }) })
      continue
    }
    const asked = { rank, fit: libraryOptions(request), structure }
    const found = await analyze({ ...prepare(read, asked), session }, asked, {
      signal,
      naming: pageNaming,
      onProgress: watch.see,
      checkpoint,
    })
    const figures = { ...found.figures, seconds: watch.seconds(rank) }
    fits.push(recordOf(request, 'fit', found.tensor, found.result, figures, {}, found.sections))
    stopped ||= found.result.reason === 'stopped'
    warnings.push(...failedWith(found.failure), ...found.warnings)
    if (found.failure !== undefined) break
  }
  const best = fits.reduce<FitRecord | undefined>(
    (a, b) => (a === undefined || b.figures.criteria.bic < a.figures.criteria.bic ? b : a),
    undefined,
  )
  return {
    fits,
    recommended: best?.rank ?? null,
    reason: [
      ...(fits.length > 1 ? [`BIC is lowest for ${best?.rank} classes`] : []),
      ...(best !== undefined && fits.length > 1 && best === fits[fits.length - 1]
        ? [`${best.rank} is the largest number tried: try up to ${best.rank + MORE_CLASSES}`]
        : []),
      ...(request.from < request.to && request.from === 1
        ? ['one class is left out: with it, covariates have nothing to explain']
        : []),
    ].join('; '),
    stopped: signal.aborted || stopped,
    warnings,
  }
}

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
  { covariates }: Fitted['sections'] = {},
): FitRecord => {
  const read = readData()
  const recipe = structuredRecipe(read, model, undefined)
  const run = runRecord(
    { programVersion: version, command, line: request.line },
    { ...read, recipe, tensor },
    { rank: model.rank, ...libraryOptions(request) },
    { ...figures, ...(covariates && { covariates }), trace, attempts },
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
