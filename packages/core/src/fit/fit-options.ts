import { defined } from '../defined.ts'
import type { Engine } from '../engine/engine.ts'
import { DataError, OptionError } from '../errors.ts'
import type { Items } from '../model/items/choices.ts'
import { ITEMS } from '../model/items/item.ts'
import { Model } from '../model/model.ts'
import { checked, checkedOptions, is, type OptionTable } from '../options.ts'
import { pick } from '../pick.ts'
import type { PlatformSignal } from '../platform-types.ts'
import type { Counts } from '../tensor/tensor.ts'
import type { Checkpoint, CheckpointOptions } from './checkpoint/checkpoint.ts'
import { isOpen } from './checkpoint/with-checkpoint.ts'
import type { Constraints, constraintSetting } from './descent/constraints.ts'
import { mStepSettings, type PriorOptions } from './descent/m-step.ts'
import { ALGORITHMS, type Algorithm, PRECISIONS, type Precision } from './descent/run-options.ts'
import type { StoppingOptions } from './descent/stopping.ts'
import { isThorough } from './search/search.ts'
import type { Phase, SearchLimits } from './search/search-log.ts'
import type { TaskSetting } from './search/tasks.ts'

/** Options of a fit. */
export interface FitOptions extends StoppingOptions, Omit<PriorOptions, 'smoothing'> {
  /** As in a prior; 'auto' takes the width under which data that was left out is most probable. */
  readonly smoothing?: PriorOptions['smoothing'] | 'auto'
  /** K: how many classes to find. */
  readonly rank: number
  /** The same data, options and seed give the same bits. Default 1. */
  readonly seed?: number
  /**
   * 'auto' (default) searches until the best optimum has been reached several times or the limits are spent. A number
   * runs that many independent random starts, and nothing else.
   */
  readonly starts?: 'auto' | number
  /** A model to start from, in place of a search: of the same modes. Labels are matched by name, and other ones carried over: `carryModel`. */
  readonly init?: Model
  /**
   * What variables are taken for, by their names: `normal()`, `ordinal()` or `count()`; all others are categories, as `categorical()` says too.
   * Their probabilities then follow from a few parameters.
   */
  readonly items?: Items
  /** Probabilities that are known, or equal to others. Classes then keep their order, and starts are independent ones. */
  readonly constraints?: Constraints
  /** How a start comes down: 'accelerated' (default), or 'em', the paper's own steps. */
  readonly algorithm?: Algorithm
  /**
   * The precision in which runs begin; all end in double, and the result meets the same conditions. 'auto' (default): single for large data,
   * if the engine is faster there. 'single': whatever the size. 'double': never.
   */
  readonly precision?: Precision
  /** The maximum number of starts that a search may draw. Default 10 000. */
  readonly maxStarts?: number
  /** The maximum number of passes over the data, all runs together. Default for 'auto': by the size of the data. */
  readonly maxPasses?: number
  /**
   * The time limit in seconds; what has been found by then is returned, with `stopped: true`, or it fails with an `AbortError` if there is
   * nothing yet. A result that it ends may differ from one time to the next.
   */
  readonly maxSeconds?: number
  /**
   * About how many bytes the fit may take besides the cells. If that is less than usual, it keeps less history, then fewer models, and is
   * refused if even the least does not fit; a note says what was left out, and the result may be another. Default: as much as it takes.
   */
  readonly memory?: number
  /** Where the passes run, for data in memory. Default: WebAssembly on all cores. */
  readonly engine?: Engine
  /** Threads of the default engine. Default: the cores present. */
  readonly threads?: number
  /** Stops it: the best so far is returned, with `stopped: true`, or it fails with an `AbortError` if there is nothing yet. */
  readonly signal?: PlatformSignal
  /**
   * Where to keep the state of the work from time to time: with what was stored last as `resume`, it goes on from there after its process was
   * killed, and ends with the same bits. `maxSeconds` counts anew for every process.
   */
  readonly checkpoint?: CheckpointOptions | Checkpoint
  /** Called from time to time, and at the end of every task of the search. */
  readonly onProgress?: (progress: Progress) => void
}

export interface Progress {
  readonly rank: number
  /** What is going on: independent starts, the recombination of models, or taking the best to its end. */
  readonly phase: Phase
  /** How many runs of the search have ended. */
  readonly runs: number
  /** Passes of the run under way, and its loss. */
  readonly pass: number
  readonly loss: number
  /** The lowest loss of the runs that have ended; Infinity before the first has. */
  readonly best: number
  /** Passes so far, all runs together, and their limit. */
  readonly passes: number
  readonly maxPasses: number
}

/** The smoothing width, and how it was chosen. */
export interface WidthChoice {
  readonly width: number
  /** Every width that was tried, with the mean log-probability of an observation left out. */
  readonly tried: readonly { readonly width: number; readonly heldOut: number }[]
}

/** The options of a fit to a session, whose only time limit is the signal. */
export type SessionFitOptions = Omit<FitOptions, 'maxSeconds' | 'engine' | 'threads' | 'checkpoint'>

/** Every option of a fit. What its default depends on is beside `usualPasses` and `stoppingOptions`. */
export const FIT_OPTIONS = {
  rank: { check: is.whole(1), required: true },
  seed: { check: is.whole(0), default: 1 },
  starts: { check: is.either('auto', is.whole(1, 2 ** 32 - 1)), default: 'auto' },
  init: { check: is.thing('a Model (reviveModel makes one of a copy)', value => (value as unknown) instanceof Model) },
  algorithm: { check: is.oneOf(ALGORITHMS), default: 'accelerated' },
  precision: { check: is.oneOf(PRECISIONS), default: 'auto' },
  maxStarts: { check: is.whole(1), default: 10_000 },
  maxPasses: { check: is.whole(2) },
  maxSeconds: { check: is.positive, unit: 'seconds' },
  memory: { check: is.nonNegative, unit: 'bytes' },
  engine: {
    check: is.thing(
      'an engine with a function open, as wasmEngine() has',
      (value: Engine) => typeof value.open === 'function',
    ),
  },
  threads: { check: is.whole(1, 1024) },
  signal: {
    check: is.thing('an AbortSignal', (value: PlatformSignal) => typeof value.addEventListener === 'function'),
  },
  checkpoint: {
    check: is.thing(
      'an object with a function store, or what openCheckpoint gives',
      (value: CheckpointOptions | Checkpoint) => isOpen(value) || typeof value.store === 'function',
    ),
  },
  onProgress: { check: is.function },
  tolerance: { check: is.nonNegative },
  stationarity: { check: is.nonNegative },
  minGain: { check: is.nonNegative },
  pseudoCounts: { check: is.nonNegative, byMode: true },
  smoothing: { check: is.either('auto', is.nonNegative), byMode: true, unit: 'labels' },
  items: { check: ITEMS },
  constraints: { check: is.thing('an object of fixed, zero or equal', value => typeof value === 'object') },
} as const satisfies OptionTable<FitOptions>

/** Those of a fit that other functions have too. */
export const fitOptionsOf = <K extends keyof typeof FIT_OPTIONS>(...names: readonly K[]): Pick<typeof FIT_OPTIONS, K> =>
  pick(FIT_OPTIONS, ...names)

/**
 * The work (cells × modes × classes × passes) that a search may do by default: ten seconds or so on two cores. On very large data
 * enough for three attempts; half a second or so on small data, where twice as many find hardly more.
 */
const PASSES = { work: 6e10, least: 200, most: 100_000 }

/**
 * The work after which a search ends if it hardly gains any more: a quarter of what it may do, about three seconds on two cores. Searches of small
 * data never do as much.
 */
const ENOUGH = 1.5e10

/** More parameters than this do not fit into memory in all the copies that a run needs. */
const MOST_PARAMETERS = 2 ** 27

/** A fit's options, checked: `fitParts` has the others. */
export interface FitSetting {
  readonly task: TaskSetting
  readonly starts: 'auto' | number
  readonly limits: SearchLimits
}

/** @param settingOf reads constraints, if there are some: programs without them do not load its code */
export const checkFitOptions = (
  data: Counts,
  options: FitOptions,
  settingOf?: typeof constraintSetting,
): FitSetting => {
  const { seed, starts, algorithm, precision, maxStarts, maxPasses, smoothing, ...given } = checkedOptions(
    'fit',
    FIT_OPTIONS,
    options,
  )
  const rank = checkRank(data, given.rank, given.init !== undefined)
  checkShares(data)
  const most = usualPasses(data, rank, starts)
  const enough = Math.floor(ENOUGH / (data.cells * data.shape.length * rank))
  const endsEarly = starts === 'auto' && maxPasses === undefined && isThorough(most) && enough < most
  const constraints = given.constraints === undefined ? undefined : settingOf!(data.modes, rank, given.constraints)
  return {
    task: {
      rank,
      seed,
      algorithm,
      steps: mStepSettings(
        data.modes,
        {
          ...defined({ pseudoCounts: given.pseudoCounts }),
          ...(smoothing !== undefined && { smoothing: smoothing === 'auto' ? 1 : smoothing }),
        },
        constraints,
      ),
      ...defined({ constraints }),
      ...(beginsInSingle(precision, data, rank) && { single: true }),
    },
    starts,
    limits: { maxStarts, maxPasses: maxPasses ?? most, ...(endsEarly && { enough }) },
  }
}

/** Whether runs begin in single precision, if there is one: 'auto' says yes if passes are so dear that a search must be economical. */
const beginsInSingle = (precision: Precision, data: Counts, rank: number): boolean =>
  precision === 'single' || (precision === 'auto' && !isThorough(usualPasses(data, rank, 'auto')))

/** The limit of passes of a search, by the work of each. */
export const usualPasses = (
  { cells, shape }: Counts,
  rank: number,
  starts: 'auto' | number,
  { work, least, most }: { readonly work: number; readonly least: number; readonly most: number } = PASSES,
): number => {
  if (starts !== 'auto') return Number.MAX_SAFE_INTEGER
  return Math.min(most, Math.max(least, Math.floor(work / (cells * shape.length * rank))))
}

/** A smaller share of the total may be zero as a probability. */
const LEAST_SHARE = 2 ** -1022

/** Refuses data that holds next to nothing of a label: its probability would be rounded to zero, and its cells impossible. */
const checkShares = ({ modes, marginals, total }: Counts): void =>
  marginals.forEach((sums, n) => {
    const label = sums.findIndex(sum => sum > 0 && sum < LEAST_SHARE * total)
    if (label < 0) return
    const [text, name] = [String(modes[n].label(label)), modes[n].name].map(given => JSON.stringify(given))
    throw new DataError(
      `the values of ${text} in ${name} sum to ${sums[label]}, of ${total} in all: too little for a probability above zero. Leave them out`,
    )
  })

/** Refuses at once a rank that the data cannot support. */
const checkRank = ({ cells, shape }: Counts, value: number, given: boolean): number => {
  const rank = checked('rank', FIT_OPTIONS.rank.check, value)
  if (rank > cells && !given)
    throw new OptionError(
      'rank',
      `must be at most ${cells}, the number of distinct cells: each is then a class of its own`,
      rank,
    )
  const rows = shape.reduce((sum, size) => sum + size, 1)
  if (rank * rows > MOST_PARAMETERS) {
    const most = Math.floor(MOST_PARAMETERS / rows)
    throw new OptionError('rank', `must be at most ${most} with ${rows - 1} labels, or memory runs out`, rank)
  }
  return rank
}
