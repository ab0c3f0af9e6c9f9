import { defined } from '../../defined.ts'
import { checkAbility } from '../../engine/abilities.ts'
import type { Session } from '../../engine/engine.ts'
import { orStopped } from '../../errors.ts'
import { loadPart } from '../../load-part.ts'
import { type DrawnItems, drawTensor, drawValues, drawWeighted } from '../../model/draws.ts'
import { givenPairMisfits } from '../../model/given-pairs.ts'
import { type GivenModel, givenGSquared, jointModel } from '../../model/given-table.ts'
import { isNumber } from '../../model/items/item.ts'
import type { LinkSetting } from '../../model/links/links.ts'
import { lossOffset } from '../../model/loss.ts'
import { fitByCells, fitBySums, pairMisfits, type TableFit } from '../../model/misfit.ts'
import type { ModelParameters, Parameters } from '../../model/parameters.ts'
import { randomStart } from '../../model/random.ts'
import { atOnce } from '../../numeric/interruptible.ts'
import { random } from '../../numeric/philox.ts'
import { labelsOf } from '../../tensor/mode.ts'
import type { RowWeights } from '../../tensor/row-weights.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { soften, union } from '../closed-form/merge.ts'
import { logitOf } from '../covariates/logit.ts'
import type { Run } from '../descent/run.ts'
import type { Stopping } from '../descent/stopping.ts'
import { drawLinked, resampleUnits } from './draw-linked.ts'
import { softTables, widerTables } from './linked-tables.ts'
import { WIDE, WIDE_RANKS } from './search-log.ts'
import { performTask, type Task, type TaskHooks, type TaskSetting } from './tasks.ts'

/**
 * A replicate of the data, and the models that are fitted to it. Like a task it is plain data, and a pure function of the data and
 * itself, so that replicates may be made in any place and in any order.
 */
export interface Replicate {
  readonly number: number
  readonly seed: number
  /** The model to draw from; without one, observations are drawn from among themselves. */
  readonly from?: ModelParameters
  /** With a model to draw from: rows that keep their weights. */
  readonly rows?: RowWeights
  /** The values of the cells, if they are drawn already. */
  readonly values?: Float64Array
  /**
   * The modes that misfits are given, and the modes of each variable. Replicates are drawn given the last of them, the combination of the covariates:
   * a known class is drawn too, since the model says how likely it was.
   */
  readonly given?: Pick<GivenModel, 'given' | 'variables'>
  /** From the smallest rank up. */
  readonly fits: readonly Refit[]
  /** Whether to say how the first of the models fits. */
  readonly misfit: boolean
  /**
   * All that matters is whether twice the log-likelihood between the models reaches this: the search for the larger one ends once it does, or
   * once it is too far away.
   */
  readonly decisive?: number
}

/** How a model is fitted to a replicate. */
export interface Refit {
  readonly setting: TaskSetting
  /** The model of the data itself, where it starts first. */
  readonly from: ModelParameters
  /** Further starts: with classes added to the smaller model where there is one, and from nothing, wide ones among them. */
  readonly starts: number
  readonly stopping: Stopping
}

export interface ReplicateResult {
  readonly fits: readonly Refitted[]
  readonly misfit?: ReplicateMisfit
}

export interface Refitted {
  readonly parameters: ModelParameters
  readonly logLikelihood: number
  readonly converged: boolean
}

/** How a model fits a replicate; where entries are missing, only the pairs are known. */
export interface ReplicateMisfit extends Partial<TableFit> {
  /** X² of every pair of modes, in the order of `pairMisfits`. */
  readonly pairs: readonly number[]
}

/** How far every start goes, and how near to the best it must then be, in nats, to be taken to its end. */
const LOOSE = { tolerance: 1e-7, stationarity: 0.05, minGain: 0 }
const NEAR = 0.5
/** At most this many are. */
const FINISHED = 3
/**
 * A likelihood ratio is too far from what is decisive if this many nats are lacking, besides the whole range of the starts so far, of which there are at
 * least `ENOUGH`. Starts that go to their end gain less than 1.
 */
const FAR = 10
const ENOUGH = 9
/**
 * If it is so many times the parameters that the larger model has more, replicates hardly ever come near: then one start of the smaller model, whose
 * likelihood can only be larger, and these of the larger one are enough, if so many times as much is lacking.
 */
const REMOTE = { statistic: 4, starts: 3, times: 5 }
/** Mixed into a model that is started from: what it makes impossible may have been drawn. */
const SOFTEN = 1e-4

/** Draws a replicate and fits it; undefined where it was stopped on the way. */
export const performReplicate = async (
  home: Session,
  replicate: Replicate,
  hooks: TaskHooks = {},
): Promise<ReplicateResult | undefined> => {
  if (hooks.signal?.aborted) return undefined
  const itemsOf = await itemModels(replicate)
  const placed = await orStopped(openReplicate(home, replicate, itemsOf, hooks.signal))
  if (placed === undefined) return undefined
  const { session } = placed
  try {
    const fits: Refitted[] = []
    // On the labels of the replicate, which items that are numbers have of their own.
    let smaller: Refitted | undefined
    let first: Refitted | undefined
    const offset = lossOffset(session.data.total)
    const { decisive } = replicate
    const remote = decisive === undefined ? undefined : await remoteFits(placed, replicate, decisive, hooks)
    if (remote !== undefined) {
      const results = remote.map(run => refittedOf(run, offset))
      return { fits: results.map(each => ({ ...each, parameters: itemsOf.overLabels(each.parameters) })) }
    }
    for (const each of replicate.fits) {
      const refit = { ...each, setting: countedSetting(each.setting, placed) }
      const goal =
        decisive === undefined || smaller === undefined ? undefined : offset - smaller.logLikelihood - decisive / 2
      const run = await orStopped(bestOf(session, refit, replicate.number, smaller?.parameters, goal, hooks))
      if (run === undefined) return undefined
      smaller = refittedOf(run, offset)
      first ??= smaller
      fits.push({ ...smaller, parameters: itemsOf.overLabels(smaller.parameters) })
    }
    const misfit = async () =>
      replicate.given === undefined
        ? await misfitOf(session, first!.parameters, replicate.fits[0].setting)
        : await givenMisfit(session, replicate.fits[0].setting, first!, replicate.given)
    return { fits, ...(replicate.misfit && { misfit: await misfit() }) }
  } finally {
    await session.close()
  }
}

const refittedOf = ({ parameters, loss, reason }: Run, offset: number): Refitted => ({
  parameters,
  logLikelihood: offset - loss,
  converged: reason === 'stationary' || reason === 'settled',
})

/** The smaller and the larger model of a replicate, if a few starts show that their ratio is far below what is decisive. */
const remoteFits = async (
  placed: PlacedReplicate,
  { number, fits, misfit }: Replicate,
  decisive: number,
  hooks: TaskHooks,
): Promise<readonly [Run, Run] | undefined> => {
  const { session } = placed
  const [zero, one] = fits.map(each => ({ ...each, setting: countedSetting(each.setting, placed) }))
  if (one === undefined || misfit) return undefined
  // What is lacking must be so much if a replicate has a ratio of so many times the parameters.
  if (decisive <= REMOTE.statistic * moreParameters(zero, one) + 2 * REMOTE.times * FAR) return undefined
  const smaller = await orStopped(bestOf(session, { ...zero, starts: 0 }, number, undefined, undefined, hooks))
  if (smaller === undefined || smaller.objective !== smaller.loss) return undefined
  const goal = smaller.loss - decisive / 2
  const few = { ...one, starts: REMOTE.starts - 1 }
  const runs = await orStopped(startsOf(session, few, number, smaller.parameters, hooks))
  if (runs === undefined) return undefined
  const losses = runs.map(({ loss }) => loss)
  const best = Math.min(...losses)
  if (!(best - goal > REMOTE.times * (FAR + Math.max(...losses) - best))) return undefined
  return [smaller, runs[losses.indexOf(best)]]
}

/** How many more parameters the second of two models has. */
const moreParameters = ({ from: zero }: Refit, { from: one }: Refit): number =>
  (one.rank - zero.rank) * one.factors.reduce((sum, factor) => sum + factor.length / one.rank - 1, 1) +
  (one.tables?.length ?? 0) -
  (zero.tables?.length ?? 0)

/** How much of the data has each combination of covariates is that of the replicate. */
const countedSetting = (
  { explained, items, links, ...setting }: TaskSetting,
  { session: { data }, links: drawn = links }: PlacedReplicate,
): TaskSetting => ({
  ...setting,
  ...defined({ links: drawn }),
  ...(items !== undefined && {
    items: items.map((item, n) => item && { ...item, labels: labelsOf(data.modes[n]) }),
  }),
  ...(explained !== undefined && {
    explained: { ...explained, counts: data.marginals[data.marginals.length - 1] },
  }),
})

/** The items of the models of a replicate, on the labels of the data that it is a replicate of. */
const itemModels = async ({ fits: [{ setting }], from }: Replicate) => {
  const { items } = setting
  if (items === undefined)
    return { drawn: [] as DrawnItems, overLabels: (parameters: ModelParameters): ModelParameters => parameters }
  const { itemOf } = await loadPart(import('./item-starts.ts'))
  const modelOf = (n: number, rank: number) => itemOf(items, n, rank)
  const drawn: DrawnItems =
    from?.items === undefined
      ? []
      : from.items.map((theta, n) => {
          const model = theta && modelOf(n, from.rank)
          return model && { model, theta }
        })
  const overLabels = (parameters: ModelParameters): ModelParameters => ({
    ...parameters,
    factors: parameters.factors.map((factor, n) => {
      const [model, theta] = [modelOf(n, parameters.rank), parameters.items?.[n]]
      if (model === undefined || theta === undefined) return factor
      const table = new Float64Array(items[n]!.labels.length * parameters.rank)
      model.table(theta, table)
      return table
    }),
  })
  return { drawn, overLabels }
}

/** The data of a replicate, and what links its rows. */
interface PlacedReplicate {
  readonly session: Session
  readonly links?: LinkSetting
}

const openReplicate = async (
  home: Session,
  { number, seed, from, given, rows, values, fits }: Replicate,
  { drawn }: { readonly drawn: DrawnItems },
  signal: TaskHooks['signal'],
): Promise<PlacedReplicate> => {
  const { data } = home
  checkAbility(home, from === undefined ? 'the nonparametric bootstrap' : 'the parametric bootstrap')
  const cells = data as Tensor
  const source = random(seed, from === undefined ? 'resample' : 'replicate', number)
  const { links } = fits[0].setting
  if (values !== undefined) return { session: await home.reweight!(values) }
  if (links !== undefined && from !== undefined) {
    const made = drawLinked(cells, from, links, source, drawn)
    return { session: await home.open!(made.tensor, signal), links: made.links }
  }
  if (links !== undefined) {
    const made = resampleUnits(cells, links, source)
    return { session: await home.reweight!(made.values), links: made.links }
  }
  if (from !== undefined && rows !== undefined)
    return { session: await home.open!(drawWeighted(cells, from, rows, source, drawn), signal) }
  if (from !== undefined)
    return { session: await home.open!(drawTensor(cells, from, source, given?.given.slice(-1), drawn), signal) }
  return { session: await home.reweight!(drawValues(cells, source)) }
}

/** A task, which fails with its engine. */
const performed = async (session: Session, setting: TaskSetting, task: Task, hooks: TaskHooks): Promise<Run> => {
  const { run } = await performTask(session, setting, task, hooks)
  if (run.failure !== undefined) throw run.failure
  return run
}

/** Starts, each of which goes some way; undefined if it was stopped. @param isEnough of the starts so far */
const startsOf = async (
  session: Session,
  { setting, from, starts, stopping }: Refit,
  number: number,
  smaller: ModelParameters | undefined,
  hooks: TaskHooks,
  isEnough: (begun: readonly Run[]) => boolean = () => false,
): Promise<Run[] | undefined> => {
  const loose = { ...LOOSE, maxPasses: stopping.maxPasses }
  const begun: Run[] = []
  const starting = setting.items && (await loadPart(import('./item-starts.ts')))
  const withItems = starting?.itemStarts(setting.items!, setting.seed, session.data) ?? (start => start)
  for (const task of tasksOf(session.data.shape, setting, withItems, from, smaller, number * starts, starts, loose)) {
    begun.push(await performed(session, setting, task, hooks))
    if (hooks.signal?.aborted) return undefined
    if (isEnough(begun)) break
  }
  return begun
}

/** The best of the starts: all go some way, and those near the best to their end. */
const bestOf = async (
  session: Session,
  refit: Refit,
  number: number,
  smaller: ModelParameters | undefined,
  goal: number | undefined,
  hooks: TaskHooks,
): Promise<Run | undefined> => {
  // With a prior, the best model need not be the one of the largest likelihood.
  const reaches = (run: Run) => goal !== undefined && run.objective === run.loss && run.loss <= goal
  const isEnough = (runs: readonly Run[]) => {
    const last = runs[runs.length - 1]
    if (goal === undefined || last.objective !== last.loss) return false
    const losses = runs.map(({ loss }) => loss)
    const best = Math.min(...losses)
    return reaches(last) || (runs.length >= ENOUGH && best - goal > FAR + Math.max(...losses) - best)
  }
  const begun = await startsOf(session, refit, number, smaller, hooks, isEnough)
  if (begun === undefined) return undefined
  const last = begun[begun.length - 1]
  if (reaches(last)) return last
  begun.sort((a, b) => a.objective - b.objective)
  const [first] = begun
  if (goal !== undefined && first.objective === first.loss && first.loss - goal > FAR) return first
  const near = begun.filter(({ objective }) => objective <= begun[0].objective + NEAR).slice(0, FINISHED)
  let best: Run | undefined
  for (const { parameters } of near) {
    const run = await performed(
      session,
      refit.setting,
      { kind: 'from', from: parameters, stopping: refit.stopping },
      hooks,
    )
    if (hooks.signal?.aborted) return undefined
    if (best === undefined || run.objective < best.objective) best = run
  }
  return best
}

const tasksOf = (
  shape: readonly number[],
  { rank, seed, constraints, links }: TaskSetting,
  withItems: (from: ModelParameters, start: number) => ModelParameters,
  from: ModelParameters,
  smaller: ModelParameters | undefined,
  first: number,
  starts: number,
  stopping: Stopping,
): Task[] => [
  {
    kind: 'from',
    from: {
      ...soften(from, SOFTEN),
      ...defined({ coefficients: from.coefficients, items: from.items }),
      ...(links !== undefined && from.tables !== undefined && { tables: softTables(links, from, SOFTEN) }),
    },
    stopping,
  },
  ...Array.from({ length: rank === 1 ? 0 : starts }, (_, i): Task => {
    const start = first + i
    if (smaller === undefined || i % 2 === 0) {
      // Of those from nothing every other one is wide; classes that constraints name cannot be merged.
      const wide = i % 4 < 2 && rank <= WIDE_RANKS && constraints === undefined ? WIDE : 1
      return { kind: 'start', start, wide, stopping }
    }
    const added = withItems(randomStart(shape, rank - smaller.rank, seed, start), start)
    const wider = soften(union(smaller, added), SOFTEN)
    const tables = links && widerTables(links, smaller, added.rank)
    return { kind: 'from', from: { ...wider, ...defined({ tables }) }, stopping }
  }),
]

const misfitOf = async (
  session: Session,
  parameters: Parameters,
  { items, links }: TaskSetting,
): Promise<ReplicateMisfit> => {
  const data = session.data as Tensor
  const numbers = numbersOf(items)
  const pairs = pairMisfits(data, parameters, numbers).map(({ chiSquared }) => chiSquared)
  const isTable = links === undefined && !data.missing.includes(true) && !numbers.includes(true)
  return isTable ? { ...(await tableMisfit(session, parameters)), pairs } : { pairs }
}

/** How a model fits the table of counts of data that lacks nothing. */
export const tableMisfit = async (session: Session, parameters: Parameters): Promise<TableFit> => {
  const data = session.data as Tensor
  const measures = await session.measure(parameters)
  return { ...fitBySums(data, measures), ...atOnce(fitByCells(data, parameters)) }
}

/** Which modes are numbers: tables of them are not judged. */
const numbersOf = (items: TaskSetting['items'] = []): boolean[] =>
  items.map(item => item !== undefined && isNumber(item.spec))

/** A model whose membership is explained, with its memberships as the factor of the last mode of the data. */
export const withMemberships = (
  { rank, factors, shares, coefficients, items }: ModelParameters,
  explained: TaskSetting['explained'],
): ModelParameters => {
  if (explained === undefined || coefficients === undefined)
    return { rank, shares, factors: [...factors, new Float64Array(rank).fill(1)], ...defined({ items }) }
  const width = explained.terms.length
  const against = Float64Array.from(
    { length: (rank - 1) * width },
    (_, i) => coefficients[(i % width) * rank + Math.floor(i / width) + 1] - coefficients[(i % width) * rank],
  )
  const memberships = new Float64Array(explained.patterns * rank)
  logitOf(explained, rank).memberships(against, memberships)
  return { rank, shares: new Float64Array(rank).fill(1), factors: [...factors, memberships], ...defined({ items }) }
}

const givenMisfit = async (
  session: Session,
  { explained, items }: TaskSetting,
  { parameters: found, logLikelihood }: Refitted,
  given: NonNullable<Replicate['given']>,
): Promise<ReplicateMisfit> => {
  const data = session.data as Tensor
  const numbers = numbersOf(items)
  const parameters = withMemberships(found, explained)
  const table = { ...given, variables: given.variables.filter(modes => !modes.some(n => numbers[n])) }
  const pairs = givenPairMisfits(data, { parameters, ...table }).map(({ chiSquared }) => chiSquared)
  const gSquared = numbers.includes(true) ? undefined : givenGSquared(data, logLikelihood, given)
  if (data.missing.includes(true) || numbers.includes(true)) return { ...defined({ gSquared }), pairs }
  return { ...(await tableMisfit(session, jointModel(parameters, data))), ...defined({ gSquared }), pairs }
}
