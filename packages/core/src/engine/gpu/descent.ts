import type { Parameters as ModelParameters } from '../../model/parameters.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import type { PlacedDescent } from '../placed-descent.ts'
import type { StepSums } from '../sweeps/sweeps.ts'
import { type Card, type Dispatch, type Room, STAGED } from './card.ts'
import type { CardPass } from './card-pass.ts'
import { type Dots, Gram, type SharesAt } from './gram.ts'
import type { PlacedCells } from './placed-cells.ts'
import {
  dotShader,
  followShader,
  learnShader,
  MOST_PAIRS,
  OWN_DOTS,
  PAIR_DOTS,
  PAIRS_AT_ONCE,
  prepareShader,
  residualShader,
  valuesShader,
  walkShader,
} from './shaders/steps.ts'
import { columnShader, LOG_SUMS, rowSumShader } from './shaders/sums.ts'

type Which = 0 | 1

/** A step that was made, and what the card has found of it; it becomes a pair if the descent takes it. */
interface Trial {
  readonly from: Which
  readonly to: Which
  readonly dots: Dots
}

/** Where parts of the columns' buffer begin, in modes: the sums of either point, and those of a step. */
const WALKED = 2

/**
 * A descent whose arrays lie on the card: two points, the pairs of steps and changes of the gradient, the direction. A step and the pass after it
 * are handed over together, and one small piece of memory comes back: the log-likelihood, the shares, and inner products for each class.
 */
export class CardDescent implements PlacedDescent {
  readonly rank: number
  readonly pairs: number
  /** How many were asked for. */
  readonly wanted: number
  readonly #card: Card
  readonly #tensor: Tensor
  readonly #placed: PlacedCells
  readonly #pass: CardPass
  readonly #points: readonly Room[]
  readonly #columns: Room
  readonly #gradient: Room
  readonly #pairs: Room
  readonly #dots: Room
  readonly #lists: { readonly modes: Room; readonly dots: Room }
  readonly #metric: Room
  readonly #staging: GPUBuffer
  #gram: Gram
  readonly #kernels: Kernels
  readonly #shares: { values: Float64Array; update: Float64Array }[]
  /** Whether the values of a point are still to be divided by their column sums. */
  readonly #walked = [false, false]
  readonly #known = [false, false]
  /** Which place on the card each pair of the descent has, and those that are free: the last is written next. */
  readonly #slots = new Map<number, number>()
  #free: number[] = []
  #live: readonly number[] = []
  #trial: Trial | undefined
  #queue: Dispatch[] = []
  /** The numbers of the kernels that are handed over next. */
  readonly #arena: GPUBuffer
  readonly #numbers = new Uint32Array(PLACES * NUMBERS)
  readonly #floats = new Float32Array(this.#numbers.buffer)
  #next = 0
  readonly #bindings = new Map<string, GPUBindGroup>()
  readonly #names = new Map<Room, number>()

  private constructor(parts: {
    card: Card
    tensor: Tensor
    placed: PlacedCells
    pass: CardPass
    pairs: number
    wanted: number
    rooms: Room[]
    kernels: Kernels
  }) {
    const { card, tensor, placed, pass, pairs, kernels } = parts
    const [first, second, columns, gradient, pairRoom, dots, modes, dotLists, metric] = parts.rooms
    this.rank = pass.rank
    this.pairs = pairs
    this.wanted = parts.wanted
    this.#card = card
    this.#tensor = tensor
    this.#placed = placed
    this.#pass = pass
    this.#points = [first, second]
    this.#columns = columns
    this.#gradient = gradient
    this.#pairs = pairRoom
    this.#dots = dots
    this.#lists = { modes, dots: dotLists }
    this.#metric = metric
    this.#kernels = kernels
    this.#gram = new Gram(pass.rank, Math.max(1, pairs))
    this.#arena = card.uniform(4 * PLACES * NUMBERS)
    this.#staging = card.staging(16 * LOG_SUMS + this.#row * (2 + quantities(pairs)))
    const zeros = () => new Float64Array(pass.rank)
    this.#shares = [0, 1].map(() => ({ values: zeros(), update: zeros() }))
  }

  static async open(
    card: Card,
    tensor: Tensor,
    placed: PlacedCells,
    pass: CardPass,
    wanted: number,
  ): Promise<CardDescent> {
    const { geometry, blocks } = pass
    const row = 16 * geometry.stride
    const size = row * placed.plan.rows.count
    const modes = tensor.shape.length
    // As many pairs as one array holds, and one that is being tried.
    const pairs = Math.min(wanted, MOST_PAIRS, Math.max(0, Math.floor(card.mostBytes / (2 * size)) - 1))
    const all = quantities(pairs)
    const what = `a descent of ${pass.rank} classes`
    const rooms = await card.rooms(what, [
      ...[2 * size, 2 * size],
      row * ((WALKED + 1) * modes + blocks.count),
      ...[size, 2 * size * (pairs === 0 ? 0 : pairs + 1)],
      row * all * (blocks.count + 1),
      ...[16 * modes, 16 * all, row],
    ])
    const lists = blocks.ofMode.map(({ first, count }, n) => [n, (WALKED + 1) * modes + first, count, 0])
    card.write(rooms[6], Uint32Array.from(lists.flat()))
    const dotLists = Array.from({ length: all }, (_, q) => [all * blocks.count + q, q * blocks.count, blocks.count, 0])
    card.write(rooms[7], Uint32Array.from(dotLists.flat()))
    const kernels = await kernelsOf(card, pass)
    return new CardDescent({ card, tensor, placed, pass, pairs, wanted, rooms, kernels })
  }

  get #row(): number {
    return 16 * this.#pass.geometry.stride
  }

  shares(which: Which): Float64Array {
    return this.#shares[which].values
  }

  begin(which: Which, { rank, shares, factors }: ModelParameters): void {
    const width = 4 * this.#pass.geometry.stride
    const { rows } = this.#placed.plan
    const sum = shares.reduce((total, share) => total + share, 0)
    this.#shares[which].values = shares.map(share => share / sum)
    factors.forEach((factor, n) => {
      const labels = this.#tensor.shape[n]
      const piece = Math.max(1, Math.floor(STAGED / (8 * width)))
      for (let from = 0; from < labels; from += piece) {
        const count = Math.min(piece, labels - from)
        const values = new Float32Array(2 * count * width)
        // Values and update take turns, four classes at a time.
        for (let label = 0, at = from * rank; label < count; label++) {
          for (let k = 0, to = 2 * label * width; k < rank; k += 4, to += 8) {
            const end = Math.min(4, rank - k)
            for (let i = 0; i < end; i++) values[to + i] = factor[at++]
          }
        }
        this.#card.write(this.#points[which], values, 8 * width * (rows.first[n] + from))
      }
    })
    this.#forget()
  }

  /** Forgets what was learned from another start. */
  #forget(): void {
    this.#walked.fill(false)
    this.#known.fill(false)
    this.#queue = []
    this.#next = 0
    this.#slots.clear()
    this.#free = Array.from({ length: this.pairs + 1 }, (_, place) => place)
    this.#live = []
    this.#trial = undefined
    this.#gram = new Gram(this.rank, Math.max(1, this.pairs))
  }

  emUpdate(from: Which, to: Which): void {
    this.#shares[to].values = this.#shares[from].update.slice()
    this.#next = 0
    this.#queue = [this.#step('follow', { 0: this.#points[from], 1: this.#points[to], 2: this.#blocks }, [this.#count])]
    this.#walked[to] = false
    this.#known[to] = false
  }

  async pass(which: Which): Promise<number> {
    const { geometry, blocks, steps } = this.#pass
    const modes = this.#tensor.shape.length
    const other = (1 - which) as Which
    const after = this.pairs > 0 && this.#known[other]
    this.#pass.setShares(this.#shares[which].values)
    const point = this.#points[which]
    const prepared = this.#step(
      this.#walked[which] ? 'divide' : 'prepare',
      { 0: point, 1: this.#columns, 2: this.#placed.labels, 3: this.#pass.table, 4: this.#pass.logs, 5: this.#blocks },
      [this.#count, WALKED * modes, this.#pass.logsOfRows],
    )
    const work = [...this.#queue, prepared, ...steps, ...this.#columnSums(this.#pass.sums, which)]
    const per = [this.#placed.unit / this.#tensor.total]
    const learned = { 0: this.#pass.sums, 1: point, 3: this.#columns, 5: this.#gradient, 6: this.#blocks }
    const used: number[] = []
    if (after) {
      const place = this.#free.at(-1)!
      const bound = { ...learned, 2: this.#points[other], 4: this.#pairs }
      work.push(this.#step('learn', bound, [this.#count, which * modes, other * modes, this.#at(place)], per))
      used.push(...this.#live)
      work.push(...this.#dotSteps(place, used))
    } else work.push(this.#step('first', learned, [this.#count, which * modes, 0, 0], per))
    this.#queue = []
    const row = this.#row
    const found = after ? OWN_DOTS.length + PAIR_DOTS.length * roundUp(used.length, PAIRS_AT_ONCE) : 0
    const missing = this.#placed.plan.rows.missing[0]
    const logs = 16 * LOG_SUMS
    const to = this.#staging
    this.#submit(work, [
      { from: this.#pass.found, at: 0, bytes: logs, to, into: 0 },
      { from: this.#columns, at: row * which * modes, bytes: row, to, into: logs },
      ...(missing >= 0 ? [{ from: this.#pass.sums, at: row * missing, bytes: row, to, into: logs + row }] : []),
      ...(found > 0
        ? [
            {
              from: this.#dots,
              at: row * quantities(this.pairs) * blocks.count,
              bytes: row * found,
              to,
              into: logs + 2 * row,
            },
          ]
        : []),
    ])
    this.#walked[which] = false
    const read = await this.#card.read(to, logs + row * (2 + found))
    const at = (index: number, k: number) => read[logs / 4 + 4 * geometry.stride * index + k]
    const scale = this.#placed.unit / this.#tensor.total
    for (let k = 0; k < this.rank; k++)
      this.#shares[which].update[k] = (at(0, k) + (missing >= 0 ? at(1, k) : 0)) * scale
    const row64 = (index: number) => {
      const numbers = new Float64Array(this.rank)
      const first = logs / 4 + 4 * geometry.stride * (2 + index)
      for (let k = 0; k < numbers.length; k++) numbers[k] = read[first + k]
      return numbers
    }
    this.#trial = after ? { from: other, to: which, dots: dotsOf(used, row64) } : undefined
    this.#known[which] = true
    return this.#pass.logOf(read) + this.#placed.offset
  }

  async residual(which: Which): Promise<number> {
    const { blocks, geometry } = this.#pass
    const modes = this.#tensor.shape.length
    const bound = { 0: this.#points[which], 1: this.#columns, 2: this.#blocks, 3: this.#dots }
    const per = [this.#placed.unit / this.#tensor.total]
    this.#submit([this.#step('residual', bound, [this.#count, which * modes, 0, 0], per)])
    const worst = await this.#card.download(this.#dots, 16 * geometry.stride * blocks.count)
    const { values, update } = this.#shares[which]
    const own = values.map((value, k) => (value > 0 ? Math.abs(Math.min(value, 1 - update[k] / value)) : 0))
    return Math.max(
      own.reduce((most, each) => Math.max(most, each), 0),
      worst.reduce((most, each) => Math.max(most, each), 0),
    )
  }

  async read(which: Which): Promise<ModelParameters> {
    const { stride } = this.#pass.geometry
    const { rows } = this.#placed.plan
    const bound = { 0: this.#points[which], 1: this.#gradient, 2: this.#blocks }
    this.#submit([this.#step('values', bound, [this.#count])])
    const all = await this.#card.download(this.#gradient, 16 * stride * rows.count)
    const { rank } = this
    const factors = this.#tensor.shape.map((labels, n) => {
      const factor = new Float64Array(labels * rank)
      const sums = new Float64Array(rank)
      for (let label = 0, to = 0; label < labels; label++) {
        const at = 4 * stride * (rows.first[n] + label)
        for (let k = 0; k < rank; k++, to++) {
          const value = all[at + k]
          factor[to] = value
          sums[k] += value
        }
      }
      // What single precision made of a sum of 1.
      const scales = sums.map(sum => (sum > 0 ? 1 / sum : 1))
      for (let to = 0; to < factor.length; ) for (let k = 0; k < rank; k++) factor[to++] *= scales[k]
      return factor
    })
    return { rank, shares: this.#shares[which].values.slice(), factors }
  }

  recordStep(to: Which, pair: number, used: readonly number[], slopes: Float64Array): StepSums {
    const trial = this.#trial
    // The point where a step began: what it was is known from the step itself.
    if (trial === undefined || trial.to !== to) return { curvature: 0, steps: 0, changes: 0 }
    const place = this.#free.pop()!
    const old = this.#slots.get(pair)
    if (old !== undefined) this.#free.push(old)
    this.#slots.set(pair, place)
    this.#trial = undefined
    this.#live = [...used, pair]
    const [from, at]: SharesAt[] = [this.#shares[trial.from], this.#shares[to]]
    return this.#gram.recordStep(from, at, pair, trial.dots, used, slopes)
  }

  readonly addChanges: PlacedDescent['addChanges'] = (...all) => this.#gram.addChanges(...all)
  readonly addSteps: PlacedDescent['addSteps'] = (...all) => this.#gram.addSteps(...all)

  stepAlong(length: number, from: Which, to: Which): boolean {
    const shares = this.#gram.stepAlong(length, this.#shares[from])
    if (shares === undefined) return false
    this.#shares[to].values = shares
    this.#next = 0
    const { inverse, used, changes, steps } = this.#gram.recipe
    const metric = new Float32Array(4 * this.#pass.geometry.stride)
    metric.set(inverse)
    this.#card.write(this.#metric, metric)
    const modes = this.#tensor.shape.length
    const bound = {
      0: this.#points[from],
      1: this.#pairs,
      2: this.#points[to],
      3: this.#blocks,
      4: this.#columns,
      5: this.#metric,
    }
    const words = [this.#count, (WALKED + 1) * modes, from * modes, used.length, 0, 0, 0, 0, ...this.#places(used)]
    const work = [this.#step('walk', bound, words, [this.#placed.unit / this.#tensor.total, length])]
    this.#floats.set(changes, NUMBERS * (this.#next - 1) + 8 + MOST_PAIRS)
    this.#floats.set(steps, NUMBERS * (this.#next - 1) + 8 + 2 * MOST_PAIRS)
    work.push(this.#totals(WALKED))
    this.#queue = work
    this.#walked[to] = true
    this.#known[to] = false
    return true
  }

  free(): void {
    for (const room of [...this.#points, this.#columns, this.#gradient, this.#pairs, this.#dots]) room.destroy()
    for (const room of [this.#lists.modes, this.#lists.dots, this.#metric]) room.destroy()
    this.#arena.destroy()
    this.#staging.destroy()
  }

  get #blocks(): Room {
    return this.#pass.blockList
  }

  get #count(): number {
    return this.#pass.blocks.count
  }

  /** Where a pair begins on the card, in vectors. */
  #at(place: number): number {
    return 2 * place * this.#pass.geometry.stride * this.#placed.plan.rows.count
  }

  /** Where pairs begin; where there are fewer than a kernel takes, the first again. */
  #places(slots: readonly number[]): number[] {
    return Array.from({ length: roundUp(slots.length, PAIRS_AT_ONCE) }, (_, j) =>
      this.#at(this.#slots.get(slots[j] ?? slots[0])!),
    )
  }

  #dotSteps(place: number, used: readonly number[]): Dispatch[] {
    const bound = { 0: this.#pairs, 1: this.#gradient, 2: this.#blocks, 3: this.#dots }
    const at = this.#at(place)
    const work = [this.#step('ownDots', bound, [this.#count, at, 0, 1])]
    const parts = Math.ceil(used.length / PAIRS_AT_ONCE)
    const words = [this.#count, at, 0, parts, 0, 0, 0, 0, ...this.#places(used)]
    if (parts > 0) work.push(this.#step('dots', bound, words, [], this.#count * parts))
    const count = OWN_DOTS.length + parts * PAIRS_AT_ONCE * PAIR_DOTS.length
    work.push(this.#step('rowSums', { 0: this.#lists.dots, 1: this.#dots }, [count, 0], [], count))
    return work
  }

  #columnSums(sums: Room, which: Which): Dispatch[] {
    const partial = (WALKED + 1) * this.#tensor.shape.length
    const bound = { 0: sums, 1: this.#blocks, 2: this.#columns }
    return [this.#step('columns', bound, [this.#count, partial]), this.#totals(which)]
  }

  /** Adds the column sums of the blocks up, for every mode. */
  #totals(part: number): Dispatch {
    const modes = this.#tensor.shape.length
    return this.#step('rowSums', { 0: this.#lists.modes, 1: this.#columns }, [modes, part * modes], [], modes)
  }

  /** A kernel with what it works on. Its numbers go into the next place of the arena, which is sent with the work; what it is bound to is kept. */
  #step(
    name: keyof Kernels,
    bound: Readonly<Record<number, GPUBuffer>>,
    words: readonly number[],
    floats: readonly number[] = [],
    workgroups = this.#count,
  ): Dispatch {
    const { pipeline, uniform } = this.#kernels[name]
    const place = this.#next++
    this.#numbers.fill(0, NUMBERS * place, NUMBERS * (place + 1))
    this.#numbers.set(words, NUMBERS * place)
    this.#floats.set(floats, NUMBERS * place + 4)
    const key = `${name} ${place} ${Object.values(bound)
      .map(room => this.#nameOf(room))
      .join(' ')}`
    let bindings = this.#bindings.get(key)
    if (bindings === undefined) {
      const own = { buffer: this.#arena, offset: 4 * NUMBERS * place, size: 4 * NUMBERS }
      bindings = this.#card.bind(pipeline, bound, { [uniform]: own })
      this.#bindings.set(key, bindings)
    }
    return { pipeline, bindings, workgroups }
  }

  /** A number for every array, by which what is bound is known again. */
  #nameOf(room: Room): number {
    const known = this.#names.get(room)
    if (known !== undefined) return known
    this.#names.set(room, this.#names.size)
    return this.#names.size - 1
  }

  /** Hands work over with its numbers. */
  #submit(...work: Parameters<Card['submit']>): void {
    this.#card.write(this.#arena, this.#numbers.subarray(0, NUMBERS * this.#next))
    this.#next = 0
    this.#card.submit(...work)
  }
}

/** The most kernels that are handed over at once, and the words of each one's place: what a device aligns to. */
const PLACES = 24
const NUMBERS = 128

const roundUp = (count: number, to: number): number => Math.ceil(count / to) * to

/** Inner products for each class that a step gives, at most. */
const quantities = (pairs: number): number => OWN_DOTS.length + PAIR_DOTS.length * roundUp(pairs + 1, PAIRS_AT_ONCE)

const dotsOf = (used: readonly number[], row: (index: number) => Float64Array): Dots => {
  const [ss, sy, sg, yy, yg, gg] = OWN_DOTS.map((_, q) => row(q))
  const known = new Map(
    used.map((slot, j) => {
      const [ag, zg, as, ay, zs, zy] = PAIR_DOTS.map((_, q) => row(OWN_DOTS.length + PAIR_DOTS.length * j + q))
      return [slot, { ag, zg, as, ay, zs, zy }] as const
    }),
  )
  return { ss, sy, sg, yy, yg, gg, known }
}

type Kernels = Awaited<ReturnType<typeof kernelsOf>>

/** The kernels of a descent, and where each takes its numbers. */
const kernelsOf = async (card: Card, { geometry }: CardPass) => {
  const kernel = async (code: string, uniform: number) => ({ pipeline: await card.pipeline(code), uniform })
  return {
    prepare: await kernel(prepareShader(geometry, false), 6),
    divide: await kernel(prepareShader(geometry, true), 6),
    first: await kernel(learnShader(geometry, true), 7),
    learn: await kernel(learnShader(geometry, false), 7),
    ownDots: await kernel(dotShader(geometry, true), 4),
    dots: await kernel(dotShader(geometry, false), 4),
    walk: await kernel(walkShader(geometry), 6),
    follow: await kernel(followShader(geometry), 3),
    values: await kernel(valuesShader(geometry), 3),
    residual: await kernel(residualShader(geometry), 4),
    columns: await kernel(columnShader(geometry), 3),
    rowSums: await kernel(rowSumShader(geometry), 2),
  }
}
