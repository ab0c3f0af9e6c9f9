import { OptionError } from '../errors.ts'
import type { Counts } from '../tensor/tensor.ts'
import { usualPairs } from './descent/history.ts'
import type { Algorithm } from './descent/run-options.ts'
import { BATCH, BROOD, WIDE, WIDE_RANKS } from './search/search-log.ts'

/** What a fit keeps in memory besides the cells. */
export interface MemoryPlan {
  /** Steps that acceleration remembers. */
  readonly pairs: number
  /** Models that the search keeps. */
  readonly kept: number
  /** Whether starts may have more classes than were asked for. */
  readonly wide: boolean
  /** About how many bytes that takes. */
  readonly bytes: number
  /** What is less than usual; undefined if nothing is. */
  readonly note?: string
}

/** What a search that keeps models asks for. */
interface Asked {
  readonly rank: number
  readonly starts: 'auto' | number
  /** Whether steps are remembered, as they are by the accelerated algorithm. */
  readonly accelerated: boolean
  /** Whether there is one run only, from a model. */
  readonly single: boolean
}

/** A fit that takes no more than this is never made smaller, nor refused. */
const SMALL = 64e6
/** History is not cut below this many steps before the search keeps fewer models. */
const USEFUL_PAIRS = 3

/** Arrays as long as all parameters, in a run: two points with their updates, the statistics; with history roots, gradient and direction. */
const RUN = { plain: 5, history: 3, pair: 2 }
/** About how many a pass has: the parameters as the threads see them, their tables, and what each has gathered. */
const PASS = 4
/** Those of one end that is made from others: the best, the model under way, what it came from, and that which is returned. */
const OTHERS = 5

/** About how many bytes a fit takes besides the cells. */
export const fitBytes = (
  { shape }: Pick<Counts, 'shape'>,
  { rank, starts, accelerated, single }: Asked,
  { pairs, kept, wide }: Pick<MemoryPlan, 'pairs' | 'kept' | 'wide'>,
): number => {
  const model = 8 * rank * shape.reduce((sum, size) => sum + size, 1)
  const run = accelerated ? RUN.plain + RUN.history + RUN.pair * pairs : RUN.plain
  if (single) return model * (run + PASS + OTHERS)
  const batch = Math.min(kept, starts === 'auto' ? BATCH.starts : Math.min(starts, BATCH.independent))
  // Of independent starts only the best is kept.
  const models = OTHERS + batch + (starts === 'auto' ? kept : 1)
  // A start of too many classes, or the classes of two models: its run, and two copies while it is merged down.
  const classes = starts !== 'auto' ? 1 : wide ? WIDE : 2
  return model * (Math.max(run, classes * RUN.plain) + classes * PASS + models + (starts === 'auto' ? 2 * classes : 0))
}

const inBytes = (bytes: number): string =>
  bytes >= 1e9 ? `${(bytes / 1e9).toFixed(bytes >= 1e10 ? 0 : 1)} GB` : `${Math.ceil(bytes / 1e6)} MB`

/**
 * What a fit may keep in so many bytes: history shrinks first, then fewer models are kept, then no start is wide. Refuses what would not
 * fit even so. It is a function of the data and the bytes alone, since the result depends on it.
 */
export const planMemory = (data: Pick<Counts, 'shape' | 'cells'>, asked: Asked, limit: number): MemoryPlan => {
  const plans = [...plansOf(data, asked)]
  const fitting = plans.find(({ bytes }) => bytes <= Math.max(SMALL, limit))
  if (fitting !== undefined) return { ...fitting, ...notedAs(fitting, plans[0]) }
  const { bytes } = plans[plans.length - 1]
  throw new OptionError(
    'memory',
    `must be at least ${Math.ceil(bytes)} (${inBytes(bytes)}), or use fewer classes`,
    limit,
  )
}

/** From what is usual to the least. */
function* plansOf(data: Pick<Counts, 'shape' | 'cells'>, asked: Asked): Generator<MemoryPlan> {
  const { shape, cells } = data
  const { rank, starts } = asked
  const size = rank * shape.reduce((sum, labels) => sum + labels, 1)
  const usual = {
    pairs: usualPairs(cells * shape.length * rank, size),
    kept: starts === 'auto' ? BROOD.size : Math.min(starts, BATCH.independent),
    wide: starts === 'auto' && rank <= WIDE_RANKS,
  }
  const planned = (plan: typeof usual): MemoryPlan => ({ ...plan, bytes: fitBytes(data, asked, plan) })
  const useful = Math.min(USEFUL_PAIRS, usual.pairs)
  for (let pairs = usual.pairs; pairs >= useful; pairs--) yield planned({ ...usual, pairs })
  for (let kept = usual.kept - 1; kept >= 1; kept--) yield planned({ ...usual, pairs: useful, kept })
  for (let pairs = useful; pairs >= 1; pairs--) yield planned({ pairs, kept: 1, wide: false })
}

/** The options of a fit that its memory depends on. */
export interface FitSize {
  readonly rank: number
  readonly starts?: 'auto' | number
  readonly algorithm?: Algorithm
  readonly init?: object
}

/**
 * About how many bytes a fit takes besides the cells: usually, and at least.
 * @example
 * const { usual, least } = memoryOfFit(answers, { rank: 2 })
 * least < usual // true
 */
export const memoryOfFit = (
  data: Pick<Counts, 'shape' | 'cells'>,
  { rank, starts = 'auto', algorithm = 'accelerated', init }: FitSize,
): { readonly usual: number; readonly least: number } => {
  const asked = { rank, starts, accelerated: algorithm === 'accelerated', single: init !== undefined || rank === 1 }
  const plans = [...plansOf(data, asked)]
  const least = plans[plans.length - 1].bytes
  return { usual: plans[0].bytes, least: least <= SMALL ? 0 : least }
}

const notedAs = (plan: Omit<MemoryPlan, 'bytes'>, usual: Omit<MemoryPlan, 'bytes'>): { readonly note?: string } => {
  const less = [
    ...(plan.pairs < usual.pairs ? [`${plan.pairs} of ${usual.pairs} steps of history`] : []),
    ...(plan.kept < usual.kept ? [`${plan.kept} of ${usual.kept} models in the search`] : []),
    ...(plan.wide === usual.wide ? [] : ['no wide starts']),
  ]
  if (less.length === 0) return {}
  return { note: `the memory limit leaves room for ${less.join(', ')}: the search may take longer or find less` }
}
