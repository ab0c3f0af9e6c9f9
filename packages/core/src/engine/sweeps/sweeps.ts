import { EngineError } from '../../errors.ts'
import type { PlatformMemory } from '../../platform-types.ts'
import * as C from './context.ts'
import { SHARED_SWEEPS, SWEEPS } from './generated/sweeps.ts'

/**
 * Arithmetic on arrays as long as all parameters, shares first and then the factors: what a descent does between passes. It is
 * done by kernels, in blocks of a fixed size with sums of their own, which are added in the order of the blocks. So threads
 * may share the blocks as they come, and the bits stay the same. `addChanges` and `addSteps` are the two sums over long vectors in the L-BFGS direction,
 * whose formulas are in `fit/descent/quasi-newton.ts`.
 */

/** Threads that take part in sweeps. */
export interface SweepHelpers {
  /** Tells them of the memory in which sweeps will be. */
  join(memory: PlatformMemory): void
  /** Calls them to a sweep that is under way there. */
  call(): void
}

/** About how many numbers a block has: so few that all arrays of a sweep are read side by side, as processors expect it. */
const BLOCK = 128
/** Below this many blocks times arrays a sweep is over before another thread has begun. */
const FEW = 1600
/** Where the context lies: below it are the constants of the kernels. */
const CONTEXT = 4096
const PAGE = 65536
const MOST_PAGES = 65535
/** How often it is looked whether another thread has done its chunk: for about a minute, where it takes microseconds. */
const PATIENCE = 2 ** 34

/** How many pairs there is room for in one memory, with arrays of this many numbers. */
export const mostPairs = (size: number): number => Math.floor(((MOST_PAGES * PAGE) / (8 * size) - 9) / 2)

type Kernel = (context: number, job: number, first: number, end: number) => void

/** The kernel on a memory; `shared` says which kind of memory it is. */
const sweepKernel = (memory: WebAssembly.Memory, shared: boolean): Kernel =>
  new WebAssembly.Instance(compiled(shared), { env: { memory } }).exports.sweep as unknown as Kernel

const modules: (WebAssembly.Module | undefined)[] = []

const compiled = (shared: boolean): WebAssembly.Module => {
  const bytes = () => Uint8Array.from(atob(shared ? SHARED_SWEEPS : SWEEPS), character => character.charCodeAt(0))
  modules[Number(shared)] ??= new WebAssembly.Module(bytes())
  return modules[Number(shared)]!
}

/** The memory of sweeps as a thread that helps with them sees it. */
export interface SharedSweeps {
  /** Takes chunks of the sweep that is under way, and does them, until none is left. */
  help(): void
}

export const sharedSweeps = (memory: PlatformMemory): SharedSweeps => {
  const kernel = sweepKernel(memory, true)
  const control = new Int32Array(memory.buffer, CONTEXT, C.BYTES / 4)
  return { help: () => takeChunks(control, kernel) }
}

const takeChunks = (control: Int32Array, kernel: Kernel): void => {
  for (;;) {
    const left = Atomics.load(control, C.LEFT / 4)
    if (left === 0) return
    if (Atomics.compareExchange(control, C.LEFT / 4, left, left - 1) !== left) continue
    // Until this chunk is done the sweep is not, so what describes it stays.
    const first = (left - 1) * C.CHUNK
    kernel(CONTEXT, control[C.JOB / 4], first, Math.min(control[C.BLOCK_COUNT / 4], first + C.CHUNK))
    Atomics.add(control, C.DONE / 4, 1)
  }
}

/** What a step has changed, in the metric at its start: 1 for a share, the class's share for an entry of its columns. */
export interface StepSums {
  /** The inner product of the step and the change of the gradient. */
  readonly curvature: number
  /** The squares of the lengths of the step and of the change. */
  readonly steps: number
  readonly changes: number
}

/** The arrays of a point that sweeps read and write. */
export interface SweptPoint {
  readonly values: Float64Array
  readonly update: Float64Array
  /** For every mode and class, the part of the data in which the mode is present and the class holds. */
  readonly mass: Float64Array
}

/** Where the parts of a sweep's memory lie. */
const layOut = (shape: readonly number[], rank: number, pairs: number) => {
  const size = rank * shape.reduce((sum, labels) => sum + labels, 1)
  const most = rank * Math.max(1, Math.floor(BLOCK / rank))
  const blocks: number[][] = []
  const segments: number[][] = []
  let at = 0
  let block: number[] | undefined
  ;[1, ...shape].forEach((labels, mode) => {
    const end = at + labels * rank
    // Small modes share a block; a large one has blocks of its own.
    if (block !== undefined && end - block[0] > most) block = undefined
    while (at < end) {
      const to = Math.min(end, at + most)
      if (block === undefined) {
        block = [at, to, segments.length, 0]
        blocks.push(block)
      }
      segments.push([at, to, mode, 0])
      block[1] = to
      block[3] = segments.length
      at = to
      if (at < end) block = undefined
    }
  })
  const pattern = 16 * rank
  const row = 8 * (4 + pairs)
  let top = CONTEXT + C.BYTES
  const take = (bytes: number) => {
    const from = top
    top = Math.ceil((top + bytes) / 64) * 64
    return from
  }
  const modes = shape.length + 1
  return {
    size,
    blocks,
    segments,
    pattern,
    row,
    blocksAt: take(16 * blocks.length),
    segmentsAt: take(16 * segments.length),
    found: take(row * blocks.length),
    columns: take(pattern * segments.length),
    masses: take(pattern * modes),
    divisors: take(pattern * modes),
    added: take(8 * modes),
    metric: take(2 * pattern),
    inverse: take(2 * pattern),
    pairs: take(8 * pairs),
    factors: take(8 * pairs),
    // Two points, the statistics, and with pairs the roots, the gradient and the direction.
    arrays: Array.from({ length: 5 + (pairs > 0 ? 3 + 2 * pairs : 0) }, () => take(8 * size)),
    bytes: top,
  }
}

export class Sweeps {
  readonly shape: readonly number[]
  readonly rank: number
  /** How many pairs there is room for. */
  readonly pairs: number
  /** The values and updates of two points. */
  readonly points: readonly { readonly values: Float64Array; readonly update: Float64Array }[]
  /** What a pass gathers, in the layout of the points. */
  readonly statistics: Float64Array
  readonly #memory: WebAssembly.Memory
  readonly #kernel: Kernel
  readonly #helpers: SweepHelpers | undefined
  readonly #parts: ReturnType<typeof layOut>
  readonly #f64: Float64Array
  readonly #u32: Uint32Array
  readonly #control: Int32Array

  private constructor(
    memory: WebAssembly.Memory,
    kernel: Kernel,
    helpers: SweepHelpers | undefined,
    parts: ReturnType<typeof layOut>,
    shape: readonly number[],
    rank: number,
    pairs: number,
  ) {
    this.shape = shape
    this.rank = rank
    this.pairs = pairs
    this.#memory = memory
    this.#kernel = kernel
    this.#helpers = helpers
    this.#parts = parts
    this.#f64 = new Float64Array(memory.buffer)
    this.#u32 = new Uint32Array(memory.buffer)
    this.#control = new Int32Array(memory.buffer, CONTEXT, C.BYTES / 4)
    const view = (i: number) => new Float64Array(memory.buffer, parts.arrays[i], parts.size)
    this.points = [0, 2].map(i => ({ values: view(i), update: view(i + 1) }))
    this.statistics = view(4)
    this.#describe()
  }

  /** Sweeps over models of a shape and rank; in the memory of others that are no longer used, where it is large enough. */
  static open(
    shape: readonly number[],
    rank: number,
    pairs: number,
    helpers: SweepHelpers | undefined,
    others: Sweeps | undefined,
  ): Sweeps {
    if (others !== undefined && others.rank === rank && others.pairs === pairs && isSame(others.shape, shape))
      return others
    const parts = layOut(shape, rank, pairs)
    if (others !== undefined && others.bytes >= parts.bytes) {
      return new Sweeps(others.#memory, others.#kernel, helpers, parts, shape, rank, pairs)
    }
    const shared = helpers !== undefined
    const memory = newMemory(parts.bytes, shared)
    helpers?.join(memory)
    return new Sweeps(memory, sweepKernel(memory, shared), helpers, parts, shape, rank, pairs)
  }

  /** Bytes of the memory. */
  get bytes(): number {
    return this.#memory.buffer.byteLength
  }

  /**
   * The M-step of all modes at once: the update follows from the statistics with something added to those of each mode. A column of
   * zeros says nothing, and stays as it was.
   * @param total what the statistics of the shares are divided by
   */
  maximize({ values, update, mass }: SweptPoint, added: readonly number[], total: number): void {
    const { rank } = this
    const parts = this.#parts
    this.#f64[parts.added / 8] = 0
    this.#f64.set(added, parts.added / 8 + 1)
    this.#sweep(C.GATHER, 1)
    const sums = this.#columnSums()
    for (let i = rank; i < sums.length; i++) mass[i - rank] = sums[i] / total
    sums.fill(total, 0, rank)
    this.#put(parts.divisors, sums)
    // What a column was need not be read where all are set anew.
    this.#point(C.VALUES, sums.every(sum => sum > 0) ? update : values)
    this.#point(C.UPDATE, update)
    this.#sweep(C.MAXIMIZE, 3)
  }

  /**
   * Goes to a point from where we stand, and writes what changes into a pair. Every used pair's slope, that along the
   * gradient at the point, goes into `slopes`, and that of the new one behind them.
   * @param shares where the step began
   */
  recordStep(
    { values, update, mass }: SweptPoint,
    shares: Float64Array,
    pair: number,
    used: readonly number[],
    slopes: Float64Array,
  ): StepSums {
    const parts = this.#parts
    const ones = parts.masses / 8
    this.#f64.fill(1, ones, ones + 2 * this.rank)
    this.#put(parts.masses + parts.pattern, mass)
    this.#setMetric(shares, 1)
    this.#usePairs(used)
    this.#point(C.VALUES, values)
    this.#point(C.UPDATE, update)
    this.#u32[(CONTEXT + C.STEP) / 4] = this.#stepAt(pair)
    this.#u32[(CONTEXT + C.CHANGE) / 4] = this.#changeAt(pair)
    this.#sweep(C.RECORD_STEP, 6 + used.length)
    for (let j = 0; j < used.length; j++) slopes[j] = this.#found(4 + j)
    slopes[used.length] = this.#found(3)
    return { curvature: this.#found(0), steps: this.#found(1), changes: this.#found(2) }
  }

  /**
   * What the first loop of L-BFGS ends with (`quasi-newton.ts` has both loops):
   * direction = scale · M⁻¹ (gradient + Σ factor · change), M the metric at a point with these shares. Every used pair's inner
   * product of its change and that goes into `products`. Returns the inner product of the gradient and the direction.
   */
  addChanges(
    shares: Float64Array,
    scale: number,
    used: readonly number[],
    factors: Float64Array,
    products: Float64Array,
  ): number {
    this.#setMetric(shares, scale)
    this.#usePairs(used, factors)
    this.#sweep(C.ADD_CHANGES, 2 + used.length)
    for (let j = 0; j < used.length; j++) products[j] = this.#found(1 + j)
    return this.#found(0)
  }

  /** The second loop of L-BFGS: direction += Σ factor · step. Returns the square of the direction's length, in the metric that was used last. */
  addSteps(used: readonly number[], factors: Float64Array): number {
    this.#usePairs(used, factors)
    this.#sweep(C.ADD_STEPS, 1 + used.length)
    return this.#found(0)
  }

  /**
   * Goes to the point at a length along the direction from another, normalized; no entry below a part of EM's own update there.
   * False where it cannot be normalized.
   */
  stepAlong(length: number, { update }: SweptPoint, { values }: SweptPoint): boolean {
    const { rank } = this
    this.#f64[(CONTEXT + C.LENGTH) / 8] = length
    this.#point(C.PREVIOUS, update)
    this.#point(C.VALUES, values)
    this.#sweep(C.STEP_ALONG, 4)
    const sums = this.#columnSums()
    let total = 0
    for (let k = 0; k < rank; k++) total += sums[k]
    sums.fill(total, 0, rank)
    if (!sums.every(sum => sum > 0 && sum < Number.POSITIVE_INFINITY)) return false
    this.#put(this.#parts.divisors, sums)
    this.#sweep(C.DIVIDE, 1)
    return true
  }

  /** Where we stand and the pairs that are used, as copies: all that sweeps remember from one step to the next. */
  snapshot(used: readonly number[]): Float64Array[] {
    return this.#remembered(used).map(array => array.slice())
  }

  /** Goes back to where we stood. */
  restore(used: readonly number[], arrays: readonly Float64Array[]): void {
    this.#remembered(used).forEach((array, i) => void array.set(arrays[i]))
  }

  /** The roots, the gradient, and the step and the change of every used pair. */
  #remembered(used: readonly number[]): Float64Array[] {
    const { arrays, size } = this.#parts
    const places = [arrays[5], arrays[6], ...used.flatMap(pair => [this.#stepAt(pair), this.#changeAt(pair)])]
    return places.map(place => new Float64Array(this.#memory.buffer, place, size))
  }

  /** Writes what no sweep changes. */
  #describe(): void {
    const { blocks, segments, pattern, row, arrays, ...at } = this.#parts
    const u32 = this.#u32
    const inBytes = ([start, end, ...rest]: number[]) => [8 * start, 8 * end, ...rest]
    u32.set(blocks.flatMap(inBytes), at.blocksAt / 4)
    u32.set(segments.flatMap(inBytes), at.segmentsAt / 4)
    const fields = [
      [C.PATTERN, pattern],
      [C.BLOCKS, at.blocksAt],
      [C.BLOCK_COUNT, blocks.length],
      [C.SEGMENTS, at.segmentsAt],
      [C.FOUND, at.found],
      [C.FOUND_ROW, row],
      [C.COLUMNS, at.columns],
      [C.MASSES, at.masses],
      [C.DIVISORS, at.divisors],
      [C.ADDED, at.added],
      [C.METRIC, at.metric],
      [C.INVERSE, at.inverse],
      [C.PAIRS, at.pairs],
      [C.FACTORS, at.factors],
      [C.STATISTICS, arrays[4]],
      [C.ROOTS, arrays[5]],
      [C.GRADIENT, arrays[6]],
      [C.DIRECTION, arrays[7]],
    ] as const
    for (const [field, value] of fields) u32[(CONTEXT + field) / 4] = value
  }

  /** Does a sweep over some arrays, with the threads that help where it is long enough. */
  #sweep(job: number, arrays: number): void {
    const count = this.#parts.blocks.length
    if (this.#helpers === undefined || count * arrays < FEW) {
      this.#kernel(CONTEXT, job, 0, count)
      return
    }
    const control = this.#control
    const chunks = Math.ceil(count / C.CHUNK)
    control[C.JOB / 4] = job
    Atomics.store(control, C.DONE / 4, 0)
    Atomics.store(control, C.LEFT / 4, chunks)
    this.#helpers.call()
    takeChunks(control, this.#kernel)
    // What others have taken is soon done.
    for (let looks = 0; Atomics.load(control, C.DONE / 4) < chunks; looks++) {
      if (looks > PATIENCE) throw new EngineError('a worker thread ended before its work was done')
    }
  }

  /** A number that the sweep has found, of all blocks. */
  #found(index: number): number {
    const { found, row, blocks } = this.#parts
    let sum = 0
    for (let b = 0, at = found / 8 + index; b < blocks.length; b++, at += row / 8) sum += this.#f64[at]
    return sum
  }

  /** The column sums of the shares and of every mode, one after the other. */
  #columnSums(): Float64Array {
    const { rank, shape } = this
    const { segments, columns } = this.#parts
    const sums = new Float64Array(rank * (shape.length + 1))
    for (let s = 0, at = columns / 8; s < segments.length; s++, at += 2 * rank) {
      const to = segments[s][2] * rank
      for (let k = 0; k < rank; k++) sums[to + k] += this.#f64[at + k] + this.#f64[at + rank + k]
    }
    return sums
  }

  /** Writes rows of one number per class as patterns. */
  #put(at: number, rows: Float64Array): void {
    const { rank } = this
    for (let row = 0, to = at / 8; row < rows.length; row += rank, to += 2 * rank) {
      for (let k = 0; k < rank; k++) {
        this.#f64[to + k] = rows[row + k]
        this.#f64[to + rank + k] = rows[row + k]
      }
    }
  }

  #setMetric(shares: Float64Array, scale: number): void {
    const { rank } = this
    const { metric, inverse } = this.#parts
    const pattern = 2 * rank
    this.#f64.fill(1, metric / 8, metric / 8 + pattern)
    this.#f64.fill(scale, inverse / 8, inverse / 8 + pattern)
    for (let k = 0; k < pattern; k++) {
      const share = shares[k < rank ? k : k - rank]
      this.#f64[metric / 8 + pattern + k] = share
      this.#f64[inverse / 8 + pattern + k] = share > 0 ? scale / share : 0
    }
  }

  #usePairs(used: readonly number[], factors?: Float64Array): void {
    const { pairs, factors: to } = this.#parts
    this.#u32[(CONTEXT + C.USED) / 4] = used.length
    for (let j = 0; j < used.length; j++) {
      this.#u32[pairs / 4 + 2 * j] = this.#stepAt(used[j])
      this.#u32[pairs / 4 + 2 * j + 1] = this.#changeAt(used[j])
      if (factors !== undefined) this.#f64[to / 8 + j] = factors[j]
    }
  }

  #point(field: number, array: Float64Array): void {
    this.#u32[(CONTEXT + field) / 4] = array.byteOffset
  }

  #stepAt(pair: number): number {
    return this.#parts.arrays[8 + 2 * pair]
  }

  #changeAt(pair: number): number {
    return this.#parts.arrays[9 + 2 * pair]
  }
}

const isSame = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((size, n) => size === b[n])

const newMemory = (bytes: number, shared: boolean): WebAssembly.Memory => {
  const pages = Math.ceil(bytes / PAGE)
  if (pages > MOST_PAGES) {
    throw new EngineError(
      `a descent needs ${(bytes / 2 ** 30).toFixed(1)} GB for its steps, in one WebAssembly memory, which has 4 GB: use fewer classes, or plain EM`,
    )
  }
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages, shared })
  } catch (cause) {
    const wanted = (bytes / 2 ** 20).toFixed(0)
    throw new EngineError(`out of memory: ${wanted} MB were requested and not granted`, { cause })
  }
}

/** Keeps sweeps that are no longer used for the next run: a search then makes no garbage of them. */
export class SweepPool {
  readonly #free: Sweeps[] = []
  readonly #helpers: SweepHelpers | undefined

  constructor(helpers?: SweepHelpers) {
    this.#helpers = helpers
  }

  /** @param pairs how many steps acceleration remembers; 0 for none */
  borrow(shape: readonly number[], rank: number, pairs: number): Sweeps {
    return Sweeps.open(shape, rank, pairs, this.#helpers, this.#free.pop())
  }

  giveBack(sweeps: Sweeps): void {
    // One of any size is kept as long as its session: else each run makes another before the last is gone.
    const own = this.#helpers !== undefined && this.#free.length === 0
    if (own || (this.#free.length < KEPT && sweeps.bytes <= KEPT_BYTES)) this.#free.push(sweeps)
  }
}

/** How many are kept, and how large one may be to be kept. */
const KEPT = 4
const KEPT_BYTES = 256 * 2 ** 20
